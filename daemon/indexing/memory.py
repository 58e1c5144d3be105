"""Taking little memory of the system, and giving it back when a lot of work is done. All of it is glibc's alone."""

import contextlib
import ctypes
import gc
import sys

_ARENA_MAX = -8  # M_ARENA_MAX of malloc.h
_MMAP_THRESHOLD = -3  # M_MMAP_THRESHOLD
_LARGE_BYTES = 1 << 20


def share_heaps() -> None:
    """Have all threads share two heaps, where each would get its own, full of holes; blocks of a megabyte have none.

    To be called before threads start.
    """
    _call("mallopt", _ARENA_MAX, 2)
    _call("mallopt", _MMAP_THRESHOLD, _LARGE_BYTES)


def give_back() -> None:
    """Let go of what nothing needs any more, and have the C library return its free pages where it can."""
    gc.collect()
    _call("malloc_trim", 0)


def _call(name: str, *arguments: int) -> None:
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # another C library, which has no such call
            getattr(ctypes.CDLL(None), name)(*arguments)
