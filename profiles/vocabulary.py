"""The words a store knows, for typos: near terms by edit distance, without a scan of every word.

One edit changes at most two letters of a word's letter set and at most four of its pairs, so two cheap bit masks rule
out nearly all terms, and the exact distance is taken of the few that are left, all at once in numpy.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from profiles.sql import Connection

MAX_DISTANCE = 2
MIN_LENGTH = 3
"""Characters; nearly everything is near to a shorter word."""
LONG = 6
"""Characters from which on two edits are allowed; below it one."""
_WIDTH = 24
"""Characters of the longest term taken up; longer ones are seldom typed by hand."""
_BITS = 64


@dataclass(frozen=True, slots=True)
class NearTerm:
    """A term of the store near the one asked for. distance: edits (insert, delete, replace, swap), at least 1."""

    term: str
    distance: int
    frequency: int  # postings, in any field


class Vocabulary:
    """A snapshot of the terms of one store: about 120 bytes a term."""

    def __init__(self, connection: Connection) -> None:
        # Digits make no typos that could be told from other numbers.
        sql = (
            "SELECT term, sum(length(entries)) / 2 FROM posting WHERE length(term) BETWEEN ? AND ?"
            " AND term NOT GLOB '*[0-9]*' GROUP BY term"
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

    def near(self, word: str, limit: int) -> list[NearTerm]:
        """The terms nearest to an analysed word, itself left out: by distance, then the most frequent first."""
        if not MIN_LENGTH <= len(word) <= _WIDTH or not len(self._terms):
            return []
        allowed = MAX_DISTANCE if len(word) >= LONG else 1
        codes = np.array([word], dtype=f"U{_WIDTH}").view(np.uint32).reshape(1, _WIDTH)
        letters, pairs = _masks(codes)
        near = np.abs(self._lengths.astype(np.int16) - len(word)) <= allowed
        near &= np.bitwise_count(self._letters ^ letters) <= 2 * allowed
        near &= np.bitwise_count(self._pairs ^ pairs) <= 6 * allowed
        rows = np.flatnonzero(near)
        width = min(len(word) + allowed, _WIDTH)
        distances = _distances(codes[0, : len(word)], self._codes[rows, :width], self._lengths[rows])
        close = (distances > 0) & (distances <= allowed)
        rows, distances = rows[close], distances[close]
        order = np.lexsort((rows, -self._frequencies[rows], distances))[:limit]
        return [
            NearTerm(str(self._terms[row]), int(distance), int(self._frequencies[row]))
            for row, distance in zip(rows[order].tolist(), distances[order].tolist(), strict=True)
        ]


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
    count, width = codes.shape
    previous2 = previous = np.zeros((count, width + 1), np.int16)
    previous = np.tile(np.arange(width + 1, dtype=np.int16), (count, 1))
    for i, letter in enumerate(word, 1):
        row = np.empty_like(previous)
        row[:, 0] = i
        replaced = previous[:, :-1] + (codes != letter)
        for j in range(1, width + 1):
            row[:, j] = np.minimum(np.minimum(previous[:, j], row[:, j - 1]) + 1, replaced[:, j - 1])
            if i > 1 and j > 1:
                swapped = (codes[:, j - 1] == word[i - 2]) & (codes[:, j - 2] == letter)
                row[:, j] = np.where(swapped, np.minimum(row[:, j], previous2[:, j - 2] + 1), row[:, j])
        previous2, previous = previous, row
    return previous[np.arange(count), lengths]
