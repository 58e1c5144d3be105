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


def test_functions_are_code_and_prose_links_and_nothing_are_none() -> None:
    assert [code_share([text] * 10) for text in (PYTHON, TYPESCRIPT)] == [1.0, 1.0]
    for texts in ([PROSE], [CHINESE], [PROSE, PROSE, WIKI], [""], []):
        assert code_share(texts) == 0.0, texts


def test_one_listing_among_prose_hardly_counts_and_half_code_is_between() -> None:
    assert code_share([PYTHON, *[PROSE] * 9]) == 0.0
    assert 0.0 < code_share([PYTHON, PROSE] * 5) < 1.0


def test_nothing_is_concluded_of_few_passages_or_what_follows_the_beginning_of_a_long_one() -> None:
    assert code_share([PYTHON] * 3) == 0.0
    assert code_share([PROSE * 4 + PYTHON * 50] * 10) == 0.0
