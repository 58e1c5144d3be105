"""Web pages, text with a little markup, notebooks, bases and code: what is read of them, and where it is cut."""

import csv
import json
import textwrap

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrubjay.daemon.documents.extract import extract
from scrubjay.daemon.documents.extracted import (
    CannotRead,
    DocumentPart,
    Kind,
    Reason,
    extension_of,
    extensions_of,
    kind_of,
    unreadable,
)
from scrubjay.daemon.documents.parsers.decode import as_text
from scrubjay.daemon.documents.parsers.json_and_links import markdown_links
from scrubjay.daemon.documents.parsers.lz_string import decompress_base64
from tests.helpers.made_files.lz_string import lz_compressed

PAGE = """<!doctype html><head><title> The
 ferry</title><style>no {}</style></head><body>
<nav><a href="/a">Home</a> <a href="/b">About</a></nav>
<article><h1>Times</h1><p>It leaves <b>at</b> nine&nbsp;o&#39;clock.<p>And at ten.
<table><tr><th>Day</th><th>Hour</th></tr><tr><td>Monday</td><td>9</td></tr></table>
<pre>one
  two</pre><img src=x alt="A lantern"><script>let x = "<p>never</p>"</script></article>
<aside>See also <a href="other%20page.html#top">other</a></aside><footer>Imprint</footer>"""


def test_the_readable_part_of_a_page_is_read_below_its_headings() -> None:
    found = extract(".html", PAGE.encode())
    assert found.title == "The ferry"
    assert found.parts == (
        DocumentPart(
            "1",
            "Times",
            "It leaves at nine o'clock.\n\nAnd at ten.\n\nDay | Hour\n\nMonday | 9\n\none\n  two\n\nA lantern",
        ),
    )
    assert found.links == ("/a", "/b", "other page.html")


def test_a_page_that_is_nothing_but_a_menu_is_read_all_the_same() -> None:
    assert "About" in extract(".html", b"<nav><a href=a>Home</a><p><a href=b>About</a></nav>").parts[0].text


@pytest.mark.parametrize(
    ("charset", "head"),
    [
        ("utf-8", ""),
        ("utf-8-sig", ""),
        ("utf-16", ""),
        ("cp1252", ""),
        ("gb18030", '<meta charset="gb18030">'),
        ("shift_jis", '<meta http-equiv="content-type" content="text/html; charset=Shift_JIS">'),
        ("cp1251", '<?xml version="1.0" encoding="windows-1251"?>'),
        ("utf-8", '<meta charset="made-up-9">'),
    ],
)
def test_a_page_is_read_in_its_own_encoding(charset: str, head: str) -> None:
    word = {"gb18030": "渡船", "shift_jis": "灯台", "cp1251": "паром"}.get(charset, "Möwe")
    found = extract(".html", f"{head}<p>{word} {'x' * 200}</p>".encode(charset))
    assert found.parts[0].text.split()[0] == word


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a\r\nb\rc\xe2\x80\xa8d", "a\nb\nc\nd"),
        (b"a\x00b\x07c" + b"x" * 40, "abc" + "x" * 40),
        ("a\ud83d".encode("utf-16-le", "surrogatepass").join([b"\xff\xfe", b""]), "a\ufffd"),
        (b"caf\xe9", "café"),
    ],
)
def test_bytes_become_plain_text(data: bytes, text: str) -> None:
    assert as_text(data) == text


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("gb2312", "gbk", "朱镕基"),
        ("x-gbk", "gbk", "海"),
        ("Shift_JIS", "cp932", "①髙橋㈱～"),
        ("x-sjis", "cp932", "富士"),
        ("windows-31j", "cp932", "①鎌倉大仏殿"),
        ("ks_c_5601-1987", "cp949", "똠방"),
        ("EUC-KR", "cp949", "똠방"),
        ("Big5", "big5hkscs", "燈塔"),
        ("tis-620", "cp874", "สวัสดี"),
        ("windows-874", "cp874", "สวัสดี"),
        ("ISO-8859-1", "cp1252", "it’s “a” €"),
        ("latin5", "cp1254", "Işık “a”"),
        ("utf8", "utf-8", "Möwe"),
    ],
)
def test_a_label_stands_for_the_larger_character_set_that_browsers_read_it_as(
    label: str, codec: str, text: str
) -> None:
    assert as_text(text.encode(codec), label) == text


def test_what_is_no_text_is_not_read_as_text() -> None:
    with pytest.raises(CannotRead):
        as_text(bytes(range(32)) * 10)


ORG = "intro\n* One\nfirst\n** Two\nsecond"
TEX = "\\section*{One}\nfirst\n\\subsection[s]{Two}"


@pytest.mark.parametrize(
    ("extension", "text", "expected"),
    [
        (".org", ORG, [("1", "", "intro"), ("2", "One", "* One\nfirst"), ("4", "Two", "** Two\nsecond")]),
        (".rst", "One\n===\n\nfirst\n\nNo\n\n----\n", [("1", "One", "One\n===\n\nfirst\n\nNo\n\n----")]),
        (".tex", TEX, [("1", "One", "\\section*{One}\nfirst"), ("3", "Two", "\\subsection[s]{Two}")]),
        (".txt", "\n\nplain", [("1", "", "\n\nplain")]),
    ],
)
def test_text_is_cut_at_its_headings_and_places_are_lines(
    extension: str, text: str, expected: list[tuple[str, str, str]]
) -> None:
    assert [(part.place, part.label, part.text) for part in extract(extension, text.encode()).parts] == expected


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("[[Ferry]] ![[paper.pdf#page=3|p. 3]]", ["Ferry", "paper.pdf#page=3"]),
        ("[a](my%20file.md) [b](https://x.example) [c](#top) [d](mailto:x@y.example)", ["my file.md"]),
        ("[[" * 50_000, []),
    ],
)
def test_links_to_files_are_found_in_markdown(text: str, links: list[str]) -> None:
    assert markdown_links(text) == links


def test_org_links_to_files_are_links() -> None:
    assert extract(".org", b"[[file:paper.pdf::12][paper]] [[https://x.example][x]]").links == ("paper.pdf",)


def test_a_views_name_labels_what_a_base_shows_there() -> None:
    views = ['  - type: table\n    name: "Open"\n    order:\n      - a\n', "  - type: cards\n    name: Done\n"]
    text = "filters: x\nviews:\n" + "".join(views)
    parts = extract(".base", text.encode()).parts
    assert [(part.place, part.label) for part in parts] == [("1", ""), ("2", "Open"), ("3", "Done")]


def test_code_is_cut_at_definitions_with_their_comments_and_qualified_names() -> None:
    methods = "\n".join(f"    def m{n}(self):\n        return '{'x' * 300}'\n" for n in range(6))
    source = (
        f'"""Doc."""\nimport a\n\n# about f\ndef f():\n    pass\n\n@wraps\nclass C:\n    """C."""\n\n{methods}\nrun()\n'
    )
    parts = extract(".py", source.encode()).parts
    assert [part.label for part in parts] == ["", "f", "C", *(f"C.m{n}" for n in range(6)), ""]
    assert parts[2] == DocumentPart("8", "C", '@wraps\nclass C:\n    """C."""')
    assert parts[3].text.startswith("    def m0(self):\n")
    assert parts[1] == DocumentPart("4", "f", "# about f\ndef f():\n    pass")
    assert "".join("".join(part.text.split()) for part in parts) == "".join(source.split())


@pytest.mark.parametrize(
    ("extension", "source", "labels"),
    [
        (".ts", "export class A { b() {} }\nexport const f = () => 1;\ninterface I { x: 1 }", ["A", "f", "I"]),
        (".js", "function f() {}\nclass A {}", ["f", "A"]),
        (".tsx", "export function V() { return <b>x</b>; }", ["V"]),
        (".java", "class A { void m() {} }\ninterface I {}", ["A", "I"]),
        (".c", "static int *f(int x) { return 0; }\nstruct s { int x; };", ["f", "s"]),
        (".go", "package a\nfunc (s *S) M() {}\ntype T struct {}", ["", "M", "T"]),
        (".rs", "impl<T> Foo<T> { fn a() {} }\nstruct S;", ["Foo", "S"]),
    ],
)
def test_definitions_have_their_names_in_each_language(extension: str, source: str, labels: list[str]) -> None:
    found = [part.label for part in extract(extension, source.encode()).parts]
    assert [label for label in found if label or "" in labels] == labels


def test_code_without_a_grammar_is_cut_at_its_margin() -> None:
    blocks = [f"function f{n}()\n\n  {'x' * 1_500}\nend" for n in range(3)]
    parts = extract(".lua", "\n\n".join(blocks).encode()).parts
    assert [(part.place, part.text) for part in parts] == [("1", blocks[0]), ("6", blocks[1]), ("11", blocks[2])]


def test_what_a_notebook_printed_is_read_to_a_limit() -> None:
    outputs = [{"text": "y" * 100_000}, {"traceback": ["Boom", "here"]}, {"data": {"image/png": "iVBORw0KGgo"}}]
    cell = {"cell_type": "code", "source": ["x = 1\n", "x"], "outputs": outputs}
    (part,) = extract(".ipynb", json.dumps({"nbformat": 4, "cells": [cell]}).encode()).parts
    assert part.text.startswith("x = 1\nx\nyyy")
    assert part.text.endswith("Boom\nhere")
    assert len(part.text) < 6_000
    assert "iVBOR" not in part.text


@given(st.text(st.characters(max_codepoint=0xD7FF), max_size=200) | st.text("ab", max_size=2_000))
def test_lz_string_is_read_as_it_is_written(text: str) -> None:
    assert decompress_base64(lz_compressed(text), 2_000) == text


def test_lz_string_is_read_as_its_own_library_writes_it() -> None:
    assert decompress_base64("BIUwNmD2A0AEDqkBOYAmBCIA", 100) == "Hello, World!"
    assert decompress_base64("Q===", 100) == ""


@pytest.mark.parametrize(("coded", "reason"), [("BIUwNm", Reason.DAMAGED), ("é", Reason.DAMAGED), ("", Reason.DAMAGED)])
def test_what_is_no_lz_string_is_damaged(coded: str, reason: Reason) -> None:
    with pytest.raises(CannotRead) as raised:
        decompress_base64(coded, 100)
    assert raised.value.reason is reason


@pytest.mark.parametrize(
    ("name", "extension", "kind"),
    [
        ("a/Paper.PDF", ".pdf", Kind.PDF),
        ("Board.excalidraw.md", ".excalidraw.md", Kind.DRAWING),
        ("note.md", "", None),
        (".pdf", "", None),
        ("no extension", "", None),
    ],
)
def test_a_name_says_how_a_file_is_read(name: str, extension: str, kind: Kind | None) -> None:
    assert (extension_of(name), kind_of(name)) == (extension, kind)


ALL = [extension for kind in Kind if kind is not Kind.IMAGE for extension in extensions_of(kind)]


@given(st.sampled_from(ALL), st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
@example(".org", b" ")
def test_no_file_raises(extension: str, data: bytes) -> None:
    found = extract(extension, data)
    assert bool(found.parts) is (found.unreadable is None)


PIECES = (
    *(
        "<p>",
        "</p>",
        "<h1>",
        "<!--",
        "-->",
        "<![CDATA[",
        '"',
        ",",
        "\n",
        "* a",
        "===",
        "\\section{x}",
        "views:",
        "  - ",
    ),
    *("{", "}", "[[a]]", '{"nodes":[', "# Drawing\n```json\n", "```", "%%", "---\n", "x", " ", "\ud800", "\x00"),
)
MARKED = (".html", ".org", ".rst", ".tex", ".csv", ".base", ".canvas", ".excalidraw.md")


@given(st.sampled_from(MARKED), st.lists(st.sampled_from(PIECES), max_size=30))
def test_no_markup_however_broken_raises_or_lets_lone_surrogates_through(extension: str, pieces: list[str]) -> None:
    found = extract(extension, "".join(pieces).encode("utf-8", "surrogatepass"))
    for part in found.parts:
        part.text.encode()


def test_more_text_than_is_kept_is_told() -> None:
    found = extract(".org", textwrap.dedent("* A\n").encode() + b"x" * 10_500_000 + b"\n* B\ny")
    assert (found.left_out, len(found.parts)) == (1, 1)
    assert found.unreadable is None


def test_no_time_at_all_reads_nothing_and_says_why() -> None:
    assert extract(".txt", b"text", 0.0).unreadable == unreadable(Reason.TOO_SLOW)


def test_reading_a_short_sheet_leaves_others_their_long_cells(request: pytest.FixtureRequest) -> None:
    before = csv.field_size_limit()
    request.addfinalizer(lambda: csv.field_size_limit(before))
    extract(".csv", b"a,b\n")
    assert next(csv.reader(["x" * before])) == ["x" * before]
    assert extract(".csv", b"a," + b"y" * (before + 9)).parts[0].text.endswith("yyy")
