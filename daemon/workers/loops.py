"""Background threads: loops that outlive what goes wrong in them, and what they take of the machine."""

import contextlib
import ctypes
import gc
import logging
import os
import sys
import threading
from collections.abc import Callable

import psutil

# Lowers the priority of background threads, at the processor or at the disk, a thread at a time.

_NICENESS = 10
_WINDOWS_LOWEST = -2  # THREAD_PRIORITY_LOWEST
_MACOS_UTILITY = 0x11  # QOS_CLASS_UTILITY
_LOWEST_AT_DISK = 7  # of the eight levels of "best effort"; "idle" could starve a write that searches come to wait for


def lower_priority() -> None:
    """Lower the calling thread's priority, for good; the other threads of the process keep theirs.

    Linux: niceness 10. Windows: THREAD_PRIORITY_LOWEST. macOS: quality of service "utility". Elsewhere, and where the
    system refuses: nothing.
    """
    with contextlib.suppress(OSError, AttributeError):
        _lower()


def lower_disk_priority() -> None:
    """Let other programs go first at the disk, for the calling thread and for good; its other threads stay as they are.

    Its niceness stays, too: it shares Python's lock with searches, which would then wait for it to be scheduled.
    Linux: the lowest level of best effort, where the I/O scheduler knows levels; a thread that is "idle" already, as
    under our systemd unit, stays so. Elsewhere: nothing.
    """
    if sys.platform == "linux":
        with contextlib.suppress(psutil.Error, OSError, AttributeError):  # not allowed, or not in this kernel
            thread = psutil.Process(threading.get_native_id())
            if thread.ionice().ioclass != psutil.IOPRIO_CLASS_IDLE:
                thread.ionice(psutil.IOPRIO_CLASS_BE, _LOWEST_AT_DISK)


def _lower() -> None:
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
    elif sys.platform == "win32":
        kernel32 = ctypes.WinDLL("kernel32")
        kernel32.GetCurrentThread.restype = ctypes.c_void_p
        kernel32.SetThreadPriority(ctypes.c_void_p(kernel32.GetCurrentThread()), _WINDOWS_LOWEST)
    elif sys.platform == "darwin":
        ctypes.CDLL(None).pthread_set_qos_class_self_np(_MACOS_UTILITY, 0)


def limit_processor(seconds: float) -> None:
    """Where the system can: end this process after so much more processor time, even if the daemon is gone by then."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - POSIX has it

    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (int(used + seconds) + 2, hard))


# Taking little memory of the system, and giving it back when a lot of work is done. All of it is glibc's alone.

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _PERTURB, _ARENA_MAX = -1, -3, -6, -8  # M_TRIM_THRESHOLD and so on, of malloc.h
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


# Overwriting what is free.

_CLASSES = range(48, 513, 16)  # sizes in bytes by which Python's allocator shares out memory; texts are in none smaller
_BYTES_OBJECT = 33  # bytes that an empty bytes object takes
_SWEPT_BYTES = 4 << 20
_C_CLASSES = range(24, 4096, 16)  # sizes in bytes of the C library's small blocks
_C_BLOCKS = 64  # of each; a thread keeps seven to itself, which `overwrite_what_is_freed` does not reach


def overwrite_what_is_freed() -> None:
    """From now on, have the C library overwrite each block that is freed. Python's own small blocks: `wipe`."""
    _call("mallopt", _PERTURB, 1)


def wipe() -> None:
    """Overwrite the small texts that Python, and the calling thread in the C library, have let go of: 0.5 s.

    Python keeps blocks of up to 512 bytes to itself and never clears them. So as much is taken as may be free of each
    size, 4 MB, and filled with zeros; of the C library, the blocks that a thread keeps to itself, and some beyond.
    """
    for size in _CLASSES:
        [bytes(size - _BYTES_OBJECT) for _ in range(_SWEPT_BYTES // size)]  # pyright: ignore[reportUnusedExpression]
    if sys.platform == "linux":
        _wipe_c()


def _wipe_c() -> None:
    library = ctypes.PyDLL(None)  # which keeps Python's lock: else each of the many calls would wait for it
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
            getattr(ctypes.CDLL(None), name)(*arguments)


_LONGEST_PAUSE_SECONDS = 60.0

_log = logging.getLogger(__name__)


class Conditions:
    """What goes wrong in the background now: one sentence for the user about each part. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sentences: dict[str, str] = {}

    def put(self, part: str, sentence: str) -> None:
        """Something is wrong with a part, until it is cleared; replaces what was said of the part before."""
        with self._lock:
            self._sentences[part] = sentence

    def clear(self, part: str) -> None:
        """All is well with a part."""
        if part in self._sentences:  # the common case takes no lock
            with self._lock:
                self._sentences.pop(part, None)

    def sentences(self) -> tuple[str, ...]:
        """About everything that is wrong now."""
        with self._lock:
            return tuple(self._sentences.values())

    def failed(self, part: str, error: Exception) -> None:
        """An unforeseen exception: log its type, never its message, which may hold note text."""
        _log.error("a background part failed and is tried again", extra={"code": part, "error": type(error).__name__})
        self.put(part, f"{part} failed ({type(error).__name__}) and is tried again; see the log.")


class Loop:
    """A thread that calls `step` until it is stopped, whatever `step` raises.

    part: what the loop does, as the beginning of a sentence for the user ("Watching folders"). After an exception
    `conditions` says so until a step has ended well, or `well` was called; the pause before the next step grows from a
    second to a minute. every: seconds between the steps, and before the first, or what says so each time; a step may
    also wait by itself.
    prepare: called once, in the thread, before all steps; must not raise.
    """

    def __init__(
        self,
        name: str,
        part: str,
        step: Callable[[], None],
        conditions: Conditions,
        *,
        every: float | Callable[[], float] = 0.0,
        prepare: Callable[[], None] = lambda: None,
    ) -> None:
        self.stopping = threading.Event()
        self._part = part
        self._step = step
        self._conditions = conditions
        self._every = every
        self._prepare = prepare
        self._failures = 0  # since it last went well
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self, seconds: float | None = None) -> None:
        """End after the current step; returns when it has ended, or after so many seconds. May be called twice."""
        self.stopping.set()
        if self._thread.is_alive():
            self._thread.join(seconds)

    def well(self) -> None:
        """Say that all is well, within a step that takes long."""
        self._failures = 0
        self._conditions.clear(self._part)

    def _run(self) -> None:
        self._prepare()
        while not self.stopping.wait(self._pause()):
            try:
                self._step()
            except Exception as error:  # noqa: BLE001  (the last resort: no loop may end while the daemon runs)
                self._failures += 1
                self._conditions.failed(self._part, error)
            else:
                self.well()
        self._conditions.clear(self._part)

    def _pause(self) -> float:
        every = self._every() if callable(self._every) else self._every
        if not self._failures:
            return every
        return max(every, min(_LONGEST_PAUSE_SECONDS, 2.0 ** (self._failures - 1)))
