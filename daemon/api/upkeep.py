"""What the routes about background work and observation need. `daemon/runtime` brings it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from daemon.observe.metrics import Metrics
from daemon.observe.searches import SearchLog
from profiles.registry import Profile


class Background(Protocol):
    """Steering the background work of profiles."""

    def pause(self, profiles: Sequence[Profile]) -> None:
        """Hold it until `resume`."""
        ...

    def resume(self, profiles: Sequence[Profile]) -> None:
        """Let it go on."""
        ...

    def retry(self, profiles: Sequence[Profile]) -> None:
        """Read again soon what could not be indexed."""
        ...

    def hurry(self) -> None:
        """Take the whole machine until what waits is done."""
        ...


@dataclass(frozen=True, slots=True)
class Upkeep:
    """Everything that these routes call."""

    background: Background
    searches: SearchLog
    metrics: Metrics
