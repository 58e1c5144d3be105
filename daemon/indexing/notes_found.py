"""The notes that a search has just found: where they wait for their vectors, they are embedded before all others."""

import threading
from collections.abc import Collection


class NotesFound:
    """The paths of the notes of one profile that the last search found. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._paths: frozenset[str] = frozenset()

    def put(self, paths: Collection[str]) -> None:
        """A search has found these; those of an earlier one are of no more interest than others."""
        with self._lock:
            self._paths = frozenset(paths)

    def paths(self) -> frozenset[str]:
        """Of the notes that may wait."""
        with self._lock:
            return self._paths

    def embedded(self, paths: frozenset[str]) -> None:
        """None of these waits any more."""
        with self._lock:
            self._paths -= paths
