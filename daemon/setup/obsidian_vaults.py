"""The vaults that Obsidian knows, from the list that it keeps for itself (`obsidian.json`)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from scrubjay.daemon.program import Platform

_FILE = "obsidian/obsidian.json"
_MAX_BYTES = 4_000_000


@dataclass(frozen=True, slots=True)
class KnownVault:
    """A vault that Obsidian has opened and that is still there."""

    root: Path
    last_opened: int  # milliseconds since 1970; 0 where Obsidian does not say


class _VaultEntry(msgspec.Struct, frozen=True):
    path: str
    ts: int = 0


class _VaultsFile(msgspec.Struct, frozen=True):
    vaults: dict[str, _VaultEntry] = {}


_DECODER = msgspec.json.Decoder(_VaultsFile)


def obsidian_lists(platform: Platform, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    """Where Obsidian may keep its list for the user whose home this is; on Linux also as a Flatpak and as a Snap."""
    if platform == "darwin":
        return (home / "Library" / "Application Support" / _FILE,)
    if platform == "win32":
        return (Path(environment.get("APPDATA") or home / "AppData" / "Roaming") / _FILE,)
    configuration = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
    return (
        configuration / _FILE,
        home / ".var" / "app" / "md.obsidian.Obsidian" / "config" / _FILE,
        home / "snap" / "obsidian" / "current" / ".config" / _FILE,
    )


def known_vaults(lists: Iterable[Path]) -> tuple[KnownVault, ...]:
    """The vaults in these lists whose folders exist, the one opened last first, each once.

    A list that is missing or can't be read counts as empty: there is then nothing to propose.
    """
    found: dict[Path, KnownVault] = {}
    for entry in (entry for file in lists for entry in _entries(file)):
        root = _folder(entry.path)
        if root is not None and (root not in found or found[root].last_opened < entry.ts):
            found[root] = KnownVault(root, entry.ts)
    return tuple(sorted(found.values(), key=lambda vault: (-vault.last_opened, str(vault.root))))


def _entries(file: Path) -> Iterable[_VaultEntry]:
    try:
        if not file.is_file():  # a pipe would never end
            return ()
        with file.open("rb") as opened:
            return _DECODER.decode(opened.read(_MAX_BYTES)).vaults.values()
    except (OSError, msgspec.MsgspecError, RecursionError):
        return ()


def _folder(path: str) -> Path | None:
    try:
        root = Path(path)
        return root.resolve() if root.is_absolute() and root.is_dir() else None
    except (OSError, ValueError, RuntimeError):  # a NUL in it, a loop of links
        return None
