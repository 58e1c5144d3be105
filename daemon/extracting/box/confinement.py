"""Closes the calling process to the world: no file can be opened, no network reached, memory and time have an end.

What a system has is used, and what it lacks is left out: `confine` says by which measures the process is closed.

- everywhere but on Windows: resource limits (setrlimit). Memory is limited by addresses, which macOS does not honour.
- Linux: Landlock (5.13), under which no path can be opened, and seccomp (4.14), under which all that remains is to
  read, write, compute and take memory.
- Windows: a job object of one process with so much memory. It doesn't keep the process from opening files.
"""

import sys

from scrubjay.daemon.extracting.box.job_object import enter_job
from scrubjay.daemon.extracting.box.landlock import forbid_files
from scrubjay.daemon.extracting.box.seccomp import forbid_calls

RLIMITS, LANDLOCK, SECCOMP, JOB = "resource limits", "Landlock", "seccomp", "job object"


def confine(memory_bytes: int) -> tuple[str, ...]:
    """Close this process for good, and say by which measures. Never raises: what the system refuses is left out."""
    if sys.platform == "win32":
        return (JOB,) if enter_job(memory_bytes) else ()
    steps = {LANDLOCK: forbid_files, RLIMITS: lambda: _limit_resources(memory_bytes), SECCOMP: forbid_calls}
    return tuple(measure for measure, step in steps.items() if step())  # in this order: each forbids the one before


def _limit_resources(memory_bytes: int) -> bool:
    """No new file, no byte to a file, no core dump, no other process, so much memory. Whether all was accepted."""
    if sys.platform == "win32":
        return False
    import resource  # noqa: PLC0415 - POSIX has it

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
