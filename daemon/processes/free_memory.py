"""What Python's allocator has free, and has no call to give back: taken from it for as long as there is rest.

It shares out memory by pools, each for blocks of one size (obmalloc.c), and gives it back by arenas of 64 pools, of
which none may be in use. So what is free is asked for, as anybody may, and the pages that are ours then go back to the
system.
"""

import contextlib
import ctypes
import sys
import threading
from array import array
from bisect import bisect
from collections.abc import Iterable, Iterator
from mmap import PAGESIZE
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.number_sets import are_among

_POOL, _HEADER = 16_384, 48  # bytes of a pool, and of what it begins with
_BLOCK = 512  # bytes of the largest block that comes from a pool
_SMALLER = range(_BLOCK - 16, 0, -16)
_MADV_DONTNEED = 4
_PYTHON = ctypes.pythonapi  # whose calls keep Python's lock: its allocator relies on that

_lock = threading.Lock()  # guards the next three
_blocks = array("Q")  # addresses of what is set aside, but for
_pools = array("Q")  # those of pools that are as a whole, for blocks of the largest size
_headers = bytearray()  # theirs, in the same order


def set_free_memory_aside() -> None:
    """Take what is free, and return the pages that nothing else is in; nothing of these can be read any more.

    A microsecond or two for each block that is free. Until `use_free_memory_again`, Python takes new arenas where it
    needs more; so that comes with work. Where Python has another allocator, or one that is laid out otherwise, nothing
    is taken. Linux alone.
    """
    if sys.platform == "linux" and _POOL % PAGESIZE == 0:
        with _lock, contextlib.suppress(AttributeError, OSError):  # another C library; no /proc
            _set_aside()


def use_free_memory_again() -> None:
    """Let Python have back what was set aside, if anything was. Both are thread-safe."""
    with _lock:
        if _pools or _blocks:
            _free(_blocks)
            for number, pool in enumerate(_pools):
                ctypes.memmove(pool, bytes(_headers[number * _HEADER : (number + 1) * _HEADER]), _HEADER)
                _free(pool + offset for offset in _offsets(_BLOCK))
            del _blocks[:], _pools[:], _headers[:]


def _set_aside() -> None:
    edges = _edges()
    blocks = _free_blocks(_BLOCK, edges)
    if ((blocks % _POOL - _HEADER) % _BLOCK).any():  # they are another allocator's
        _free(_addresses(blocks))
        return
    _set_pages_aside(_set_pools_aside(blocks), _BLOCK)
    for size in _SMALLER:
        _set_pages_aside(_free_blocks(size, edges), size)


def _set_pools_aside(blocks: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The blocks that are not all of a pool, as only those of the largest size may be: free pools become theirs."""
    pools, counts = np.unique(blocks // _POOL, return_counts=True)
    whole = counts == len(_offsets(_BLOCK))
    for pool in _addresses(pools[whole] * _POOL):
        # The allocator looks at a pool's header again when a block of it is freed, and all of them are ours.
        _pools.append(pool)
        _headers.extend(ctypes.string_at(pool, _HEADER))
        _give_pages_back(pool, _POOL)
    return blocks[~np.repeat(whole, counts)]


def _set_pages_aside(blocks: NDArray[np.uint64], size: int) -> None:
    """Keep the blocks of pages in which nothing else is, and free the others."""
    pages = _own_pages(blocks, size)
    for page in _addresses(pages * PAGESIZE):
        _give_pages_back(page, PAGESIZE)
    kept = are_among(blocks // PAGESIZE, pages) | are_among((blocks + (size - 1)) // PAGESIZE, pages)
    _blocks.frombytes(blocks[kept].tobytes())
    _free(_addresses(blocks[~kept]))


def _own_pages(blocks: NDArray[np.uint64], size: int) -> NDArray[np.uint64]:
    """Numbers of the pages that lie in these blocks and no others, nor in a header."""
    pages, counts = _pages_of(blocks, size)
    _, all_counts = _pages_of(np.array(_offsets(size), np.uint64), size)
    of_pool = (pages % (_POOL // PAGESIZE)).astype(np.intp)
    return pages[(counts == all_counts[of_pool]) & (of_pool > 0)]


def _pages_of(blocks: NDArray[np.uint64], size: int) -> tuple[NDArray[np.uint64], NDArray[np.intp]]:
    """Pages that blocks lie in, ascending, and in how many of them each block does."""
    first, last = blocks // PAGESIZE, (blocks + (size - 1)) // PAGESIZE
    return np.unique(np.concatenate((first, last[last != first])), return_counts=True)


def _give_pages_back(address: int, size: int) -> None:
    _PYTHON.madvise(ctypes.c_void_p(address), ctypes.c_size_t(size), _MADV_DONTNEED)


def _free(blocks: Iterable[int]) -> None:
    free = _PYTHON.PyMem_Free
    free.argtypes, free.restype = [ctypes.c_void_p], None
    for block in blocks:
        free(block)


def _addresses(of: NDArray[np.uint64]) -> "array[int]":
    """As numbers of Python, each there while it is asked for: a list of them would take what was just set aside."""
    return array("Q", of.tobytes())


def _free_blocks(size: int, edges: list[int]) -> NDArray[np.uint64]:
    """Blocks of the allocator, ascending: all that were free where memory was in use before, and one more."""
    return np.sort(np.array(array("Q", _taken(size, edges)), np.uint64))


def _taken(size: int, edges: list[int]) -> Iterator[int]:
    malloc = _PYTHON.PyMem_Malloc
    malloc.restype, malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    pool = 0
    while block := malloc(size):
        yield block
        if (block % _POOL - _HEADER) % size:
            return  # no pool has one there
        if pool != (pool := block // _POOL * _POOL) and bisect(edges, pool) % 2 == 0:
            return


def _offsets(size: int) -> range:
    """Where blocks begin in a pool."""
    return range(_HEADER, _POOL - size + 1, size)


def _edges() -> list[int]:
    """Where memory in use begins and ends, in turn, ascending."""
    lines = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines()
    return [int(edge, 16) for line in lines for edge in line.split(" ", 1)[0].split("-")]
