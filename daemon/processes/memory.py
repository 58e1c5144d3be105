"""Taking little memory of the system, and giving it back when a lot of work is done: glibc's allocator."""

import contextlib
import ctypes
import gc
import sys
from collections.abc import Callable
from functools import cache

import psutil

# Taking little memory of the system, and giving it back when a lot of work is done. All of it is glibc's alone.

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _PERTURB, _ARENA_MAX = -1, -3, -6, -8  # M_TRIM_THRESHOLD and so on, of malloc.h
_THRESHOLDS = (700, 10, 100)  # as they are, but for the last, which was 10
_KEPT_BYTES = 16 << 20
_LARGE_BYTES = 1 << 20


def share_heap() -> None:
    """Have all threads share one heap, where each would get its own, and keep what is freed for the next search.

    One, since `malloc_trim` leaves the end of every other one as it is: 9 MB after some batches of notes were written.
    Else the arrays of a search, of some 200 kB each, go back to the system one by one and are asked for anew, page by
    page, for a twentieth of its time. `give_back` returns them when there is rest; blocks of a megabyte go at once.
    To be called before threads start.
    """
    _call("mallopt", _ARENA_MAX, 1)
    _call("mallopt", _TRIM_THRESHOLD, _KEPT_BYTES)
    _call("mallopt", _MMAP_THRESHOLD, _LARGE_BYTES)


def give_back() -> None:
    """Collect garbage, and make the C library return its free pages to the system where it can."""
    gc.collect()
    trim()


def trim() -> None:
    """Make the C library return its free pages to the system where it can."""
    _call("malloc_trim", 0)


def settle() -> None:
    """Look through what is there now for garbage no more: the program itself, which stays. `give_back` comes before it.

    A full collection else takes 50 ms, in which no thread does anything else, and reading notes causes one a second;
    from now on there is one for every 700,000 objects more. `unsettle` undoes it.
    """
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)


def unsettle() -> bool:
    """Look through all again, also what is settled, which is never collected; whether anything was."""
    was_settled = gc.get_freeze_count() > 0
    gc.unfreeze()
    return was_settled


def resident_bytes(pid: int | None = None) -> int:
    """What a process, or this one, has in memory. Raises psutil.NoSuchProcess."""
    return int(psutil.Process(pid).memory_info().rss)


# Overwriting what is free.

_CLASSES = range(48, 513, 16)  # sizes in bytes by which Python's allocator shares out memory; texts are in none smaller
_BYTES_OBJECT = 33  # bytes that an empty bytes object takes
_SWEPT_BYTES = 4 << 20
_C_CLASSES = range(24, 4096, 16)  # sizes in bytes of the C library's small blocks
_C_BLOCKS = 64  # of each; a thread keeps seven to itself, which `overwrite_what_is_freed` does not reach
_elsewhere: list[Callable[[Callable[[], None]], object]] = []


def overwrite_what_is_freed() -> None:
    """From now on, have the C library overwrite each block that is freed. Python's own small blocks: `wipe`."""
    _call("mallopt", _PERTURB, 1)


def wipe_elsewhere(run_soon: Callable[[Callable[[], None]], object]) -> None:
    """Have `wipe` overwrite what another thread keeps, too. run_soon: has that thread call a function soon; it raises
    RuntimeError once the thread is at its end.
    """
    _elsewhere.append(run_soon)


def wipe() -> None:
    """Overwrite the small texts that Python, and the calling thread in the C library, have let go of: 0.5 s.

    Python keeps blocks of up to 512 bytes to itself and never clears them. So as much is taken as may be free of each
    size, 4 MB, and filled with zeros; of the C library, the blocks that a thread keeps to itself, and some beyond. The
    threads of `wipe_elsewhere` do the latter in their next pause, for 30 ms.
    """
    for size in _CLASSES:
        [bytes(size - _BYTES_OBJECT) for _ in range(_SWEPT_BYTES // size)]  # pyright: ignore[reportUnusedExpression]
    wipe_thread()
    for run_soon in tuple(_elsewhere):
        try:
            run_soon(wipe_thread)
        except RuntimeError:
            _elsewhere.remove(run_soon)


def wipe_thread() -> None:
    """Overwrite the small blocks of the C library that the calling thread has let go of, and keeps to itself: 30 ms.

    Nobody else can; so a thread that was given a passphrase does it before it ends its work. Linux; elsewhere: nothing.
    """
    if sys.platform != "linux":
        return
    library = ctypes.pythonapi  # which keeps Python's lock: else each of the many calls would wait for it
    malloc, free = library.malloc, library.free
    malloc.restype, malloc.argtypes, free.argtypes = ctypes.c_void_p, [ctypes.c_size_t], [ctypes.c_void_p]
    for size in _C_CLASSES:
        blocks: list[int] = [block for _ in range(_C_BLOCKS) if (block := malloc(size))]
        for block in blocks:
            ctypes.memset(block, 0, size)
        for block in blocks:
            free(block)


def _call(name: str, *arguments: int) -> None:
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # another C library, which has no such call
            getattr(_library(), name)(*arguments)


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None)  # each makes types of its own, which stay until garbage is collected
