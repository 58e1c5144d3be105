"""Properties of the frontmatter: set and removed, and not a byte more."""

from datetime import date, datetime

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.review.changes.note_text import NoteText, edited, reverse
from scrubjay.daemon.review.changes.property_changes import with_properties
from scrubjay.daemon.review.changes.refusal import ChangeRefused
from scrubjay.daemon.vault.frontmatter import read_frontmatter


def after(text: str, **wanted: str | None) -> str:
    return edited(text, with_properties(NoteText(text), wanted))


@pytest.mark.parametrize(
    ("before", "value", "expected"),
    [
        pytest.param("Text\n", "done", "---\nstatus: done\n---\nText\n", id="no properties yet"),
        pytest.param("", "done", "---\nstatus: done\n---\n", id="empty note"),
        pytest.param("---\n---\nT", "done", "---\nstatus: done\n---\nT", id="empty frontmatter"),
        pytest.param("Text\r\n", "done", "---\r\nstatus: done\r\n---\r\nText\r\n", id="none yet, CRLF"),
        pytest.param("---\nx: 1 # why\n---\nT", "a", "---\nx: 1 # why\nstatus: a\n---\nT", id="the last one"),
        pytest.param("---\nstatus: b # why\nx: 1\n---\n", "a", "---\nstatus: a # why\nx: 1\n---\n", id="another value"),
        pytest.param("---\nStatus: b\n---\n", "a", "---\nStatus: a\n---\n", id="case of the name"),
        pytest.param("---\nstatus:\nx: 1\n---\n", "a", "---\nstatus: a\nx: 1\n---\n", id="no value"),
        pytest.param("---\nstatus: 'b'\n---\n", "b", "---\nstatus: 'b'\n---\n", id="so already"),
        pytest.param("---\nstatus: b\n---\n", "x: y", '---\nstatus: "x: y"\n---\n', id="quoted"),
        pytest.param("---\nstatus: b\n---\n", "[[Weir]]", '---\nstatus: "[[Weir]]"\n---\n', id="a link"),
        pytest.param("---\nstatus: b\n---\n", "a #b", '---\nstatus: "a #b"\n---\n', id="no comment"),
        pytest.param("---\nstatus: b\n---\n", "true", "---\nstatus: true\n---\n", id="a checkbox"),
        pytest.param("---\nstatus: b\n---\n", "2026-11-26", "---\nstatus: 2026-11-26\n---\n", id="a date"),
        pytest.param("---\nstatus: b\n---\n", "", "---\nstatus:\n---\n", id="emptied"),
        pytest.param("---\nstatus:\n  - b\n  - c\nx: 1\n---\n", "a", "---\nstatus: a\nx: 1\n---\n", id="of a list"),
        pytest.param("---\nstatus: [b, c] # why\n---\n", "a", "---\nstatus: a # why\n---\n", id="of brackets"),
        pytest.param("---\nstatus: # why\n---\n", "a", "---\nstatus: a # why\n---\n", id="no value, a comment"),
        pytest.param("---\nstatus: |\n  b\n  c\nx: 1\n---\n", "a", "---\nstatus: a\nx: 1\n---\n", id="of a block"),
        pytest.param("---\nstatus:\n  a: b\nx: 1\n---\n", "a", "---\nstatus: a\nx: 1\n---\n", id="of a mapping"),
        pytest.param("---\nstatus: b", "done", "---\nstatus: done\n---\n---\nstatus: b", id="no frontmatter: no end"),
    ],
)
def test_a_property_has_the_value(before: str, value: str, expected: str) -> None:
    assert after(before, status=value) == expected
    assert after(expected, status=value) == expected, "again changes nothing"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        pytest.param("Text\n", "Text\n", id="no properties"),
        pytest.param("---\nstatus: b # why\nx: 1\n---\n", "---\nx: 1\n---\n", id="a value"),
        pytest.param("---\r\nx: 1\r\nstatus: b\r\n---\r\n", "---\r\nx: 1\r\n---\r\n", id="CRLF"),
        pytest.param("---\nstatus:\n---\n", "---\n---\n", id="no value"),
        pytest.param("---\nstatus:\n  - b\n  # mine\n  - c\nx: 1\n---\n", "---\nx: 1\n---\n", id="a list"),
        pytest.param("---\nstatus: >\n  b\n\n  c\nx: 1\n---\n", "---\nx: 1\n---\n", id="a block"),
        pytest.param("---\nstatus:\n  - b\n\n# of x\nx: 1\n---\n", "---\n\n# of x\nx: 1\n---\n", id="another's"),
        pytest.param("---\nstatus:\n  a: {b: c}\nx: 1\n---\n", "---\nx: 1\n---\n", id="a mapping"),
        pytest.param('---\nstatus: "b\n  c"\nx: 1\n---\n', "---\nx: 1\n---\n", id="over two lines"),
    ],
)
def test_a_property_goes(before: str, expected: str) -> None:
    assert after(before, status=None) == expected


@pytest.mark.parametrize(
    "before",
    [
        pytest.param("---\nstatus: [b\n---\n", id="no YAML"),
        pytest.param("---\n{status: b}\n---\n", id="in braces"),
        pytest.param("---\nstatus: a\nstatus: b\n---\n", id="twice"),
        pytest.param("---\nstatus: &x b\ny: *x\n---\n", id="repeated elsewhere"),
        pytest.param("---\nstatus:\n  - b # mine\n  - c\n---\n", id="what a person wrote beside it"),
        pytest.param("---\n? status\n: b\n---\n", id="a key by a question mark"),
    ],
)
def test_what_is_not_safe_is_refused(before: str) -> None:
    with pytest.raises(ChangeRefused):
        after(before, status="done")


_MISREAD = (
    *("yes", "Off", "on", "y", "N", "null", "~", "=", "<<", "-", ".inf", ".NaN"),
    *("1:30", "190:20:30", "0x1F", "0o17", "017", "08", "1_000", "0b101", "-.5", "5.", "+5", "1e3", "12e03", "-0"),
    *("12345678901234567890", "2026-02-30", "2026-1-2", "2026-11-26 10:30:00 +1", "1.2.3", "3 boats"),
)


@pytest.mark.parametrize("value", _MISREAD)
def test_what_some_reader_of_yaml_takes_for_another_value_is_quoted(value: str) -> None:
    written = after("", z=value)
    assert written == f'---\nz: "{value}"\n---\n'
    assert yaml.safe_load(written.strip("-\n")) == {"z": value}
    assert after("", **{value: "1"}) == f'---\n"{value}": 1\n---\n'


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("true", True),
        ("False", False),
        ("-7", -7),
        ("0", 0),
        ("-0.5", -0.5),
        ("1.10", 1.1),
        ("2026-11-26", date(2026, 11, 26)),
        ("2026-11-26T10:30:00", datetime.fromisoformat("2026-11-26T10:30:00")),
        ("to do, soon", "to do, soon"),
        ("Größe", "Größe"),
        ("https://a.example/b", "https://a.example/b"),
    ],
)
def test_what_all_read_alike_stays_plain(value: str, meant: object) -> None:
    written = after("", z=value)
    assert written == f"---\nz: {value}\n---\n"
    assert yaml.safe_load(written.strip("-\n")) == {"z": meant}


@pytest.mark.parametrize("name", ["tags", "Tag", "", "two\nlines", " blank"])
def test_tags_and_no_names_are_no_properties_to_be_set(name: str) -> None:
    with pytest.raises(ChangeRefused):
        after("", **{name: "a"})


_VALUES = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=20)


@given(st.dictionaries(st.sampled_from(["status", "due", "x y", "Größe"]), _VALUES, max_size=3), _VALUES, st.booleans())
def test_any_value_is_read_as_it_was_given_and_comes_back(had: dict[str, str], value: str, goes: bool) -> None:
    text = "Below.\n"
    try:
        for name, old in had.items():
            text = after(text, **{name: old})
    except ChangeRefused:
        return
    note = NoteText(text)
    try:
        edits = with_properties(note, {"status": None if goes else value})
    except ChangeRefused:
        return
    changed = edited(text, edits)
    assert edited(changed, reverse(text, edits)) == text
    expected = {name: old for name, old in had.items() if name != "status"} | ({} if goes else {"status": value})
    found = read_frontmatter(changed).properties
    assert {name: each for name, each in found.items() if each} == {
        name: each for name, each in expected.items() if each
    }
