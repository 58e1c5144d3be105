"""How the disk spells folders that are named in composed letters (Unicode NFC): it may have them decomposed."""

import contextlib
import os
from pathlib import Path

from scrubjay.profiles.names import nfc


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
