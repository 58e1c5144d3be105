"""Reads of many notes at once: what each is and holds, and the texts of its passages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, cast

import msgspec

from scrubjay.profiles.store.rows import LinkKind, LinkRow
from scrubjay.profiles.store.statements import Row, integers
from scrubjay.profiles.store.store import Store

_AT_ONCE = 500  # notes whose texts are read in one transaction: a long one would keep the write-ahead log

_texts = msgspec.json.Decoder(tuple[str, ...]).decode
_properties = msgspec.json.Decoder(dict[str, str | tuple[str, ...]]).decode

_NOTES = """
SELECT note.id, vault, path, title, aliases, tags, properties, mtime_ns, created_ns, lang, size, note.digest,
       fingerprint, payload, count(chunk.id), coalesce(sum(chunk.tokens), 0), coalesce(max(chunk.end_line), 0)
FROM note LEFT JOIN chunk ON chunk.note_id = note.id
WHERE kind = '' GROUP BY note.id ORDER BY vault, path
"""


@dataclass(frozen=True, slots=True)
class StoredNote:
    """A Markdown note without its text."""

    note_id: int
    vault: str  # id
    path: str
    title: str
    aliases: tuple[str, ...]
    tags: tuple[str, ...]  # of text and frontmatter, as written, without "#"
    properties: Mapping[str, str | tuple[str, ...]]
    mtime_ns: int
    created_ns: int | None
    lang: str  # see NoteRow
    size: int  # bytes on disk
    digest: bytes  # of the file's bytes, keyed
    fingerprint: str  # of what prepared it
    payload: int  # code points left out since only programs read them
    passages: int
    words: int  # index terms in the passages
    last_line: int  # of the last passage; 0 without one


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A passage's text, credentials taken out, and where it stands."""

    note_id: int
    position: int  # 0-based in its note
    digest: bytes
    headings: tuple[str, ...]  # outermost first
    line: int  # 1-based
    end_line: int  # inclusive
    text: str


def stored_notes(store: Store) -> tuple[StoredNote, ...]:
    """All Markdown notes, by vault and path."""
    with store.reading() as connection:
        rows = connection.execute(_NOTES).fetchall()
    decoded = ((*row[:4], _texts(row[4]), _texts(row[5]), _properties(row[6]), *row[7:]) for row in rows)
    return tuple(StoredNote(*cast("tuple[Any, ...]", row)) for row in decoded)


def passages_of(store: Store, note_ids: Sequence[int]) -> Iterator[tuple[int, tuple[StoredPassage, ...]]]:
    """(note id, its passages in order) of these notes, ascending; those without a passage are left out.

    Read some hundreds at a time, each in a snapshot of its own.
    """
    columns = "note_id, position, digest, headings, line, end_line, unpacked(packed)"
    for note_id, rows in _passage_rows(store, note_ids, columns):
        decoded = ((*row[:3], _texts(row[3]), *row[4:]) for row in rows)
        yield note_id, tuple(StoredPassage(*cast("tuple[Any, ...]", row)) for row in decoded)


def beginnings_of(store: Store, note_ids: Sequence[int]) -> Iterator[tuple[int, str, str]]:
    """(note id, text of its first passage, its first outermost heading or "") of these notes, as `passages_of`."""
    columns = "note_id, headings, CASE position WHEN 0 THEN unpacked(packed) END"
    for note_id, rows in _passage_rows(store, note_ids, columns):
        (_, _, text), *_ = passages = list(rows)
        outermost = next((headings for _, headings, _ in passages if headings != "[]"), "")
        yield note_id, text, _texts(outermost)[0] if outermost else ""


def _passage_rows(store: Store, note_ids: Sequence[int], columns: str) -> Iterator[tuple[int, Iterator[Row]]]:
    """(note id, what its passages have in these columns, of which its id is the first), in order."""
    wanted = sorted(set(note_ids))
    sql = (
        f"SELECT {columns} FROM carray(?) AS wanted"  # noqa: S608
        " CROSS JOIN chunk WHERE note_id = wanted.value ORDER BY note_id, position"
    )
    for start in range(0, len(wanted), _AT_ONCE):
        with store.reading() as connection:
            rows = connection.execute(sql, (integers(wanted[start : start + _AT_ONCE]),)).fetchall()
        yield from groupby(rows, itemgetter(0))


def links_of(store: Store) -> dict[int, tuple[LinkRow, ...]]:
    """The links of every note that has one, by note, in the order of the lines."""
    sql = "SELECT note_id, target, kind, line, heading, block, text FROM link ORDER BY note_id, line, id"
    known: dict[str, str] = {}  # the same names stand in many links

    def once(text: str) -> str:
        return known.setdefault(text, text)

    found: dict[int, tuple[LinkRow, ...]] = {}
    with store.reading() as connection:
        rows = cast("Iterable[tuple[int, str, LinkKind, int, str, str, str]]", connection.execute(sql))
        for note_id, links in groupby(rows, itemgetter(0)):
            found[note_id] = tuple(
                LinkRow(once(target), cast("LinkKind", once(kind)), line, once(heading), once(block), once(text))
                for _, target, kind, line, heading, block, text in links
            )
    return found
