"""What systems make of a file's name: devices, ends of names, decomposed spellings, case."""

import contextlib
import ntpath
import os
import re
import sys
from pathlib import Path

from scrubjay.daemon.program import Platform
from scrubjay.profiles.names import nfc

_PREFIX, _SHARE = "\\\\?\\", "\\\\?\\UNC\\"
# https://learn.microsoft.com/windows/win32/fileio/naming-a-file
_DEVICE = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[1-9¹²³]) *(\.|$)", re.IGNORECASE)
_FORBIDDEN = re.compile(r'[<>:"\\|?*\x00-\x1f]')
_LONGEST_NAME = 255  # bytes on Linux and on APFS, UTF-16 units on NTFS


def literal(path: str, platform: Platform) -> str:
    r"""An absolute path as the system takes it to the letter.

    On Windows that is the form that begins with `\\?\`. Without it a path of more than 260 characters is none, `aux.md`
    is a device, reading which may never end, and `notes.` is `notes`. Elsewhere every path is literal.
    """
    if platform != "win32" or path.startswith((_PREFIX, "\\\\.\\")) or not ntpath.isabs(path):
        return path
    plain = ntpath.normpath(path)
    return f"{_SHARE}{plain[2:]}" if plain.startswith("\\\\") else f"{_PREFIX}{plain}"


def why_no_file(path: str, platform: Platform) -> str:
    """Why no file should be given this vault-relative path on a system, as a sentence; "" where it can have it.

    What Windows can only keep by its literal path is refused there: Explorer and Obsidian could not open it.
    """
    return next((why for name in path.split("/") if (why := _why_not(name, platform))), "")


def _why_not(name: str, platform: Platform) -> str:
    units = len(name.encode("utf-16-le", "surrogatepass")) // 2 if platform == "win32" else len(name.encode())
    if units > _LONGEST_NAME:
        return f"{name[:20]}… is too long a name; shorten it."
    if platform != "win32":
        return ""
    if _DEVICE.match(name):
        return f"{name} is the name of a device on Windows; choose another."
    if name.endswith((".", " ")):
        return f"{name!r} ends in a dot or a blank, which Windows takes off; choose another name."
    if found := _FORBIDDEN.search(name):
        return f"{name} has a {found[0]!r} in it, which Windows does not allow; choose another name."
    return ""


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
