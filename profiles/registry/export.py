"""A whole profile in one file, to be taken elsewhere: a zip of the database and of what opens it.

The profile's settings travel inside the database, so an encrypted parcel tells nothing but that it is one.
"""

import re
import shutil
import zipfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from scrubjay.profiles.errors import StoreError, WrongPassphrase
from scrubjay.profiles.registry.keys import Custody, derive_key, new_passphrase_settings
from scrubjay.profiles.registry.registry import (
    NOT_ATTACHED,
    PassphraseSettings,
    Profile,
    Registry,
    VaultFolder,
    profile_of,
)
from scrubjay.profiles.registry.work_lock import work_lock
from scrubjay.profiles.store import backup, encryption, reads
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.review_answers import take_back_accepted

_MANIFEST = "scrubjay.json"
_DATABASE = "index.sqlite3"
INSTALLATION = "installation"  # the meta value that tells by which installation's key digests are made: that of no text
_SETTINGS = "exported-profile"  # the meta value that holds them
_FORMAT = 1
_MODEL = re.compile(r"bundled|[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")
_MOST_MANIFEST_BYTES = 10_000
_BLOCK = 1 << 20


class _Manifest(msgspec.Struct, frozen=True):
    format: int
    passphrase: PassphraseSettings | None = None  # None: the database is readable by anyone who has the file


def pack(profile: Profile, path: Path, key: bytes | None, target: Path, passphrase: str | None) -> None:
    """Write a profile to `target`, encrypted under a passphrase, or (None) readable by anyone who has the file.

    The database may be in use. Raises StoreError when `target` is there already or can't be written, StoreLocked.
    """
    if target.exists():
        raise StoreError(f"{target} is there already. Choose a name that is free.")
    if not target.parent.is_dir():
        raise StoreError(f"{target.parent} is not a folder. Choose another place.")
    settings = None if passphrase is None else new_passphrase_settings()
    parcel_key = derive_key(passphrase, settings) if passphrase is not None and settings is not None else None
    copy = path.with_name(f"{path.name}.export")
    encryption.destroy(copy)
    try:
        backup.backup(path, key, copy)
        with closing(FileStore.open(copy, key=key)) as store:
            store.set_meta(_SETTINGS, msgspec.json.encode(_portable(profile)).decode())
            store.set_meta(INSTALLATION, "")  # where it is imported, what is unchanged is not indexed again
        if key != parcel_key:
            encryption.change_key(copy, key, parcel_key)
        packing = zipfile.ZIP_STORED if parcel_key else zipfile.ZIP_DEFLATED
        with backup.written_whole(target) as part, zipfile.ZipFile(part, "w", packing) as parcel:
            parcel.writestr(_MANIFEST, msgspec.json.encode(_Manifest(_FORMAT, settings)))
            parcel.write(copy, _DATABASE)
    finally:
        encryption.destroy(copy)


def needs_passphrase(source: Path) -> bool:
    """Whether a parcel is encrypted. Raises StoreError for a file that is none."""
    return _manifest(source).passphrase is not None


@dataclass(frozen=True, slots=True)
class Imported:
    """A profile that was made of a parcel, and the settings that it had where it was exported."""

    profile: Profile
    there: Profile  # nothing of it is to be believed; for telling the user what was not taken over


def unpack(
    source: Path, passphrase: str | None, registry: Registry, custody: Custody, *, name: str | None = None
) -> Imported:
    """Make a new profile of a parcel; one that came encrypted stays so, under the same passphrase.

    The file brings an index, never a permission: no folder is read, no text let stand, no server asked, no search over
    all profiles joined, and no accepted proposal written because of what it says.
    name: instead of the one that it had. Raises StoreError for a file that is no parcel, StoreLocked for a wrong
    passphrase, StoreForeign, StoreTooNew, ProfileExists.
    """
    manifest = _manifest(source)
    settings = manifest.passphrase
    key = None if settings is None or passphrase is None else derive_key(passphrase, settings)
    folder = registry.folder / ".incoming"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with work_lock(folder):
        database, coming = folder / _DATABASE, folder / "profile"
        _clear(database, coming)
        try:
            _extract(source, database)
            if key is not None and not encryption.opens(database, key):
                raise WrongPassphrase(f"That is not the passphrase of {source}.")
            exported = _settings(database, key, source)
            allowed = _without_permissions(exported, registry.folder)
            allowed = msgspec.structs.replace(allowed, name=name or exported.name, passphrase=settings)
            new_id = registry.new(allowed.name).id
            made = msgspec.structs.replace(allowed, id=new_id, encrypted=key is not None)
            with closing(FileStore.open(database, key=key)) as store:
                take_back_accepted(store)
            backup.restore(database, key, coming / _DATABASE, key)
            registry.add(made, coming)
            return Imported(custody.unlock(made, passphrase), exported)
        finally:
            _clear(database, coming)


def _clear(database: Path, coming: Path) -> None:
    """Overwrite and remove what an import is made of, as one that was broken off leaves it."""
    for each in (database, coming / _DATABASE):
        backup.forget_incoming(each)
        encryption.destroy(each)
    shutil.rmtree(coming, ignore_errors=True)


def _without_permissions(exported: Profile, folder: Path) -> Profile:
    """The settings with nothing in them that lets Scrubjay read, show or ask anything.

    A vault keeps its id, by which its notes are known. It lies in a folder that is never made, as on a drive that is
    away, so that its notes stay in the index; `is_attached` tells.
    """
    vaults = tuple(
        VaultFolder(
            id=vault.id,
            root=str(folder.resolve() / NOT_ATTACHED / vault.id),
            name=vault.name,
            allow=(".",),
            exclude=vault.exclude,
            inbox=vault.inbox,
        )
        for vault in exported.vaults
    )
    return msgspec.structs.replace(
        exported,
        vaults=vaults,
        federate=False,
        filter_allow=(),
        filter_digests=(),
        server="",
        team_number=0,
        locked=False,
        key_id="",
        model=exported.model if _MODEL.fullmatch(exported.model) else "bundled",
    )


def _portable(profile: Profile) -> Profile:
    return msgspec.structs.replace(profile, encrypted=False, passphrase=None, key_id="", locked=False)


def _settings(database: Path, key: bytes | None, source: Path) -> Profile:
    with closing(FileStore.open(database, key=key)) as store:
        try:
            return profile_of(msgspec.json.decode(store.read(reads.meta, _SETTINGS) or "", type=dict[str, Any]))
        except msgspec.MsgspecError:
            raise _no_parcel(source) from None


def _manifest(source: Path) -> _Manifest:
    if not source.exists():
        raise StoreError(f"{source} is not there.")
    try:
        with zipfile.ZipFile(source) as parcel:
            if parcel.getinfo(_MANIFEST).file_size > _MOST_MANIFEST_BYTES:
                raise _no_parcel(source)
            manifest = msgspec.json.decode(parcel.read(_MANIFEST), type=_Manifest)
    except (OSError, zipfile.BadZipFile, KeyError, msgspec.MsgspecError):
        raise _no_parcel(source) from None
    if manifest.format != _FORMAT:
        raise StoreError(f"{source} was exported by a newer Scrubjay. Update Scrubjay to import it.")
    return manifest


def _extract(source: Path, database: Path) -> None:
    database.touch(mode=0o600)
    try:
        with zipfile.ZipFile(source) as parcel, parcel.open(_DATABASE) as packed, database.open("wb") as file:
            while block := packed.read(_BLOCK):
                file.write(block)
    except (OSError, zipfile.BadZipFile, KeyError):
        raise _no_parcel(source) from None


def _no_parcel(source: Path) -> StoreError:
    return StoreError(f"{source} is not an export of Scrubjay, or not all of it. Export it again.")
