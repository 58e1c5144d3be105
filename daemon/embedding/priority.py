"""Giving way: work that nobody waits for runs at a lower priority, a thread at a time."""

import contextlib
import ctypes
import os
import sys
import threading

_NICENESS = 10
_WINDOWS_LOWEST = -2  # THREAD_PRIORITY_LOWEST
_MACOS_UTILITY = 0x11  # QOS_CLASS_UTILITY


def give_way() -> None:
    """Lower the calling thread's priority, for good; the other threads of the process keep theirs.

    Linux: niceness 10. Windows: THREAD_PRIORITY_LOWEST. macOS: quality of service "utility". Elsewhere, and where the
    system refuses: nothing.
    """
    with contextlib.suppress(OSError, AttributeError):
        _lower()


def _lower() -> None:
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
    elif sys.platform == "win32":
        kernel32 = ctypes.WinDLL("kernel32")
        kernel32.GetCurrentThread.restype = ctypes.c_void_p
        kernel32.SetThreadPriority(ctypes.c_void_p(kernel32.GetCurrentThread()), _WINDOWS_LOWEST)
    elif sys.platform == "darwin":
        ctypes.CDLL(None).pthread_set_qos_class_self_np(_MACOS_UTILITY, 0)
