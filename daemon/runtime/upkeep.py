"""Background work and observation, brought by an engine."""

import contextlib
from collections.abc import Generator, Sequence

from daemon.api.upkeep import Upkeep
from daemon.observe.metrics import Metrics
from daemon.observe.searches import SearchLog
from daemon.runtime.engine import Engine
from daemon.runtime.following import following
from daemon.runtime.pace import Pace, Workforce
from profiles.registry import Profile


class BackgroundService:
    """Steers the background work of an engine."""

    def __init__(self, engine: Engine, pace: Pace) -> None:
        self._engine = engine
        self._pace = pace

    def pause(self, profiles: Sequence[Profile]) -> None:
        """Hold the work of these profiles."""
        self._engine.supervisor.pause(profile.id for profile in profiles)

    def resume(self, profiles: Sequence[Profile]) -> None:
        """Let it go on."""
        self._engine.supervisor.resume(profile.id for profile in profiles)

    def retry(self, profiles: Sequence[Profile]) -> None:
        """Read again what failed."""
        for profile in profiles:
            self._engine.supervisor.request(profile.id, retry=True)

    def hurry(self) -> None:
        """Full speed until idle."""
        self._pace.hurry()


@contextlib.contextmanager
def keeping_up(engine: Engine, workers: Workforce, metrics: Metrics) -> Generator[Upkeep]:
    """While entered: the battery and changed settings are followed, and searches are remembered."""
    searches = SearchLog(
        lambda: {opened.profile.id: (opened.profile, opened.store) for opened in engine.profiles()},
        engine.rules_of,
        lambda: engine.settings.slow_search_ms,
        engine.conditions,
    )
    pace = Pace(engine.supervisor, workers, engine.settings, conditions=engine.conditions)
    with contextlib.closing(searches), pace, following(engine, pace.follow):
        yield Upkeep(BackgroundService(engine, pace), searches, metrics)
