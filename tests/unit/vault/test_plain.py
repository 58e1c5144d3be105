import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.search.results.plain_text import plain

READS: dict[str, tuple[str, str]] = {
    "plain words": ("Nothing to take out.", "Nothing to take out."),
    "line breaks and tabs": ("two\n\n  lines\there", "two lines here"),
    "a heading": ("Before.\n## Decisions\nAfter.", "Before. · Decisions: After."),
    "a list that a colon announces": ("Buy:\n- milk\n- eggs", "Buy: milk · eggs"),
    "a heading first": ("# Title\n\ntext", "Title: text"),
    "lists": ("- one\n* two\n+ three\n1. four\n2) five", "one · two · three · four · five"),
    "tasks": ("- [ ] buy milk\n- [x] call home", "☐ buy milk · ☑ call home"),
    "a quotation": ("> said\n> > again", "said again"),
    "a call-out": ("> [!note]- Title\n> text", "Title text"),
    "a table": ("| a | b |\n|---|:-:|\n| one | two |", "a · b · one · two"),
    "a rule": ("above\n\n---\n\nbelow", "above below"),
    "a heading underlined": ("Title\n=====\ntext", "Title text"),
    "strong and emphasis": ("**a** *b* __c__ _d_ ***e***", "a b c d e"),
    "struck and marked": ("~~old~~ ==new==", "old new"),
    "strong that is cut off": ("**begins here", "begins here"),
    "signs that are no marks": ("2 * 3, a*b, snake_case, a == b", "2 * 3, a*b, snake_case, a == b"),
    "a wikilink": ("see [[Note]] and [[Other#Part]]", "see Note and Other#Part"),
    "a wikilink with its own text": ("see [[Folder/Note|the note]].", "see the note."),
    "an embed": ("![[picture.png]]", "picture.png"),
    "a link with brackets": ("a [short note](https://a.example/b_(c)).", "a short note."),
    "a link with a title": ('[text](a.md "Title") on', "text on"),
    "a link with a title in single marks": ("[text](a.md 'Title') on", "text on"),
    "a picture": ("![alt](a.png)", "alt"),
    "brackets that are no link": ("as [said] (twice)", "as [said] (twice)"),
    "what was redacted": ("key [REDACTED:github-token] here", "key [REDACTED:github-token] here"),
    "code": ("run `git  *stash*` now", "run git *stash* now"),
    "code with ticks inside": ("run ``a`b`` now", "run ab now"),
    "a fence": ("```python\n# comment *x*\ny = a**b\n```\n# Heading", "# comment *x* y = a**b · Heading"),
    "tags of HTML": ("a<br>b <b>c</b> <String>", "a b c <String>"),
    "comments": ("a %%hidden%% b <!-- gone --> c", "a b c"),
    "footnotes and block ids": ("said[^1] so ^block-1\nnext", "said so next"),
    "escapes": (r"\*literal\* \[x\]", "*literal* [x]"),
    "tags of Obsidian": ("#project/atlas stays", "#project/atlas stays"),
}


@pytest.mark.parametrize(("text", "reads"), READS.values(), ids=READS.keys())
def test_marks_are_taken_out_and_words_stay(text: str, reads: str) -> None:
    assert plain(text, 0, len(text)).text == reads


def test_a_stretch_that_begins_in_a_fence_is_code() -> None:
    text = "```\nfirst\n# not a heading\n```\n"
    start = text.index("#")
    assert plain(text, start, text.index("\n```", start)).text == "# not a heading"


def test_a_stretch_that_begins_behind_its_mark_still_is_an_item() -> None:
    text = "intro\n- [ ] task"
    assert plain(text, text.index("["), len(text)).text == "☐ task"


def test_every_kept_character_is_where_its_place_says() -> None:
    text = "## **Bold** start\n- see [[Note|the note]], `code`\n"
    line = plain(text, 0, len(text))
    for word in ("Bold", "start", "the note", "code"):
        at = line.place(text.index(word))
        assert line.text[at : line.place(text.index(word) + len(word))] == word


STRETCHES = st.text(alphabet="ab é🦅漢#>-*_`~=|[]()!<>br/%^\\1. \n\t", max_size=300)


@given(STRETCHES, st.integers(0, 300), st.integers(0, 300))
def test_any_stretch_reads_in_order_and_never_longer(text: str, first: int, second: int) -> None:
    start, end = sorted((min(first, len(text)), min(second, len(text))))
    line = plain(text, start, end)
    assert len(line.text) <= end - start
    assert "\n" not in line.text
    assert "  " not in line.text
    places = [line.place(at) for at in range(start, end + 1)]
    assert places == sorted(places)
    assert places[0] == 0 if places else True
    for at, place in zip(range(start, end), places, strict=False):
        if line.place(at + 1) == place + 1 and place < len(line.text):
            assert line.text[place] in (text[at], " ", "·", "☐", "☑")


def test_a_hostile_line_takes_no_more_time_than_its_length_asks() -> None:
    for text in ("[" * 3_000, "*a" * 3_000, "](" * 3_000, "`a" * 3_000, "<b " * 3_000, "%%" * 3_000, "|-" * 3_000):
        assert len(plain(text, 0, len(text)).text) <= len(text)
