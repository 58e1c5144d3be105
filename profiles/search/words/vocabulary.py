"""The terms of a store: near ones for typos, parts of compounds, and keeping them while the store is open."""

import re
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from itertools import islice, product
from math import inf
from string import ascii_lowercase
from typing import cast

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.errors import ProfileError
from scrubjay.profiles.search.words.analysis import tokenize
from scrubjay.profiles.search.words.dictionary import is_listed
from scrubjay.profiles.store.statements import Connection

LANGUAGES = frozenset(("da", "de", "fi", "nl", "no", "sv"))
"""Those that write compounds as one word."""
LEAST = 3
"""Letters of a word that is looked for in others."""
_LEAST_REST = 3
"""Letters of the other part."""
_LINKS = ("", "s", "es", "n", "en", "er", "e")
"""What may stand between the parts."""
_AT_ONCE = 32
"""Words whose other parts are looked up together: of a common part the first are enough."""
Known = Callable[[list[str]], list[bool]]
"""Which of some words are words of the vault."""


def compounds_among(
    word: str, longer: Sequence[str], known: Known, is_common: Callable[[str], bool] = lambda _: False
) -> Iterator[str]:
    """Those of the words that are put together of `word` and others that are words as well, links aside.

    is_common: whether the language has a word, whatever the vault has; asked of those that are taken, one by one.
    """
    for start in range(0, len(longer), _AT_ONCE):
        rests = {term: _rests(word, term) for term in longer[start : start + _AT_ONCE]}
        distinct = list({part for each in rests.values() for parts in each for part in parts})
        has = dict(zip(distinct, known(distinct), strict=True))
        for term, found in rests.items():
            if any(all(has[part] or is_common(part) for part in parts) for parts in found):
                yield term


def _rests(word: str, term: str) -> list[tuple[str, ...]]:
    """What may be the other parts of a compound: one before the word, or behind it, or both."""
    found: list[tuple[str, ...]] = []
    at = term.find(word)
    while at >= 0:
        head, tail = term[:at], term[at + len(word) :]
        heads = [(head.removesuffix(link),) for link in _LINKS if head.endswith(link)] if head else [()]
        tails = [(tail.removeprefix(link),) for link in _LINKS if tail.startswith(link)] if tail else [()]
        found += [before + behind for before, behind in product(heads, tails)]
        at = term.find(word, at + 1)
    # Short ones first: they are looked up sooner, and are seldom words.
    return [tuple(sorted(parts, key=len)) for parts in found if all(len(part) >= _LEAST_REST for part in parts)]


MAX_DISTANCE = 2
MIN_LENGTH = 3
"""Characters; nearly everything is near to a shorter word."""
LONG = 6
"""Characters from which on two edits are allowed; below it one."""
_WIDTH = 24
"""Characters of the longest term taken up; longer ones are seldom typed by hand."""
_BITS = 64
_DIGIT = re.compile("[0-9]")
_REMEMBERED = 512
"""Words whose neighbours and compounds are remembered: at each keystroke all words of a query are looked up again."""
_MOST_LONGER = 128
"""Words around another that are looked at, the most frequent ones."""
_FEW_NEW = 500
_NEW_SHARE = 16
"""Terms that are not among the sorted ones yet: at most _FEW_NEW, or of many terms one in _NEW_SHARE."""
_Code = np.dtype(">u2")  # so that the bytes of terms are in the order of their characters
_Counts = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class NearTerm:
    """A term of the store near the one given. distance: edits (insert, delete, replace, swap), at least 1."""

    term: str
    distance: int
    frequency: int  # postings, in any field


class Vocabulary:
    """The terms of one store: about 70 bytes a term. Not thread-safe while it changes."""

    def __init__(self, connection: Connection) -> None:
        # Digits make no typos that could be told from other numbers.
        sql = (
            "SELECT term, sum(length(entries)) / 2 FROM posting WHERE length(term) BETWEEN ? AND ?"
            " AND NOT glob('*[0-9]*', term) GROUP BY term"
        )
        rows = cast("Iterable[tuple[str, int]]", connection.execute(sql, (MIN_LENGTH, _WIDTH)))
        self._known = _Terms.of(rows)
        self._new: dict[str, int] = {}
        self._forget_neighbours()

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        return self._known.nbytes

    def changed(self, counts: Mapping[str, int]) -> None:
        """Take in a transaction. counts: by term, how many postings came (> 0) or went (< 0)."""
        terms = [term for term in counts if _is_taken(term)]
        rows = self._known.rows_of(terms)
        for term, row in zip(terms, rows.tolist(), strict=True):
            if row >= 0:
                self._known.frequencies[row] += counts[term]
            else:
                self._new[term] = self._new.get(term, 0) + counts[term]
        if len(self._new) > max(_FEW_NEW, len(self._known) // _NEW_SHARE):
            self._known = self._known.with_others(_Terms.of(self._new.items()))
            self._new = {}
        self._forget_neighbours()

    def near(self, word: str, limit: int, *, typed: str = "") -> list[NearTerm]:
        """The terms nearest to an analysed word, itself left out: by distance, then the most frequent first.

        typed: the word before it was stemmed; the stems of what is one edit from it are as near as one edit.
        """
        return list(self._near(word, limit, typed))

    def release_memory(self) -> None:
        """Forget what was found for the words asked last."""
        self._forget_neighbours()

    def compounds(self, word: str, limit: int, languages: tuple[str, ...]) -> list[str]:
        """The most frequent terms that are put together of this one and another, of the vault or of these languages."""
        return list(self._compounds(word, limit, languages))

    def _forget_neighbours(self) -> None:
        # What remembers refers to the terms alone: with the vocabulary it would make a cycle, of which an old one of
        # megabytes stays until garbage is collected.
        new = self._new
        newest = cache(lambda: _Terms.of(new.items()))
        self._near = lru_cache(_REMEMBERED)(partial(_look_up, self._known, newest))
        self._compounds = lru_cache(_REMEMBERED)(partial(_put_together, self._known, newest))


def _look_up(
    known: "_Terms", newest: "Callable[[], _Terms]", word: str, limit: int, typed: str
) -> tuple[NearTerm, ...]:
    if not MIN_LENGTH <= len(word) <= _WIDTH:
        return ()
    corrections: set[str] = set()
    if MIN_LENGTH < len(typed) <= _WIDTH and typed.isascii() and typed.isalpha():
        corrections = set(tokenize(" ".join(_near_spellings(typed)))) - {word}
    found = [*known.near(word, corrections), *newest().near(word, corrections)]
    found.sort(key=lambda near: (near.distance, -near.frequency, near.term))
    return tuple(found[:limit])


def _put_together(
    known: "_Terms", newest: "Callable[[], _Terms]", word: str, limit: int, languages: tuple[str, ...]
) -> tuple[str, ...]:
    if not LEAST <= len(word) <= _WIDTH or not _fits(word):
        return ()
    counted = [*known.around(word), *newest().around(word)]
    longer = [term for term, _ in sorted(counted, key=lambda each: -each[1])[:_MOST_LONGER]]

    def knows(words: list[str]) -> list[bool]:
        return ((known.rows_of(words) >= 0) | (newest().rows_of(words) >= 0)).tolist()

    found = compounds_among(word, longer, knows, lambda part: is_listed(part, languages))
    return tuple(islice(found, limit))


class _Terms:
    """Distinct terms in their order, with what tells quickly which of them are near to a word."""

    def __init__(self, terms: NDArray[np.bytes_], frequencies: _Counts) -> None:
        self._terms = terms
        self.frequencies = frequencies
        codes = self._codes = terms.view(_Code).reshape(-1, _WIDTH)
        self._lengths = np.count_nonzero(codes, axis=1).astype(np.uint8)
        self._letters, self._pairs = _masks(codes)

    @classmethod
    def of(cls, counted: Iterable[tuple[str, int]]) -> "_Terms":
        """The terms that some note has, each with its frequency; terms of rare characters are left out."""
        rows = np.fromiter(
            ((_packed(term), frequency) for term, frequency in counted if frequency > 0 and _fits(term)),
            [("term", f"S{2 * _WIDTH}"), ("frequency", np.int32)],
        )
        order = np.argsort(rows["term"], kind="stable")
        return cls(np.ascontiguousarray(rows["term"][order]), np.ascontiguousarray(rows["frequency"][order]))

    def __len__(self) -> int:
        return len(self._terms)

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays; the terms as codes are the same bytes as the terms."""
        own = (self._terms, self.frequencies, self._lengths, self._letters, self._pairs)
        return sum(array.nbytes for array in own)

    def with_others(self, others: "_Terms") -> "_Terms":
        """Those of both that some note has; none may be among both."""
        terms = np.concatenate((self._terms, others._terms))
        frequencies = np.concatenate((self.frequencies, others.frequencies))
        order = np.argsort(terms, kind="stable")
        order = order[frequencies[order] > 0]
        return _Terms(terms[order], frequencies[order])

    def rows_of(self, terms: Collection[str]) -> NDArray[np.int64]:
        """Where each of these stands; -1: nowhere."""
        if not len(self._terms):
            return np.full(len(terms), -1)
        wanted = np.array([_packed(term) if _fits(term) else b"" for term in terms], self._terms.dtype)
        rows = np.minimum(np.searchsorted(self._terms, wanted), len(self._terms) - 1)
        return np.where(self._terms[rows] == wanted, rows, -1)

    def around(self, word: str) -> Iterator[tuple[str, int]]:
        """Longer terms that a word may be a part of, each with its frequency."""
        _, letters, pairs = self._masked(word)
        rows = np.flatnonzero(
            (self._lengths >= len(word) + _LEAST_REST) & (letters & ~self._letters == 0) & (pairs & ~self._pairs == 0)
        )
        rows = rows[self.frequencies[rows] > 0]
        found = zip(map(_unpacked, self._terms[rows].tolist()), self.frequencies[rows].tolist(), strict=True)
        return ((term, frequency) for term, frequency in found if word in term)

    def near(self, word: str, corrections: Collection[str]) -> Iterator[NearTerm]:
        """The terms near to a word, and those of `corrections` as one edit from it."""
        if not len(self._terms):
            return
        corrected = self.rows_of([term for term in corrections if _is_taken(term)])
        corrected = corrected[corrected >= 0]
        rows, distances = self._rows_near(word) if _fits(word) else (corrected[:0], np.empty(0, np.int16))
        others = ~np.isin(rows, corrected)
        rows = np.concatenate((corrected, rows[others]))
        distances = np.concatenate((np.ones(len(corrected), np.int16), distances[others]))
        found = zip(self._terms[rows].tolist(), distances.tolist(), self.frequencies[rows].tolist(), strict=True)
        for term, distance, frequency in found:
            if frequency > 0:
                yield NearTerm(_unpacked(term), distance, frequency)

    def _rows_near(self, word: str) -> tuple[NDArray[np.int64], NDArray[np.int16]]:
        """Which terms are near to the word, and their distances."""
        allowed = MAX_DISTANCE if len(word) >= LONG else 1
        codes, letters, pairs = self._masked(word)
        near = (self._lengths >= len(word) - allowed) & (self._lengths <= len(word) + allowed)
        near &= np.bitwise_count(letters & ~self._letters) <= allowed
        rows = np.flatnonzero(near)
        rows = rows[np.bitwise_count(self._letters[rows] & ~letters) <= allowed]
        rows = rows[np.bitwise_count(self._pairs[rows] ^ pairs) <= 6 * allowed]
        width = min(len(word) + allowed, _WIDTH)
        distances = _distances(codes[0], self._codes[rows, :width].astype(np.uint16), self._lengths[rows])
        close = (distances > 0) & (distances <= allowed)
        return rows[close], distances[close]

    def _masked(self, word: str) -> tuple[NDArray[np.uint16], NDArray[np.uint64], NDArray[np.uint64]]:
        """A word as a row of characters, with its letters and its pairs."""
        codes = np.frombuffer(_packed(word), _Code).astype(np.uint16).reshape(1, -1)
        return codes, *_masks(codes)


def _is_taken(term: str) -> bool:
    """Whether a vocabulary takes up a term of this kind."""
    return MIN_LENGTH <= len(term) <= _WIDTH and (term.isalpha() or not _DIGIT.search(term))


def _fits(term: str) -> bool:
    """Whether each character has two bytes."""
    return term.isascii() or max(term) <= "\uffff"


def _packed(term: str) -> bytes:
    return term.encode("utf-16-be", "surrogatepass")


def _unpacked(packed: bytes) -> str:
    """The inverse; numpy takes the zero bytes at the end away, of which one may be half of a character."""
    return (packed + b"\0" if len(packed) % 2 else packed).decode("utf-16-be", "surrogatepass")


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


def edits(word: str, others: Sequence[str]) -> list[int]:
    """How many edits (insert, delete, replace, swap) lead from a word to each of some others."""
    fitting = [_packed(other[:_WIDTH]) if _fits(other) else b"" for other in others]
    codes = np.array(fitting, f"S{2 * _WIDTH}").view(_Code).reshape(-1, _WIDTH).astype(np.uint16)
    written = np.array([ord(character) for character in word if character <= "\uffff"], np.uint16)
    return _distances(written, codes, np.count_nonzero(codes, axis=1).astype(np.uint8)).tolist()


def _masks(codes: NDArray[np.uint16]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
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


def _distances(word: NDArray[np.uint16], codes: NDArray[np.uint16], lengths: NDArray[np.uint8]) -> NDArray[np.int16]:
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


Read = Callable[[], tuple[int, Vocabulary]]
"""Reads the vocabulary, which takes seconds for hundreds of thousands of passages; with the file's generation."""


@dataclass(eq=False, slots=True)
class _Reading:
    """A vocabulary that is being read, and what was written meanwhile."""

    done: threading.Event = field(default_factory=threading.Event)
    changes: list[tuple[int, Mapping[str, int]]] = field(default_factory=list[tuple[int, Mapping[str, int]]])


class CurrentWords:
    """Thread-safe. Whoever looks a word up waits for the vocabulary a moment at most."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # never taken for long: what reads the file does so without it
        self._known: Vocabulary | None = None
        self._generation = -1
        self._reading: _Reading | None = None
        self._renewed = -inf  # when it was last read again, on the clock of `time.monotonic`

    def near(
        self, read: Read, word: str, limit: int, *, typed: str, patience: Callable[[], float | None]
    ) -> list[NearTerm]:
        """See `Vocabulary.near`. Nothing where the vocabulary is not there when patience ends: it is read on.

        patience: in seconds; None for as long as it takes.
        """
        if self._known is None:
            self._being_read(read).wait(patience())
        with self._lock:
            return self._known.near(word, limit, typed=typed) if self._known else []

    def compounds(
        self, read: Read, word: str, limit: int, languages: tuple[str, ...], *, patience: Callable[[], float | None]
    ) -> list[str]:
        """See `Vocabulary.compounds`; as `near`."""
        if self._known is None:
            self._being_read(read).wait(patience())
        with self._lock:
            return self._known.compounds(word, limit, languages) if self._known else []

    def load(self, read: Read, generation: int) -> None:
        """Have the vocabulary of this generation at least; returns when it is there. Raises what `read` raises."""
        with self._lock:
            if self._known and self._generation >= generation:
                return
            reading, is_ours = self._reading, self._reading is None
            reading = self._reading = reading or _Reading()
        if is_ours:
            self._take(reading, read)
        else:
            reading.done.wait()

    def renew(self, read: Read, generation: int, seconds: float) -> None:
        """Begin to read it again where others have written since; not sooner than so long after the last time."""
        with self._lock:
            is_old = self._known is not None and self._generation < generation
            if not is_old or self._reading or time.monotonic() < self._renewed + seconds:
                return
            self._renewed = time.monotonic()
            self._begin(read)

    def changed(self, counts: Mapping[str, int], generation: int) -> None:
        """Take in a transaction: by term, how many postings came or went."""
        with self._lock:
            if self._reading:
                self._reading.changes.append((generation, counts))
            # What another process wrote is not known; then this one is good enough until it is loaded again.
            if self._known and generation > self._generation:  # else it was read with the rest
                self._known.changed(counts)
                if self._generation == generation - 1:
                    self._generation = generation

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays; 0 where it is not there."""
        with self._lock:
            return self._known.nbytes if self._known else 0

    def release_memory(self) -> None:
        """See `Vocabulary.release_memory`."""
        with self._lock:
            if self._known:
                self._known.release_memory()

    def forget(self) -> None:
        """Read it again when it is next needed."""
        with self._lock:
            self._known, self._generation = None, -1

    def _being_read(self, read: Read) -> threading.Event:
        with self._lock:
            if self._reading is None and self._known is None:
                self._begin(read)
            return self._reading.done if self._reading else _THERE

    def _begin(self, read: Read) -> None:
        reading = self._reading = _Reading()
        threading.Thread(target=self._try, args=(reading, read), name="vocabulary", daemon=True).start()

    def _try(self, reading: _Reading, read: Read) -> None:
        with suppress(ProfileError):  # closed or damaged, which the search itself comes upon
            self._take(reading, read)

    def _take(self, reading: _Reading, read: Read) -> None:
        try:
            generation, words = read()
            with self._lock:
                for later, counts in reading.changes:
                    if later > generation:
                        words.changed(counts)
                        generation = later
                self._known, self._generation = words, generation
        finally:
            with self._lock:
                self._reading = None
            reading.done.set()


_THERE = threading.Event()
_THERE.set()
