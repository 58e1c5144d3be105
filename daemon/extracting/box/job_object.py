"""Windows' job objects: this process alone, with so much memory, and gone without a dialogue when it crashes."""

import ctypes
import struct
import sys

_EXTENDED_LIMITS = 9  # JobObjectExtendedLimitInformation
_ACTIVE_PROCESSES, _PROCESS_MEMORY, _DIE_SILENTLY = 0x8, 0x100, 0x400  # JOB_OBJECT_LIMIT_…


def limits(memory_bytes: int) -> bytes:
    """A JOBOBJECT_EXTENDED_LIMIT_INFORMATION of 64-bit Windows: one process, so much memory.

    https://learn.microsoft.com/windows/win32/api/winnt/ns-winnt-jobobject_extended_limit_information
    """
    flags = _ACTIVE_PROCESSES | _PROCESS_MEMORY | _DIE_SILENTLY
    basic = struct.pack("<qqI4xQQI4xQII", 0, 0, flags, 0, 0, 1, 0, 0, 0)
    return basic + bytes(48) + struct.pack("<QQQQ", memory_bytes, 0, 0, 0)


def enter_job(memory_bytes: int) -> bool:
    """Put this process into a job of its own, for good. Whether it is in."""
    if sys.platform != "win32":
        return False
    kernel32 = ctypes.WinDLL("kernel32")
    for function in (kernel32.CreateJobObjectW, kernel32.GetCurrentProcess):
        function.restype = ctypes.c_void_p
    job = ctypes.c_void_p(kernel32.CreateJobObjectW(None, None))
    information = limits(memory_bytes)
    accepted = kernel32.SetInformationJobObject(
        job, _EXTENDED_LIMITS, ctypes.create_string_buffer(information, len(information)), len(information)
    )
    return bool(accepted and kernel32.AssignProcessToJobObject(job, ctypes.c_void_p(kernel32.GetCurrentProcess())))
