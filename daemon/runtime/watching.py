"""Keeps one watcher on the allowed folders of all open profiles."""

import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from scrubjay.daemon.runtime.engine import Engine
from scrubjay.daemon.vault.ignore_filters import SETTINGS
from scrubjay.daemon.vault.watch import Watcher
from scrubjay.profiles.registry.registry import VaultFolder


class VaultWatchers:
    """While entered, changes below allowed folders go to the engine's background work."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._watcher: Watcher | None = None
        self._forget: Callable[[], None] = lambda: None

    def __enter__(self) -> "VaultWatchers":
        self._forget = self._engine.on_sync(self.renew)
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
            folders = {folder for _, vault in self._vaults() for folder in _allowed_folders(vault)}
            self._watcher = Watcher(sorted(folders), self._changed, conditions=self._engine.conditions)
            self._watcher.start()

    def _changed(self, paths: frozenset[Path]) -> None:
        for profile_id, vault in self._vaults():
            inside = changed_in(Path(vault.root), paths)
            if inside:
                self._engine.supervisor.paths_changed(profile_id, vault.id, inside)

    def _vaults(self) -> list[tuple[str, VaultFolder]]:
        return [(opened.profile.id, vault) for opened in self._engine.profiles() for vault in opened.profile.vaults]


def _allowed_folders(vault: VaultFolder) -> list[Path]:
    """The folders to watch: the allowed ones, there or not, and for an allowed note the folder it lies in."""
    named = [Path(vault.root) / path for path in vault.allow]
    return [path.parent if path.is_file() else path for path in named]


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
