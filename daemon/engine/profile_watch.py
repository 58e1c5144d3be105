"""What the daemon notices by itself: changed settings, profiles and notes."""

import contextlib
import logging
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeAlias

from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.engine.pace import IdleMemory
from scrubjay.daemon.review.changes.scrubbed_file import forget_old
from scrubjay.daemon.settings import Settings, load_settings
from scrubjay.daemon.vault.allowlist import SETTINGS
from scrubjay.daemon.vault.paths import spellings
from scrubjay.daemon.vault.watcher import Watcher
from scrubjay.profiles.errors import StoreError, UsageError
from scrubjay.profiles.private_files import FileBusy
from scrubjay.profiles.registry.registry import VaultFolder

# Keeps one watcher on the allowed folders of all open profiles.


class VaultWatchers:
    """While entered, changes below allowed folders go to the engine's background work."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._watcher: Watcher | None = None
        self._forget: Callable[[], None] = lambda: None

    def __enter__(self) -> "VaultWatchers":
        self._forget = self._engine.profile_sync.on_sync(self.renew)
        self.renew()
        return self

    def __exit__(self, *_: object) -> None:
        self._forget()
        with self._lock:
            if self._watcher:
                self._watcher.stop()
                self._watcher = None

    def renew(self) -> None:
        """Watch what the profiles now allow."""
        with self._lock:
            if self._watcher:
                self._watcher.stop()
            places = {(Path(vault.root), folder) for _, vault in self._vaults() for folder in _allowed_folders(vault)}

            def spelt(folder: Path) -> set[Path]:
                return {each for root, named in places if named == folder for each in spellings(root, named)}

            folders = sorted({folder for _, folder in places})
            self._watcher = Watcher(folders, self._changed, spellings=spelt, conditions=self._engine.conditions)
            self._watcher.start()

    def _changed(self, paths: frozenset[Path]) -> None:
        for profile_id, vault in self._vaults():
            inside = changed_in(Path(vault.root), paths)
            if inside:
                self._engine.supervisor.paths_changed(profile_id, vault.id, inside)
                self._engine.files.paths_changed(profile_id, vault.id, inside)

    def _vaults(self) -> list[tuple[str, VaultFolder]]:
        return [
            (opened.profile.id, vault)
            for opened in self._engine.open_profiles.open()
            for vault in opened.profile.vaults
        ]


def _allowed_folders(vault: VaultFolder) -> list[Path]:
    """The folders to watch: the allowed ones, there or not, and for an allowed note the folder it lies in."""
    root = Path(vault.root)
    named = [root / path for path in vault.allow]
    return [path.parent if any(each.is_file() for each in spellings(root, path)) else path for path in named]


def changed_in(root: Path, paths: Iterable[Path]) -> frozenset[str]:
    """What changed of the vault at `root`, vault-relative; "" is the whole vault.

    Hidden files and folders hold no notes. Obsidian's settings say which notes are left out, so they concern all.
    """
    found: set[str] = set()
    for path in paths:
        if root.is_relative_to(path):
            found.add("")
        elif path.is_relative_to(root):
            inside = path.relative_to(root).as_posix()
            if inside == SETTINGS or SETTINGS.startswith(f"{inside}/"):  # of a new folder, its files may not be told
                found.add("")
            elif not any(name.startswith(".") for name in inside.split("/")):
                found.add(inside)
    return frozenset(found)


# Between looks; commands tell the daemon of most changes themselves.
_EVERY_SECONDS = 3.0
_SECONDS_AT_REST = 15.0  # when nobody has searched for a while: most of an idle daemon's work is these looks

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


class Following:
    """Takes over what others change: settings, rules and profiles; and forgets in time what `scrub` keeps.

    apply: gets settings that changed.
    """

    def __init__(self, engine: Engine, apply: Callable[[Settings], None]) -> None:
        self._engine = engine
        self._configuration = Configuration(engine, apply)
        self._idle_memory = IdleMemory(engine)

    def look(self) -> None:
        """Take over what changed since the last look. Calls don't overlap."""
        self._configuration.look()
        self._engine.profile_sync.sync(seconds=0)
        with contextlib.suppress(StoreError):  # a profile was closed just now
            self._idle_memory.look()
        with contextlib.suppress(FileBusy, OSError):  # a command is at it, which does this itself
            forget_old(self._engine.home)

    def pause(self) -> float:
        """Seconds to the next look."""
        return _SECONDS_AT_REST if self._idle_memory.is_released else _EVERY_SECONDS


def _stamp_of(file: Path) -> _Stamp:
    try:
        stats = file.stat()
    except OSError:
        return None
    return stats.st_mtime_ns, stats.st_size
