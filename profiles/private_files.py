"""Files that only their owner may read, written so that a crash or a full disk leaves the old or the new, whole."""

import contextlib
import logging
import os
import stat
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path
from typing import BinaryIO

from filelock import FileLock, Timeout

from scrubjay.profiles.errors import ProfileError

_LOCK_SECONDS = 20.0  # far longer than any change takes, also on a slow disk

_log = logging.getLogger(__name__)


class FileBusy(ProfileError):
    """Another process is changing the file, and has been for too long."""

    code = "file-busy"


def write_atomically(path: Path, content: bytes, like: os.stat_result | None = None) -> None:
    """Replace the file at `path` once all of `content` is on the disk; its folder must be there already.

    It has mode 0600, or mode, owner and group as `like` says, as far as this user may give them.

    The content is written beside, synced, measured and renamed, and the folder is synced after it: whoever reads
    `path`, after a crash too, finds all of the old content or all of `content`. Raises OSError, with the old file as it
    was.
    """
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            _check_size(file, len(content))
        if like is not None:
            _make_like(Path(temporary), like)
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise
    _sync_folder(path.parent)


def write_private(path: Path, content: bytes) -> None:
    """As `write_atomically`, in a folder of mode 0700 that is made when missing."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_atomically(path, content)


def replace_theirs(path: Path, content: bytes) -> None:
    """As `write_atomically`, for a file that is the user's own: a link stays one; mode, owner and group stay."""
    target = path.resolve()
    write_atomically(target, content, target.stat() if target.exists() else None)


def remove_empty_folders(folder: Path, above: Path) -> None:
    """Remove `folder` and then its parents below `above`, as far as they are empty."""
    while above in folder.parents:
        try:
            folder.rmdir()
        except OSError:  # it holds something, or may not be removed
            return
        folder = folder.parent


def stored_key(path: Path, make: Callable[[], bytes]) -> bytes:
    """The key in the file at `path`, which `make` gives when there is none yet. One winner where two processes race.

    A file of another length than a key has (cut short by an older version on a full disk, say) is no key: trusting an
    empty one would let in whoever knows that it is empty. It is made anew, and the log says so.
    """
    fresh = make()
    if (found := _read(path)) is not None and len(found) == len(fresh):
        return found
    with locked(path):
        if (found := _read(path)) is not None and len(found) == len(fresh):
            return found  # made by another process in the meantime
        if found is not None:
            _log.warning("a damaged key was made anew", extra={"code": path.name})
        write_private(path, fresh)
        return fresh


@contextlib.contextmanager
def locked(path: Path) -> Generator[None]:
    """Keep other processes (and threads) from changing the file at `path` through this function. Raises FileBusy."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = FileLock(path.with_name(f"{path.name}.lock"), mode=0o600)
    try:
        lock.acquire(timeout=_LOCK_SECONDS, poll_interval=0.005)
    except Timeout:
        raise FileBusy(f"Another program has kept {path.name} locked for {_LOCK_SECONDS:.0f} seconds.") from None
    try:
        yield
    finally:
        lock.release()


def _make_like(path: Path, like: os.stat_result) -> None:
    if os.name == "posix":
        with contextlib.suppress(OSError):  # only root gives a file to others
            os.chown(path, like.st_uid, like.st_gid)
    path.chmod(stat.S_IMODE(like.st_mode))


def _check_size(file: BinaryIO, expected: int) -> None:
    written = os.fstat(file.fileno()).st_size
    if written != expected:
        raise OSError(f"The disk took {written} of {expected} bytes.")


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _sync_folder(folder: Path) -> None:
    """Make a rename in the folder last through a power cut, where the system can be told to."""
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):  # some network drives can't; the file itself is whole
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
