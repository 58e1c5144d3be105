"""Phrases on a server: the terms of chunks and notes with their positions, a `tsvector` beside each."""

import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from typing import TYPE_CHECKING, cast

import msgspec
import numpy as np

from scrubjay.profiles.search.words.analysis import MAX_TERM_LENGTH, IndexedText, phrase_terms
from scrubjay.profiles.search.words.phrases import Ids, PhrasePlaces, is_beginning
from scrubjay.profiles.search.words.postings import unpacked_ids
from scrubjay.profiles.store.statements import Connection, integers, put
from scrubjay.profiles.team.hashed_words import Lexemes

if TYPE_CHECKING:
    from scrubjay.profiles.team.connection import ProfileConnection

_CHUNK_FIELDS, _ANCHORS = (0, 1), 5  # of `postings.field`; the others are what notes say of themselves
_BEGINNING = "SELECT term, field, shard, entries FROM posting WHERE begin_key = ?"


@dataclass(frozen=True, slots=True)
class _Column:
    """Where positions are kept of one kind of place, and how to read the fields that they were counted in."""

    table: str
    key: str
    words: str
    sql: str  # the language of the stems, and what `texts` is called with
    texts: Callable[[list[str]], list[str]]


def _lines(listed: str) -> str:
    return "\n".join(msgspec.json.decode(listed, type=list[str]))


_POSITIONS = (
    _Column(
        "chunk_words",
        "chunk_id",
        "words",
        "SELECT stemmed, unpacked(packed), headings FROM chunk JOIN note ON note.id = note_id WHERE chunk.id = ?",
        lambda row: [row[0], _lines(row[1])],
    ),
    _Column(
        "note_words",
        "note_id",
        "own",
        "SELECT stemmed, title, aliases, tags, path FROM note WHERE id = ?",
        lambda row: [row[0], _lines(row[1]), _lines(row[2]), row[3].removesuffix(".md")],
    ),
    _Column(
        "note_words",
        "note_id",
        "anchors",
        "SELECT stemmed, anchors FROM note WHERE id = ?",
        lambda row: row,
    ),
)


def places(connection: Connection, text: str) -> PhrasePlaces | None:
    """Where the words of `text` stand in this order and next to each other; None where it holds no word."""
    terms = phrase_terms(text)
    if not terms:
        return None
    words = cast("ProfileConnection", connection).words
    if is_beginning(terms):
        begun = connection.execute(_BEGINNING, (words.beginning(terms[0]),))
        rows = ((terms[0], *row[1:]) for row in begun if row[0].startswith(terms[0]))
    else:
        rows = connection.execute(*words.asked(set(terms)))
    by_place: dict[str, dict[str, list[tuple[int, bytes]]]] = {"chunk": {}, "own": {}, "anchors": {}}
    for term, field, shard, entries in cast("Iterable[tuple[str, int, int, bytes]]", rows):
        place = "chunk" if field in _CHUNK_FIELDS else "anchors" if field == _ANCHORS else "own"
        by_place[place].setdefault(term, []).append((shard, entries))
    indexed = {term for term in terms if 0 < len(term) <= MAX_TERM_LENGTH}
    if not indexed:
        return PhrasePlaces(*(np.empty(0, np.int64),) * 3)
    candidates = [_holding_all(found, indexed) for found in by_place.values()]
    if len(terms) > 1:
        candidates = [
            _in_order(connection, column, terms, ids) for column, ids in zip(_POSITIONS, candidates, strict=True)
        ]
    return PhrasePlaces(*candidates)


def _holding_all(found: dict[str, list[tuple[int, bytes]]], terms: set[str]) -> Ids:
    """The documents in which each of the terms stands."""
    if not terms <= found.keys():
        return np.empty(0, np.int64)
    lists = sorted((np.unique(unpacked_ids(found[term])[0]) for term in terms), key=len)
    return reduce(lambda one, other: np.intersect1d(one, other, assume_unique=True), lists)


def _in_order(connection: Connection, column: _Column, terms: tuple[str, ...], candidates: Ids) -> Ids:
    if not len(candidates):
        return candidates
    query = phrase_query(terms, cast("ProfileConnection", connection).words.lexeme)
    sql = (
        f"SELECT {column.key}, {column.words} @@ CAST(? AS tsquery) FROM {column.table}"  # noqa: S608
        f" WHERE {column.key} = ANY (?) AND {column.words} @@ CAST(? AS tsquery)"
    )
    either = f"{query} | {_quoted(_NOT_ALL)}" if query else _quoted(_NOT_ALL)
    asked = (Lexemes(query or _quoted(_NEVER)), integers(candidates), Lexemes(either))
    rows = connection.execute(sql, asked).fetchall()
    unsure = [int(row) for row, is_found in rows if not is_found]
    return np.array(
        [row for row, is_found in rows if is_found] + _read_through(connection, column, terms, unsure), np.int64
    )


def _read_through(connection: Connection, column: _Column, terms: tuple[str, ...], ids: list[int]) -> list[int]:
    """Those of which not all positions are kept, and whose texts have the terms in this order."""
    found: list[int] = []
    for each in ids:
        language, *row = cast("tuple[str, ...]", connection.execute(column.sql, (each,)).get)
        if any(_stand_in_order(IndexedText.of(text, language).places, terms) for text in column.texts(row)):
            found.append(each)
    return found


def _stand_in_order(places: Sequence[str], terms: tuple[str, ...]) -> bool:
    first = next(at for at, term in enumerate(terms) if term)
    starts = (at - first for at, term in enumerate(places) if term == terms[first] and at >= first)
    return any(
        start + len(terms) <= len(places)
        and all(not term or term == place for term, place in zip(terms, places[start:], strict=False))
        for start in starts
    )


# Terms, by their hashes, with their positions, as a server keeps them for phrases. What a `tsvector` has no room for is
# left out: https://www.postgresql.org/docs/current/textsearch-limitations.html

_GAP = 2  # between the fields of a document, so that no phrase reaches from one into the next
_MOST_POSITION = 16_383
_MOST_POSITIONS = 255  # of one term
_POSITION_BYTES = 2
_NOT_ALL, _NEVER = "*", "?"  # no hashes: a mark that positions were left out, and what no document has


def word_positions(fields: Iterable[Sequence[str]], lexeme: Callable[[str], str]) -> bytes:
    """The terms of a document's fields as PostgreSQL sends and receives a `tsvector`.

    With a mark where not all of them are in it. lexeme: what stands for a term, see `HashedWords`. Format:
    `tsvectorsend` in its tsvector.c.
    """
    marks = _packed_positions()
    places: dict[str, bytes] = {}
    first, is_whole = 0, True
    for terms in fields:
        room = marks[first : first + len(terms)]
        for term, mark in zip(terms, room, strict=False):  # twice as fast as a list of numbers for each term
            if term in places:
                places[term] += mark
            else:
                places[term] = mark
        is_whole = is_whole and not any(terms[len(room) :])
        first += len(terms) + _GAP
    places.pop("", None)
    most = _POSITION_BYTES * _MOST_POSITIONS
    named = {lexeme(term): at[:most] for term, at in places.items()}
    if not is_whole or len(named) < len(places) or any(len(at) > most for at in places.values()):
        named[_NOT_ALL] = b""
    parts = [name.encode() + _HEADS[len(at) // _POSITION_BYTES] + at for name, at in sorted(named.items())]
    return len(parts).to_bytes(4, "big") + b"".join(parts)


_HEADS = [struct.pack(">BH", 0, count) for count in range(_MOST_POSITIONS + 1)]
"""What follows a term: its end, and how many positions it has."""


@cache
def _packed_positions() -> list[bytes]:
    """The positions from 1 on that a `tsvector` has, as it has them."""
    return [struct.pack(">H", position) for position in range(1, _MOST_POSITION + 1)]


def phrase_query(terms: Iterable[str], lexeme: Callable[[str], str]) -> str:
    """Terms next to each other, as the text of a `tsquery`. A term of no letters leaves its place empty.

    "" for what no `tsvector` holds. lexeme: as for `word_positions`.
    """
    query, distance = "", 0
    for term in terms:
        distance += 1
        if distance > _MOST_POSITION:
            return ""
        if term:
            query = f"{query} <{distance}> {_quoted(lexeme(term))}" if query else _quoted(lexeme(term))
            distance = 0
    return query


def _quoted(lexeme: str) -> str:
    return f"'{lexeme}'"


_INDEXED_ANCHORS = 3  # of the fields of a header


class WordPositions:
    """On a server: a `tsvector` beside each chunk and each note; it goes with its row."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._lexeme = cast("ProfileConnection", connection).words.lexeme
        self._chunks: dict[int, bytes] = {}
        self._notes: dict[int, tuple[bytes, bytes]] = {}

    def add_chunk(self, chunk_id: int, fields: Sequence[IndexedText]) -> None:
        """See `PhraseIndex`."""
        self._chunks[chunk_id] = self._positions(fields)

    def remove_chunk(self, chunk_id: int, fields: Sequence[IndexedText]) -> None:  # noqa: ARG002 (as FTS5 needs it)
        """See `PhraseIndex`."""
        self._chunks.pop(chunk_id, None)

    def replace_header(
        self, note_id: int, before: Sequence[IndexedText] | None, after: Sequence[IndexedText] | None
    ) -> None:
        """See `PhraseIndex`."""
        del before  # the row is replaced as a whole
        self._notes.pop(note_id, None)
        if after is not None:
            own = [field for place, field in enumerate(after) if place != _INDEXED_ANCHORS]
            self._notes[note_id] = self._positions(own), self._positions([after[_INDEXED_ANCHORS]])

    def rows_are_there(self) -> None:
        """See `PhraseIndex`."""
        self.flush()

    def flush(self) -> None:
        """See `PhraseIndex`."""
        self._connection.insert(put("chunk_words", ("chunk_id",), ("words",)), self._chunks.items())
        rows = [(note, *words) for note, words in self._notes.items()]
        self._connection.insert(put("note_words", ("note_id",), ("own", "anchors")), rows)
        self._chunks, self._notes = {}, {}

    def clear(self) -> None:
        """See `PhraseIndex`."""
        self._connection.execute("DELETE FROM chunk_words")
        self._connection.execute("DELETE FROM note_words")

    def otherwise_stored(self) -> int:
        """How many of those that wait are not stored like this; none of them waits any longer."""
        sql = "SELECT chunk_id, words FROM chunk_words WHERE chunk_id IN (SELECT value FROM carray(?))"
        kept = dict(self._connection.execute(sql, (integers(list(self._chunks)),)))
        wrong = sum(kept.get(chunk) != words for chunk, words in self._chunks.items())
        sql = "SELECT note_id, own, anchors FROM note_words WHERE note_id IN (SELECT value FROM carray(?))"
        kept = {row[0]: row[1:] for row in self._connection.execute(sql, (integers(list(self._notes)),))}
        wrong += sum(kept.get(note) != words for note, words in self._notes.items())
        self._chunks, self._notes = {}, {}
        return wrong

    def _positions(self, fields: Sequence[IndexedText]) -> bytes:
        return word_positions((field.places for field in fields), self._lexeme)
