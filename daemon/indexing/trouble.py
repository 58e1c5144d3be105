"""Work on profiles, and what went wrong with it until that very work has succeeded."""

import logging
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from scrubjay.daemon.errors import ScrubjayError
from scrubjay.profiles.errors import ProfileError

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
        """The work that is due, and that of `profile_id` in any case. Its trouble is told until `succeeded`."""
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
            found.setdefault(profile_id, []).append(failed.reason)
        return {profile_id: " ".join(dict.fromkeys(reasons)) for profile_id, reasons in found.items()}
