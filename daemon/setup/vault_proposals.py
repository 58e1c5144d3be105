"""What a vault itself says about which of it should be read: its folders, and the settings of other plugins in it."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from scrubjay.daemon.setup.other_plugins import SOURCES, FolderPreference, PreferenceKind
from scrubjay.daemon.vault.read import is_note
from scrubjay.profiles.errors import InvalidProfile
from scrubjay.profiles.registry.registry import relative_path

_MAX_BYTES = 4_000_000
_MAX_ENTRIES = 100_000  # files and folders looked at for the count of notes; a vault's owner waits for it


@dataclass(frozen=True, slots=True)
class TopFolder:
    """A folder at the top, how many notes lie in and below it, and whether there are folders in it."""

    name: str
    notes: int
    has_folders: bool


@dataclass(frozen=True, slots=True)
class Overview:
    """The top of a vault, or of a folder in it. `complete` is False where not every note was counted: too many."""

    folders: tuple[TopFolder, ...]
    loose_notes: int  # in no folder
    complete: bool


@dataclass(frozen=True, slots=True)
class Proposals:
    """Entries of other plugins that name a folder or note of this vault, and those that can't be taken over."""

    taken: tuple[FolderPreference, ...]
    left: tuple[FolderPreference, ...]

    def paths(self, *preferences: PreferenceKind) -> tuple[str, ...]:
        """The paths that are wished so, each once."""
        return tuple(dict.fromkeys(preferred.path for preferred in self.taken if preferred.kind in preferences))

    def sources(self, *preferences: PreferenceKind) -> str:
        """The plugins that wish so, in words."""
        return " and ".join(dict.fromkeys(preferred.by for preferred in self.taken if preferred.kind in preferences))


def overview(vault: Path) -> Overview:
    """The folders in a vault or a folder of it, hidden ones aside, by name. Links are not followed. Raises OSError."""
    budget = _Budget(_MAX_ENTRIES)
    folders: list[TopFolder] = []
    loose = 0
    for entry in budget.entries(vault):
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            folders.append(_looked_into(Path(entry.path), budget))
        elif is_note(entry.name):
            loose += 1
    return Overview(tuple(sorted(folders, key=lambda folder: folder.name.casefold())), loose, budget.left > 0)


def proposals(vault: Path) -> Proposals:
    """What the other plugins in this vault leave out or take in. Settings that can't be read propose nothing."""
    taken: list[FolderPreference] = []
    left: list[FolderPreference] = []
    for preferred in (preferred for place in SOURCES for preferred in _preferences_in(vault, place)):
        path = _path_in(vault, preferred.path)
        if path is None:
            left.append(preferred)
        else:
            taken.append(FolderPreference(preferred.by, preferred.kind, path))
    return Proposals(tuple(dict.fromkeys(taken)), tuple(dict.fromkeys(left)))


class _Budget:
    """How many more entries may be looked at."""

    def __init__(self, entries: int) -> None:
        self.left = entries

    def entries(self, folder: Path) -> Iterator["os.DirEntry[str]"]:
        with os.scandir(folder) as scan:
            for entry in scan:
                self.left -= 1
                if self.left <= 0:
                    return
                yield entry


def _looked_into(folder: Path, budget: _Budget) -> TopFolder:
    notes, waiting, has_folders = 0, [folder], False
    while waiting:
        try:
            for entry in budget.entries(waiting.pop()):
                if entry.is_dir(follow_symlinks=False):
                    if not entry.name.startswith("."):
                        waiting.append(Path(entry.path))
                        has_folders = True
                else:
                    notes += is_note(entry.name)
        except OSError:  # a folder that may not be read holds nothing for us
            continue
    return TopFolder(folder.name, notes, has_folders)


def _preferences_in(vault: Path, place: str) -> tuple[FolderPreference, ...]:
    file = vault / place
    try:
        if not file.is_file():
            return ()
        with file.open("rb") as opened:
            return SOURCES[place](opened.read(_MAX_BYTES).removeprefix(b"\xef\xbb\xbf"))
    except (OSError, msgspec.MsgspecError, RecursionError):
        return ()


def _path_in(vault: Path, entry: str) -> str | None:
    """The entry as a path of this vault; None for a pattern, and for what is not there."""
    try:
        path = relative_path(entry.removeprefix("./").rstrip("/"))
        return path if path != "." and (vault / path).exists() else None
    except (InvalidProfile, OSError, ValueError):
        return None
