"""What counts as a heading, a link and a tag, and what code, comments and math hide."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.vault.markdown.markup import Markup, link_targets, read_markup


def read(body: str, first_line: int = 1) -> Markup:
    return read_markup(body, first_line, lambda text, _line: text)


def links(body: str) -> list[tuple[str, str, str, str, str]]:
    return [(link.kind, link.target, link.heading, link.block, link.text) for link in read(body).links]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("[[Note]]", ("wiki", "Note", "", "", ""), id="plain"),
        pytest.param("[[Folder/Note|the alias]]", ("wiki", "Folder/Note", "", "", "the alias"), id="alias"),
        pytest.param("[[Note#Part one|x]]", ("wiki", "Note", "Part one", "", "x"), id="heading"),
        pytest.param("[[Note#A#B]]", ("wiki", "Note", "A#B", "", ""), id="nested-heading"),
        pytest.param("[[Note#^b1a2]]", ("wiki", "Note", "", "b1a2", ""), id="block"),
        pytest.param("[[#Part]]", ("wiki", "", "Part", "", ""), id="heading-of-this-note"),
        pytest.param("| [[Note\\|alias]] |", ("wiki", "Note", "", "", "alias"), id="bar-escaped-in-a-table"),
        pytest.param("![[Note#Part]]", ("embed", "Note", "Part", "", ""), id="embed"),
        pytest.param("[text](My%20note.md)", ("markdown", "My note.md", "", "", "text"), id="percent"),
        pytest.param("[text](<My note.md>)", ("markdown", "My note.md", "", "", "text"), id="angle-brackets"),
        pytest.param("[text](../a/b.md#Part)", ("markdown", "../a/b.md", "Part", "", "text"), id="relative"),
        pytest.param('[text](b.md "Title (x)")', ("markdown", "b.md", "", "", "text"), id="with-title"),
        pytest.param("[text](a(b).md)", ("markdown", "a(b).md", "", "", "text"), id="parentheses"),
        pytest.param("[**bold** and `code`](b.md)", ("markdown", "b.md", "", "", "bold and code"), id="marks"),
        pytest.param("[two\nlines](b.md)", ("markdown", "b.md", "", "", "two lines"), id="over-a-line-end"),
        pytest.param("[a [b] c](d.md)", ("markdown", "d.md", "", "", "a [b] c"), id="brackets-in-text"),
        pytest.param("![alt](pic.png)", ("embed", "pic.png", "", "", "alt"), id="image"),
        pytest.param("costs $5, [[Note]], then $6", ("wiki", "Note", "", "", ""), id="between-prices"),
        pytest.param("50% `off [[Note]]", ("wiki", "Note", "", "", ""), id="after-a-lone-backtick"),
        pytest.param("```inline``` [[Note]]", ("wiki", "Note", "", "", ""), id="after-three-backticks-in-a-line"),
        pytest.param("%% comment [[Note]] %%", ("wiki", "Note", "", "", ""), id="obsidian-comment"),
    ],
)
def test_a_link_is_found(body: str, expected: tuple[str, str, str, str, str]) -> None:
    assert links(body) == [expected]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("[text](https://example.org/[[x]])", id="address"),
        pytest.param("[app](obsidian://open?vault=x)", id="scheme"),
        pytest.param("[text](//example.org/x)", id="no-scheme-but-a-host"),
        pytest.param("[text]()", id="empty"),
        pytest.param("[text] (b.md)", id="space-between"),
        pytest.param("[[]]", id="empty-wikilink"),
        pytest.param("[[a\nb]]", id="wikilink-over-a-line-end"),
        pytest.param("\\[[Note]] \\[text](b.md)", id="escaped"),
        pytest.param("`[[Note]]`", id="inline-code"),
        pytest.param("``a ` [[Note]]``", id="inline-code-by-two"),
        pytest.param("```\n[[Note]]\n```", id="fence"),
        pytest.param("~~~ python\n[[Note]]\n~~~", id="fence-of-tildes"),
        pytest.param("````\n```\n[[Note]]\n````", id="fence-in-a-fence"),
        pytest.param("- item\n  ```\n  [[Note]]\n  ```", id="fence-in-a-list"),
        pytest.param("> ```\n> [[Note]]\n> ```", id="fence-in-a-quotation"),
        pytest.param("```\n[[Note]]", id="fence-never-closed"),
        pytest.param("<!-- [[Note]]\n\n[x](b.md) -->", id="comment"),
        pytest.param("<!-- [[Note]]", id="comment-never-closed"),
        pytest.param("<!--\n```\n--> `[[Note]]`", id="fence-in-a-comment"),
        pytest.param("$[[Note]]$", id="inline-math"),
        pytest.param("$$\n[[Note]]\n$$", id="math"),
    ],
)
def test_no_link(body: str) -> None:
    assert links(body) == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("#one and #two/three", ("one", "two/three")),
        ("#a-b_c #2024-plan #日本語/東京", ("a-b_c", "2024-plan", "日本語/東京")),
        ("(#no) x#no \\#no ##no # no #", ()),
        ("#1984 #1/2 #y1984", ("y1984",)),
        ("#end, #end2. #标签，文字", ("end", "end2", "标签")),
        ("`#no`\n```\n#no\n```\n#yes", ("yes",)),
        ("[x](b.md#no) https://example.org/#no", ()),
        ("#trailing/", ("trailing",)),
    ],
)
def test_tags(body: str, expected: tuple[str, ...]) -> None:
    assert read(body).tags == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("# One\ntext\n### Three\n", [(1, "One", 1), (3, "Three", 3)]),
        ("text\n## Closed ##\n#### a#b #", [(2, "Closed", 2), (4, "a#b", 3)]),
        ("#notag\n####### seven\n#\tTab", [(1, "Tab", 3)]),
        ("   ## Indented\n    ## Code", [(2, "Indented", 1)]),
        ("```\n# no\n```\n# yes", [(1, "yes", 4)]),
        ("<!--\n# no\n-->\n# yes", [(1, "yes", 4)]),
        ("## **Bold** `code` [[Note|alias]] [link](b.md)", [(2, "Bold code alias link", 1)]),
        ("Title\n=====\n\nSub\n---\ntext", [(1, "Title", 1), (2, "Sub", 4)]),
        ("two\nlines\n---\n\n- item\n---\n\n---", []),
        ("| a |\n---", []),
    ],
)
def test_headings(body: str, expected: list[tuple[int, str, int]]) -> None:
    assert [(heading.level, heading.text, heading.line) for heading in read(body).headings] == expected


def test_a_headings_offsets_enclose_its_line() -> None:
    body = "intro\n## Two ##\nbody\n\nUnder\n---\nrest"
    assert [body[heading.start : heading.end] for heading in read(body).headings] == ["## Two ##", "Under\n---"]


def test_a_fences_offsets_enclose_it() -> None:
    body = "a\n```py\nx\n```\nb\n~~~\ny"
    assert [body[start:end] for start, end in read(body).fences] == ["```py\nx\n```", "~~~\ny"]


def test_marks_inside_a_word_stay_so_that_no_credential_is_put_together() -> None:
    assert read("# gh**p_abc** and `ab`cd").headings[0].text == "gh**p_abc and ab`cd"


def test_what_decoding_brings_to_light_is_scrubbed_with_its_line() -> None:
    seen: list[tuple[str, int]] = []

    def scrub(text: str, line: int) -> str:
        seen.append((text, line))
        return "hidden"

    found = read_markup("a\n[x](se%63ret.md) [y](plain.md) [z](100%.md)", 5, scrub)
    assert seen == [("secret.md", 6)]
    assert [link.target for link in found.links] == ["hidden", "plain.md", "100%.md"]


WORDS = "# ## #tag ``` ~~~ ` [[ ]] [x]( y.md) $ $$ <!-- --> | \\ ! --- === - 1. > ^ %41 text é 字 \U0001f600"
PIECES = st.sampled_from([*WORDS.split(), "\n", "\n\n", " ", "    ", "\t", "\r"])
MARKDOWN = st.lists(st.one_of(PIECES, st.text(max_size=6)), max_size=40).map("".join)


@given(MARKDOWN, st.integers(1, 50))
def test_any_text_is_read_and_its_lines_are_right(body: str, first_line: int) -> None:
    found = read(body, first_line)
    lines = body.split("\n")
    for heading in found.headings:
        assert heading.start == 0 or body[heading.start - 1] == "\n"
        assert body.count("\n", 0, heading.start) == heading.line - first_line
        assert re.search(r"#|\n(=|-)", body[heading.start : heading.end])
    for link in found.links:
        line = lines[link.line - first_line]
        assert "[" in line
    for start, end in found.fences:
        assert 0 <= start < end <= len(body)
        assert "```" in body[start:end] or "~~~" in body[start:end]
    assert [heading.start for heading in found.headings] == sorted(heading.start for heading in found.headings)


@given(MARKDOWN)
def test_prepending_lines_moves_every_line_and_changes_nothing_else(body: str) -> None:
    below = read("plain\n\n" + body)
    alone = read(body, 3)
    assert below.links == alone.links
    assert below.tags == alone.tags
    assert [(h.level, h.text, h.line) for h in below.headings] == [(h.level, h.text, h.line) for h in alone.headings]


@pytest.mark.parametrize(
    "body",
    [
        "[" * 200000,
        "[a](" * 50000,
        "`" * 200001,
        "$" * 200001,
        "<!--" * 50000,
        "\n" * 200000,
        "[x " * 60000 + "[]" * 60000,
        "# a" + "_*" * 60000 + "b",
        "```\n" * 50001,
        "#" * 200000,
        "|" * 200000 + "\n" + "-" * 200000,
        "![" * 90000,
        "\\" * 200001,
        "a." * 100000,
        "<a:" * 70000,
        "href='" * 40001,
    ],
    ids=lambda body: repr(body[:8]),
)
def test_hostile_text_ends(body: str) -> None:
    """Quadratic time would take minutes here."""
    assert isinstance(read(body), Markup)
    assert all(0 <= start <= stop <= len(body) for start, stop in link_targets(body))
