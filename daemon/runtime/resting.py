"""Letting go of what searches and indexing left in memory, once nobody has needed it for a while."""

from scrubjay.daemon.runtime.engine import Engine
from scrubjay.daemon.vault import language
from scrubjay.daemon.workers.memory import give_back

QUIET_SECONDS = 60.0


class Resting:
    """Looks at an engine now and then; not thread-safe."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._rested = False

    def look(self) -> None:
        """Put the stores to rest if nothing is indexed and nobody has searched lately; once, until somebody does."""
        supervisor = self._engine.supervisor
        if supervisor.quiet_seconds < QUIET_SECONDS or not supervisor.wait_until_idle(0):
            self._rested = False
        elif not self._rested:
            for store in self._engine.stores().values():
                store.rest()
            self._engine.models.rest()
            language.release_memory()
            give_back()
            self._rested = True
