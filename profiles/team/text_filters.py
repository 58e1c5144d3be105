"""Filters that look into texts, for a server, which has no functions that do: what they find is put in their place."""

from itertools import groupby
from operator import itemgetter

from scrubjay.profiles.search.words import note_parts
from scrubjay.profiles.search.words.note_parts import Passage
from scrubjay.profiles.search.words.phrases import PhrasePlaces
from scrubjay.profiles.store.filters import AllOf, AmongNotes, AnyOf, HasPart, HasText, Not, NoteFilter
from scrubjay.profiles.store.statements import Connection, integers
from scrubjay.profiles.store.where import compile_filter, decode_headings, looks_into_parts, words_of
from scrubjay.profiles.team import word_positions

_ALL = AllOf(())


def looked_up(connection: Connection, where: NoteFilter, within: NoteFilter = _ALL) -> NoteFilter:
    """The same filter without texts. within: notes that do not pass this need not be looked into."""
    match where:
        case HasText(text):
            found = word_positions.places(connection, text)
            return _ALL if found is None else AmongNotes(_notes_with(connection, found))
        case HasPart():
            return AmongNotes(_notes_with_part(connection, where, within))
        case Not(part):
            return Not(looked_up(connection, part, within))
        case AllOf(parts):
            cheap = AllOf(tuple(looked_up(connection, part) for part in parts if not looks_into_parts(part)))
            within = AllOf((within, cheap))
            return AllOf((cheap, *(looked_up(connection, part, within) for part in parts if looks_into_parts(part))))
        case AnyOf(parts):
            return AnyOf(tuple(looked_up(connection, part, within) for part in parts))
        case _:
            return where


def _notes_with_part(connection: Connection, where: HasPart, within: NoteFilter) -> tuple[int, ...]:
    """The notes with this part among those that pass `within`, which reads no text."""
    condition, values = compile_filter(AllOf((within, looked_up(connection, words_of(where)))))
    sql = (
        "SELECT note_id, position, headings, line, end_line, unpacked(packed) FROM chunk"  # noqa: S608 (values are bound)
        f" WHERE note_id IN (SELECT id FROM note WHERE {condition}) ORDER BY note_id, position"
    )
    rows = connection.execute(sql, values)
    return tuple(
        int(note)
        for note, passages in groupby(rows, itemgetter(0))
        if note_parts.holds(
            where.part, where.wanted, [Passage(row[1], decode_headings(row[2]), *row[3:]) for row in passages]
        )
    )


def _notes_with(connection: Connection, found: PhrasePlaces) -> tuple[int, ...]:
    """The notes that have a phrase, in a passage or in what they say of themselves."""
    sql = "SELECT DISTINCT note_id FROM carray(?) AS found CROSS JOIN chunk WHERE id = found.value"
    rows = connection.execute(sql, (integers(found.chunks),))
    return tuple({*found.notes.tolist(), *(int(row[0]) for row in rows)})
