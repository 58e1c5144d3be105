"""The lexical leg: exact BM25F over the postings, with whatever document frequencies it is given.

A chunk earns its score over its text and headings. What its note earns over title, aliases, tags, link texts and path
is evidence of its own: it is added to each of the note's chunks that were found, or given to the first if none was.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

import numpy as np

from profiles import bm25, posting
from profiles.bm25 import Lengths, Scores
from profiles.columns import Columns, note_mask
from profiles.filters import AllOf, HasText, Not, NoteFilter
from profiles.posting import CHUNK_FIELDS, NOTE_FIELDS, Field, Postings
from profiles.rows import LexicalHit, TermStats
from profiles.sql import Connection
from profiles.where import match_expression, matching_notes

NOTE_WEIGHT = 1.0
"""Of a note's own evidence against that of its chunks."""
EXPANSION_WEIGHT = 0.6
"""Of a word that only begins like the one typed, against the word itself."""
MAX_EXPANSIONS = 24
MIN_PREFIX = 2
"""Letters; one alone expands to too much to mean anything (a character of an unspaced script does)."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word, analysed (`analysis.query_terms`); as a prefix it also stands for the words that begin with it."""

    text: str
    weight: float = 1.0
    prefix: bool = False

    @property
    def key(self) -> str:
        """Its name in `TermStats.frequencies`; no analysed term holds an asterisk."""
        return f"{self.text}*" if self.prefix else self.text


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words in this order and next to each other, as typed (not analysed)."""

    text: str
    weight: float = 1.0

    @property
    def key(self) -> str:
        """Its name in `TermStats.frequencies`; no analysed term holds a quotation mark."""
        return f'"{self.text}"'


@dataclass(frozen=True, slots=True)
class LexicalQuery:
    """What to look for: `should` scores; a note must hold each of `must` and none of `must_not`."""

    should: tuple[Term | Phrase, ...]
    must: tuple[Phrase, ...] = ()
    must_not: tuple[Phrase, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys to ask `Store.term_stats` for."""
        return tuple(dict.fromkeys(part.key for part in self.should))


_Evidence: TypeAlias = dict[Field, list[Postings]]


def term_stats(connection: Connection, keys: Sequence[str]) -> TermStats:
    """Document frequencies of `LexicalQuery.keys` in this store."""
    frequencies = {key: _frequency(_evidence(connection, _part(key))) for key in keys}
    return TermStats(_total(connection, "chunks"), _total(connection, "tokens"), frequencies)


def search(
    connection: Connection,
    columns: Columns,
    query: LexicalQuery,
    where: NoteFilter | None,
    limit: int,
    stats: TermStats | None,
) -> list[LexicalHit]:
    """The best `limit` chunks of the notes that pass, best first, equal scores by chunk id.

    Exact: every chunk that holds a part of the query is scored. stats: with the query's keys; None: this store's own.
    """
    scores = _scores(connection, columns, query.should, stats)
    where = _with_phrases(query, where)
    if where is not None:
        scores[~note_mask(columns, matching_notes(connection, where))] = 0
    hits: list[LexicalHit] = []
    for chunk_id in bm25.best(scores, limit):
        # A chunk of a later snapshot than the connection's is not there yet.
        row = connection.execute("SELECT note_id, digest FROM chunk WHERE id = ?", (chunk_id,)).get
        if row is not None:
            note_id, digest = cast("tuple[int, bytes]", row)
            hits.append(LexicalHit(chunk_id, note_id, digest, float(scores[chunk_id])))
    return hits


def expand(connection: Connection, prefix: str) -> list[str]:
    """The most frequent terms that begin with `prefix` (itself left out)."""
    if len(prefix) < MIN_PREFIX and prefix.isascii():
        return []
    sql = (
        f"{posting.SHARDS} SELECT term FROM shards CROSS JOIN posting ON shard = number AND term > ? AND term < ?"  # noqa: S608
        " GROUP BY term ORDER BY sum(length(entries)) DESC, term LIMIT ?"
    )
    rows = connection.execute(sql, (prefix, prefix + "\U0010ffff", MAX_EXPANSIONS))
    return [cast("str", row[0]) for row in rows]


def _with_phrases(query: LexicalQuery, where: NoteFilter | None) -> NoteFilter | None:
    parts: list[NoteFilter] = [HasText(phrase.text) for phrase in query.must]
    parts += [Not(HasText(phrase.text)) for phrase in query.must_not]
    if not parts:
        return where
    return AllOf(tuple(parts) if where is None else (*parts, where))


def _scores(
    connection: Connection, columns: Columns, should: Sequence[Term | Phrase], stats: TermStats | None
) -> Scores:
    """The score of every chunk, indexed by chunk id."""
    chunks = stats.chunks if stats else _total(connection, "chunks")
    tokens = stats.tokens if stats else _total(connection, "tokens")
    texts = Lengths(Field.BODY, columns.tokens, max(tokens / max(chunks, 1), 1.0), bm25.B)
    titles = Lengths(Field.TITLE, columns.title_tokens, bm25.AVERAGE_TITLE, bm25.B_TITLE)
    by_chunk = np.zeros(len(columns.note_of), np.float32)
    by_note = np.zeros(len(columns.first_chunk), np.float32)
    for part in should:
        evidence = _evidence(connection, part)
        frequency = stats.frequencies.get(part.key, 0) if stats else _frequency(evidence)
        weight = part.weight * bm25.idf(chunks, frequency)
        bm25.add(by_chunk, evidence, CHUNK_FIELDS, weight, texts)
        bm25.add(by_note, evidence, NOTE_FIELDS, weight * NOTE_WEIGHT, titles)
    by_chunk[columns.note_of == 0] = 0
    return _with_notes(by_chunk, by_note, columns)


def _with_notes(by_chunk: Scores, by_note: Scores, columns: Columns) -> Scores:
    """Chunk scores with the evidence of their notes."""
    if not by_note.any():
        return by_chunk
    found = np.flatnonzero(by_chunk)
    owners = columns.note_of[found]
    by_chunk[found] += by_note[owners]
    by_note[owners] = 0
    rest = np.flatnonzero(by_note)
    first = columns.first_chunk[rest]
    by_chunk[first[first > 0]] = by_note[rest[first > 0]]
    return by_chunk


def _evidence(connection: Connection, part: Term | Phrase) -> _Evidence:
    """The documents that hold a part of the query, by field."""
    if isinstance(part, Phrase):
        return _phrase_evidence(connection, part.text)
    evidence: _Evidence = {which: [found] for which, found in posting.read(connection, part.text).items()}
    if part.prefix:
        for term in expand(connection, part.text):
            for which, found in posting.read(connection, term).items():
                weaker = Postings(found.ids, found.frequencies * np.float32(EXPANSION_WEIGHT))
                evidence.setdefault(which, []).append(weaker)
    return evidence


def _phrase_evidence(connection: Connection, text: str) -> _Evidence:
    """Documents with the phrase anywhere, counted once, as if in the text or in the title."""
    expression = match_expression(text)
    if expression is None:
        return {}
    evidence: _Evidence = {}
    for table, which in (("chunk_fts", Field.BODY), ("note_fts", Field.TITLE)):
        rows = connection.execute(f"SELECT rowid FROM {table} WHERE {table} MATCH ?", (expression,))  # noqa: S608
        ids = np.array([row[0] for row in rows], np.int64)
        evidence[which] = [Postings(ids, np.ones(len(ids), np.float32))]
    return evidence


def _frequency(evidence: _Evidence) -> int:
    """In how many chunks: of a single word by its more frequent field, which its other field nearly always repeats."""
    return max((bm25.union(evidence.get(which, [])) for which in CHUNK_FIELDS), default=0)


def _part(key: str) -> Term | Phrase:
    """The inverse of `key`."""
    if key.startswith('"'):
        return Phrase(key[1:-1])
    return Term(key.removesuffix("*"), prefix=key.endswith("*"))


def _total(connection: Connection, name: str) -> int:
    return int(cast("str", connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).get))
