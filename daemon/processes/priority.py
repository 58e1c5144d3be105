"""Lowering the priority of background threads, at the processor or at the disk."""

import contextlib
import ctypes
import os
import sys
import threading

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
