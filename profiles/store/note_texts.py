"""Reads of many notes at once: what each is and holds, and the texts of its passages."""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from sys import intern
from typing import Any, cast

import msgspec

from scrubjay.profiles.store.rows import LinkKind, LinkRow
from scrubjay.profiles.store.statements import Row, integers
from scrubjay.profiles.store.store import Store

_AT_ONCE = 500  # notes whose texts are read in one transaction: a long one would keep the write-ahead log

_texts = msgspec.json.Decoder(tuple[str, ...]).decode
_properties = msgspec.json.Decoder(dict[str, str | tuple[str, ...]]).decode

_NOTES = """
SELECT note.id, vault, path, title, aliases, tags, properties, mtime_ns, created_ns, lang, size, digest, fingerprint,
       payload, coalesce(held.passages, 0), coalesce(words, 0), coalesce(last_line, 0)
FROM note LEFT JOIN (
    SELECT note_id, count(*) AS passages, sum(tokens) AS words, max(end_line) AS last_line FROM chunk GROUP BY note_id
) AS held ON held.note_id = note.id
WHERE kind = ''
"""
"""Not in order, and grouped before it is joined: SQLite would hold all rows in memory to sort them."""


@dataclass(frozen=True, slots=True)
class StoredNote:
    """A Markdown note without its text."""

    note_id: int
    vault: str  # id
    path: str
    title: str
    aliases: tuple[str, ...]
    tags: tuple[str, ...]  # of text and frontmatter, as written, without "#"
    properties_json: str
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

    @property
    def properties(self) -> Mapping[str, str | tuple[str, ...]]:
        """The frontmatter, taken apart each time: few notes are asked for it, and dicts take the most memory."""
        return _properties(self.properties_json)


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
        notes = list(map(_stored_note, connection.execute(_NOTES)))
    notes.sort(key=lambda note: (note.vault, note.path))
    return tuple(notes)


def _stored_note(row: Row) -> StoredNote:
    note_id, vault, path, title, aliases, tags, properties, mtime_ns, created_ns, lang, *others = row
    size, digest, fingerprint, *counts = others
    return StoredNote(
        note_id,
        intern(vault),
        path,
        title,
        _texts(aliases),
        tuple(map(intern, _texts(tags))),
        properties,
        mtime_ns,
        created_ns,
        intern(lang),
        size,
        digest,
        intern(fingerprint),
        *counts,
    )


def passages_of(store: Store, note_ids: Sequence[int]) -> Iterator[tuple[int, tuple[StoredPassage, ...]]]:
    """(note id, its passages in order) of these notes, ascending; those without a passage are left out.

    Read some hundreds at a time, each in a snapshot of its own.
    """
    columns = "note_id, position, digest, headings, line, end_line, unpacked(packed)"
    for note_id, rows in _passage_rows(store, note_ids, columns):
        decoded = ((*row[:3], _texts(row[3]), *row[4:]) for row in rows)
        yield note_id, tuple(StoredPassage(*cast("tuple[Any, ...]", row)) for row in decoded)


def texts_of(store: Store, note_ids: Sequence[int]) -> dict[int, str]:
    """The whole text of each of these notes, by id, as `passages_of`."""
    return {note_id: "\n".join(each.text for each in passages) for note_id, passages in passages_of(store, note_ids)}


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


class StoredLinks:
    """The links in the texts of all notes (and files), by note, each note's in the order of the lines.

    In columns, and each text once: rows of Python's would take five times the memory.
    """

    def __init__(self, rows: Iterable[tuple[int, str, LinkKind, int, str, str, str]]) -> None:
        """rows: note id, then as `LinkRow`; by note."""
        texts: dict[str, int] = {}  # the same names stand in many links

        def number(text: str) -> int:
            return texts.setdefault(text, len(texts))

        self._numbers: dict[int, tuple[int, int]] = {}  # of each note's links, from and to
        self._lines = array("i")
        self._texts_of = tuple(array("i") for _ in range(5))  # target, kind, heading, block and text of each
        for note_id, links in groupby(rows, itemgetter(0)):
            start = len(self._lines)
            for _, target, kind, line, heading, block, text in links:
                self._lines.append(line)
                for column, said in zip(self._texts_of, (target, kind, heading, block, text), strict=True):
                    column.append(number(said))
            self._numbers[note_id] = start, len(self._lines)
        self._texts = tuple(texts)

    def __len__(self) -> int:
        return len(self._lines)

    def of(self, note_id: int) -> range:
        """The numbers of a note's links, for `row`."""
        return range(*self._numbers.get(note_id, (0, 0)))

    def row(self, number: int) -> LinkRow:
        """A link, by its number."""
        target, kind, heading, block, text = (self._texts[column[number]] for column in self._texts_of)
        return LinkRow(target, cast("LinkKind", kind), self._lines[number], heading, block, text)

    def target(self, number: int) -> str:
        """Of a link, by its number, what `LinkRow.target` is."""
        return self._texts[self._texts_of[0][number]]


def stored_links(store: Store) -> StoredLinks:
    """The links of a store."""
    sql = "SELECT note_id, target, kind, line, heading, block, text FROM link ORDER BY note_id, line, id"
    with store.reading() as connection:
        rows = connection.execute(sql)
        return StoredLinks(cast("Iterable[tuple[int, str, LinkKind, int, str, str, str]]", rows))
