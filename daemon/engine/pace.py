"""How hard the background works: less while somebody searches or the machine is busy, and at rest not at all."""

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import psutil

from scrubjay.daemon.engine.closed_profiles import forget_words
from scrubjay.daemon.engine.engine import QUIET_SECONDS, Engine
from scrubjay.daemon.indexing.supervisor import Supervisor
from scrubjay.daemon.processes.free_memory import set_free_memory_aside, use_free_memory_again
from scrubjay.daemon.processes.memory import give_back, resident_bytes, trim
from scrubjay.daemon.settings import Settings
from scrubjay.daemon.vault import language

_BATTERY_SECONDS = 60.0
_HURRY_SECONDS = 1.0  # between looks at whether what was hurried is done
_MARGIN_PERCENT = 5  # work goes on only so far above the threshold, or it would start and stop all the time
_GROWN_BYTES = 2 << 20  # that are worth a second's look for what can be released
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Battery:
    """How full it is, and whether it is being charged."""

    percent: float
    plugged: bool


class EmbeddingWorkers(Protocol):
    """What embeds: with so many threads, and unloading its model when it is idle."""

    def use_threads(self, threads: int) -> None:
        """Embed passages with so many threads from now on."""
        ...

    def unload_after(self, seconds: float) -> None:
        """Unload the model after so many seconds without work, from now on."""
        ...


def read_battery() -> Battery | None:
    """The battery of this machine; None where there is none or the system does not say."""
    try:
        found = psutil.sensors_battery()
    except (AttributeError, OSError, psutil.Error, NotImplementedError):
        return None
    return None if found is None else Battery(found.percent, bool(found.power_plugged))


def should_wait(battery: Battery | None, threshold: int, *, waits: bool) -> bool:
    """Whether background work should wait for the battery, given whether it `waits` already."""
    if battery is None or battery.plugged or threshold == 0:
        return False
    return battery.percent < threshold + (_MARGIN_PERCENT if waits else 0)


def bulk_threads(settings: Settings, *, hurried: bool = False) -> int:
    """How many threads embed passages."""
    cores = os.cpu_count() or 1
    if hurried:
        return cores
    return settings.embedding_threads or (cores if settings.speed == "full" else max(1, cores // 2))


class Pace:
    """Keeps background work to what the settings, the battery and the user want, by looking from time to time.

    wake: has it look now.
    """

    def __init__(
        self,
        supervisor: Supervisor,
        workers: EmbeddingWorkers,
        settings: Settings,
        battery: Callable[[], Battery | None] = read_battery,
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        self._supervisor = supervisor
        self._workers = workers
        self._settings = settings
        self._battery = battery
        self._wake = wake
        self._hurried = False
        self._waits = False

    def hurry(self) -> None:
        """Full speed until everything that waits is done. From any thread."""
        self._hurried = True
        self._wake()

    def follow(self, settings: Settings) -> None:
        """Take over changed settings. From any thread."""
        self._settings = settings
        self._workers.unload_after(settings.model_idle_minutes * 60)
        self._wake()

    def look(self) -> None:
        """Let background work wait or go on, as fast as it may be now. Calls don't overlap."""
        self._look_at_battery()
        if self._hurried:
            self._workers.use_threads(bulk_threads(self._settings, hurried=True))
            if not self._supervisor.wait_until_idle(0):
                return
            self._hurried = False
        self._workers.use_threads(bulk_threads(self._settings))

    def pause(self) -> float:
        """Seconds to the next look."""
        return _HURRY_SECONDS if self._hurried else _BATTERY_SECONDS

    def _look_at_battery(self) -> None:
        battery = self._battery()
        waits = should_wait(battery, self._settings.battery_percent, waits=self._waits)
        if battery and waits != self._waits:
            _log.info("indexing waits for the battery" if waits else "indexing goes on")
        self._waits = waits
        percent = f"{battery.percent:.0f} %" if battery else ""
        self._supervisor.pause_all(f"The battery is at {percent}; indexing waits until it is charged." if waits else "")


class IdleMemory:
    """Releases the memory of an engine at rest; not thread-safe. resident: bytes that this process has in memory."""

    def __init__(self, engine: Engine, resident: Callable[[], int] = resident_bytes) -> None:
        self._engine = engine
        self._resident = resident
        self._left = 0  # bytes, after the last release
        self.is_released = False  # whether nobody has searched and nothing was read for a while

    def look(self) -> None:
        """Release memory if nothing is being indexed and no search came lately; again after whatever takes some.

        That is the next search, or what is no search: a review, a check, the map.
        """
        supervisor = self._engine.supervisor
        if supervisor.quiet_seconds < QUIET_SECONDS or not self._is_idle():
            use_free_memory_again()
            self.is_released = False
        elif self._engine.let_go(QUIET_SECONDS) or not self.is_released or self._has_grown():
            for store in self._engine.open_profiles.stores().values():
                store.release_memory()
            self._engine.models.release_memory()
            language.release_memory()
            forget_words()
            use_free_memory_again()
            give_back()
            set_free_memory_aside()
            trim()  # what that took on the way
            self._left = self._resident()
            self.is_released = True

    def _has_grown(self) -> bool:
        return self._resident() - self._left > _GROWN_BYTES

    def _is_idle(self) -> bool:
        return self._engine.supervisor.wait_until_idle(0) and self._engine.files.wait_until_idle(0)
