"""The terms of a store, for typos: near terms by edit distance, without a scan of every term.

One edit takes at most one letter out of a word's set of letters and puts one in, and changes at most six of its pairs,
so two cheap bit masks rule out nearly all terms, and the exact distance is taken of the few that are left, all at once
in numpy.

The terms are stems, and a typo in an ending hides what the stemmer would have taken off: `standnig` is three edits from
`stand`. So all words that are one edit away are formed too, and their stems looked up.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.database.sql import Connection
from scrubjay.profiles.text.analysis import tokenize

MAX_DISTANCE = 2
MIN_LENGTH = 3
"""Characters; nearly everything is near to a shorter word."""
LONG = 6
"""Characters from which on two edits are allowed; below it one."""
_WIDTH = 24
"""Characters of the longest term taken up; longer ones are seldom typed by hand."""
_BITS = 64
_REMEMBERED = 64
"""Words whose neighbours are remembered: while a query is typed, each keystroke has all its words looked up again."""


@dataclass(frozen=True, slots=True)
class NearTerm:
    """A term of the store near the one given. distance: edits (insert, delete, replace, swap), at least 1."""

    term: str
    distance: int
    frequency: int  # postings, in any field


class Vocabulary:
    """A snapshot of the terms of one store: about 120 bytes a term."""

    def __init__(self, connection: Connection) -> None:
        # Digits make no typos that could be told from other numbers.
        sql = (
            "SELECT term, sum(length(entries)) / 2 FROM posting WHERE length(term) BETWEEN ? AND ?"
            " AND term NOT GLOB '*[0-9]*' GROUP BY term ORDER BY term"
        )
        rows = np.fromiter(
            connection.execute(sql, (MIN_LENGTH, _WIDTH)), [("term", f"U{_WIDTH}"), ("frequency", np.int64)]
        )
        self._terms = np.ascontiguousarray(rows["term"])
        self._frequencies = np.ascontiguousarray(rows["frequency"])
        codes = self._terms.view(np.uint32).reshape(-1, _WIDTH)
        self._codes = codes
        self._lengths = np.count_nonzero(codes, axis=1).astype(np.uint8)
        self._letters, self._pairs = _masks(codes)
        self._near = lru_cache(_REMEMBERED)(self._look_up)

    def near(self, word: str, limit: int, *, typed: str = "") -> list[NearTerm]:
        """The terms nearest to an analysed word, itself left out: by distance, then the most frequent first.

        typed: the word before it was stemmed; the stems of what is one edit from it are as near as one edit.
        """
        return list(self._near(word, limit, typed))

    def _look_up(self, word: str, limit: int, typed: str) -> tuple[NearTerm, ...]:
        if not MIN_LENGTH <= len(word) <= _WIDTH or not len(self._terms):
            return ()
        rows, distances = self._rows_near(word)
        if MIN_LENGTH < len(typed) <= _WIDTH and typed.isascii() and typed.isalpha():
            corrections = self._rows_of(set(tokenize(" ".join(_near_spellings(typed)))) - {word})
            others = ~np.isin(rows, corrections)
            rows = np.concatenate((corrections, rows[others]))
            distances = np.concatenate((np.ones(len(corrections), distances.dtype), distances[others]))
        order = np.lexsort((rows, -self._frequencies[rows], distances))[:limit]
        return tuple(
            NearTerm(str(self._terms[row]), int(distance), int(self._frequencies[row]))
            for row, distance in zip(rows[order].tolist(), distances[order].tolist(), strict=True)
        )

    def _rows_near(self, word: str) -> tuple[NDArray[np.int64], NDArray[np.int16]]:
        """Which terms are near to the word, and their distances."""
        allowed = MAX_DISTANCE if len(word) >= LONG else 1
        codes = np.array([word], dtype=f"U{_WIDTH}").view(np.uint32).reshape(1, _WIDTH)
        letters, pairs = _masks(codes)
        near = (self._lengths >= len(word) - allowed) & (self._lengths <= len(word) + allowed)
        near &= np.bitwise_count(letters & ~self._letters) <= allowed
        rows = np.flatnonzero(near)
        rows = rows[np.bitwise_count(self._letters[rows] & ~letters) <= allowed]
        rows = rows[np.bitwise_count(self._pairs[rows] ^ pairs) <= 6 * allowed]
        width = min(len(word) + allowed, _WIDTH)
        distances = _distances(codes[0, : len(word)], self._codes[rows, :width], self._lengths[rows])
        close = (distances > 0) & (distances <= allowed)
        return rows[close], distances[close]

    def _rows_of(self, terms: Collection[str]) -> NDArray[np.int64]:
        """Which of these are terms of the store."""
        wanted = np.array([term for term in terms if MIN_LENGTH <= len(term) <= _WIDTH], dtype=self._terms.dtype)
        rows = np.searchsorted(self._terms, wanted)
        rows = np.minimum(rows, len(self._terms) - 1)
        return rows[self._terms[rows] == wanted]


def _near_spellings(word: str) -> Iterator[str]:
    """Every word one edit from this one: a letter left out, replaced or put in, or two changed round."""
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        for letter in ascii_lowercase:
            yield f"{head}{letter}{tail}"
            if tail:
                yield f"{head}{letter}{tail[1:]}"
        if tail:
            yield head + tail[1:]
        if len(tail) > 1:
            yield f"{head}{tail[1]}{tail[0]}{tail[2:]}"


def _masks(codes: NDArray[np.uint32]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """For each row, the set of its letters and the set of its pairs, each hashed into 64 bits."""
    letters = np.zeros(len(codes), np.uint64)
    pairs = np.zeros(len(codes), np.uint64)
    one = np.uint64(1)
    for column in range(codes.shape[1]):
        code = codes[:, column].astype(np.uint64)
        there = code > 0
        letters |= np.where(there, one << (code % _BITS), 0).astype(np.uint64)
        if column:
            pair = (codes[:, column - 1].astype(np.uint64) * np.uint64(31) + code * np.uint64(17)) % np.uint64(61)
            pairs |= np.where(there, one << pair, 0).astype(np.uint64)
    return letters, pairs


def _distances(word: NDArray[np.uint32], codes: NDArray[np.uint32], lengths: NDArray[np.uint8]) -> NDArray[np.int16]:
    """Edit distance with adjacent swaps (optimal string alignment) of `word` to every row."""
    # A column for each row: numpy is quick along the last axis alone, and there are thousands of words of ten letters.
    letters = np.ascontiguousarray(codes.T)
    places = np.arange(len(letters) + 1, dtype=np.int16)[:, np.newaxis]
    previous2 = previous = np.tile(places, (1, len(codes)))
    for i, letter in enumerate(word, 1):
        row = previous + np.int16(1)
        row[1:] = np.minimum(row[1:], previous[:-1] + (letters != letter))
        if i > 1:
            swapped = (letters[1:] == word[i - 2]) & (letters[:-1] == letter)
            row[2:] = np.where(swapped, np.minimum(row[2:], previous2[:-2] + 1), row[2:])
        # A letter put in makes one more than the place before: a running minimum, for all places at once.
        previous2, previous = previous, np.minimum.accumulate(row - places, axis=0) + places
    return previous[lengths, np.arange(len(codes))]
