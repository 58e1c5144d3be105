"""What each search needs of every chunk, as arrays in RAM, and all matches of a query in them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.store.statements import Connection, generation_of, numbers

Ints = NDArray[np.int32]

Ids = NDArray[np.int64]

DIGEST_BYTES = 16


@dataclass(slots=True)
class Changes:
    """What one transaction did, to bring the arrays and the sketch up to date without reading the file again."""

    chunks: list[tuple[int, int, int, int, bytes]] = field(default_factory=list[tuple[int, int, int, int, bytes]])
    """(chunk id, note id, position, tokens, digest) of chunks that are new or moved inside their note."""
    gone_chunks: list[int] = field(default_factory=list[int])
    titles: dict[int, int] = field(default_factory=dict[int, int])
    """note id -> tokens in its title."""
    gone_notes: list[int] = field(default_factory=list[int])
    sketches: list[tuple[int, bytes]] = field(default_factory=list[tuple[int, bytes]])
    """(embedding id, sketch) of `model`."""
    gone_embeddings: list[int] = field(default_factory=list[int])
    embedded: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """(chunk id, embedding id) pairs of `model` that came to be."""
    model: int | None = None
    """Row id of the model that texts were embedded by, or are to be; None where there was none to embed."""
    model_changed: bool = False
    beside_notes: bool = False
    """Whether nothing was written that notes are listed or counted by: vectors, say, or what a review found."""
    words: Mapping[str, int] = field(default_factory=dict[str, int])
    """Analysed term -> how many postings came (> 0) or went (< 0)."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Indexed by chunk id or by note id; an id that is not in use holds zeros. Never changed in place."""

    generation: int
    note_of: Ints  # chunk id -> note id; 0: no such chunk
    tokens: Ints  # chunk id -> tokens of its text
    digests: NDArray[np.uint8]  # chunk id -> digest of its text; shape (chunks, DIGEST_BYTES)
    first_chunk: Ints  # note id -> id of its chunk at position 0; 0: none
    title_tokens: Ints  # note id

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        return sum(
            each.nbytes for each in (self.note_of, self.tokens, self.digests, self.first_chunk, self.title_tokens)
        )

    def changed(self, changes: Changes, generation: int) -> "Columns":
        """The columns after a transaction."""
        chunk_top = max((row[0] for row in changes.chunks), default=0)
        note_top = max((*changes.titles, *(row[1] for row in changes.chunks)), default=0)
        note_of, tokens = _grown(self.note_of, chunk_top), _grown(self.tokens, chunk_top)
        digests = _grown(self.digests, chunk_top)
        first_chunk, title_tokens = _grown(self.first_chunk, note_top), _grown(self.title_tokens, note_top)
        for chunk, note, position, count, digest in changes.chunks:
            note_of[chunk], tokens[chunk] = note, count
            digests[chunk] = np.frombuffer(digest, np.uint8)
            if position == 0:
                first_chunk[note] = chunk
        for note, count in changes.titles.items():
            title_tokens[note] = count
        # Last, since a chunk may have come and gone in the same transaction; ids are not used twice.
        gone = np.array(changes.gone_chunks, np.int64)
        first_chunk[np.isin(first_chunk, gone)] = 0
        gone = gone[gone < len(note_of)]
        note_of[gone], tokens[gone], digests[gone] = 0, 0, 0
        gone = np.array(changes.gone_notes, np.int64)
        gone = gone[gone < len(first_chunk)]
        first_chunk[gone], title_tokens[gone] = 0, 0
        return Columns(generation, note_of, tokens, digests, first_chunk, title_tokens)

    def chunks_of(self, note: int) -> list[int]:
        """The ids of a note's chunks, in the order in which they came to be."""
        return np.flatnonzero(self.note_of == note).tolist() if note > 0 else []

    def digests_of(self, chunks: Sequence[int]) -> list[bytes]:
        """The digest of each chunk."""
        packed = self.digests[np.array(chunks, np.int64)].tobytes()
        return [packed[at : at + DIGEST_BYTES] for at in range(0, len(packed), DIGEST_BYTES)]


def load(connection: Connection) -> Columns:
    """Read the columns of a file's snapshot, from covering indexes alone."""
    chunks = table(connection.execute("SELECT id, note_id, position, tokens FROM chunk"), 4)
    notes = table(connection.execute("SELECT id, title_tokens FROM note"), 2)
    sql = "SELECT group_concat(id), CAST(group_concat(digest, '') AS BLOB) FROM chunk INDEXED BY chunk_digest"
    ids, joined = cast("tuple[str | None, bytes | None]", connection.execute(sql).get)
    digests = numbers(ids), np.frombuffer(joined or b"", np.uint8).reshape(-1, DIGEST_BYTES)
    return of_rows(generation_of(connection), chunks, notes, *digests)


def of_rows(
    generation: int, chunks: NDArray[np.int64], notes: NDArray[np.int64], ids: Ids, digests: NDArray[np.uint8]
) -> Columns:
    """Of rows (chunk id, note id, position, tokens) and (note id, title tokens), and chunk ids with their digests."""
    note_of, tokens = _zeros(chunks[:, 0]), _zeros(chunks[:, 0])
    note_of[chunks[:, 0]] = chunks[:, 1]
    tokens[chunks[:, 0]] = chunks[:, 3]
    by_chunk = np.zeros((len(note_of), DIGEST_BYTES), np.uint8)
    by_chunk[ids] = digests
    first_chunk, title_tokens = _zeros(notes[:, 0]), _zeros(notes[:, 0])
    first = chunks[chunks[:, 2] == 0]
    first_chunk[first[:, 1]] = first[:, 0]
    title_tokens[notes[:, 0]] = notes[:, 1]
    return Columns(generation, note_of, tokens, by_chunk, first_chunk, title_tokens)


def allowed_notes(columns: Columns, notes: Sequence[int]) -> NDArray[np.bool_]:
    """For each note id, whether it is one of `notes`."""
    allowed = np.zeros(len(columns.first_chunk), bool)
    ids = np.array(notes, np.int64)
    allowed[ids[ids < len(allowed)]] = True
    allowed[0] = False
    return allowed


def note_mask(columns: Columns, notes: Sequence[int]) -> NDArray[np.bool_]:
    """For each chunk id, whether it belongs to one of `notes`."""
    return allowed_notes(columns, notes)[columns.note_of]


def table(rows: Iterable[tuple[object, ...]], width: int) -> NDArray[np.int64]:
    """Rows of `width` integers as an array; never all of them as Python's objects, whose memory would stay taken."""
    return np.fromiter(cast("Iterable[int]", chain.from_iterable(rows)), np.int64).reshape(-1, width)


def _zeros(ids: NDArray[np.int64]) -> Ints:
    return np.zeros(int(ids.max(initial=0)) + 1, np.int32)


_Number = TypeVar("_Number", bound=np.generic)


def _grown(column: NDArray[_Number], top: int) -> NDArray[_Number]:
    """A copy that has room for id `top`."""
    grown = np.zeros((max(len(column), top + 1), *column.shape[1:]), column.dtype)
    grown[: len(column)] = column
    return grown


# All notes that a query's words find in one store: counted at once, put in order only when somebody reads so far.
#
# A leg's best passages are few. What comes after them is not cut off: it is here, as arrays by chunk and by note,
# without any text.

PASSAGES = 10
"""Of one note among a leg's best passages: a note of hundreds would leave no room for others."""

_LOOKED_AT = 4
"""Passages for each that is wanted, and as many times more where that is not enough: most queries find long notes."""

Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Matches:
    """What passes the query's conditions and was found by its words, with the scores of its passages.

    holds: by note id, whether the note itself has one of the words: in its text, headings, title, aliases, tags or
    path. What is found besides is only called so in the links of other notes.
    """

    scores: Scores  # by chunk id; 0: not found
    holds: NDArray[np.bool_]
    columns: Columns

    @property
    def total(self) -> int:
        """How many notes hold a word."""
        return int(np.count_nonzero(self.holds))

    def notes(self) -> Ids:
        """The ids of the notes that hold a word, in their order."""
        return np.flatnonzero(self.holds)

    def contains_chunk(self, chunk: int) -> bool:
        """Whether the note of this chunk holds a word."""
        return chunk < len(self.columns.note_of) and bool(self.holds[self.columns.note_of[chunk]])

    def shown_by(self, notes: Ids) -> list[int]:
        """The passage (its chunk id) that each of `notes` is shown by: its best, or the first where none was found."""
        best = self.best_of(notes)
        by_note = dict(zip(self.columns.note_of[best].tolist(), best.tolist(), strict=True))
        return [by_note.get(note, int(self.columns.first_chunk[note])) for note in notes.tolist()]

    def all_passages(self) -> Ids:
        """Every passage that was found, best first, equal scores by id."""
        found = np.flatnonzero(self.scores > 0)
        return found[_order(self.scores[found])]

    def passages(self) -> Ids:
        """The best passage (its chunk id) of every note that was found, best first, equal scores by id."""
        return self._best_of_each(np.flatnonzero(self.scores > 0))

    def best(self, limit: int) -> Ids:
        """The best `limit` passages, at most PASSAGES of a note, best first, equal scores by id."""
        look = _LOOKED_AT * limit
        while limit > 0:
            best = _highest(self.scores, look)
            kept = best[places_in_note(self.columns.note_of[best]) < PASSAGES]
            if len(kept) >= limit or len(best) < look:
                return kept[:limit]
            look *= _LOOKED_AT
        return np.empty(0, np.int64)

    def best_of(self, notes: Ids) -> Ids:
        """The best passage of each of `notes` that was found, best first."""
        wanted = np.zeros(len(self.holds), bool)
        wanted[notes] = True
        return self._best_of_each(np.flatnonzero(wanted[self.columns.note_of] & (self.scores > 0)))

    def _best_of_each(self, found: Ids) -> Ids:
        """The best of `found`, which are in the order of their ids, of each note. Only these are put in order."""
        notes, scores = self.columns.note_of[found], self.scores[found]
        highest = np.zeros(len(self.columns.first_chunk), self.scores.dtype)
        np.maximum.at(highest, notes, scores)
        best = found[scores == highest[notes]]
        _, first = np.unique(self.columns.note_of[best], return_index=True)
        best = best[np.sort(first)]
        return best[_order(self.scores[best])]


def places_in_note(notes: NDArray[np.integer]) -> Ids:
    """For passages in order, given the note of each: how many of the same note stand before it."""
    order = np.argsort(notes, kind="stable")
    ordered = notes[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    places = np.empty(len(notes), np.int64)
    places[order] = np.arange(len(notes)) - np.repeat(starts, np.diff(starts, append=len(notes)))
    return places


_SPARE_LANES = 8
"""One pass over all scores, for the highest of each of so many lanes for each wanted, rules out nearly all others."""


def _highest(scores: Scores, limit: int) -> Ids:
    """Where the highest scores above 0 are, best first, equal ones by id."""
    depth = max(len(scores) // (_SPARE_LANES * limit), _SPARE_LANES)
    width = len(scores) // depth
    highest = scores[: width * depth].reshape(depth, width).max(axis=0)
    # As many scores as `limit`, or more, reach the least of so many of these.
    least = _nth_highest(highest, limit) if len(highest) > limit else 0
    rows = np.flatnonzero(scores >= least if least > 0 else scores > 0)  # of truth values, which numpy finds quicker
    if len(rows) > limit:
        found = scores[rows]
        rows = rows[found >= _nth_highest(found, limit)]
    return rows[_order(scores[rows])][:limit]


def _order(scores: Scores) -> Ids:
    """The highest first, equal ones as they stand."""
    return np.argsort(-scores, kind="stable")


def _nth_highest(scores: Scores, n: int) -> np.float32:
    return np.partition(scores, len(scores) - n)[len(scores) - n]
