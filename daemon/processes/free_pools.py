"""What Python's allocator has free, and has no call to give back: taken from it for as long as there is rest.

It shares out pools (obmalloc.c), and gives memory back by arenas of 64 pools, of which none may be in use. So what is
free is asked for, as anybody may, and the pages that are ours then go back to the system.
"""

import contextlib
import ctypes
import sys
import threading
from array import array
from bisect import bisect
from collections import Counter
from collections.abc import Iterator
from mmap import PAGESIZE
from pathlib import Path

_POOL, _HEADER = 16_384, 48  # bytes of a pool, and of what it begins with
_BLOCK = 512  # bytes of the largest block that comes from a pool
_BLOCKS = (_POOL - _HEADER) // _BLOCK
_MADV_DONTNEED = 4

_lock = threading.Lock()  # guards the next
_aside = array("Q")  # addresses of the blocks of all pools that are set aside


def set_free_pools_aside() -> None:
    """Take the pools that are free, and return their memory but for a page of each, where nothing is left to read.

    2 ms a megabyte. Until `use_free_pools_again`, Python takes new arenas where it needs more; so that comes with work.
    Where Python has another allocator, or one that is laid out otherwise, nothing is taken. Linux alone.
    """
    if sys.platform == "linux" and PAGESIZE < _POOL:
        with _lock, contextlib.suppress(AttributeError, OSError):  # another C library; no /proc
            _set_aside(ctypes.PyDLL(None))  # which keeps Python's lock: its allocator relies on that


def use_free_pools_again() -> None:
    """Let Python have back what was set aside, if anything was. Both are thread-safe."""
    with _lock:
        if _aside:
            free = _free_of(ctypes.PyDLL(None))
            for block in _aside:
                free(block)
            del _aside[:]


def _set_aside(library: ctypes.PyDLL) -> None:
    free, madvise = _free_of(library), library.madvise
    madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    blocks = array("Q", _free_blocks(library))
    taken = Counter(map(_pool_of, blocks))
    for block in blocks:
        if taken[_pool_of(block)] == _BLOCKS:
            _aside.append(block)
        else:
            free(block)
    for pool, count in taken.items():
        if count == _BLOCKS:  # all of it but its header, and a rest at its end that no block fits into
            ctypes.memset(pool + _HEADER, 0, PAGESIZE - _HEADER)
            madvise(pool + PAGESIZE, _POOL - PAGESIZE, _MADV_DONTNEED)


def _free_blocks(library: ctypes.PyDLL) -> Iterator[int]:
    """Blocks of the allocator, until one comes that is not where memory was in use before: the last one."""
    malloc = library.PyMem_Malloc
    malloc.restype, malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    edges, pool = _edges(), 0
    while block := malloc(_BLOCK):
        yield block
        if (block - _pool_of(block) - _HEADER) % _BLOCK:
            return  # it is of another allocator
        if pool != (pool := _pool_of(block)) and bisect(edges, pool) % 2 == 0:
            return


def _edges() -> list[int]:
    """Where memory in use begins and ends, in turn, ascending."""
    lines = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines()
    return [int(edge, 16) for line in lines for edge in line.split(" ", 1)[0].split("-")]


def _pool_of(block: int) -> int:
    return block // _POOL * _POOL


def _free_of(library: ctypes.PyDLL) -> "ctypes._NamedFuncPointer":  # pyright: ignore[reportPrivateUsage]
    free = library.PyMem_Free
    free.argtypes, free.restype = [ctypes.c_void_p], None
    return free
