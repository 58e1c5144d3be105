"""Waiting for what another thread or process brings about."""

import time
from collections.abc import Callable

PATIENCE_SECONDS = 300
"""Far more than anything here takes, also where thirty others want the same core."""

# A look takes next to nothing in this process; a daemon that is asked fifty times a second does little else.
_SHORTEST, _LONGEST, _TIMES_THE_LOOK = 0.01, 0.25, 10


def until(
    true: Callable[[], bool],
    otherwise: Callable[[], object] = lambda: "it never came true",
    seconds: float = PATIENCE_SECONDS,
) -> None:
    """Wait until `true()`, which is looked at the less often the longer a look takes.

    otherwise: what is said where it never is.
    """
    deadline = time.monotonic() + seconds
    while True:
        began = time.monotonic()
        if true():
            return
        now = time.monotonic()
        assert now < deadline, otherwise()
        time.sleep(min(max(_SHORTEST, _TIMES_THE_LOOK * (now - began)), _LONGEST))
