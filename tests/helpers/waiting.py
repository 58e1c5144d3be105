"""Waiting for what another thread or process brings about."""

import time
from collections.abc import Callable

PATIENCE_SECONDS = 60
"""Far more than anything here takes, on a machine however busy."""

_SHORTEST, _LONGEST, _GROWTH = 0.005, 0.25, 1.4  # seconds; a daemon that is asked fifty times a second does little else


def until(
    true: Callable[[], bool],
    otherwise: Callable[[], object] = lambda: "it never came true",
    seconds: float = PATIENCE_SECONDS,
) -> None:
    """Wait until `true()`, which is looked at less and less often. otherwise: what is said where it never is."""
    deadline, pause = time.monotonic() + seconds, _SHORTEST
    while not true():
        assert time.monotonic() < deadline, otherwise()
        time.sleep(pause)
        pause = min(pause * _GROWTH, _LONGEST)
