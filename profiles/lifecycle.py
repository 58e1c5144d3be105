"""Backing up, restoring, exporting and importing a database, and setting a damaged one aside."""

import shutil
from contextlib import suppress
from pathlib import Path

import apsw

from profiles import encryption
from profiles.connection import connect, translated
from profiles.errors import StoreError
from profiles.migrations import refuse_unknown
from profiles.sql import Row
from profiles.store import Store

_INCOMING = ".incoming"


def backup(path: Path, key: bytes | None, target: Path) -> None:
    """Write a complete, compact copy of a database that may be in use. An encrypted one stays so, with its key.

    Raises StoreError when `target` is there already or can't be written, StoreLocked for a wrong key.
    """
    if target.exists():
        raise StoreError(f"{target} is there already. Choose a name that is free.")
    connection = connect(path, key, "reader")
    try:
        target.touch(mode=0o600)
        with translated(target):
            connection.execute("VACUUM INTO ?", (str(target),)).fetchall()
    except BaseException:
        target.unlink(missing_ok=True)
        raise
    finally:
        connection.close()


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
    StoreLocked for a wrong source key, StoreCorrupt or StoreTooNew for a file that can't be used, StoreBusy.
    """
    incoming = path.with_name(path.name + _INCOMING)
    encryption.shred(incoming)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        incoming.touch(mode=0o600)
        shutil.copyfile(source, incoming)
        connection = connect(incoming, source_key, "writer")
        try:
            refuse_unknown(connection, allow_empty=False)
        finally:
            connection.close()
        encryption.verify(incoming, source_key)
        if key != source_key:
            encryption.change_key(incoming, source_key, key)
        # A log of the old database must not be taken for the new one's.
        for suffix in ("-wal", "-shm", "-journal"):
            encryption.shred(path.with_name(path.name + suffix))
        encryption.replace(path, incoming)
    except BaseException:
        encryption.destroy(incoming)
        raise


def salvage(damaged: Path, key: bytes | None, store: Store) -> int:
    """Carry what no vault can give back (the journal) over from a damaged database, as far as it can be read.

    How many entries came over; none from a file that can't be opened at all.
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
