"""Imports, restores, copies or uninstalls profiles until it is done, or killed.

Usage: python -m tests.faults.profile_worker import|restore|copy|uninstall FOLDER, with $SCRUBJAY_TEST_KEYRING; FOLDER
as `test_kill_profiles` makes it. Prints "ready".
"""

import itertools
import sys
from collections.abc import Callable
from pathlib import Path

import keyring

from scrubjay.daemon.home import Home
from scrubjay.daemon.setup import removal
from scrubjay.profiles.registry import export
from scrubjay.profiles.registry.keys import Custody, OsKeyring
from scrubjay.profiles.registry.registry import Registry
from scrubjay.profiles.registry.work_lock import work_lock
from scrubjay.profiles.store import backup as lifecycle
from tests.helpers.file_keyring import FileKeyring


def import_(folder: Path) -> None:
    """Import the same file under one new name after the other."""
    registry = Registry(Home.below(folder / "home").profiles)
    for number in itertools.count():
        export.unpack(folder / "kept.parcel", None, registry, Custody(registry, OsKeyring()), name=f"copy {number}")


def restore(folder: Path) -> None:
    """Put one of two backups, and then the other, in the place of the profile's database."""
    registry = Registry(Home.below(folder / "home").profiles)
    profile, custody = registry.get("kept"), Custody(registry, OsKeyring())
    for number in itertools.count():
        with work_lock(registry.folder_of(profile)):
            custody.finish_change(profile)
            backup = folder / ("first.bak", "second.bak")[number % 2]
            lifecycle.restore(backup, None, registry.store_path(profile), custody.key(profile))


def copy(folder: Path) -> None:
    """Back the profile up and export it, under one new name after the other."""
    registry = Registry(Home.below(folder / "home").profiles)
    profile = registry.get("kept")
    path, copies = registry.store_path(profile), folder / "copies"
    first = len(list(copies.iterdir()))
    for number in itertools.count(first):
        lifecycle.backup(path, None, copies / f"{number}.db")
        export.pack(profile, path, None, copies / f"{number}.parcel", None)


def uninstall(folder: Path) -> None:
    """Take away the plugin, the keys, the indexes and the folders: what `scrubjay uninstall --purge` does to files."""
    home = Home.below(folder / "home")
    for plugin in removal.installed_plugins([folder / "vault"]):
        removal.remove_plugin(plugin)
    removal.remove_keys_and_indexes(home)
    removal.remove_folders(home)


COMMANDS: dict[str, Callable[[Path], None]] = {
    "import": import_,
    "restore": restore,
    "copy": copy,
    "uninstall": uninstall,
}


def main() -> None:
    keyring.set_keyring(FileKeyring())  # pyright: ignore[reportUnknownMemberType]
    print("ready", flush=True)
    COMMANDS[sys.argv[1]](Path(sys.argv[2]))


if __name__ == "__main__":
    main()
