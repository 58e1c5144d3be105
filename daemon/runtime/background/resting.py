"""Releases the memory that searches and indexing left behind, after a quiet while."""

from scrubjay.daemon.markdown import plain
from scrubjay.daemon.runtime.engine import QUIET_SECONDS, Engine
from scrubjay.daemon.vault import language
from scrubjay.daemon.workers.loops import give_back


class IdleMemory:
    """Checks an engine periodically; not thread-safe."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.is_released = False  # whether nobody has searched and nothing was read for a while

    def look(self) -> None:
        """Release memory, once, if nothing is being indexed and no search came lately; again after the next search."""
        supervisor = self._engine.supervisor
        if supervisor.quiet_seconds < QUIET_SECONDS or not self._is_idle():
            self.is_released = False
        elif not self.is_released:
            for store in self._engine.open_profiles.stores().values():
                store.release_memory()
            self._engine.models.release_memory()
            language.release_memory()
            plain.release_memory()
            give_back()
            self.is_released = True

    def _is_idle(self) -> bool:
        return self._engine.supervisor.wait_until_idle(0) and self._engine.files.wait_until_idle(0)
