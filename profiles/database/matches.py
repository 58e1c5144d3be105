"""All notes that a query's words find in one store: counted at once, put in order only when somebody reads so far.

A leg's best passages are few. What comes after them is not cut off: it is here, as arrays by chunk and by note, without
any text.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.database.columns import Columns

PASSAGES = 10
"""Of one note among a leg's best passages: a note of hundreds would leave no room for others."""

Ids = NDArray[np.int64]
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
        return found[np.lexsort((found, -self.scores[found]))]

    def passages(self) -> Ids:
        """The best passage (its chunk id) of every note that was found, best first, equal scores by id."""
        return self._best_of_each(np.flatnonzero(self.scores > 0))

    def best(self, limit: int) -> Ids:
        """The best `limit` passages, at most PASSAGES of a note, best first, equal scores by id."""
        found = np.flatnonzero(self.scores > 0)  # numpy finds truth values ten times as fast as numbers
        look = limit
        while limit > 0:
            best = _highest(self.scores, found, look)
            kept = best[places_in_note(self.columns.note_of[best]) < PASSAGES]
            if len(kept) >= limit or len(best) == len(found):
                return kept[:limit]
            look *= 4
        return found[:0]

    def best_of(self, notes: Ids) -> Ids:
        """The best passage of each of `notes` that was found, best first."""
        wanted = np.zeros(len(self.holds), bool)
        wanted[notes] = True
        return self._best_of_each(np.flatnonzero(wanted[self.columns.note_of] & (self.scores > 0)))

    def _best_of_each(self, found: Ids) -> Ids:
        order = found[np.lexsort((found, -self.scores[found]))]
        _, first = np.unique(self.columns.note_of[order], return_index=True)
        return order[np.sort(first)]


def places_in_note(notes: NDArray[np.integer]) -> Ids:
    """For passages in order, given the note of each: how many of the same note stand before it."""
    order = np.argsort(notes, kind="stable")
    ordered = notes[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    places = np.empty(len(notes), np.int64)
    places[order] = np.arange(len(notes)) - np.repeat(starts, np.diff(starts, append=len(notes)))
    return places


def _highest(scores: Scores, rows: Ids, limit: int) -> Ids:
    """Those of `rows` with the highest scores, best first, equal ones by id."""
    if len(rows) > limit:
        found = scores[rows]
        rows = rows[found >= np.partition(found, len(found) - limit)[len(found) - limit]]
    return rows[np.lexsort((rows, -scores[rows]))][:limit]
