"""Closes the calling process to the world: no file can be opened, no network reached, memory and time have an end.

What a system has is used, and what it lacks is left out: `confine` says by which measures the process is closed, and
`missing` which of those it should be closed by are not among them.

- everywhere but on Windows: resource limits (setrlimit). Memory is limited by addresses, which macOS does not honour.
- Linux: Landlock (5.13), under which no path can be opened, and seccomp (4.14), under which all that remains is to
  read, write, compute and take memory.
- Windows: a job object of one process with so much memory.
- macOS and Windows: nothing that keeps the process from opening files and connections.
"""

import ctypes
import struct
import sys
from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from scrubjay.daemon.documents.sandbox.linux import forbid_calls, forbid_files

if sys.platform != "win32":
    import resource  # here, since nothing can be loaded once Landlock is on


class Measure(StrEnum):
    """What keeps a process from something. Stable and kebab-case, for programs."""

    LANDLOCK = "landlock"
    LIMITS = "resource-limits"
    SECCOMP = "seccomp"
    JOB = "job-object"
    FILE_BAN = "file-ban"  # on files and network, where a system has none that is used here


_WORDS: Mapping[str, str] = MappingProxyType(
    {
        Measure.LANDLOCK: "Landlock",
        Measure.LIMITS: "resource limits",
        Measure.SECCOMP: "seccomp",
        Measure.JOB: "a job object",
        Measure.FILE_BAN: "a ban on files and network",
    }
)
_WANTED = {
    "linux": (Measure.LANDLOCK, Measure.LIMITS, Measure.SECCOMP),
    "win32": (Measure.JOB, Measure.FILE_BAN),
}
_WANTED_ELSEWHERE = (Measure.LIMITS, Measure.FILE_BAN)


def in_words(measures: Iterable[str]) -> str:
    """Measures for a person, within a sentence."""
    return ", ".join(_WORDS.get(each, each) for each in measures) or "nothing"


def missing(measures: Collection[Measure], system: str = sys.platform) -> tuple[Measure, ...]:
    """What should close a process on a system (see `sys.platform`), and is not among these."""
    return tuple(each for each in _WANTED.get(system, _WANTED_ELSEWHERE) if each not in measures)


def confine(memory_bytes: int) -> tuple[Measure, ...]:
    """Close this process for good, and say by which measures. Never raises: what the system refuses is left out.

    Landlock binds the thread that calls it, and those that it starts from then on. Where there are others by now, it is
    a measure only if seccomp, which binds them all, is on as well.
    """
    if sys.platform == "win32":
        return (Measure.JOB,) if _enter_job(memory_bytes) else ()
    is_alone = _count_threads() == 1
    steps = {
        Measure.LANDLOCK: forbid_files,
        Measure.LIMITS: lambda: _limit_resources(memory_bytes),
        Measure.SECCOMP: forbid_calls,
    }
    held = tuple(measure for measure, step in steps.items() if step())  # in this order: each forbids the one before
    return held if is_alone or Measure.SECCOMP in held else tuple(each for each in held if each != Measure.LANDLOCK)


def _count_threads() -> int:
    """Of this process, those of libraries too; 1 where the system does not say."""
    try:
        return len([*Path("/proc/self/task").iterdir()])
    except OSError:
        return 1


def _limit_resources(memory_bytes: int) -> bool:
    """No new file, no byte to a file, no core dump, no other process, so much memory. Whether all was accepted."""
    if sys.platform == "win32":
        return False
    limits = {
        resource.RLIMIT_NOFILE: 0,  # those that are open stay so
        resource.RLIMIT_FSIZE: 0,  # pipes are no files
        resource.RLIMIT_CORE: 0,  # which would hold what was read
        resource.RLIMIT_NPROC: 0,
        resource.RLIMIT_AS: memory_bytes,
    }
    accepted = True
    for limit, most in limits.items():
        try:
            resource.setrlimit(limit, (most, most))
        except (ValueError, OSError):
            accepted = False
    return accepted


# Windows' job objects: a process alone, with so much memory, and gone without a dialogue when it crashes.

_EXTENDED_LIMITS = 9  # JobObjectExtendedLimitInformation
_ACTIVE_PROCESSES, _PROCESS_MEMORY, _DIE_SILENTLY = 0x8, 0x100, 0x400  # JOB_OBJECT_LIMIT_…


def job_limits(memory_bytes: int) -> bytes:
    """A JOBOBJECT_EXTENDED_LIMIT_INFORMATION of 64-bit Windows: one process, so much memory.

    https://learn.microsoft.com/windows/win32/api/winnt/ns-winnt-jobobject_extended_limit_information
    """
    flags = _ACTIVE_PROCESSES | _PROCESS_MEMORY | _DIE_SILENTLY
    basic = struct.pack("<qqI4xQQI4xQII", 0, 0, flags, 0, 0, 1, 0, 0, 0)
    return basic + bytes(48) + struct.pack("<QQQQ", memory_bytes, 0, 0, 0)


def _enter_job(memory_bytes: int) -> bool:
    """Put this process into a job of its own, for good. Whether it is in."""
    if sys.platform != "win32":
        return False
    kernel32 = ctypes.WinDLL("kernel32")
    for function in (kernel32.CreateJobObjectW, kernel32.GetCurrentProcess):
        function.restype = ctypes.c_void_p
    job = ctypes.c_void_p(kernel32.CreateJobObjectW(None, None))
    information = job_limits(memory_bytes)
    accepted = kernel32.SetInformationJobObject(
        job, _EXTENDED_LIMITS, ctypes.create_string_buffer(information, len(information)), len(information)
    )
    return bool(accepted and kernel32.AssignProcessToJobObject(job, ctypes.c_void_p(kernel32.GetCurrentProcess())))
