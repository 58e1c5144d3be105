"""Tags of a note's frontmatter, put in and taken out with as few bytes changed as can be.

The YAML is taken apart by its parser, which says where each tag stands; only there is the text edited. Comments, order,
quotes and line ends of the rest stay. What comes out is read again: unless the tags are as wanted and every other
property is as before, nothing is changed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from yaml.events import AliasEvent, Event, ScalarEvent, SequenceStartEvent

from scrubjay.daemon.review.changes.frontmatter_text import (
    NO_BREAKS,
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

_KEYS = ("tags", "tag")
_TAG = re.compile(r"[^\s#,\[\]{}\"'|^\\]+")
_PLAIN = re.compile(r"[^\W\d_][\w/-]*")
_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "y", "n", "null"})  # that YAML 1.1 takes for values
_BETWEEN = re.compile(r"\s*,\s*")
_ITEM = re.compile(r"([ \t]*)-(?:[ \t]+|$)")
_BLANKS = re.compile(r"[ \t]*(?=[\r\n]|\Z)")  # to the line's end, where nothing else is there


@dataclass(frozen=True, slots=True)
class _Entry:
    """The value of `tags` or `tag`. Places are in the note's text."""

    key: str  # as written
    key_stop: int  # after the colon
    start: int
    stop: int
    form: str  # block, flow, scalar, none
    items: tuple[tuple[int, int, str], ...]  # start, stop, value


def is_tag(text: str) -> bool:
    """Whether a note can have this tag, which stands here without "#"."""
    return _TAG.fullmatch(text) is not None


def retagged(note: NoteText, add: Sequence[str], remove: Sequence[str]) -> list[TextEdit]:
    """The edits by which these tags, without "#", are among the frontmatter's, or are not. None where it is so already.

    A tag that is taken out while another is put in passes its place on. Raises ChangeRefused where that is not safe.
    """
    for tag in (*add, *remove):
        if not is_tag(tag):
            raise ChangeRefused("invalid", "One of the tags is none that a note can have.")
    text = note.text
    span = yaml_span(text)
    front = read_properties(text)
    if span is None:
        return _begun(note, add) if add else []
    if front.problem or not front.length:
        raise unsafe()
    before = front.properties
    had = _tags(before)
    wanted_out = {_key(tag) for tag in remove}
    missing = [tag for tag in dict.fromkeys(add) if _key(tag) not in {_key(old) for old in had} - wanted_out]
    if not missing and not wanted_out & {_key(tag) for tag in had}:
        return []
    edits = _edits(note, span, missing, wanted_out)
    _check(before, read_properties(edited(text, edits)).properties, missing, wanted_out)
    return edits


def _edits(note: NoteText, span: tuple[int, int], missing: list[str], out: set[str]) -> list[TextEdit]:
    entries = list(_entries(note.text, *span))
    if len({entry.key for entry in entries}) < len(entries):
        raise unsafe()
    edits: list[TextEdit] = []
    for entry in entries:
        gone = [place for place, item in enumerate(entry.items) if _key(item[2]) in out]
        given, missing = missing[: len(gone)], missing[len(gone) :]
        if entry is entries[-1]:
            given, missing = [*given, *missing], []
        if gone or given:
            edits += _WAYS[entry.form](note, entry, gone, given)
    if missing:  # and there is no entry
        end = note.line_end
        edits.append(
            TextEdit(span[1], span[1], "".join([f"tags:{end}", *(f"  - {_written(tag)}{end}" for tag in missing)]))
        )
    return edits


def _block(note: NoteText, entry: _Entry, gone: list[int], given: list[str]) -> list[TextEdit]:
    """Items on lines of their own."""
    text, edits = note.text, list[TextEdit]()
    replaced, dropped = gone[: len(given)], gone[len(given) :]
    for place, tag in zip(replaced, given, strict=False):
        start, stop, _ = entry.items[place]
        edits.append(TextEdit(start, stop, _written(tag)))
    for place in dropped:
        start, stop, _ = entry.items[place]
        edits.append(TextEdit(line_start(text, start), line_stop(text, stop), ""))
    rest = given[len(replaced) :]
    blanks = [item for item in entry.items if item[0] == item[1]]
    for (at, _, _), tag in zip(blanks, rest, strict=False):
        empty = _BLANKS.match(text, at)
        edits.append(TextEdit(at, empty.end() if empty else at, f" {_written(tag)}"))
    if rest := rest[len(blanks) :]:
        start, stop, _ = entry.items[-1]
        indent = _indent(text, start)
        at = line_stop(text, stop)
        edits.append(TextEdit(at, at, "".join(f"{indent}- {_written(tag)}{note.line_end}" for tag in rest)))
    if dropped and len(dropped) == len(entry.items):
        edits.append(TextEdit(entry.key_stop, entry.key_stop, " []"))
    return edits


def _flow(note: NoteText, entry: _Entry, gone: list[int], given: list[str]) -> list[TextEdit]:
    """[items, in brackets]. They are written anew where one goes, which needs nothing but commas between them."""
    items, text = entry.items, note.text
    if not gone:
        at = items[-1][1] if items else entry.start + 1
        added = ", ".join(map(_written, given))
        return [TextEdit(at, at, f", {added}" if items else added)]
    for one, other in pairwise(items):
        if not _BETWEEN.fullmatch(text[one[1] : other[0]]):
            raise unsafe()
    renamed = dict(zip(gone, given, strict=False))
    kept = [
        _written(renamed[place]) if place in renamed else text[start:stop]
        for place, (start, stop, _) in enumerate(items)
        if place in renamed or place not in gone
    ]
    kept += map(_written, given[len(gone) :])
    return [TextEdit(items[0][0], items[-1][1], ", ".join(kept))]


def _scalar(_note: NoteText, entry: _Entry, gone: list[int], given: list[str]) -> list[TextEdit]:
    """A single value, or several in one text: they become a list, as Obsidian wants it."""
    kept = [value for place, (_, _, value) in enumerate(entry.items) if place not in gone]
    return [TextEdit(entry.start, entry.stop, f"[{', '.join(map(_written, [*kept, *given]))}]")]


def _none(note: NoteText, entry: _Entry, _gone: list[int], given: list[str]) -> list[TextEdit]:
    """Nothing after the colon: items on lines of their own below it."""
    at = line_stop(note.text, entry.key_stop)
    return [TextEdit(at, at, "".join(f"  - {_written(tag)}{note.line_end}" for tag in given))]


_WAYS = {"block": _block, "flow": _flow, "scalar": _scalar, "none": _none}


def _begun(note: NoteText, add: Sequence[str]) -> list[TextEdit]:
    """Frontmatter for a note that has none."""
    lines = ["---", "tags:", *(f"  - {_written(tag)}" for tag in dict.fromkeys(add)), "---", ""]
    edits = [TextEdit(0, 0, note.line_end.join(lines))]
    after = read_properties(edited(note.text, edits))
    if after.problem or {_key(tag) for tag in _tags(after.properties)} != {_key(tag) for tag in add}:
        raise unsafe()
    return edits


def _entries(text: str, start: int, stop: int) -> Iterator[_Entry]:
    """The values of `tags` and `tag` in the YAML between two places. Raises ChangeRefused for other forms."""
    for name, value in top_level(text, start, stop):
        if name.value.strip().casefold() in _KEYS:
            yield _entry(text, start, name, value)


def _entry(text: str, shift: int, name: ScalarEvent, value: list[Event]) -> _Entry:
    first, last = value[0], value[-1]
    start, stop = shift + first.start_mark.index, shift + last.end_mark.index
    colon = text.index(":", shift + name.end_mark.index) + 1
    scalars = [event for event in value if isinstance(event, ScalarEvent)]
    bare = all(event.anchor is None and event.implicit != (False, False) for event in scalars)
    has_odd = any(letter in event.value for event in scalars for letter in NO_BREAKS.values())
    if any(isinstance(event, AliasEvent) for event in value) or not bare or has_odd:
        raise unsafe()
    if isinstance(first, ScalarEvent):
        if first.style in ("|", ">") or first.start_mark.line != first.end_mark.line:
            raise unsafe()
        if start == stop:
            return _Entry(name.value, colon, colon, colon, "none", ())
        is_null = first.style is None and first.value.casefold() in ("~", "null")
        tags = ("" if is_null else str(first.value)).replace(",", " ").split()
        items = tuple((start, stop, tag) for tag in tags)
        return _Entry(name.value, colon, start, stop, "scalar", items)
    if (
        not isinstance(first, SequenceStartEvent)
        or first.anchor is not None
        or not first.implicit
        or len(scalars) != len(value) - 2
    ):
        raise unsafe()
    if any(event.start_mark.line != event.end_mark.line for event in scalars):
        raise unsafe()
    items = tuple((shift + one.start_mark.index, shift + one.end_mark.index, one.value) for one in scalars)
    if first.flow_style:
        return _Entry(name.value, colon, start, stop, "flow", items)
    if not all(_ITEM.fullmatch(text[line_start(text, item[0]) : item[0]]) for item in items):
        raise unsafe()
    return _Entry(name.value, colon, start, stop, "block", items)


def _check(before: Properties, after: Properties, added: list[str], out: set[str]) -> None:
    """Raises ChangeRefused unless the tags changed as wanted, and nothing else did."""
    wanted = [_key(tag) for tag in _tags(before) if _key(tag) not in out] + [_key(tag) for tag in added]
    same = {name: value for name, value in before.items() if name.casefold() not in _KEYS}
    if sorted(_key(tag) for tag in _tags(after)) != sorted(wanted):
        raise unsafe()
    if {name: value for name, value in after.items() if name.casefold() not in _KEYS} != same:
        raise unsafe()


def _tags(properties: Properties) -> list[str]:
    found: list[str] = []
    for name, value in properties.items():
        if name.casefold() in _KEYS:
            found += value.replace(",", " ").split() if isinstance(value, str) else value
    return found


def _key(tag: str) -> str:
    return tag.strip().lstrip("#").casefold()


def _written(tag: str) -> str:
    plain = _PLAIN.fullmatch(tag) and tag.casefold() not in _WORDS
    return tag if plain else f'"{tag}"'


def _indent(text: str, at: int) -> str:
    found = _ITEM.fullmatch(text[line_start(text, at) : at])
    if found is None:
        raise unsafe()
    return found[1]
