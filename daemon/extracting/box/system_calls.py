"""Linux' prctl and syscall, for calls that Python has no name for."""

import ctypes
import sys
from typing import Any

_NO_NEW_PRIVILEGES, _NOT_DUMPABLE = 38, 4  # PR_SET_NO_NEW_PRIVS, PR_SET_DUMPABLE (0)


def system_call(number: int, *arguments: Any) -> int:
    """The call's result; -1 where the system refuses or doesn't know it."""
    if sys.platform != "linux":
        return -1
    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    return int(library.syscall(ctypes.c_long(number), *arguments))


def gain_nothing() -> bool:
    """This process and what it starts never gain privileges, which Landlock and seccomp ask for; nor is it traced."""
    if sys.platform != "linux":
        return False
    library = ctypes.CDLL(None, use_errno=True)
    zeros = [ctypes.c_ulong(0)] * 3
    library.prctl(_NOT_DUMPABLE, ctypes.c_ulong(0), *zeros)
    return library.prctl(_NO_NEW_PRIVILEGES, ctypes.c_ulong(1), *zeros) == 0
