"""How far indexing has come: counters that the loops write and `status` reads. Light: clients read their types."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

Phase: TypeAlias = Literal["idle", "scanning", "reading", "embedding", "paused"]

_AT_THE_END = 0.03
"""What follows the last batch, what links call notes above all, takes so much of the time that reading would take if
each note took as long as the first."""
_SMOOTHING = 0.3  # weight of the newest batch in the running rate, so that one slow batch does not swing the ETA


class TimeToGo:
    """How long reading goes on, by how long each part of it took.

    The larger an index is, the longer another note takes. So the seconds that a share x of the bytes takes are fitted
    as ax + bx², by least squares over all batches so far, and b is never less than nothing.
    """

    def __init__(self, size: int, now: float) -> None:
        """size: bytes that are to be read from `now` on."""
        self._size, self._began, self._read = size, now, 0
        self._x2 = self._x3 = self._x4 = self._xt = self._x2t = 0.0  # sums over the batches

    def read(self, size: int, now: float) -> float | None:
        """A batch of so many bytes is read: the seconds to go; None while nothing can be said."""
        self._read += size
        if self._read == 0:
            return None
        share, seconds = min(1.0, self._read / self._size) if self._size else 1.0, now - self._began
        self._x2, self._x3, self._x4 = self._x2 + share**2, self._x3 + share**3, self._x4 + share**4
        self._xt, self._x2t = self._xt + share * seconds, self._x2t + share**2 * seconds
        spread = self._x2 * self._x4 - self._x3**2
        grows = max(0.0, (self._x2 * self._x2t - self._x3 * self._xt) / spread) if spread > 0 else 0.0
        steady = (self._xt - grows * self._x3) / self._x2
        if steady < 0:  # it got slower at once, and not by how much there is
            steady, grows = seconds / share, 0.0
        left = steady * (1 - share) + grows * (1 - share**2)
        return left + _AT_THE_END * steady


@dataclass(frozen=True, slots=True)
class DiskCount:
    """What lies on disk and may be read, and what became of it. Paths are shown redacted, in order."""

    on_disk: int = 0  # notes
    indexed: int = 0  # of them
    left_out: int = 0  # of them, each with a reason
    missing: tuple[str, ...] = ()  # neither
    outdated: tuple[str, ...] = ()  # indexed as they were before their last change
    differing: tuple[str, ...] = ()  # of a team: others look after them, and say something else

    def __add__(self, other: "DiskCount") -> "DiskCount":
        return DiskCount(
            self.on_disk + other.on_disk,
            self.indexed + other.indexed,
            self.left_out + other.left_out,
            self.missing + other.missing,
            self.outdated + other.outdated,
            self.differing + other.differing,
        )


def differing_sentence(notes: int, first: Sequence[str]) -> str:
    """What to say of so many notes of a team that say something else here than in the index, and what to do."""
    say, more = "note says" if notes == 1 else "notes say", notes - len(first)
    paths = ", ".join(first) + (f" and {more:,} more" if more else "")
    return (
        f"{notes:,} {say} something else here than in the index, where others wrote them later: {paths}. Bring your"
        " copies up to date; one that you then change takes its note over."
    )


@dataclass(frozen=True, slots=True)
class ProgressReport:
    """One profile's progress since its last scan began. Counts are of notes, but for the two that say chunks."""

    phase: Phase = "idle"
    scanned: int = 0
    to_read: int = 0
    read: int = 0
    redacted: int = 0  # notes in which at least one credential was hidden
    failed: int = 0
    chunked: int = 0  # chunks
    embedded: int = 0  # chunks
    to_embed: int = 0  # chunks that still wait
    eta_seconds: float | None = None  # until the phase is over; None while unknown
    unread: int = 0  # of the notes still to be read, those that no search finds yet: they are not in the index


class Progress:
    """The counters of one profile. Thread-safe; `changed` is called after each change, outside the lock."""

    def __init__(
        self,
        changed: Callable[[ProgressReport], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._changed = changed
        self._report = ProgressReport()
        self._counts: dict[str, DiskCount] = {}  # of the last look at each whole vault
        self._rate: float | None = None  # chunks a second
        self._to_go = TimeToGo(0, clock())  # reading the current vault
        self._reckoned = clock()  # when the time to go was, last
        self._batch_seconds = 0.0  # between that and the time before
        self._is_done = True  # whether what is read next is work of its own

    def report(self) -> ProgressReport:
        """The counters now. The time to go runs down until the next batch, by no more than the last one took."""
        with self._lock:
            report = self._report
            # No more: while another profile has its turn, nothing is done here.
            passed = min(self._clock() - self._reckoned, self._batch_seconds)
        if report.eta_seconds is None or report.phase not in ("reading", "embedding"):
            return report
        return replace(report, eta_seconds=max(0.0, report.eta_seconds - passed))

    def scanning(self) -> None:
        """A scan of all vaults begins: the counters start again."""
        self._is_done = False
        self._set(lambda _: ProgressReport(phase="scanning"))

    def reading(self, *, scanned: int, to_read: int, size: int, new: int) -> None:
        """A vault, or a part of it, is scanned; so many of its notes must be read, `new` of which are not in the index.

        size: of these notes, in bytes, by which the time that is left is estimated: some notes are a thousand times as
        long as others, and those of a kind lie together.
        They are added to what was read of the vaults before it; where nothing was being done, the counters start again.
        """
        now = self._clock()
        self._to_go = TimeToGo(size, now)
        before = ProgressReport() if self._is_done else self.report()
        self._is_done = False
        self._set(
            lambda _: replace(
                before, phase="reading", scanned=before.scanned + scanned, to_read=before.read + to_read, unread=new
            ),
            reckoned=now,
        )

    def stored(self, *, read: int, size: int, new: int, redacted: int, failed: int, chunked: int) -> None:
        """One more batch is in the store; each number is added. new: of those read, how many were not in the index."""
        now = self._clock()
        eta = self._to_go.read(size, now)

        def add(old: ProgressReport) -> ProgressReport:
            done = old.read + read
            to_read = max(old.to_read, done)  # a file that changes while it is read is read again
            return replace(
                old,
                read=done,
                to_read=to_read,
                unread=max(0, old.unread - new),
                eta_seconds=eta,
                redacted=old.redacted + redacted,
                failed=old.failed + failed,
                chunked=old.chunked + chunked,
            )

        self._set(add, reckoned=now)

    def to_index(self, waiting: int) -> bool:
        """All is embedded, and so many vectors wait for their place in an index; always true."""
        self._set(lambda old: replace(old, phase="embedding", to_embed=waiting, eta_seconds=None))
        return True

    def embedded(self, chunks: int, *, waiting: int, seconds: float) -> None:
        """`chunks` more have their vectors after `seconds` of work; `waiting` still have none."""
        if chunks and seconds > 0:
            newest = chunks / seconds
            self._rate = newest if self._rate is None else (1 - _SMOOTHING) * self._rate + _SMOOTHING * newest
        eta = waiting / self._rate if self._rate else None
        self._set(
            lambda old: replace(
                old, phase="embedding", embedded=old.embedded + chunks, to_embed=waiting, eta_seconds=eta
            ),
            reckoned=self._clock(),
        )

    def counted(self, vault: str, count: DiskCount) -> None:
        """A whole vault was compared with the store, and the work on it is done, or has failed."""
        with self._lock:
            self._counts[vault] = count

    def differ(self, vault: str, paths: tuple[str, ...]) -> None:
        """A part of a vault was looked at: what `DiskCount.differing` is now. Nothing before the whole was counted."""
        with self._lock:
            if vault in self._counts:
                self._counts[vault] = replace(self._counts[vault], differing=paths)

    def has_counted(self, vault: str) -> bool:
        """Whether a look at the whole vault has come to its end."""
        with self._lock:
            return vault in self._counts

    def disk(self) -> DiskCount | None:
        """What the last looks at the whole vaults found; None before the first."""
        with self._lock:
            return sum(self._counts.values(), DiskCount()) if self._counts else None

    def phase(self, phase: Phase) -> None:
        """Nothing but the phase changes."""
        if phase == "idle":
            self._is_done = True
            self._set(lambda old: replace(old, phase=phase, eta_seconds=None, unread=0))
        else:
            self._set(lambda old: replace(old, phase=phase))

    def _set(self, change: Callable[[ProgressReport], ProgressReport], *, reckoned: float | None = None) -> None:
        """reckoned: when the time to go was, where it was."""
        with self._lock:
            if reckoned is not None:
                self._reckoned, self._batch_seconds = reckoned, reckoned - self._reckoned
            self._report = report = change(self._report)
        self._changed(report)


class Stopwatch:
    """Seconds since it was made."""

    def __init__(self) -> None:
        self._start = time.monotonic()

    @property
    def seconds(self) -> float:
        """Elapsed so far."""
        return time.monotonic() - self._start
