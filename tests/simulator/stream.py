"""What the system tells of changes in the vault, and what it fails to tell."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from watchfiles import Change

from scrubjay.profiles.names import file_key
from tests.simulator.memory_disk import ROOT, MemoryDisk

BURST = 12
"""Paths; the system's queue takes no more at a time."""


@dataclass(frozen=True, slots=True)
class Event:
    """One change, as the kernel saw it."""

    kind: Change
    path: str  # vault-relative, as the disk spells it
    watched: frozenset[int]  # inodes of the folders above it, whose watches tell of it


@dataclass(slots=True)
class EventStream:
    """Events on their way. Even a faithful stream doubles, reorders, delays and coalesces, and overflows audibly."""

    disk: MemoryDisk
    rng: random.Random
    faithful: bool
    lost: bool = False  # whether anything was lost without a word
    _waiting: list[Event] = field(default_factory=list[Event])

    def tell(self, kind: Change, path: str) -> None:
        """A change at `path` has just happened; below it the system may have had no watch yet."""
        self._waiting.append(Event(kind, path, self._above(path)))

    def lose(self) -> None:
        """A change just happened of which the system tells nobody."""
        self.lost = True

    def forget(self) -> None:
        """Nobody listens any more: what is on its way arrives nowhere."""
        self._waiting.clear()

    def batch(self, folders: Mapping[str, int], *, calm: bool) -> set[tuple[Change, str]]:
        """What is handed on now to who watches these folders (absolute path -> inode at the beginning of the watch).

        calm: nothing is delayed or lost any more.
        """
        ready, self._waiting = self._waiting, []
        if not calm:
            ready = [event for event in ready if not self._delays(event)]
            ready = [event for event in ready if not self._drops()]
        told: set[tuple[Change, str]] = set()
        for event in ready:
            path = f"{ROOT}/{event.path}" if event.path else ROOT
            at = [inode for folder, inode in folders.items() if self._is_below(path, folder)]
            if any(inode in event.watched for inode in at):
                told.add((event.kind, path))
        paths = sorted({path for _, path in told})
        if len(paths) > BURST and not calm:  # it overflows: much is gone, and the batch is large enough to tell
            kept = frozenset(paths[: BURST + 1])
            return {event for event in told if event[1] in kept}
        return told

    def _is_below(self, path: str, folder: str) -> bool:
        key = file_key if self.disk.ignores_case else str
        return f"{key(path)}/".startswith(f"{key(folder)}/")

    def _delays(self, event: Event) -> bool:
        fate = self.rng.random()
        if fate < 0.1:  # later, so behind what happens after it
            self._waiting.insert(0, event)
            return True
        if fate < 0.2:  # now and once more
            self._waiting.append(event)
        return False

    def _drops(self) -> bool:
        if self.faithful or self.rng.random() > 0.2:
            return False
        self.lost = True
        return True

    def _above(self, path: str) -> frozenset[int]:
        places = [path]
        while places[-1]:
            places.append(places[-1].rpartition("/")[0])
        return frozenset(node.inode for place in places if (node := self.disk.find(place)) is not None)
