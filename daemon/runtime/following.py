"""Taking over what commands and editors change while the daemon runs: profiles, settings, the user's filter rules."""

import contextlib
import logging
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TypeAlias

from scrubjay.daemon.errors import UsageError
from scrubjay.daemon.runtime.engine import Engine
from scrubjay.daemon.runtime.resting import IdleMemory
from scrubjay.daemon.settings import Settings, load_settings
from scrubjay.daemon.workers.loops import Loop
from scrubjay.profiles.errors import StoreError

_EVERY_SECONDS = 3.0  # a third of the processor time of one second; commands tell the daemon of most changes themselves

_Stamp: TypeAlias = tuple[int, int] | None  # mtime_ns and size; None: no such file

_log = logging.getLogger(__name__)


class Configuration:
    """The settings and rules in force. `look` takes over what changed since the last look."""

    def __init__(self, engine: Engine, apply: Callable[[Settings], None]) -> None:
        self._engine = engine
        self._apply = apply
        self._port = engine.settings.port
        self._files = (engine.home.settings, engine.home.user_rules)
        self._stamps = self._stamp()

    def look(self) -> None:
        """If a file changed: settings that can't be read are refused as a whole, and those before stay in force."""
        stamps = self._stamp()
        if stamps == self._stamps:
            return
        try:
            settings = load_settings(self._engine.home.settings)
        except UsageError as error:
            self._stamps = stamps
            _log.warning("the settings can't be read; those before stay in force", extra={"code": error.code})
            self._engine.settings_problem = str(error)
            return
        self._engine.settings_problem = ""
        self._engine.reload(settings)
        self._apply(settings)
        self._stamps = stamps  # only now: what is not foreseen is tried again
        _log.info("the settings were taken over")
        if settings.port != self._port:
            _log.info("another port waits for the next start", extra={"port": settings.port})
            self._engine.settings_problem = f"Port {settings.port} of settings.toml is used after `scrubjay restart`."

    def _stamp(self) -> tuple[_Stamp, ...]:
        return tuple(_stamp_of(file) for file in self._files)


@contextlib.contextmanager
def following_configuration(engine: Engine, apply: Callable[[Settings], None]) -> Generator[None]:
    """While entered, profiles, settings and rules are followed; `apply` gets settings that changed."""
    configuration = Configuration(engine, apply)
    idle_memory = IdleMemory(engine)

    def follow() -> None:
        configuration.look()
        engine.sync()
        with contextlib.suppress(StoreError):  # a profile was closed just now
            idle_memory.look()

    part = "Taking over changed settings and profiles"
    loop = Loop("following", part, follow, engine.conditions, every=_EVERY_SECONDS)
    loop.start()
    try:
        yield
    finally:
        loop.stop()


def _stamp_of(file: Path) -> _Stamp:
    try:
        stats = file.stat()
    except OSError:
        return None
    return stats.st_mtime_ns, stats.st_size
