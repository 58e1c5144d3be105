"""The work lock of a profile: a file that one process at a time has while it works on the profile."""

import contextlib
from collections.abc import Generator
from pathlib import Path

from filelock import FileLock, Timeout

from scrubjay.profiles.errors import StoreError, StoreInUse

WORK_LOCK = "work.lock"
_WAIT_SECONDS = 10.0


@contextlib.contextmanager
def work_lock(folder: Path, *, wait: float = _WAIT_SECONDS) -> Generator[None]:
    """The work lock of a profile, exclusive among all processes. A daemon closes the profile, and opens it afterwards.

    Raises StoreInUse when another has it for longer than `wait` seconds, StoreError where nothing can be written.
    """
    lock = FileLock(folder / WORK_LOCK, mode=0o600)
    try:
        lock.acquire(timeout=wait, poll_interval=0.05)
    except Timeout:
        raise StoreInUse("Another command is at work on this profile. Wait for it to end.") from None
    except OSError as error:
        raise StoreError(f"{folder} can't be written: {error.strerror}. Is the disk full, or not writable?") from error
    try:
        yield
    finally:
        lock.release()
        remove_if_only_lock(folder)  # where the profile was removed meanwhile


def is_work_locked(folder: Path) -> bool:
    """Whether a process has the work lock of a profile; False where nothing can be written."""
    if not (folder / WORK_LOCK).exists():
        return False
    try:
        with work_lock(folder, wait=0):
            return False
    except StoreInUse:
        return True
    except StoreError:
        return False


def remove_if_only_lock(folder: Path) -> None:
    """Remove the folder of a profile that is gone: nothing but its work lock is left in it, which nobody holds."""
    with contextlib.suppress(OSError):  # it is held, and Windows deletes no file that is open: who holds it removes it
        if {entry.name for entry in folder.iterdir()} <= {WORK_LOCK}:
            (folder / WORK_LOCK).unlink(missing_ok=True)
            folder.rmdir()
