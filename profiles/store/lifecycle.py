"""Backing up, restoring, exporting and importing a database, and setting a damaged one aside."""

import shutil
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw

from scrubjay.profiles.database import encryption
from scrubjay.profiles.database.connection import connect, translated
from scrubjay.profiles.database.migrations import refuse_unknown
from scrubjay.profiles.database.sql import Row
from scrubjay.profiles.errors import StoreCorrupt, StoreError, StoreLocked, StoreTooNew
from scrubjay.profiles.store.store import Store

_INCOMING = ".incoming"


def backup(path: Path, key: bytes | None, target: Path) -> None:
    """Write a complete, compact copy of a database that may be in use. An encrypted one stays so, with its key.

    Raises StoreError when `target` is there already or can't be written, StoreLocked for a wrong key.
    """
    if target.exists():
        raise StoreError(f"{target} is there already. Choose a name that is free.")
    connection = connect(path, key, "reader")
    try:
        make_file(target)
        with translated(target):
            connection.execute("VACUUM INTO ?", (str(target),)).fetchall()
    except BaseException:
        target.unlink(missing_ok=True)
        raise
    finally:
        connection.close()


def make_file(target: Path) -> None:
    """An empty file that its owner alone can read. Raises StoreError where there can be none."""
    try:
        target.touch(mode=0o600)
    except OSError as error:
        raise StoreError(f"{target} can't be written: {error.strerror}. Choose another place.") from error


def export(path: Path, key: bytes | None, target: Path, *, export_key: bytes | None) -> None:
    """A `backup` under a key of its own, or (None) readable by anyone who has the file. Errors as `backup`."""
    backup(path, key, target)
    try:
        if key != export_key:
            encryption.change_key(target, key, export_key)
    except BaseException:
        encryption.destroy(target)
        raise


def restore(source: Path, source_key: bytes | None, path: Path, key: bytes | None) -> None:
    """Put an exported or backed-up database in the place of `path` (or where there is none), under the key `key`.

    Close the store first. The file is checked before anything changes; what was there is overwritten. Raises
    StoreLocked for a wrong source key, StoreCorrupt or StoreTooNew for a file that can't be used, StoreBusy. These name
    `source`.
    """
    incoming = path.with_name(path.name + _INCOMING)
    encryption.shred(incoming)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with _naming(source):
            _take_in(source, incoming, source_key)
        if key != source_key:
            encryption.change_key(incoming, source_key, key)
        # A log of the old database must not be taken for the new one's.
        for suffix in ("-wal", "-shm", "-journal"):
            encryption.shred(path.with_name(path.name + suffix))
        encryption.replace(path, incoming)
    except BaseException:
        encryption.destroy(incoming)
        raise


def _take_in(source: Path, incoming: Path, key: bytes | None) -> None:
    incoming.touch(mode=0o600)
    shutil.copyfile(source, incoming)
    connection = connect(incoming, key, "writer")
    try:
        refuse_unknown(connection, allow_empty=False)
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
    except StoreCorrupt:
        raise StoreCorrupt(f"{source} is no backup of Scrubjay, or not all of it. Use another one.", source) from None
    except OSError as error:
        raise StoreError(f"{source} can't be copied: {error.strerror}.", source) from error


def recover_journal(damaged: Path, key: bytes | None, store: Store) -> int:
    """Copy the journal, which no vault can restore, from a damaged database, as far as it can be read.

    Returns the number of entries copied; 0 from a file that can't be opened.
    """
    entries: list[Row] = []
    try:
        connection = connect(damaged, key, "reader")
    except StoreError:
        return 0
    try:
        columns = [str(row[1]) for row in connection.execute("PRAGMA table_info(journal)")]
        named = ", ".join(columns)
        with suppress(apsw.Error):  # the rows before the damage
            entries.extend(connection.execute(f"SELECT {named} FROM journal ORDER BY id"))  # noqa: S608
    except apsw.Error:
        return 0
    finally:
        connection.close()
    if entries:
        marks = ", ".join("?" for _ in columns)
        with store.writing(durable=True) as writer:
            for entry in entries:
                with suppress(apsw.Error):  # an entry that is damaged itself
                    writer.connection.execute(f"INSERT OR IGNORE INTO journal ({named}) VALUES ({marks})", entry)  # noqa: S608
    return len(entries)


def set_aside(path: Path) -> Path:
    """Move a damaged database and its log away under a name that says so; where it went. Close its store first."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    for suffix in ("-wal", "-shm", "-journal"):
        log = path.with_name(path.name + suffix)
        if log.exists():
            log.replace(aside.with_name(aside.name + suffix))
    path.replace(aside)
    return aside
