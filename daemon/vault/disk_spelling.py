"""How the disk spells folders: it may have them decomposed (Unicode NFD), or not tell capitals from small letters."""

import contextlib
import os
import sys
from pathlib import Path

from scrubjay.profiles.names import nfc

_FOLDS_CASE_MOSTLY = sys.platform in {"darwin", "win32"}


def folds_case(root: Path) -> bool:
    """Whether the disk that a vault is on takes "Notes" and "notes" for one name; as is usual here if it can't be told.

    That is the drive's, not the system's: a memory stick (FAT, exFAT) does it on Linux, too, and a Mac's disk may not.
    """
    try:
        with os.scandir(str(root)) as entries:
            name = next((entry.name for entry in entries if entry.name.swapcase() != entry.name), None)
        if name is None:
            return _FOLDS_CASE_MOSTLY
        other = name.swapcase()
        os.stat(f"{root}/{other}", follow_symlinks=False)  # noqa: PTH116  (raises; `Path.exists` hides why)
        with os.scandir(str(root)) as entries:  # not by their numbers, which some drives make up for each spelling
            return all(entry.name != other for entry in entries)
    except FileNotFoundError:
        return False if root.is_dir() else _FOLDS_CASE_MOSTLY
    except OSError:
        return _FOLDS_CASE_MOSTLY


def spellings(root: Path, folder: Path) -> tuple[Path, ...]:
    """All that `folder`, which is `root` or lies below it, is called on disk; as it is given when it is not there.

    More than one where names differ in their Unicode form alone. Only folders that hold a name with other letters than
    ASCII's are listed.
    """
    ways = [root]
    for name in folder.relative_to(root).parts:
        ways = [way / spelt for way in ways for spelt in _spelt(way, name)]
    return tuple(ways) or (folder,)


def _spelt(folder: Path, name: str) -> list[str]:
    if name.isascii():
        return [name]
    with contextlib.suppress(OSError), os.scandir(str(folder)) as entries:
        return sorted(entry.name for entry in entries if nfc(entry.name) == nfc(name))
    return []
