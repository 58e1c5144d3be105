"""What the systems make of a file's name: Windows reads devices and ends of names into it, unless it is told not to."""

import ntpath
import re

from scrubjay.daemon.program import Platform

_PREFIX, _SHARE = "\\\\?\\", "\\\\?\\UNC\\"

# https://learn.microsoft.com/windows/win32/fileio/naming-a-file
_DEVICE = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[1-9¹²³]) *(\.|$)", re.IGNORECASE)
_FORBIDDEN = re.compile(r'[<>:"\\|?*\x00-\x1f]')
_LONGEST_NAME = 255  # bytes on Linux and on APFS, UTF-16 units on NTFS


def literal(path: str, platform: Platform) -> str:
    r"""An absolute path as the system takes it to the letter.

    On Windows that is the form that begins with `\\?\`. Without it a path of more than 260 characters is none, `aux.md`
    is a device, reading which may never end, and `Notes.` is `Notes`. Elsewhere every path is literal.
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
