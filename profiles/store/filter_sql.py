"""Turning a `NoteFilter` into SQL on the table `note`, every value bound."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TypeAlias, cast

import msgspec

from scrubjay.profiles.cancellation import check
from scrubjay.profiles.kinds import NOTE
from scrubjay.profiles.names import fold
from scrubjay.profiles.search.words.analysis import as_number, phrase_terms
from scrubjay.profiles.search.words.note_parts import CutPassage, NoteText, Sought
from scrubjay.profiles.search.words.phrases import PhrasePlaces
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
from scrubjay.profiles.store.statements import Connection, Sql, Value, integers

ALWAYS: Sql = ("TRUE", [])
NEVER: Sql = ("FALSE", [])
_ALL = AllOf(())


def matching_notes(connection: Connection, where: NoteFilter) -> list[int]:
    """Ids of the notes that pass, in no order."""
    condition, values = compiled_for(connection, where)
    rows = connection.execute_here(f"SELECT id FROM note WHERE {condition}", values)  # noqa: S608 (values are bound)
    return [cast("int", row[0]) for row in rows]


def compiled_for(connection: Connection, where: NoteFilter) -> Sql:
    """The condition on `note` that a filter is, for `execute_here`. Texts are looked into at once."""
    if looks_into_parts(where):
        where = passing_in_time(connection, where, lambda: False).notes
    return _compiled(connection, where)


def _compiled(connection: Connection, where: NoteFilter) -> Sql:
    match where:
        case AllOf(parts):
            return _joined(connection, parts, " AND ", ALWAYS)
        case AnyOf(parts):
            return _joined(connection, parts, " OR ", NEVER)
        case Not(part):
            condition, values = _compiled(connection, part)
            # A condition on an absent value (created_ns) is NULL, and its opposite must hold.
            return f"NOT coalesce(({condition}), FALSE)", values
        case AmongNotes(ids):
            return among(ids)
        case HasText(text):
            return connection.dialect.holding(connection, text)
        case HasPart():
            raise ValueError("a statement can't look into the texts of notes")
        case _:
            return _simple(where)


def among(ids: Sequence[int]) -> Sql:
    """The condition that a note is one of these."""
    return ("note.id IN (SELECT value FROM carray(?))", [integers(ids)]) if ids else NEVER


def _joined(connection: Connection, parts: Sequence[NoteFilter], operator: str, empty: Sql) -> Sql:
    compiled = [_compiled(connection, part) for part in parts]
    if not compiled:
        return empty
    return f"({operator.join(condition for condition, _ in compiled)})", [v for _, values in compiled for v in values]


def _simple(
    where: PathHas | FileHas | HasTag | HasProperty | InVault | ModifiedBetween | CreatedBetween | HasLang | HasKind,
) -> Sql:
    match where:
        case HasProperty():
            compiled = _property(where)
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


def notes_with(connection: Connection, found: PhrasePlaces) -> tuple[int, ...]:
    """The notes that have a phrase, in a passage or in what they say of themselves."""
    sql = "SELECT DISTINCT note_id FROM carray(?) AS found CROSS JOIN chunk WHERE id = found.value"
    rows = connection.execute(sql, (integers(found.chunks),))
    return tuple({*found.notes.tolist(), *(int(row[0]) for row in rows)})


# What looks into parts of notes reads their texts, which may be all there are: within a time limit, newest notes first.

_AT_ONCE = 16  # notes whose texts are read in one go; between two glances at the clock
_PASSAGES = """
SELECT note_id, id, headings, line, end_line, unpacked(packed) FROM carray(?) AS wanted
CROSS JOIN chunk WHERE note_id = wanted.value ORDER BY note_id, position
"""
_Decision: TypeAlias = Callable[[int, NoteText], bool]
"""Whether a note, by its id and its text, passes a filter."""


@dataclass(frozen=True, slots=True)
class LookedAt:
    """The notes that pass, as far as they could be looked at. total: how many were to be."""

    notes: AmongNotes
    looked: int
    total: int


def looks_into_parts(where: NoteFilter) -> bool:
    """Whether a filter reads the texts of notes."""
    return next(_parts_in(where), None) is not None


def _parts_in(where: NoteFilter) -> Iterator[HasPart]:
    match where:
        case HasPart():
            yield where
        case Not(part):
            yield from _parts_in(part)
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from _parts_in(part)
        case _:
            pass


def passing_in_time(
    connection: Connection, where: NoteFilter, is_over: Callable[[], bool], before: LookedAt | None = None
) -> LookedAt:
    """The notes that pass, among those looked at until `is_over`: those that pass all that costs nothing to see.

    Each text is read and taken apart once, whatever the filter looks for in it.
    before: what was found for the same filter in the same generation, to go on from.
    """
    sought = _sought(connection, frozenset(_parts_in(where)))
    condition, values = compiled_for(connection, _at_most(where, sought, is_wanted=True))
    sql = f"SELECT id FROM note WHERE {condition} ORDER BY mtime_ns DESC, id"  # noqa: S608 (values are bound)
    rows = connection.execute_here(sql, values)
    candidates = tuple(cast("int", row[0]) for row in rows)
    found = list(before.notes.ids) if before else []
    looked = before.looked if before else 0
    passes = _decision(connection, where, sought, AmongNotes(candidates[looked:]))
    while looked < len(candidates) and not is_over():
        batch = candidates[looked : looked + _AT_ONCE]
        found += [note for note, text in _texts(connection, batch) if passes(note, text)]
        looked += len(batch)
    return LookedAt(AmongNotes(tuple(found)), looked, len(candidates))


@dataclass(frozen=True, slots=True)
class _SoughtPart:
    """A part that is looked for, and where the word index has its words."""

    sought: Sought
    notes: frozenset[int]  # that hold all of them anywhere
    chunks: Sequence[frozenset[int]]  # of each word that stands alone: those that hold it

    def is_in(self, note: int, text: NoteText) -> bool:
        return note in self.notes and text.holds(self.sought, self.chunks)


def _sought(connection: Connection, parts: Collection[HasPart]) -> Mapping[HasPart, _SoughtPart]:
    found: dict[str, PhrasePlaces] = {}
    notes: dict[str, frozenset[int]] = {}
    for text in {text for part in parts for text in part.wanted.phrases}:
        check()
        if (places := connection.dialect.phrase_places(connection, text)) is not None:
            found[text], notes[text] = places, frozenset(notes_with(connection, places))
    everywhere = frozenset(matching_notes(connection, _ALL))
    alone = {
        text: frozenset(cast("list[int]", at.chunks.tolist()))
        for text, at in found.items()
        if len(phrase_terms(text)) == 1
    }
    return {
        part: _SoughtPart(
            Sought.of(part.part, part.wanted),
            everywhere.intersection(*(notes[text] for text in part.wanted.phrases if text in notes)),
            () if part.wanted.match_case else [alone[text] for text in part.wanted.phrases if text in alone],
        )
        for part in parts
    }


def _decision(
    connection: Connection, where: NoteFilter, sought: Mapping[HasPart, _SoughtPart], among: AmongNotes
) -> _Decision:
    """What decides on each of these notes; what needs no text is looked up now, and decides first."""
    match where:
        case HasPart():
            return sought[where].is_in
        case Not(part) if looks_into_parts(part):
            inner = _decision(connection, part, sought, among)
            return lambda note, text: not inner(note, text)
        case AllOf(parts) | AnyOf(parts) if looks_into_parts(where):
            ways = [_decision(connection, part, sought, among) for part in sorted(parts, key=looks_into_parts)]
            joined = all if isinstance(where, AllOf) else any
            return lambda note, text: joined(way(note, text) for way in ways)
        case _:
            passing = frozenset(matching_notes(connection, AllOf((among, where))))
            return lambda note, _: note in passing


def _texts(connection: Connection, notes: Sequence[int]) -> Iterator[tuple[int, NoteText]]:
    """Each of these notes with its text, in this order."""
    rows = connection.execute(_PASSAGES, (integers(notes),)).fetchall()
    texts = {
        cast("int", note): NoteText([CutPassage(row[1], _decode_headings(row[2]), *row[3:]) for row in passages])
        for note, passages in groupby(rows, itemgetter(0))
    }
    for note in notes:
        check()
        yield note, texts.pop(note, _NO_TEXT)


_NO_TEXT = NoteText(())
_decode_headings = msgspec.json.Decoder(tuple[str, ...]).decode


def _at_most(where: NoteFilter, sought: Mapping[HasPart, _SoughtPart], *, is_wanted: bool) -> NoteFilter:
    """A filter that reads no text and passes at least what `where` does (not wanted: at most)."""
    match where:
        case HasPart():
            return AmongNotes(tuple(sought[where].notes)) if is_wanted else AnyOf(())
        case Not(part):
            return Not(_at_most(part, sought, is_wanted=not is_wanted))
        case AllOf(parts):
            return AllOf(tuple(_at_most(part, sought, is_wanted=is_wanted) for part in parts))
        case AnyOf(parts):
            return AnyOf(tuple(_at_most(part, sought, is_wanted=is_wanted) for part in parts))
        case _:
            return where
