"""Which vault a client means that says what it is for."""

import os
from pathlib import PurePath

from scrubjay.profiles.registry.registry import VaultFolder


def means_folder(said: str, folder: VaultFolder) -> bool:
    """Whether `said`, an absolute path or else a name, is this vault. A path may lead to it by links."""
    wanted = PurePath(said)
    if not wanted.is_absolute():
        return said == folder.name
    root = PurePath(folder.root)
    # On Windows, looking at a path may mean logging in to whichever machine it names.
    return wanted == root or (os.name == "posix" and PurePath(os.path.realpath(said)) == root)
