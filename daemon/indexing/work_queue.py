"""Work on profiles: what waits, when it is due, and what went wrong with it until that very work has succeeded."""

import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from scrubjay.profiles.errors import ProfileError, ScrubjayError

_LONGEST_PAUSE_SECONDS = 20.0  # a disk that has room again, or a process that lives, is noticed after so long at most

WorkKind: TypeAlias = Literal["indexing", "embedding"]

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Work:
    """What is to be read of one profile; requests that come while it waits melt into one."""

    reconcile: bool = False
    full: bool = False
    retry: bool = False
    forget_missing: bool = False
    paths: dict[str, set[str]] = field(default_factory=dict[str, set[str]])  # by vault

    def merge(self, other: "Work") -> None:
        """Do what the other asks for as well."""
        self.reconcile |= other.reconcile
        self.full |= other.full
        self.retry |= other.retry
        self.forget_missing |= other.forget_missing
        for vault, paths in other.paths.items():
            self.paths.setdefault(vault, set()).update(paths)


@dataclass(slots=True)
class _Failed:
    reason: str
    times: int  # in a row
    due: float | None  # when it is tried again; None: it is being tried
    work: Work
    goes_on: bool = False  # whether that has come further already


class FailedWork:
    """Work that failed, by profile and kind, with the reason and the time to try it again. Not thread-safe."""

    def __init__(self) -> None:
        self._failed: dict[tuple[str, WorkKind], _Failed] = {}

    def put(self, profile_id: str, kind: WorkKind, error: Exception, now: float, work: Work) -> None:
        """Work failed: it is due again after a pause. Logged where the reason is a new one."""
        before = self._failed.get((profile_id, kind))
        known = isinstance(error, (ProfileError, ScrubjayError))  # their words are ours; others may hold note text
        reason = str(error) if known else f"{kind} failed ({type(error).__name__}); see the log."
        if before is None or before.reason != reason:
            _log.error("%s failed for a profile", kind, extra={"profile": profile_id, "error": type(error).__name__})
        times = before.times + 1 if before else 1
        if before and before.due is not None:
            work.merge(before.work)
        pause = min(_LONGEST_PAUSE_SECONDS, 2.0**times)
        self._failed[profile_id, kind] = _Failed(reason, times, now + pause, work)

    def take(self, kind: WorkKind, now: float, profile_id: str | None = None) -> dict[str, Work]:
        """The work that is due, and that of `profile_id` in any case. Its trouble is told until it `goes_on`."""
        found: dict[str, Work] = {}
        for (name, of_kind), failed in self._failed.items():
            if of_kind == kind and failed.due is not None and (failed.due <= now or name == profile_id):
                failed.due, found[name] = None, failed.work
        return found

    def next_due(self, kind: WorkKind) -> float | None:
        """When the next work of this kind is due."""
        return min(
            (each.due for (_, of), each in self._failed.items() if of == kind and each.due is not None), default=None
        )

    def goes_on(self, profile_id: str, kind: WorkKind) -> None:
        """Work of this kind is being done, and comes further. Its trouble is told no more, unless it fails again."""
        if (failed := self._failed.get((profile_id, kind))) and failed.due is None:
            failed.goes_on = True

    def succeeded(self, profile_id: str, kind: WorkKind) -> None:
        """Work of this kind was done. The trouble is over, unless some that failed still waits."""
        if (failed := self._failed.get((profile_id, kind))) and failed.due is None:
            del self._failed[profile_id, kind]

    def forget(self, profile_id: str) -> None:
        """The profile is gone."""
        self._failed = {key: failed for key, failed in self._failed.items() if key[0] != profile_id}

    def reasons(self) -> dict[str, str]:
        """Why work on profiles failed, by id."""
        found: dict[str, list[str]] = {}
        for (profile_id, _), failed in self._failed.items():
            if not failed.goes_on:
                found.setdefault(profile_id, []).append(failed.reason)
        return {profile_id: " ".join(dict.fromkeys(reasons)) for profile_id, reasons in found.items()}


class WorkQueue:
    """What is to be read and embedded next, and when that is due. Not thread-safe.

    Times are seconds of the caller's clock. `waits` says of a profile whether its work is to be left for later.
    """

    def __init__(self, look_seconds: float, now: float) -> None:
        self._to_read: dict[str, Work] = {}  # by profile
        self._to_embed: dict[str, int] = {}  # by profile: how much of it waits, as far as that is known
        self._turns: dict[str, int] = {}  # by profile: the last turn that it had to be embedded
        self._failed = FailedWork()
        self.look_every(look_seconds, now)

    def look_every(self, seconds: float, now: float) -> None:
        """Have all profiles compared with the disk so often, first after that time."""
        self._look_seconds = seconds
        self._next_look = now + seconds

    def read(self, profile_id: str, work: Work) -> None:
        """Have something of a profile read."""
        self._to_read.setdefault(profile_id, Work()).merge(work)

    def read_what_failed(self, profile_id: str, now: float) -> None:
        """Have the work on a profile that failed done again, whether its pause is over or not."""
        for name, work in self._failed.take("indexing", now, profile_id).items():
            self.read(name, work)

    def embed(self, profile_id: str, waiting: int = 0) -> None:
        """Have a profile embedded. waiting: how many of its passages have no vector."""
        self._to_embed[profile_id] = waiting

    def next_to_read(
        self, profiles: Collection[str], now: float, waits: Callable[[str], bool]
    ) -> tuple[str, Work] | None:
        """Take out the work on one of the profiles that is due, if any is. Work on other profiles is dropped."""
        for name, work in self._failed.take("indexing", now).items():
            self.read(name, work)
        if self._next_look <= now:
            self._next_look = now + self._look_seconds
            for name in profiles:
                self.read(name, Work(reconcile=True))
        for name in [each for each in self._to_read if not waits(each)]:
            work = self._to_read.pop(name)
            if name in profiles:
                return name, work
        return None

    def next_to_embed(self, profiles: Collection[str], now: float, waits: Callable[[str], bool]) -> str | None:
        """Take out one of the profiles that are to be embedded, if any is. Others are dropped.

        The one whose last turn is the longest ago; of those that had none, the one of which the least waits.
        """
        for name in self._failed.take("embedding", now):
            self._to_embed.setdefault(name, 0)
        due = [name for name in self._to_embed if not waits(name)]
        for name in sorted(due, key=lambda name: (self._turns.get(name, 0), self._to_embed[name])):
            del self._to_embed[name]
            self._failed.take("embedding", now, name)
            if name in profiles:
                self._turns[name] = 1 + max(self._turns.values(), default=0)
                return name
        return None

    def seconds_to_read(self, now: float) -> float:
        """How long nothing more will be due to be read by itself."""
        due = self._failed.next_due("indexing")
        return max(0.0, (self._next_look if due is None else min(due, self._next_look)) - now)

    def seconds_to_embed(self, now: float) -> float | None:
        """How long nothing more will be due to be embedded by itself; None: for ever."""
        due = self._failed.next_due("embedding")
        return None if due is None else max(0.0, due - now)

    def done(self, profile_id: str, kind: WorkKind, error: Exception | None, work: Work, now: float) -> None:
        """Work that was taken out has succeeded, or failed with `error`; then `work`, what is left, is due again."""
        if error:
            self._failed.put(profile_id, kind, error, now, work)
        else:
            self._failed.succeeded(profile_id, kind)

    def goes_on(self, profile_id: str, kind: WorkKind) -> None:
        """Work that was taken out has come further: see `FailedWork.goes_on`."""
        self._failed.goes_on(profile_id, kind)

    def forget(self, profile_id: str) -> None:
        """The profile is gone."""
        self._to_read.pop(profile_id, None)
        self._to_embed.pop(profile_id, None)
        self._turns.pop(profile_id, None)
        self._failed.forget(profile_id)

    def to_read(self) -> Collection[str]:
        """The profiles of which something is to be read now; what failed and pauses is not among it."""
        return self._to_read.keys()

    def to_embed(self) -> Collection[str]:
        """The profiles that are to be embedded now; likewise."""
        return self._to_embed.keys()

    def reasons(self) -> dict[str, str]:
        """Why work on profiles failed, by id; until that work has succeeded, or comes further again."""
        return self._failed.reasons()
