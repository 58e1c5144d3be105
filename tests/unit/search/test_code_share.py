import pytest

from scrubjay.profiles.search.rank.tiers import code_share

PYTHON = '''def read_rows(path, separator=","):
    """Read the rows of a file."""
    rows = []
    with open(path) as file:
        for line in file:
            rows.append(line.strip().split(separator))
    return rows
'''
TYPESCRIPT = """export function readRows(path: string): string[][] {
  const lines = readFileSync(path, "utf8").split("\\n");
  return lines.map((line) => line.trim().split(","));
}
"""
PROSE = (
    "The lake froze in January (as it does most years), and we walked over it to the heronry. Two nests were left."
    " Peat had been cut along the north shore; a photo is in [the survey](Survey 2026.md#Peat)."
)
WIKI = (
    "- [[Periodic Notes]] by [[liamcain]]: `createDailyNote()` makes the note\n- [docs](https://example.org/a_b?c=d)\n"
)
CHINESE = "在设置中打开核心插件,然后选择日记。文件夹可以在选项里更改。"


@pytest.mark.parametrize("text", [PYTHON, TYPESCRIPT])
def test_functions_are_code(text: str) -> None:
    assert code_share([text] * 10) == 1.0


@pytest.mark.parametrize("texts", [[PROSE], [CHINESE], [PROSE, PROSE, WIKI], [""], []])
def test_prose_links_and_nothing_are_no_code(texts: list[str]) -> None:
    assert code_share(texts) == 0.0


def test_one_listing_among_prose_hardly_counts() -> None:
    assert code_share([PYTHON, *[PROSE] * 9]) == 0.0


def test_half_code_is_between() -> None:
    assert 0.0 < code_share([PYTHON, PROSE] * 5) < 1.0


def test_of_few_passages_nothing_is_concluded() -> None:
    assert code_share([PYTHON] * 3) == 0.0


def test_a_long_text_is_read_from_its_beginning_only() -> None:
    assert code_share([PROSE * 4 + PYTHON * 50]) == 0.0
