"""Tags of the frontmatter: put in and taken out, and not a byte more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.review.changes.note_text import NoteText, edited, reverse
from scrubjay.daemon.review.changes.refusal import ChangeRefused
from scrubjay.daemon.review.changes.tag_changes import retagged
from scrubjay.daemon.vault.parse import parse_note


def after(text: str, add: tuple[str, ...] = (), remove: tuple[str, ...] = ()) -> str:
    return edited(text, retagged(NoteText(text), add, remove))


@pytest.mark.parametrize(
    ("before", "add", "remove", "expected"),
    [
        pytest.param("Text\n", ("a",), (), "---\ntags:\n  - a\n---\nText\n", id="none yet"),
        pytest.param("", ("a",), (), "---\ntags:\n  - a\n---\n", id="empty note"),
        pytest.param("---\n---\nT", ("a",), (), "---\ntags:\n  - a\n---\nT", id="empty frontmatter"),
        pytest.param("---\ntags:\n-\n- c\n---\n", ("a",), (), "---\ntags:\n- a\n- c\n---\n", id="empty before others"),
        pytest.param("Text\r\n", ("a",), (), "---\r\ntags:\r\n  - a\r\n---\r\nText\r\n", id="none yet, CRLF"),
        pytest.param("---\n\nA ruler.\n", ("a",), (), "---\ntags:\n  - a\n---\n---\n\nA ruler.\n", id="a ruler"),
        pytest.param("---\nx: 1 # why\n---\nT", ("a",), (), "---\nx: 1 # why\ntags:\n  - a\n---\nT", id="no key"),
        pytest.param(
            "---\ntags:\n- b # 2\nx: 1\n---\n", ("a",), (), "---\ntags:\n- b # 2\n- a\nx: 1\n---\n", id="list"
        ),
        pytest.param("---\ntags:\n  - b\n---\n", ("a",), ("b",), "---\ntags:\n  - a\n---\n", id="renamed in place"),
        pytest.param("---\ntags:\n  - 'b'\n  - c\n---\n", (), ("b",), "---\ntags:\n  - c\n---\n", id="one out"),
        pytest.param("---\ntags:\n  - b\nx: 1\n---\n", (), ("b",), "---\ntags: []\nx: 1\n---\n", id="last one out"),
        pytest.param('---\ntags: [b, "c"]\n---\n', ("a",), (), '---\ntags: [b, "c", a]\n---\n', id="in brackets"),
        pytest.param("---\ntags: [b,c , d]\n---\n", (), ("c",), "---\ntags: [b, d]\n---\n", id="out of brackets"),
        pytest.param("---\ntags: []\n---\n", ("a", "b"), (), "---\ntags: [a, b]\n---\n", id="empty brackets"),
        pytest.param("---\ntags: [b]\n---\n", (), ("B",), "---\ntags: []\n---\n", id="case does not count"),
        pytest.param("---\ntags: b, c\n---\n", ("a",), (), "---\ntags: [b, c, a]\n---\n", id="a text of several"),
        pytest.param("---\ntags:  # so\n---\n", ("a",), (), "---\ntags:  # so\n  - a\n---\n", id="no value"),
        pytest.param("---\ntags:\n- \n---\n", ("a", "b"), (), "---\ntags:\n- a\n- b\n---\n", id="an empty item"),
        pytest.param("---\ntags: b\n---\n", (), ("b",), "---\ntags: []\n---\n", id="the single value out"),
        pytest.param("---\ntags:\n- # x\n---\n", ("a",), (), "---\ntags:\n- a # x\n---\n", id="empty with a comment"),
        pytest.param("---\ntag: b\n---\n", ("a",), (), "---\ntag: [b, a]\n---\n", id="the old key"),
        pytest.param("---\ntags: [a]\n---\n", ("on", "4/x"), (), '---\ntags: [a, "on", "4/x"]\n---\n', id="quoted"),
        pytest.param("---\ntags: [b]\n---\n", ("B",), (), "---\ntags: [b]\n---\n", id="there already"),
        pytest.param("---\ntags: [b]\n---\n", (), ("c",), "---\ntags: [b]\n---\n", id="not there"),
        pytest.param("---\r\ntags: [猫]\r\n---\r\n", ("🐱",), (), '---\r\ntags: [猫, "🐱"]\r\n---\r\n', id="signs"),
    ],
)
def test_only_the_tags_change(before: str, add: tuple[str, ...], remove: tuple[str, ...], expected: str) -> None:
    assert after(before, add, remove) == expected


@pytest.mark.parametrize(
    "before",
    [
        "---\ntags: [a\n---\n",
        "---\ntags: &x [a]\nother: *x\n---\n",
        "---\ntags: |\n  a\n  b\n---\n",
        "---\ntags: {a: 1}\n---\n",
        "---\n{tags: [a]}\n---\n",
        "---\nJust a line.\n---\n",
        "---\ntags:\n  - [a, b]\n---\n",
        "---\ntags: [a]\ntags: [b]\n---\n",
        "---\ntags: !!set [a]\n---\n",
    ],
)
def test_what_cannot_be_edited_safely_is_refused(before: str) -> None:
    with pytest.raises(ChangeRefused, match="by hand"):
        after(before, ("new",))


@pytest.mark.parametrize("tag", ["", "two words", "#a", "a,b", "a\nb: c", "a]", '"', "a'b"])
def test_what_is_no_tag_is_refused(tag: str) -> None:
    with pytest.raises(ChangeRefused, match="none that a note can have"):
        after("Text", (tag,))


_TAGS = st.sampled_from(["a", "b", "c/d", "E", "猫", "x-y", "2024/q", "on", "null"])
_LISTS = st.lists(_TAGS, max_size=4, unique_by=str.casefold)


@st.composite
def _notes(draw: st.DrawFn) -> str:
    tags = draw(_LISTS)
    shown = [draw(st.sampled_from(["{}", '"{}"', "'{}'"])).format(tag) for tag in tags]
    shown = [f'"{tag}"' if tag in ("on", "null") else tag for tag in shown]
    comment = draw(st.sampled_from(["", " # kept"]))
    indent = draw(st.sampled_from(["", "  ", "    "]))
    block = "".join(f"\n{indent}- {tag}{comment}" for tag in shown)
    value = draw(st.sampled_from([f": [{', '.join(shown)}]{comment}", f":{comment}{block}", f": {', '.join(tags)}"]))
    lines = [draw(st.sampled_from(["title: 'x'", "# note", 'up: "[[A]]"', "list:\n  - 1\n  - 2"])) for _ in range(2)]
    lines.insert(draw(st.integers(0, 2)), draw(st.sampled_from(["tags", "Tags", "tag"])) + value)
    body = draw(st.sampled_from(["", "Text\n", "# H\n\n---\ntags: [not]\n---\nno end"]))
    text = "\n".join(["---", *dict.fromkeys(lines), "---", body])
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


@given(_notes(), _LISTS, _LISTS)
def test_whatever_is_changed_all_else_reads_as_before(text: str, add: list[str], remove: list[str]) -> None:
    remove = [tag for tag in remove if tag.casefold() not in {one.casefold() for one in add}]
    note = NoteText(text)
    try:
        edits = retagged(note, add, remove)
    except ChangeRefused:
        return
    changed = edited(text, edits)
    before, now = (parse_note(each.replace("\r\n", "\n"), "N.md") for each in (text, changed))
    assert now.body == before.body
    others = [
        {name: value for name, value in each.properties.items() if name.casefold() not in ("tags", "tag")}
        for each in (before, now)
    ]
    assert others[0] == others[1]
    tags = {tag.casefold() for tag in now.tags}
    assert {tag.casefold() for tag in add} <= tags
    assert not {tag.casefold() for tag in remove} & tags
    assert edited(changed, reverse(text, edits)) == text
    assert ("\r\n" in changed) == ("\r\n" in text)
    assert changed.replace("\r\n", "").count("\r") == 0
    assert edited(changed, retagged(NoteText(changed), add, remove)) == changed, "once more changes nothing"


@pytest.mark.parametrize("odd", "\x85\u2028\u2029")
def test_what_only_looks_like_a_line_end_is_none(odd: str) -> None:
    text = f"---\ntitle: a{odd}b\ntags: [b] # c{odd}d\n---\n"
    assert after(text, ("a",)) == text.replace("[b]", "[b, a]")
    with pytest.raises(ChangeRefused):
        after(f"---\ntitle: a{odd}tags: [old]\n---\n", ("new",), ("old",))
