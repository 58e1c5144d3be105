"""Giving way at the disk: what nobody waits for is read and written after what other programs want."""

import contextlib
import sys
import threading

import psutil

_LOWEST = 7  # of the eight levels of "best effort"; "idle" could starve a write that searches come to wait for


def give_way_at_disk() -> None:
    """Let other programs go first at the disk, for the calling thread and for good; its other threads stay as they are.

    Its niceness stays, too: it shares Python's lock with searches, which would then wait for it to be scheduled.
    Linux: the lowest level of best effort, where the I/O scheduler knows levels; a thread that is "idle" already, as
    under our systemd unit, stays so. Elsewhere: nothing.
    """
    if sys.platform == "linux":
        with contextlib.suppress(psutil.Error, OSError, AttributeError):  # not allowed, or not in this kernel
            thread = psutil.Process(threading.get_native_id())
            if thread.ionice().ioclass != psutil.IOPRIO_CLASS_IDLE:
                thread.ionice(psutil.IOPRIO_CLASS_BE, _LOWEST)
