"""Whether the system has watches left. What watches folders for us passes over those that it gets none for."""

import ctypes
import errno
import os
import sys
from pathlib import Path

_IN_DELETE_SELF = 0x400  # of sys/inotify.h; any event would do


def is_reached(folder: Path) -> bool:
    """Whether the user's limit of watched folders is reached, found out by asking to watch one more. Linux alone."""
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    handle = int(libc.inotify_init1(os.O_CLOEXEC))
    if handle < 0:
        return False  # another limit, which ours are not lost to
    try:
        watch = int(libc.inotify_add_watch(handle, os.fsencode(folder), _IN_DELETE_SELF))
        return watch < 0 and ctypes.get_errno() == errno.ENOSPC
    finally:
        os.close(handle)
