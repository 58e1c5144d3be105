"""Backing up, restoring, exporting and importing a database, and setting a damaged one aside."""

import os
import shutil
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from scrubjay.profiles.database import encryption
from scrubjay.profiles.database.connection import connect, translated
from scrubjay.profiles.database.migrations import foreign_objects, refuse_unknown
from scrubjay.profiles.errors import StoreCorrupt, StoreError, StoreForeign, StoreLocked, StoreTooNew
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.rescue import Rescued, rescue

OWNER = "profile"  # the meta value that tells of which profile a database is
BEFORE_RESTORE = "before-restore"
_INCOMING = ".incoming"
_NAMED = 3  # foreign objects in a sentence


def backup(path: Path, key: bytes | None, target: Path) -> None:
    """Write a complete, compact copy of a database that may be in use. An encrypted one stays so, with its key.

    Raises StoreError when `target` is there already or can't be written, StoreLocked for a wrong key.
    """
    with written_whole(target) as part, closing(connect(path, key, "reader")) as connection, translated(target):
        connection.execute("VACUUM INTO ?", (str(part),)).fetchall()


@contextmanager
def written_whole(target: Path) -> Generator[Path]:
    """An empty file beside `target`, readable by its owner alone, that gets that name when the block has written it.

    A process that is killed leaves nothing under the name, and the next that writes to it clears up. Raises StoreError
    where there is a file of that name, or can be none.
    """
    if target.exists():
        raise StoreError(f"{target} is there already. Choose a name that is free.")
    part = target.with_name(f".{target.name}.part")
    try:
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)
        yield part
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.rename(target)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise StoreError(f"{target} can't be written: {error.strerror}. Choose another place.") from error
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def export(path: Path, key: bytes | None, target: Path, *, export_key: bytes | None) -> None:
    """A `backup` under a key of its own, or (None) readable by anyone who has the file. Errors as `backup`."""
    backup(path, key, target)
    try:
        if key != export_key:
            encryption.change_key(target, key, export_key)
    except BaseException:
        encryption.destroy(target)
        raise


def owner_of(source: Path, key: bytes | None) -> str:
    """The id of the profile that a database says it is of; "" where it does not say, as older Scrubjays
    wrote it. Raises StoreLocked, StoreCorrupt, StoreTooNew, StoreForeign; all name `source`.
    """
    with _naming(source):
        connection = connect(source, key, "reader")
        try:
            refuse_unknown(connection, allow_empty=False)
            return str(connection.execute("SELECT value FROM meta WHERE name = ?", (OWNER,)).get or "")
        finally:
            connection.close()


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore did beside putting the copy in its place."""

    aside: Path | None  # where what was there is now; None: nothing was there
    kept: Rescued  # what people said and decided since the copy was made


def restore(
    source: Path, source_key: bytes | None, path: Path, key: bytes | None, *, keep_newer: bool = False
) -> Restored:
    """Put an exported or backed-up database in the place of `path` (or where there is none), under the key `key`.

    Close the store first. The file is checked before anything changes; what was there is set aside, whole. A kill
    leaves the one or the other in its place. keep_newer: what people said and decided in the present database is in
    the restored one, too. Raises StoreLocked for a wrong source key, StoreCorrupt, StoreForeign or StoreTooNew for a
    file that can't be used, StoreBusy. These name `source`.
    """
    incoming = path.with_name(path.name + _INCOMING)
    forget_incoming(path)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with _naming(source):
            _take_in(source, incoming, source_key)
        if key != source_key:
            encryption.change_key(incoming, source_key, key)
        kept = Rescued({}, {})
        if keep_newer and path.exists():
            with closing(FileStore.open(incoming, key=key)) as store:
                kept = rescue(path, key, store)
        encryption.while_closed(incoming, key, lambda: None)  # folds its log into it
        aside = _copy_aside(path, key) if path.exists() else None
        # A log of the old database must not be taken for the new one's.
        for suffix in ("-wal", "-shm", "-journal"):
            encryption.shred(path.with_name(path.name + suffix))
        incoming.replace(path)
        encryption.sync_folder(path.parent)
    except BaseException:
        encryption.destroy(incoming)
        raise
    return Restored(aside, kept)


def _copy_aside(path: Path, key: bytes | None) -> Path:
    """Give the database at `path` a second name that says when it was; its log is in it, or beside it."""
    aside = _free(path, BEFORE_RESTORE)
    try:
        encryption.while_closed(path, key, lambda: None)
    except StoreError:  # it is damaged: its log goes with it as it is
        for suffix in ("-wal", "-journal"):
            log = path.with_name(path.name + suffix)
            if log.exists():
                shutil.copyfile(log, aside.with_name(aside.name + suffix))
    try:
        aside.hardlink_to(path)
    except OSError:  # a file system without hard links
        aside.touch(mode=0o600)
        shutil.copyfile(path, aside)
    return aside


def forget_incoming(path: Path) -> None:
    """Overwrite and delete what a restore that was broken off has left; it may be under no key. Take the work lock."""
    encryption.destroy(path.with_name(path.name + _INCOMING))


def forget_aside(path: Path) -> None:
    """Overwrite and delete what restores have set aside beside a database: it is under no key, or under an old one."""
    for aside in path.parent.glob(f"{path.name}.{BEFORE_RESTORE}-*"):
        encryption.shred(aside)


def _take_in(source: Path, incoming: Path, key: bytes | None) -> None:
    incoming.touch(mode=0o600)
    shutil.copyfile(source, incoming)
    connection = connect(incoming, key, "writer")
    try:
        refuse_unknown(connection, allow_empty=False)
        if foreign := foreign_objects(connection):
            raise StoreForeign(f"its {', '.join(foreign[:_NAMED])} is not as Scrubjay makes it.", incoming)
    finally:
        connection.close()
    encryption.verify(incoming, key)


@contextmanager
def _naming(source: Path) -> Generator[None]:
    """Name the file that was given in an error about its working copy, and say what to do about it."""
    try:
        yield
    except StoreLocked:
        about = f"{source} does not open with the key of this profile: it is of a time with another key, or no backup."
        raise StoreLocked(about, source) from None
    except StoreTooNew:
        about = f"{source} was written by a newer Scrubjay. Update Scrubjay, then restore it."
        raise StoreTooNew(about, source) from None
    except StoreForeign as error:
        raise StoreForeign(f"{source} was not written by Scrubjay alone: {error} Use another one.", source) from None
    except StoreCorrupt:
        raise StoreCorrupt(f"{source} is no backup of Scrubjay, or not all of it. Use another one.", source) from None
    except OSError as error:
        raise StoreError(f"{source} can't be copied: {error.strerror}.", source) from error


def set_aside(path: Path) -> Path:
    """Move a damaged database and its log away under a name that says so; where it went. Close its store first."""
    aside = _free(path, "damaged")
    for suffix in ("-wal", "-shm", "-journal"):
        log = path.with_name(path.name + suffix)
        if log.exists():
            log.replace(aside.with_name(aside.name + suffix))
    path.replace(aside)
    return aside


def _free(path: Path, why: str) -> Path:
    number = 1
    while (name := path.with_name(f"{path.name}.{why}-{number}")).exists():
        number += 1
    return name
