"""Taking little memory of the system, and giving it back when a lot of work is done. All of it is glibc's alone."""

import contextlib
import ctypes
import gc
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # M_TRIM_THRESHOLD and so on, of malloc.h
_KEPT_BYTES = 16 << 20
_LARGE_BYTES = 1 << 20


def share_heaps() -> None:
    """Have all threads share two heaps, where each would get its own, and keep what is freed for the next search.

    Else the arrays of a search, of some 200 kB each, go back to the system one by one and are asked for anew, page by
    page, for a twentieth of its time. `give_back` returns them when there is rest; blocks of a megabyte go at once.
    To be called before threads start.
    """
    _call("mallopt", _ARENA_MAX, 2)
    _call("mallopt", _TRIM_THRESHOLD, _KEPT_BYTES)
    _call("mallopt", _MMAP_THRESHOLD, _LARGE_BYTES)


def give_back() -> None:
    """Collect garbage, and make the C library return its free pages to the system where it can."""
    gc.collect()
    _call("malloc_trim", 0)


def _call(name: str, *arguments: int) -> None:
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # another C library, which has no such call
            getattr(ctypes.CDLL(None), name)(*arguments)
