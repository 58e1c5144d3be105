"""Finds everything that Scrubjay put on this machine, to list it and to remove it.

Only what Scrubjay itself makes is removed: other files in its folders stay, and are listed.
"""

import contextlib
import json
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrubjay.daemon.answers.model_server import forget_key
from scrubjay.daemon.home import Home
from scrubjay.daemon.server.access.client_registry import ClientRegistry, ClientsUnreadable
from scrubjay.daemon.server.access.own_token import KeyringTokenStore
from scrubjay.daemon.settings import load_settings
from scrubjay.profiles.errors import ProfileError, StoreLocked, UsageError
from scrubjay.profiles.os_keyring import KeyringFails
from scrubjay.profiles.private_files import remove_empty_folders, replace_theirs
from scrubjay.profiles.registry.keys import Custody, OsKeyring, protection_of
from scrubjay.profiles.registry.registry import Profile, Registry
from scrubjay.profiles.registry.work_lock import work_lock
from scrubjay.profiles.store.encryption import shred

PLUGIN_ID = "scrubjay"

_OURS = {  # what the folders of a home hold; patterns, since some names carry an id
    "config": ("settings.toml", "rules.toml", "scrubjay-task.xml"),
    "data": (
        "profiles",
        "profiles.lock",
        "clients.json*",
        "clients-seen.json*",
        "installation.key*",
        "made.json*",
        "machine.id*",
        "evaluations",
        "scrub",
    ),
    "state": (
        "daemon.json",
        "daemon.lock",
        "stop",
        "pairing.key*",
        "session.key*",
        "sessions.json",
        "open",
        "token*",
        "agent-*.token",
        "logs",
    ),
    "cache": (
        "*--*",
        ".locks",
        "fast-*",
        "tmp",
        "CACHEDIR.TAG",
    ),  # models: what fastembed leaves, our notes beside it
}
_SECRET = ("data", "state")  # folders whose files are overwritten before they are deleted


@dataclass(frozen=True, slots=True)
class Remains:
    """What could not be removed, and why; each a sentence for the user."""

    sentences: tuple[str, ...]


def profiles_of(home: Home) -> tuple[Profile, ...]:
    """The profiles whose settings can be read: leaving must be possible beside others, too."""
    return Registry(home.profiles).list()


def installed_plugins(vaults: Iterable[Path]) -> tuple[Path, ...]:
    """The folders of our plugin in these vaults."""
    folders = (vault / ".obsidian" / "plugins" / PLUGIN_ID for vault in dict.fromkeys(vaults))
    return tuple(folder for folder in folders if (folder / "manifest.json").is_file() and not folder.is_symlink())


def remove_plugin(folder: Path) -> None:
    """Delete the plugin from a vault and from its list of plugins that are switched on. Raises OSError."""
    enabled = folder.parent.parent / "community-plugins.json"
    with contextlib.suppress(FileNotFoundError, ValueError):  # ValueError: not JSON, so not ours to repair
        listed: Any = json.loads(enabled.read_text(encoding="utf-8"))
        if isinstance(listed, list) and PLUGIN_ID in listed:
            kept: list[Any] = [name for name in listed if name != PLUGIN_ID]  # pyright: ignore[reportUnknownVariableType]
            replace_theirs(enabled, json.dumps(kept, indent=2).encode())
    for path in folder.iterdir():
        if path.name != "manifest.json":
            _delete(path, overwrite=False)
    shutil.rmtree(folder)  # with the manifest, by which it is found again where this is broken off
    remove_empty_folders(folder.parent, folder.parent.parent)


def remove_keys_and_indexes(home: Home) -> Remains:
    """Overwrite and delete every profile's database, and forget its key, every token and any API key in the keyring.

    Stop the daemon first.
    """
    said = _forget_tokens(home)
    with contextlib.suppress(UsageError):  # settings that can't be read name no server
        forget_key(load_settings(home.settings).llm)
    registry = Registry(home.profiles)
    custody = Custody(registry, OsKeyring())
    for profile in profiles_of(home):
        if protection_of(profile) == "keyring" and not _keyring_answers(profile):
            said.append(f"The keyring can't be reached: the key of profile {profile.name} is still in it, unused.")
        try:
            with work_lock(registry.folder_of(profile)):
                custody.remove(profile)
        except (ProfileError, OSError) as error:
            said.append(f"Profile {profile.name} was not removed: {error}")
    for unreadable in registry.survey().unreadable:
        said.append(f"The keyring may still hold the key of profile {unreadable.name}: its settings can't be read.")
    return Remains(tuple(said))


def folders_of(home: Home) -> tuple[Path, ...]:
    """Those of the home's folders that are there."""
    return tuple(folder for folder in dict.fromkeys(_folders(home).values()) if folder.is_dir())


def backups_of(home: Home) -> tuple[Path, ...]:
    """The backups that the user made where Scrubjay keeps them."""
    return tuple(sorted(home.backups.glob("*.db")))


def remove_backups(home: Home) -> None:
    """Overwrite and delete these backups, and their folder unless it holds something else."""
    for backup in backups_of(home):
        shred(backup)
    with contextlib.suppress(OSError):  # it holds something else, or is not there
        home.backups.rmdir()


def remove_folders(home: Home) -> Remains:
    """Delete what Scrubjay keeps in its folders, then each folder that this leaves empty. Backups stay."""
    for kind, folder in _folders(home).items():
        for pattern in _OURS[kind]:
            for found in sorted(folder.glob(pattern)):
                _delete(found, overwrite=kind in _SECRET)
    said: list[str] = []
    for folder in folders_of(home):
        left = sorted(path.name for path in folder.iterdir())
        foreign = [name for name in left if folder / name != home.backups or not backups_of(home)]
        if foreign:
            said.append(f"{folder} stays, because it holds what Scrubjay did not make: {', '.join(foreign)}")
        elif not left:
            folder.rmdir()
    parents = {folder.parent for folder in _folders(home).values()}
    if len(parents) == 1 and len(set(_folders(home).values())) > 1:  # $SCRUBJAY_HOME: that folder was made for us
        with contextlib.suppress(OSError):  # it holds other things too
            parents.pop().rmdir()
    return Remains(tuple(said))


def _folders(home: Home) -> dict[str, Path]:
    return {"config": home.config, "data": home.data, "state": home.state, "cache": home.cache}


def _delete(path: Path, *, overwrite: bool) -> None:
    if path.is_symlink() or not path.is_dir():
        if overwrite and path.is_file() and not path.is_symlink():
            shred(path)
        path.unlink(missing_ok=True)
        return
    if overwrite:
        for file in path.rglob("*"):
            if file.is_file() and not file.is_symlink():
                shred(file)
    shutil.rmtree(path)


def _forget_tokens(home: Home) -> list[str]:
    if not home.clients.exists():
        return []
    try:
        with contextlib.closing(ClientRegistry(home.clients)) as clients:
            known = [client.id for client in clients.list()]
    except ClientsUnreadable:
        return ["The list of clients is damaged: their tokens, which open nothing any more, may still be kept."]
    for client_id in known:
        with contextlib.suppress(KeyringFails):  # no keyring here: the token is in a file below `state`
            KeyringTokenStore().drop(client_id)
    return []


def _keyring_answers(profile: Profile) -> bool:
    try:
        OsKeyring().get(profile.key_id or profile.id)
    except StoreLocked:
        return False
    return True
