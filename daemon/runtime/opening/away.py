"""When profiles whose servers are away are tried again: soon, then less and less often."""

import time
from collections.abc import Callable
from dataclasses import dataclass

FIRST_SECONDS = 3.0
LAST_SECONDS = 60.0
_FACTOR = 2.0


@dataclass(frozen=True, slots=True)
class _Wait:
    seconds: float
    until: float


class Retries:
    """One wait for each profile, twice as long after each attempt that failed. Not thread-safe.

    clock: monotonic, in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._waits: dict[str, _Wait] = {}

    def failed(self, profile_id: str) -> None:
        """An attempt was made just now, and failed."""
        before = self._waits.get(profile_id)
        seconds = min(before.seconds * _FACTOR, LAST_SECONDS) if before else FIRST_SECONDS
        self._waits[profile_id] = _Wait(seconds, self._clock() + seconds)

    def is_due(self, profile_id: str) -> bool:
        """Whether it may be tried again."""
        wait = self._waits.get(profile_id)
        return wait is None or self._clock() >= wait.until

    def forget(self, profile_id: str) -> None:
        """It is open, or gone: the next failure is a first one."""
        self._waits.pop(profile_id, None)
