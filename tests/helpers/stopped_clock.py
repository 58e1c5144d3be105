"""A clock that only the test moves."""

from dataclasses import dataclass


@dataclass
class StoppedClock:
    """Stands in for `time.monotonic`."""

    seconds: float = 0.0

    def __call__(self) -> float:
        return self.seconds
