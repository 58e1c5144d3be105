"""The vocabulary of a store that is open: read once, in step with each transaction from then on."""

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf

from scrubjay.profiles.errors import ProfileError
from scrubjay.profiles.lexical.vocabulary import NearTerm, Vocabulary

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

    def compounds(self, read: Read, word: str, limit: int, *, patience: Callable[[], float | None]) -> list[str]:
        """See `Vocabulary.compounds`; as `near`."""
        if self._known is None:
            self._being_read(read).wait(patience())
        with self._lock:
            return self._known.compounds(word, limit) if self._known else []

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
