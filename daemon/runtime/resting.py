"""Releases the memory that searches and indexing left behind, after a quiet while."""

from scrubjay.daemon.markdown import plain
from scrubjay.daemon.runtime.engine import Engine
from scrubjay.daemon.vault import parse
from scrubjay.daemon.workers.loops import give_back

QUIET_SECONDS = 60.0


class IdleMemory:
    """Checks an engine periodically; not thread-safe."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.is_released = False  # whether nobody has searched and nothing was read for a while

    def look(self) -> None:
        """Release memory, once, if nothing is being indexed and no search came lately; again after the next search."""
        supervisor = self._engine.supervisor
        if supervisor.quiet_seconds < QUIET_SECONDS or not supervisor.wait_until_idle(0):
            self.is_released = False
        elif not self.is_released:
            for store in self._engine.open_profiles.stores().values():
                store.release_memory()
            self._engine.models.release_memory()
            parse.release_memory()
            plain.release_memory()
            give_back()
            self.is_released = True
