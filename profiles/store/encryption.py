"""Encrypting a database, decrypting it, changing its key, giving back pages: on a copy that takes the original's place.

A crash at any instant leaves the original or the finished copy under the database's name, never half of one. What is
left beside it is overwritten and removed by the next attempt or the next `sweep`. Overwriting is what a program can do;
a disk that writes elsewhere (flash, copy-on-write file systems) may keep the old bytes until it reuses them.
"""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import apsw

from scrubjay.profiles.errors import StoreCorrupt, StoreError, StoreLocked
from scrubjay.profiles.store.sqlite import KEY_BYTES, connect, raw_key, translated

_COPY = ".rekeyed"
_OLD = ".replaced"
_BLOCK = 1 << 20


def encrypt(path: Path, key: bytes) -> None:
    """Make a plain database an encrypted one. Errors as `change_key`."""
    change_key(path, None, key)


def decrypt(path: Path, key: bytes) -> None:
    """Make an encrypted database a plain one. Errors as `change_key`."""
    change_key(path, key, None)


def change_key(
    path: Path,
    old: bytes | None,
    new: bytes | None,
    *,
    before_replacing: Callable[[Path], None] = lambda _copy: None,
) -> None:
    """Give a database another key; None stands for no encryption. Close its store first, in all processes.

    before_replacing: called with the finished copy just before it takes the original's place.
    Raises StoreError when the file is not as `old` says or not there, StoreLocked when `old` is wrong, StoreBusy when
    somebody has it open; then nothing has changed.
    """
    if new is not None and len(new) != KEY_BYTES:
        raise ValueError(f"a key has {KEY_BYTES} bytes, this one {len(new)}")
    sweep(path)
    copy = path.with_name(path.name + _COPY)

    def make_copy() -> None:
        copy.touch(mode=0o600)
        shutil.copyfile(path, copy)
        _change_key(copy, old, new)
        verify(copy, new)

    try:
        while_closed(path, old, make_copy)
        before_replacing(copy)
    except BaseException:
        shred(copy)
        raise
    replace(path, copy)


def compact(path: Path, key: bytes | None) -> None:
    """Write a database anew without its empty pages. Errors as `change_key`; StoreError without room for a copy."""
    sweep(path)
    if shutil.disk_usage(path.parent).free < path.stat().st_size:
        raise StoreError(f"There is no room for a copy of {path}.")
    copy = path.with_name(path.name + _COPY)
    connection = connect(path, key, "writer")
    try:
        with translated(path):
            connection.pragma("locking_mode", "EXCLUSIVE")
            connection.pragma("journal_mode", "DELETE")  # needs the file for oneself, and folds the log into it
            connection.execute("BEGIN EXCLUSIVE; COMMIT").fetchall()
            copy.touch(mode=0o600)
            connection.execute("VACUUM INTO ?", (str(copy),)).fetchall()
    except BaseException:
        connection.close()
        shred(copy)
        raise
    connection.close()
    replace(path, copy)


def sweep(path: Path) -> None:
    """Overwrite and remove what an interrupted attempt left beside the database; nobody else may be at work on it."""
    recover(path)
    for suffix in (_COPY, _OLD):
        shred(path.with_name(path.name + suffix))


def recover(path: Path) -> None:
    """Put the original back where an interrupted attempt had moved it away, so that nobody starts an empty one."""
    old = path.with_name(path.name + _OLD)
    if not path.exists() and old.exists():
        old.replace(path)


def shred(path: Path) -> None:
    """Overwrite a file's bytes with zeros, then remove it. A missing file is fine.

    Bytes that have another name too are in use under it: then only this name goes.
    """
    try:
        if path.stat().st_nlink > 1:
            path.unlink()
            return
        size = path.stat().st_size
        with path.open("r+b") as file:
            for start in range(0, size, _BLOCK):
                file.write(bytes(min(_BLOCK, size - start)))
            file.flush()
            os.fsync(file.fileno())
        path.unlink()
    except FileNotFoundError:
        return


def destroy(path: Path) -> None:
    """Overwrite and remove a database with its log and whatever an attempt left. Close its store first."""
    sweep(path)
    for suffix in ("", "-wal", "-shm", "-journal"):
        shred(path.with_name(path.name + suffix))


def while_closed(path: Path, key: bytes | None, work: Callable[[], None]) -> None:
    """Run `work` while the database file is complete (no log beside it) and nobody else can write to it.

    Raises StoreBusy when it is open elsewhere, StoreLocked for a wrong key.
    """
    if not path.exists():
        raise StoreError(f"{path} is not there.")
    connection = connect(path, key, "writer")
    try:
        with translated(path):
            # Leaving WAL needs the file for oneself, and folds the log into it.
            connection.pragma("journal_mode", "DELETE")
            connection.execute("BEGIN EXCLUSIVE")
            work()
            connection.execute("ROLLBACK")
    finally:
        connection.close()


def replace(path: Path, copy: Path) -> None:
    """Put `copy` in the place of `path` and overwrite what was there."""
    old = path.with_name(path.name + _OLD)
    if path.exists():
        try:
            old.hardlink_to(path)  # keeps a name for the bytes that have to be overwritten
        except OSError:  # a file system without hard links
            path.replace(old)
    copy.replace(path)
    sync_folder(path.parent)
    shred(old)


def sync_folder(folder: Path) -> None:
    """Make renames in a folder survive a power cut, where the system lets a folder be synced."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def opens(path: Path, key: bytes) -> bool:
    """Whether a key is the one of an encrypted database. Raises StoreError for a file that is not encrypted."""
    try:
        connect(path, key, "reader").close()
    except StoreLocked:
        return False
    return True


def _change_key(copy: Path, old: bytes | None, new: bytes | None) -> None:
    connection = connect(copy, old, "writer")
    try:
        with translated(copy):
            connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)  # which allows no database to be without a journal
            # No journal: it would hold plain pages, and a copy that a crash spoils is thrown away.
            connection.pragma("journal_mode", "OFF")
            connection.pragma("cipher", "chacha20")
            connection.pragma("rekey", raw_key(new) if new else "")
    finally:
        connection.close()
    with copy.open("r+b") as file:
        os.fsync(file.fileno())


def verify(copy: Path, key: bytes | None) -> None:
    """Raise StoreCorrupt, StoreLocked where a database can't be used with this key."""
    connection = connect(copy, key, "writer")
    try:
        with translated(copy):
            verdict = str(connection.pragma("quick_check"))
    finally:
        connection.close()
    if verdict != "ok":
        raise StoreCorrupt(f"{copy} is not sound: {verdict}")
