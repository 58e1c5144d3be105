"""Putting a file in another's place so that nobody's bytes are lost, whoever writes to it meanwhile.

Replacing by `rename` drops what was there, also what an editor saved a moment before. Where the system can exchange two
names in one step (Linux' renameat2, macOS' renamex_np), what was there is in hand afterwards, can be compared with what
was expected, and goes back where it is something else.
"""

import contextlib
import ctypes
import os
import shutil
import stat
import sys
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from scrubjay.daemon.review.changes.old_file import (
    drop_other,
    is_open_for_writing,
    settle_own,
    sync_folder,
    write_into_own,
)
from scrubjay.daemon.review.changes.refusal import ChangeRefused
from scrubjay.profiles.names import file_key

_AT_FDCWD = -100
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_EXCHANGE = 2  # RENAME_EXCHANGE of Linux, RENAME_SWAP of macOS


@dataclass(frozen=True, slots=True)
class Swap:
    """A text that is to take a note's place. `beside`, in the note's folder, holds the one that is not in place."""

    name: str  # for messages
    path: Path
    beside: Path
    old: bytes
    new: bytes
    modified_ns: int = 0  # when it is to have been modified; 0: now


def put_in_place(swaps: Sequence[Swap]) -> None:
    """Write each new text beside its note, and exchange the two when all are ready; then the old ones are beside.

    Where the system can tell that nobody else has an old one open, the note goes on in it (see `old_file`), and nothing
    is beside.

    Raises ChangeRefused where a note is not its old text, or was not at the moment of the exchange, or was written into
    since, or may be, and where the disk fails: some are in place then, and `take_back` is due for all.
    """
    for swap in swaps:
        with disk_errors(swap.name):
            _check_replaceable(swap)
            _write_beside(swap)
    for swap in swaps:
        if bytes_of(swap.path) != swap.old:
            raise changed(swap.name)
    for swap in swaps:
        with disk_errors(swap.name):
            _exchange(swap.beside, swap.path)
    for folder in {swap.path.parent for swap in swaps}:
        sync_folder(folder)
    free: list[Swap] = []
    for swap in swaps:
        is_open = is_open_for_writing(swap.beside)
        if is_open:
            raise ChangeRefused("busy", f"Another program has {swap.name} open for writing. Close it there first.")
        if bytes_of(swap.beside) != swap.old:
            raise changed(swap.name)
        if is_open is False:
            free.append(swap)
    for swap in free:
        write_into_own(swap.beside, swap.path, swap.new, exchanged)


def take_back(swap: Swap) -> None:
    """Undo one exchange that was broken off, if it was made. Raises ChangeRefused."""
    beside = bytes_of(swap.beside)
    if beside is None:
        return
    with disk_errors(swap.name):
        if beside == swap.new:
            swap.beside.unlink()
        else:
            give_back(swap.beside, swap.path, swap.new, swap.old)


def give_back(beside: Path, path: Path, ours: bytes, kept: bytes) -> None:
    """Give a note back the file that was in its place, and delete the one that was ours.

    What somebody has written into either since stays, see `drop_other`. ours: what we wrote. kept: what the note was.
    Raises ChangeRefused.
    """
    with disk_errors(path.name):
        _exchange(beside, path)
        drop_other(beside, path, ours, kept, _exchange)


def move_to_free(path: Path, target: Path) -> None:
    """Rename a note to a name that nothing has. Raises ChangeRefused."""
    with disk_errors(path.name):
        if file_key(str(path)) == file_key(str(target)) and target.name not in names_in(target.parent):
            path.rename(target)  # one name to a system that does not tell cases apart
        elif _has_link(path, target):
            path.unlink()
        elif os.path.lexists(target):
            raise FileExistsError
        else:  # no hard links here
            path.rename(target)
        sync_folder(path.parent)
        sync_folder(target.parent)


def bytes_of(path: Path) -> bytes | None:
    """A file's bytes; None where there is no file, or none that can be read."""
    try:
        return path.read_bytes()
    except OSError:
        return None


def names_in(folder: Path) -> set[str]:
    """What is in a folder, as the disk spells it. Raises OSError."""
    return {entry.name for entry in folder.iterdir()}


def changed(name: str) -> ChangeRefused:
    """The refusal of a note that is not what it should be."""
    return ChangeRefused("changed", f"{name} has changed since, so it is left as it is. Look at it again.")


@contextlib.contextmanager
def disk_errors(name: str) -> Generator[None]:
    """What the system can't do, as ChangeRefused."""
    try:
        yield
    except FileExistsError:
        raise ChangeRefused("exists", f"{name}: there is a file in its place already.") from None
    except OSError as error:
        raise ChangeRefused("disk", f"{name} can't be written: {error.strerror or error}.") from None


def _check_replaceable(swap: Swap) -> None:
    """Raises ChangeRefused for a note that its user has made read-only, or that another file would be parted from."""
    stats = swap.path.stat()
    if not stats.st_mode & stat.S_IWUSR:
        raise ChangeRefused("not-allowed", f"{swap.name} is read-only. Make it writable first.")
    if stats.st_nlink > 1:
        raise ChangeRefused("not-allowed", f"{swap.name} is a hard link, and would be parted from its other names.")


def _write_beside(swap: Swap) -> None:
    """The new text, synced, with the note's owner, mode, attributes. Raises ChangeRefused where the owner can't be."""
    stats = swap.path.stat()
    with os.fdopen(os.open(swap.beside, _NEW, 0o600), "wb") as file:
        file.write(swap.new)
        file.flush()
        _give_owner(swap, stats)
        shutil.copystat(swap.path, swap.beside)
        modified = swap.modified_ns or time.time_ns()
        os.utime(swap.beside, ns=(modified, modified))
        os.fsync(file.fileno())


def _give_owner(swap: Swap, stats: os.stat_result) -> None:
    made = swap.beside.stat()
    if (made.st_uid, made.st_gid) == (stats.st_uid, stats.st_gid):
        return
    try:
        os.chown(swap.beside, stats.st_uid, stats.st_gid)
    except PermissionError:
        raise ChangeRefused(
            "not-allowed",
            f"{swap.name} belongs to another user or group, and would not any more. Its owner can apply the change.",
        ) from None


def exchanged(one: Path, other: Path) -> bool:
    """Whether the system has given each of two files the other's name, in one step."""
    native = native_exchange()
    return native is not None and native(os.fsencode(one), os.fsencode(other))


def _exchange(one: Path, other: Path) -> None:
    """Each of two files gets the other's name.

    In one step where the system can do that. Otherwise the file at `other` is replaced in one step, and what is saved
    between two system calls can be lost.
    """
    if exchanged(one, other):
        return
    spare = _spare(one)
    if not _has_link(other, spare):
        shutil.copy2(other, spare)
    one.replace(other)
    spare.replace(one)


def settle(beside: Path, path: Path, is_ours: Callable[[bytes], bool]) -> None:
    """Bring an exchange that was broken off to where it began or to where it was to end. Raises OSError.

    is_ours: whether bytes are the note's text before or after.
    """
    settle_own(beside, path, is_ours, exchanged)
    spare = _spare(beside)
    if not spare.exists():
        return
    if beside.exists():
        spare.unlink()
    else:
        spare.replace(beside)


def _spare(one: Path) -> Path:
    return one.with_name(f"{one.name}-spare")


def _has_link(path: Path, new: Path) -> bool:
    """Give a file a second name, where the file system has hard links. Raises FileExistsError."""
    try:
        os.link(path, new)
    except (FileExistsError, FileNotFoundError):
        raise
    except OSError:
        return False
    return True


@cache
def native_exchange() -> Callable[[bytes, bytes], bool] | None:
    """The system's own exchange of two names; it says False where the file system can't do it."""
    if sys.platform not in ("linux", "darwin"):
        return None
    library = ctypes.CDLL(None, use_errno=True)
    if sys.platform == "linux":
        call = getattr(library, "renameat2", None)
        return None if call is None else lambda one, other: call(_AT_FDCWD, one, _AT_FDCWD, other, _EXCHANGE) == 0
    call = getattr(library, "renamex_np", None)
    return None if call is None else lambda one, other: call(one, other, _EXCHANGE) == 0
