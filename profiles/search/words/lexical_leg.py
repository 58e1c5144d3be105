"""The lexical leg: exact BM25F over the postings, with whatever document frequencies it is given."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.names import fold
from scrubjay.profiles.number_sets import common, distinct
from scrubjay.profiles.search.words import bm25f
from scrubjay.profiles.search.words.analysis import UNSPACED, title_length, words
from scrubjay.profiles.search.words.bm25f import Lengths, LexicalScores, ScoredPart, coverage
from scrubjay.profiles.search.words.evidence import Evidence, EvidenceReader, LexicalQuery, Term, TypedPhrase, part_of
from scrubjay.profiles.search.words.postings import CHUNK_FIELDS, NOTE_FIELDS, OWN_FIELDS, Field, Postings
from scrubjay.profiles.store.columns import Columns, Ids, Matches, allowed_notes
from scrubjay.profiles.store.filter_sql import matching_notes
from scrubjay.profiles.store.filters import AllOf, HasText, Not, NoteFilter
from scrubjay.profiles.store.rows import LexicalHit, TermStats
from scrubjay.profiles.store.statements import Connection, counted, generation_of, integers

# Notes that are called what was asked for: by their whole title, an alias or their file's name.

_aliases = msgspec.json.Decoder(tuple[str, ...]).decode


def named_notes(
    connection: Connection, columns: Columns, name: str, found: Sequence[Mapping[Field, Sequence[Postings]]]
) -> Ids:
    """The ids of the notes of this name, whatever its case, accents and marks. found: where each word of it stands."""
    called = words(name)
    if not called:
        return np.empty(0, np.int64)
    rows = connection.execute_here("SELECT id FROM note WHERE stem_key = ?", (fold(name.strip()),))
    notes = [cast("int", row[0]) for row in rows]
    titles = _holding_all(found, Field.TITLE)
    titles = titles[titles < len(columns.title_tokens)]
    titles = titles[columns.title_tokens[titles] == title_length(name)]
    candidates = distinct(np.concatenate((titles, _holding_all(found, Field.ALIASES))))
    if len(candidates):
        sql = "SELECT id, title, aliases FROM carray(?) AS wanted CROSS JOIN note WHERE id = wanted.value"
        names = cast("Iterable[tuple[int, str, str]]", connection.execute(sql, (integers(candidates),)))
        notes += [
            note for note, title, aliases in names if any(words(each) == called for each in (title, *_aliases(aliases)))
        ]
    ids = distinct(np.array(notes, np.int64))
    return ids[ids < len(columns.first_chunk)]


def _holding_all(found: Sequence[Mapping[Field, Sequence[Postings]]], field: Field) -> Ids:
    """The notes that hold every word in this field."""
    lists = [[part.ids for part in evidence.get(field, ())] for evidence in found]
    if not lists or not all(lists):
        return np.empty(0, np.int64)
    return reduce(common, (np.concatenate(ids) for ids in lists))


# Nothing that holds a word is cut off: beside the best passages come all that were found, see `Matches`.
#
# A chunk earns its score over its text and headings, and a part of it over those of all its note's chunks together,
# since what is asked for may be said in several of them. What its note earns over title, aliases, tags, link texts and
# path is evidence of its own: it is added to each of the note's chunks that were found, or given to the first if none
# was.

NOTE_WEIGHT = 1.0
"""Of a note's own evidence against that of its chunks."""
NOTE_SHARE = 0.3
"""How much of a chunk's score its note's chunks earn together."""
USUAL_CHUNKS = 2.0
"""Average chunks in a note of usual length; a constant, so that the scores of several stores compare."""


def term_stats(connection: Connection, reader: EvidenceReader, keys: Sequence[str]) -> TermStats:
    """Document frequencies of `LexicalQuery.keys` in this store."""
    found = reader.read(connection, generation_of(connection), [part_of(key) for key in keys])
    counts = {key: _counts(evidence) for key, evidence in zip(keys, found, strict=True)}
    return stats_of(counted(connection, "chunks"), counted(connection, "tokens"), counts)


def stats_of(chunks: int, tokens: int, counts: Mapping[str, tuple[int, ...]]) -> TermStats:
    """The statistics that these counts come to.

    A word's document frequency is in how many chunks it is, by its more frequent field, which the other nearly always
    repeats. Of a word that no chunk holds, in how many notes: one that stands in tags or paths alone is no unknown
    word. Neither is a sum over stores, so that counts are summed first.
    """
    return TermStats(chunks, tokens, counts, {key: _frequency(count) for key, count in counts.items()})


@dataclass(frozen=True, slots=True)
class LexicalCandidates:
    """What the words of a query found in one store: its best passages, and everything."""

    hits: Sequence[LexicalHit]
    matches: Matches


def search(
    connection: Connection,
    reader: EvidenceReader,
    columns: Columns,
    query: LexicalQuery,
    where: NoteFilter | None,
    limit: int,
    stats: TermStats | None,
) -> LexicalCandidates:
    """The best `limit` chunks of the notes that pass, a few of each note, best first, equal scores by chunk id.

    Notes that are called what the query says come before all others. Exact: every chunk that holds a part of the query
    is scored. stats: with the query's keys; None: this store's own.
    """
    found = reader.read(connection, generation_of(connection), query.should)
    if stats is None:
        counts = {part.key: _counts(evidence) for part, evidence in zip(query.should, found, strict=True)}
        stats = stats_of(counted(connection, "chunks"), counted(connection, "tokens"), counts)
    parts = _scored_parts(query.should, found, stats)
    matches = _scored(reader, columns, parts, stats)
    where = _with_phrases(query, where)
    if where is not None:
        allowed = allowed_notes(columns, matching_notes(connection, where))
        matches.scores[~allowed[columns.note_of]] = 0
        matches.holds[~allowed] = False
    named = named_notes(connection, columns, query.name, found)
    return LexicalCandidates(_hits(matches, parts, named, limit), matches)


def passing(connection: Connection, columns: Columns, where: NoteFilter) -> Matches:
    """The notes that pass, as matches of a query without words."""
    holds = allowed_notes(columns, matching_notes(connection, where)) & (columns.first_chunk > 0)
    return Matches(np.zeros(len(columns.note_of), np.float32), holds, columns)


def _hits(matches: Matches, parts: Sequence[ScoredPart], named: Ids, limit: int) -> list[LexicalHit]:
    best, columns = matches.best(limit), matches.columns
    if len(named):
        called = matches.best_of(named)
        best = np.concatenate((called, best[~np.isin(best, called)]))[:limit]
    notes, chunks = columns.note_of[best], best.tolist()
    covered = coverage(chunks, parts, columns)
    return list(
        map(
            LexicalHit,
            chunks,
            notes.tolist(),
            columns.digests_of(chunks),
            matches.scores[best].tolist(),
            covered.query_share.tolist(),
            covered.title.tolist(),
            np.isin(notes, named).tolist(),
        )
    )


def _scored_parts(
    should: Sequence[Term | TypedPhrase], found: Sequence[Evidence], stats: TermStats
) -> list[ScoredPart]:
    """The parts of the query that some note holds."""
    parts: list[ScoredPart] = []
    for part, evidence in zip(should, found, strict=True):
        frequency = stats.frequencies.get(part.key, 0)
        if frequency > 0:
            weight = part.weight * bm25f.idf(stats.chunks, frequency)
            parts.append(ScoredPart(evidence, weight, is_word=UNSPACED.search(part.text) is None))
    return parts


def _with_phrases(query: LexicalQuery, where: NoteFilter | None) -> NoteFilter | None:
    parts: list[NoteFilter] = [HasText(phrase.text) for phrase in query.must]
    parts += [Not(HasText(phrase.text)) for phrase in query.must_not]
    if not parts:
        return where
    return AllOf(tuple(parts) if where is None else (*parts, where))


def _scored(reader: EvidenceReader, columns: Columns, parts: Sequence[ScoredPart], stats: TermStats) -> Matches:
    """The score of every chunk, and which notes hold a part of the query."""
    texts = Lengths(Field.BODY, columns.tokens, max(stats.tokens / max(stats.chunks, 1), 1.0), bm25f.B)
    titles = Lengths(Field.TITLE, columns.title_tokens, bm25f.AVERAGE_TITLE, bm25f.B_TITLE)
    by_chunk = np.zeros(len(columns.note_of), np.float32)
    by_note = np.zeros(len(columns.first_chunk), np.float32)
    spare_chunks, spare_notes = np.zeros_like(by_chunk), np.zeros_like(by_note)
    note_points, norms = np.zeros_like(by_note), _norms(reader.note_tokens(columns), texts.average)
    for part in parts:
        bm25f.add(by_chunk, part.evidence, CHUNK_FIELDS, part.weight, texts, spare_chunks)
        bm25f.add_to_owners(note_points, part.evidence, CHUNK_FIELDS, part.weight, columns.note_of, norms)
        bm25f.add(by_note, part.evidence, NOTE_FIELDS, part.weight * NOTE_WEIGHT, titles, spare_notes)
    found_chunks = np.flatnonzero(by_chunk > 0)  # numpy finds truth values ten times as fast as numbers
    owners = columns.note_of[found_chunks]
    if not owners.all():  # postings that are newer or older than the columns
        by_chunk[found_chunks[owners == 0]] = 0
        found_chunks, owners = found_chunks[owners > 0], owners[owners > 0]
    points = by_chunk[found_chunks]
    points += NOTE_SHARE * (note_points[owners] - points)
    points += by_note[owners]
    by_chunk[found_chunks] = points
    holds = np.zeros(len(by_note), bool)
    holds[owners] = True
    by_note[holds] = 0
    _add_headers(holds, parts, columns)
    return Matches(_with_notes_found_alone(by_chunk, by_note, columns), holds, columns)


def _add_headers(holds: NDArray[np.bool_], parts: Sequence[ScoredPart], columns: Columns) -> None:
    """Mark the notes that hold a part of the query in what they say of themselves. holds: by note id."""
    for part in parts:
        for postings in (each for field in OWN_FIELDS for each in part.evidence.get(field, ())):
            holds[postings.below(len(holds)).ids] = True
    holds &= columns.first_chunk > 0


def _norms(note_tokens: NDArray[np.float64], average: float) -> LexicalScores:
    """What the frequencies of each note's text are divided by, as those of a chunk are for its length."""
    return (1 - bm25f.B + bm25f.B / (USUAL_CHUNKS * average) * note_tokens).astype(np.float32)


def _with_notes_found_alone(by_chunk: LexicalScores, by_note: LexicalScores, columns: Columns) -> LexicalScores:
    """Chunk scores with the evidence of notes of which no chunk was found: their first has it."""
    rest = np.flatnonzero(by_note > 0)
    first = columns.first_chunk[rest]
    by_chunk[first[first > 0]] = by_note[rest[first > 0]]
    return by_chunk


def _counts(evidence: Evidence) -> tuple[int, ...]:
    return tuple(bm25f.union(evidence.get(which, [])) for which in Field)


def _frequency(counts: tuple[int, ...]) -> int:
    return max(counts[which] for which in CHUNK_FIELDS) or max(counts[which] for which in NOTE_FIELDS)
