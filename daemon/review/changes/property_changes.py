"""Properties of a note's frontmatter, set and removed with as few bytes changed as can be.

As `tag_changes` does with tags: the parser says where a property stands, only there is the text edited, and what comes
out is read again: unless the properties are as wanted and every other one is as before, nothing is changed.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import cast

import yaml
from yaml.events import Event, ScalarEvent

from scrubjay.daemon.review.changes.frontmatter_text import (
    line_start,
    line_stop,
    read_properties,
    top_level,
    unsafe,
    yaml_span,
)
from scrubjay.daemon.review.changes.note_text import NoteText, TextEdit, edited
from scrubjay.daemon.review.changes.refusal import ChangeRefused
from scrubjay.daemon.vault.frontmatter import Properties

_OF_TAGS = frozenset({"tags", "tag"})
_COMMENT = re.compile(r"(?:^|\s)#")
_BEGINS_A_WORD = re.compile(r"[^\W\d]")
# Written so, all readers take it for the same number, truth or time. YAML 1.1 takes more for numbers than 1.2 does
# (1:30 is 90, 017 15), or less (1e3 is a text); a longer number is rounded.
_READ_ALIKE = re.compile(
    r"true|True|TRUE|false|False|FALSE"
    r"|0|-?[1-9]\d{0,14}|-?(?:0|[1-9]\d{0,14})\.\d+"
    r"|\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d)?",
    re.ASCII,
)
_TRUTHS_OF_SOME = frozenset({"y", "n"})  # by YAML 1.1, though not by PyYAML, which knows its other words


def is_property(name: str) -> bool:
    """Whether a property of this name can be set: it is of one line, and tags are changed as tags."""
    return len(name.splitlines()) == 1 and name == name.strip() and name.casefold() not in _OF_TAGS


def with_properties(note: NoteText, wanted: Mapping[str, str | None]) -> list[TextEdit]:
    """The edits by which each property has this value, a text; None: by which the note does not have it.

    None where it is so already. Case does not tell names apart. A value is written plain where YAML reads it so, else
    quoted. Raises ChangeRefused where that is not safe.
    """
    if not wanted:
        return []
    values = {name.casefold(): value for name, value in wanted.items()}
    if not all(map(is_property, wanted)) or len(values) < len(wanted):
        raise ChangeRefused("invalid", "Name each property once, and change tags as tags.")
    text, end = note.text, note.line_end
    span, front = yaml_span(text), read_properties(text)
    if span is not None and (front.problem or not front.length):
        raise unsafe()
    edits: list[TextEdit] = []
    there: set[str] = set()
    for name, value in top_level(text, *span) if span else ():
        key = name.value.strip().casefold()
        if key in there:
            raise unsafe()
        if key in values:
            there.add(key)
            edits += _changed(text, span[0] if span else 0, name, value, values[key])
    new = [
        f"{_written(name)}:{_after_colon(value)}{end}"
        for name, value in wanted.items()
        if value is not None and name.casefold() not in there
    ]
    if new and span:
        edits.append(TextEdit(span[1], span[1], "".join(new)))
    elif new:
        edits.append(TextEdit(0, 0, "".join(("---", end, *new, "---", end))))
    if edits:
        _check(front.properties, read_properties(edited(text, edits)).properties, values)
    return edits


def _changed(text: str, shift: int, name: ScalarEvent, value: list[Event], wanted: str | None) -> Iterator[TextEdit]:
    """The edit of a property that is there, if it has to change. shift: where the YAML starts that marks count from."""
    key = shift + name.start_mark.index
    colon = text.index(":", shift + name.end_mark.index) + 1
    start, stop = shift + value[0].start_mark.index, max(colon, shift + _content_stop(value))
    line = line_start(text, key)
    if line != key:
        raise unsafe()
    first = value[0]
    if wanted is None:
        stop = stop if text[stop - 1] in "\r\n" else line_stop(text, stop)
        yield TextEdit(line, stop, "")
    elif isinstance(first, ScalarEvent) and first.style not in ("|", ">") and "\n" not in text[start:stop]:
        if first.value != wanted or first.anchor is not None:
            has_both = start < stop and wanted
            yield TextEdit(start, stop, _written(wanted)) if has_both else TextEdit(colon, stop, _after_colon(wanted))
    else:
        stop -= len(text[:stop]) - len(text[:stop].rstrip("\r\n"))
        if not isinstance(first, ScalarEvent) and _COMMENT.search(text, colon, stop):
            raise unsafe()
        yield TextEdit(colon, stop, _after_colon(wanted))


def _content_stop(value: list[Event]) -> int:
    """Where the last of a value stops, in the YAML; that of a block is no place, but where the next property starts."""
    ends = [event.end_mark.index for event in value if event.end_mark.index > event.start_mark.index]
    return max(ends, default=value[-1].end_mark.index if isinstance(value[-1], ScalarEvent) else 0)


def _after_colon(value: str) -> str:
    return f" {_written(value)}" if value else ""


def _written(text: str) -> str:
    """A name or value as YAML: plain where that reads as the same text, so that a number or a date stays one, and where
    YAML 1.1 and 1.2 take it for the same, whichever another program reads. Else, and when in doubt, quoted.
    """
    read = read_properties(f"---\nx: {text}\n---\n")
    is_plain = not read.problem and read.properties == {"x": text} and not _COMMENT.search(text)
    return text if is_plain and _is_read_alike(text) else json.dumps(text, ensure_ascii=False)


def _is_read_alike(plain: str) -> bool:
    try:
        read = cast("object", yaml.safe_load(plain))
    except (yaml.YAMLError, ValueError):  # ValueError: a day that there is not
        return False
    if _BEGINS_A_WORD.match(plain) and read == plain:
        return plain.casefold() not in _TRUTHS_OF_SOME
    return _READ_ALIKE.fullmatch(plain) is not None


def _check(before: Properties, after: Properties, wanted: Mapping[str, str | None]) -> None:
    """Raises ChangeRefused unless the properties changed as wanted, and nothing else did."""

    def others(properties: Properties) -> Properties:
        return {name: value for name, value in properties.items() if not wanted.keys() & _own_and_outer(name)}

    folded = {name.casefold(): value for name, value in after.items()}
    if others(before) != others(after) or any(
        (folded.get(name) or None) != (value or None) for name, value in wanted.items()
    ):
        raise unsafe()


def _own_and_outer(name: str) -> set[str]:
    """A property's name and, of a nested one, that of the property that it is in."""
    return {name.casefold(), name.casefold().partition(".")[0]}
