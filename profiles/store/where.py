"""Turning a `NoteFilter` into SQL on the table `note`, every value bound."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

import msgspec

from scrubjay.profiles.cancellation import check
from scrubjay.profiles.kinds import NOTE
from scrubjay.profiles.names import fold
from scrubjay.profiles.search.words import note_parts
from scrubjay.profiles.search.words.analysis import as_number
from scrubjay.profiles.search.words.note_parts import Passage
from scrubjay.profiles.store.filters import (
    AllOf,
    AmongNotes,
    AnyOf,
    CreatedBetween,
    FileHas,
    HasKind,
    HasLang,
    HasPart,
    HasProperty,
    HasTag,
    HasText,
    InVault,
    ModifiedBetween,
    Not,
    NoteFilter,
    PathHas,
)
from scrubjay.profiles.store.fts import match_expression, own_words
from scrubjay.profiles.store.statements import Connection, Sql, Value, integers

ALWAYS: Sql = ("TRUE", [])
NEVER: Sql = ("FALSE", [])


def matching_notes(connection: Connection, where: NoteFilter) -> list[int]:
    """Ids of the notes that pass, in no order."""
    condition, values = connection.dialect.condition(connection, where)
    rows = connection.execute(f"SELECT id FROM note WHERE {condition}", values)  # noqa: S608 (values are bound)
    return [cast("int", row[0]) for row in rows]


def compile_filter(where: NoteFilter) -> Sql:
    """A condition on `note`, by which SQLite itself looks into texts."""
    match where:
        case AllOf(parts):
            return _joined(parts, " AND ", ALWAYS)
        case AnyOf(parts):
            return _joined(parts, " OR ", NEVER)
        case Not(part):
            condition, values = compile_filter(part)
            # A condition on an absent value (created_ns) is NULL, and its opposite must hold.
            return f"NOT coalesce(({condition}), FALSE)", values
        case AmongNotes(ids):
            return ("note.id IN (SELECT value FROM carray(?))", [integers(ids)]) if ids else NEVER
        case HasText() | HasPart() | HasProperty():
            return _said(where)
        case _:
            return _simple(where)


def _said(where: HasText | HasPart | HasProperty) -> Sql:
    match where:
        case HasText(text):
            return _text(text)
        case HasPart():
            return _part(where)
        case HasProperty():
            return _property(where)


def _joined(parts: Sequence[NoteFilter], operator: str, empty: Sql) -> Sql:
    compiled = [compile_filter(part) for part in parts]
    if not compiled:
        return empty
    return f"({operator.join(condition for condition, _ in compiled)})", [v for _, values in compiled for v in values]


def _simple(where: PathHas | FileHas | HasTag | InVault | ModifiedBetween | CreatedBetween | HasLang | HasKind) -> Sql:
    match where:
        case PathHas(text):
            compiled = _contains("note.path_key", text)
        case FileHas(text):
            compiled = _contains("note.file_key", text)
        case HasTag(tag):
            compiled = _tag(fold(tag.lstrip("#").rstrip("/")))
        case InVault(vault):
            compiled = "note.vault = ?", [vault]
        case ModifiedBetween(since_ns, until_ns):
            compiled = _between("note.mtime_ns", since_ns, until_ns)
        case CreatedBetween(since_ns, until_ns):
            compiled = _between("note.created_ns", since_ns, until_ns)
        case HasLang(lang):
            compiled = "note.lang = ?", [lang.lower()]
        case HasKind(kind):
            compiled = "note.kind = ?", ["" if kind == NOTE else kind]
    return compiled


def _tag(key: str) -> Sql:
    # "0" follows "/" in ASCII: the range holds all that begins with "key/".
    nested = "(tag_key = ? OR (tag_key >= ? AND tag_key < ?))"
    return f"note.id IN (SELECT note_id FROM note_tag WHERE {nested})", [key, f"{key}/", f"{key}0"]  # noqa: S608


def _contains(column: str, text: str) -> Sql:
    key = fold(text)
    if "*" in key or "?" in key:
        return f"glob(?, {column})", [key.replace("[", "[[]")]
    return f"instr({column}, ?) > 0", [key]


def _between(column: str, since_ns: int | None, until_ns: int | None) -> Sql:
    conditions = [f"{column} IS NOT NULL"]
    values: list[Value] = []
    if since_ns is not None:
        conditions.append(f"{column} >= ?")
        values.append(since_ns)
    if until_ns is not None:
        conditions.append(f"{column} < ?")
        values.append(until_ns)
    return f"({' AND '.join(conditions)})", values


def _property(where: HasProperty) -> Sql:
    condition, values = "name_key = ?", list[Value]([fold(where.name)])
    if where.value is not None:
        key = fold(where.value)
        number = as_number(key)
        if where.compare == "has":
            condition += " AND instr(value_key, ?) > 0"
            values.append(key)
        elif number is not None:
            condition += f" AND number {where.compare} ?"
            values.append(number)
        else:
            condition += f" AND value_key {where.compare} ?"
            values.append(key)
    return f"note.id IN (SELECT note_id FROM note_property WHERE {condition})", values  # noqa: S608


def _text(text: str) -> Sql:
    expression = match_expression(text)
    if expression is None:
        return ALWAYS
    chunks = "SELECT rowid FROM chunk_fts WHERE chunk_fts MATCH ?"
    notes = "SELECT rowid FROM note_fts WHERE note_fts MATCH ?"
    condition = f"(note.id IN (SELECT note_id FROM chunk WHERE id IN ({chunks})) OR note.id IN ({notes}))"  # noqa: S608
    return condition, [expression, own_words(expression)]


def _part(where: HasPart) -> Sql:
    """Looked for in the text of a note only if that holds its words anywhere."""
    words, values = compile_filter(words_of(where))
    passages = "json_group_array(json_array(position, headings, line, end_line, unpacked(packed)))"
    held = f"holds_part(?, (SELECT {passages} FROM chunk WHERE note_id = note.id))"  # noqa: S608
    return f"({words} AND {held})", [*values, msgspec.json.encode(where).decode()]


def words_of(where: HasPart) -> NoteFilter:
    """That a note holds the words of a part, anywhere."""
    return AllOf(tuple(HasText(phrase) for phrase in where.wanted.phrases))


# What looks into parts of notes reads their texts, which may be all there are: within a time limit, newest notes first.

_AT_ONCE = 200  # texts of notes looked into between two glances at the clock


@dataclass(frozen=True, slots=True)
class LookedAt:
    """The notes that pass, as far as they could be looked at. total: how many were to be."""

    notes: AmongNotes
    looked: int
    total: int


def looks_into_parts(where: NoteFilter) -> bool:
    """Whether a filter reads the texts of notes."""
    return _looks(where) > 0


def _looks(where: NoteFilter) -> int:
    """How often a filter reads the text of a note at most."""
    match where:
        case HasPart():
            return 1
        case Not(part):
            return _looks(part)
        case AllOf(parts) | AnyOf(parts):
            return sum(map(_looks, parts))
        case _:
            return 0


def passing_in_time(
    connection: Connection, where: NoteFilter, is_over: Callable[[], bool], before: LookedAt | None = None
) -> LookedAt:
    """The notes that pass, among those looked at until `is_over`: those that pass all that costs nothing to see.

    before: what was found for the same filter in the same generation, to go on from.
    """
    condition, values = connection.dialect.condition(connection, _at_most(where, is_wanted=True))
    rows = connection.execute(f"SELECT id FROM note WHERE {condition} ORDER BY mtime_ns DESC, id", values)  # noqa: S608
    candidates = tuple(cast("int", row[0]) for row in rows)
    found = list(before.notes.ids) if before else []
    looked = before.looked if before else 0
    at_once = max(_AT_ONCE // max(_looks(where), 1), 1)
    while looked < len(candidates) and not is_over():
        check()
        found += matching_notes(connection, AllOf((AmongNotes(candidates[looked : looked + at_once]), where)))
        looked = min(looked + at_once, len(candidates))
    return LookedAt(AmongNotes(tuple(found)), looked, len(candidates))


def _at_most(where: NoteFilter, *, is_wanted: bool) -> NoteFilter:
    """A filter that reads no text and passes at least what `where` does (not wanted: at most)."""
    match where:
        case HasPart():
            return words_of(where) if is_wanted else AnyOf(())
        case Not(part):
            return Not(_at_most(part, is_wanted=not is_wanted))
        case AllOf(parts):
            return AllOf(tuple(_at_most(part, is_wanted=is_wanted) for part in parts))
        case AnyOf(parts):
            return AnyOf(tuple(_at_most(part, is_wanted=is_wanted) for part in parts))
        case _:
            return where


def holds_part(asked: str, passages: str) -> bool:
    """SQL's `holds_part`: whether a note holds a `HasPart`, given both in JSON."""
    check()
    wanted = _decode_part(asked)
    rows = [
        Passage(position, decode_headings(headings), line, end_line, text)
        for position, headings, line, end_line, text in sorted(_decode_passages(passages))
    ]
    return bool(rows) and note_parts.holds(wanted.part, wanted.wanted, rows)


"""Headings as they are stored."""
_decode_part = msgspec.json.Decoder(HasPart).decode
decode_headings = msgspec.json.Decoder(tuple[str, ...]).decode
_decode_passages = msgspec.json.Decoder(list[tuple[int, str, int, int, str]]).decode
