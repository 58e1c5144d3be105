"""Where a phrase stands.

In a file FTS5 knows; on a server the postings of its words tell what holds all of them, and positions (a `tsvector` of
our own terms) in which of these they stand in order.
"""

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import cast

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.database.posting_rows import unpacked_ids
from scrubjay.profiles.database.sql import Connection, integers, json_texts
from scrubjay.profiles.text.analysis import MAX_TERM_LENGTH, is_unspaced, phrase_terms, phrase_text

Ids = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PhrasePlaces:
    """What has a phrase; ids in no order."""

    chunks: Ids  # in their text or their headings
    notes: Ids  # in what they say of themselves: title, aliases, tags, path
    anchors: Ids  # notes, in the links of others


def places(connection: Connection, text: str) -> PhrasePlaces | None:
    """Where the words of `text` stand in this order and next to each other; None where it holds no word."""
    if connection.engine == "postgres":
        return _on_server(connection, text)
    expression = match_expression(text)
    if expression is None:
        return None
    sought = (("chunk_fts", expression), ("note_fts", own_words(expression)), ("note_fts", f"anchors : {expression}"))
    found = (
        connection.execute(f"SELECT rowid FROM {table} WHERE {table} MATCH ?", (what,))  # noqa: S608
        for table, what in sought
    )
    return PhrasePlaces(*(_ids(rows) for rows in found))


def match_expression(text: str) -> str | None:
    """The FTS5 query for `text` as a phrase, or None where it holds no word."""
    terms = phrase_terms(text)
    if not terms:
        return None
    quoted = '"' + phrase_text(text).replace('"', '""') + '"'
    return f"{quoted} *" if _is_beginning(terms) else quoted


def own_words(expression: str) -> str:
    """The FTS5 query for `match_expression` in what a note says of itself: not in how others call it in their links."""
    return f"- anchors : {expression}"


def _is_beginning(terms: tuple[str, ...]) -> bool:
    """Notes hold pairs of characters, so a single one is the beginning of a pair."""
    return len(terms) == 1 and len(terms[0]) == 1 and is_unspaced(terms[0])


_CHUNK_FIELDS, _ANCHORS = (0, 1), 5  # of `posting.field`; the others are what notes say of themselves
_POSTINGS = "SELECT term, field, shard, entries FROM posting WHERE term = ANY (ARRAY(SELECT value FROM json_each(?)))"
_BEGINNING = "SELECT ?1, field, shard, entries FROM posting WHERE term >= ?1 AND term < ?2"


_POSITIONS = (
    ("chunk_words", "chunk_id", "words"),
    ("note_words", "note_id", "own"),
    ("note_words", "note_id", "anchors"),
)


def _on_server(connection: Connection, text: str) -> PhrasePlaces | None:
    terms = phrase_terms(text)
    if not terms:
        return None
    if _is_beginning(terms):
        rows = connection.execute(_BEGINNING, (terms[0], f"{terms[0]}\U0010ffff"))
    else:
        rows = connection.execute(_POSTINGS, (json_texts(set(terms)),))
    by_place: dict[str, dict[str, list[tuple[int, bytes]]]] = {"chunk": {}, "own": {}, "anchors": {}}
    for term, field, shard, entries in cast("Iterable[tuple[str, int, int, bytes]]", rows):
        place = "chunk" if field in _CHUNK_FIELDS else "anchors" if field == _ANCHORS else "own"
        by_place[place].setdefault(term, []).append((shard, entries))
    indexed = {term for term in terms if 0 < len(term) <= MAX_TERM_LENGTH}
    if not indexed:
        return PhrasePlaces(*(np.empty(0, np.int64),) * 3)
    candidates = [_holding_all(found, indexed) for found in by_place.values()]
    if len(terms) > 1:
        query = phrase_query(terms)
        candidates = [
            _in_order(connection, column, query, ids) for column, ids in zip(_POSITIONS, candidates, strict=True)
        ]
    return PhrasePlaces(*candidates)


def _holding_all(found: dict[str, list[tuple[int, bytes]]], terms: set[str]) -> Ids:
    """The documents in which each of the terms stands."""
    if not terms <= found.keys():
        return np.empty(0, np.int64)
    lists = sorted((np.unique(unpacked_ids(found[term])[0]) for term in terms), key=len)
    return reduce(lambda one, other: np.intersect1d(one, other, assume_unique=True), lists)


def _in_order(connection: Connection, column: tuple[str, str, str], query: str, candidates: Ids) -> Ids:
    if not len(candidates):
        return candidates
    table, key, words = column
    sql = f"SELECT {key} FROM {table} WHERE {key} = ANY (?) AND {words} @@ CAST(? AS tsquery)"  # noqa: S608
    return _ids(connection.execute(sql, (integers(candidates), query)))


def _ids(rows: Iterable[tuple[object, ...]]) -> Ids:
    return np.array([row[0] for row in rows], np.int64)


# Terms with their positions, as a server keeps them for phrases.

_GAP = 2  # between the fields of a document, so that no phrase reaches from one into the next
# https://www.postgresql.org/docs/current/textsearch-limitations.html
_MOST_POSITION = 16_383
_MOST_PLACES = 255
_MOST_BYTES = 2_046


def word_positions(fields: Iterable[Sequence[str]]) -> bytes:
    """The terms of a document's fields as PostgreSQL receives a `tsvector`, as far as that can hold them.

    Format: `tsvectorrecv` in its tsvector.c.
    """
    first = 1
    places: dict[str, list[int]] = {}
    for terms in fields:
        for position, term in enumerate(terms, first):
            if term in places:
                places[term].append(position)
            else:
                places[term] = [position]
        first += len(terms) + _GAP
    if first > _MOST_POSITION:
        places = {term: [each for each in at if each <= _MOST_POSITION] for term, at in places.items()}
    parts = list[bytes]()
    for term, at in places.items():
        name = term.encode("utf-8", "replace")
        if at and 0 < len(name) <= _MOST_BYTES:
            count = min(len(at), _MOST_PLACES)
            parts += name, _layout(count).pack(0, count, *at[:count])
    return (len(parts) // 2).to_bytes(4, "big") + b"".join(parts)


@lru_cache(maxsize=_MOST_PLACES)
def _layout(count: int) -> struct.Struct:
    """What follows a term: its end, how many places it has, and these."""
    return struct.Struct(f">BH{count}H")


def phrase_query(terms: Iterable[str]) -> str:
    """Terms next to each other, as the text of a `tsquery`. A term of no letters leaves its place empty."""
    query, distance = "", 0
    for term in terms:
        distance += 1
        if term:
            query = f"{query} <{distance}> {_quoted(term)}" if query else _quoted(term)
            distance = 0
    return query


def _quoted(term: str) -> str:
    escaped = term.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"
