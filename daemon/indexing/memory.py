"""Giving memory back to the system when a lot of work is done."""

import contextlib
import ctypes
import gc
import sys


def give_back() -> None:
    """Let go of what nothing needs any more, and have the C library return its free pages where it can (glibc)."""
    gc.collect()
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # another C library, which has no such call
            ctypes.CDLL(None).malloc_trim(0)
