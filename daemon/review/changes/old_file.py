"""Going on in a note's own file: after an exchange the new text is written into the file that was there, and the two
are exchanged back. So the note stays the file that it was, with its date of creation, owner, attributes and whoever has
it open for reading.

It is only done where the system can say that nobody has the file open for writing (Linux' leases): such a program would
write between our bytes. While it is done, the whole new text is under the note's name, in the other file; the name of
the note's own file beside it says that it is being written, and its number which of the two it is.
"""

import contextlib
import errno
import os
import signal
import struct
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

_MARK = "-own-"
_PATIENCE_SECONDS = 2.0  # that a program may take to write and close a file
_F_SETOWN_EX, _F_OWNER_TID = 15, 0  # fcntl(2): the signal is for this thread, which waits for it


def is_open_for_writing(path: Path) -> bool | None:
    """Whether any program has a file open for writing. None: the system can't say, here or of this file."""
    if sys.platform != "linux":
        return None
    import fcntl  # noqa: PLC0415 - not on Windows

    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return None
    comes = {signal.SIGURG}  # in place of SIGIO, which would end us
    masked = signal.pthread_sigmask(signal.SIG_BLOCK, comes)
    try:
        fcntl.fcntl(descriptor, _F_SETOWN_EX, struct.pack("ii", _F_OWNER_TID, threading.get_native_id()))
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)  # granted where nobody could write
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        return signal.sigtimedwait(comes, 0) is not None  # whoever came meanwhile has it open now
    except OSError as error:
        return True if error.errno == errno.EAGAIN else None
    finally:
        os.close(descriptor)
        signal.pthread_sigmask(signal.SIG_SETMASK, masked)


def write_into_own(beside: Path, path: Path, text: bytes, exchange: Callable[[Path, Path], bool]) -> None:
    """Have the note at `path` be the file that is `beside` now, which nobody has open, with the `text` that `path` has.

    Then nothing is beside. Where the system fails, the note stays the other file, and its own one may be left beside.
    Where somebody saves the note meanwhile, that stays. exchange: of two names, in one step; False where that can't be.
    """
    with contextlib.suppress(OSError):
        own = beside.with_name(f"{beside.name}{_MARK}{beside.stat().st_ino}")
        beside.rename(own)
        sync_folder(own.parent)
        _bring_back(own, path, text, exchange)


def settle_own(
    beside: Path, path: Path, is_ours: Callable[[bytes], bool], exchange: Callable[[Path, Path], bool]
) -> None:
    """After a process that was killed in `write_into_own`: what is ours goes, and the note has all of its text.

    Where the note has been saved meanwhile, that stays, whichever file it is in. is_ours: whether bytes are the note's
    text before or after. Raises OSError.
    """
    for own in beside.parent.glob(f"{beside.name}{_MARK}*"):
        if not path.exists():
            own.replace(beside)  # somebody has deleted the note
        elif str(own.stat().st_ino) == own.name.rpartition("-")[2]:
            _bring_back(own, path, path.read_bytes(), exchange)
        else:
            late, now = own.read_bytes(), path.read_bytes()
            drop_other(own, path, late if is_ours(late) else now, now if is_ours(now) else None, exchange)


def _bring_back(own: Path, path: Path, text: bytes, exchange: Callable[[Path, Path], bool]) -> None:
    """Fill a note's own file and give it the note's name. Where that fails, or the other one was saved meanwhile, it
    goes: the other one has all.
    """
    try:
        _fill(own, text, path.stat().st_mtime_ns)
        is_back = not is_open_for_writing(path) and path.read_bytes() == text and exchange(own, path)
    except OSError:
        is_back = False
    if not is_back:
        own.unlink()
        return
    drop_other(own, path, text, text, exchange)


def drop_other(
    other: Path, path: Path, ours: bytes, kept: bytes | None, exchange: Callable[[Path, Path], object]
) -> None:
    """Delete the file that had a note's name for a moment, and lose nothing that was written into it meanwhile.

    What was appended is appended to the note; where it was saved anew, it becomes the note's file. ours: what we wrote
    into it. kept: what the note's own file had then; None: not known. Raises OSError.
    """
    sync_folder(path.parent)  # whoever has found it by the note's name has opened it by then
    until = time.monotonic() + _PATIENCE_SECONDS
    while (is_open := is_open_for_writing(other)) and time.monotonic() < until:
        time.sleep(0.001)
    late = other.read_bytes()
    if late.startswith(ours) and not is_open:
        _append(path, late[len(ours) :])
    else:
        exchange(other, path)
        if is_open_for_writing(other) or other.read_bytes() != kept:
            exchange(other, path)  # into the own one too, and later
        sync_folder(path.parent)
    other.unlink()


def _append(path: Path, data: bytes) -> None:
    if not data:
        return
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | getattr(os, "O_BINARY", 0))
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _fill(own: Path, text: bytes, modified_ns: int) -> None:
    descriptor = os.open(own, os.O_WRONLY | os.O_NOFOLLOW)
    try:
        left = memoryview(text)
        while left:
            left = left[os.write(descriptor, left) :]
        os.ftruncate(descriptor, len(text))
        os.utime(descriptor, ns=(os.fstat(descriptor).st_atime_ns, modified_ns))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Make renames in a folder last through a power cut, where the system can be told to."""
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
