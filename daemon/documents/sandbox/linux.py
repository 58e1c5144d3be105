"""Linux' own measures: Landlock, under which no path can be used, and seccomp, under which most calls are refused.

https://docs.kernel.org/userspace-api/landlock.html, https://docs.kernel.org/userspace-api/seccomp_filter.html. The
filter is a program for the kernel's packet filter, over `struct seccomp_data` of linux/seccomp.h. It is made here since
no library is needed for a list of numbers.
"""

import ctypes
import os
import platform
import struct
import sys
from types import MappingProxyType
from typing import Any, NamedTuple

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


# Landlock

_CREATE_RULESET, _RESTRICT_SELF = 444, 446  # the same numbers on all architectures
_ASK_VERSION = 1  # LANDLOCK_CREATE_RULESET_VERSION
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # version of the interface -> how many rights about files it knows
_ALL_NETWORK = 0b11  # TCP: bind and connect, from version 4
_ALL_SCOPES = 0b11  # abstract sockets and signals, from version 6


def handled(version: int) -> tuple[int, int, int]:
    """What a ruleset forbids by handling it, for a version of the interface: rights on files, on TCP, and scopes."""
    files = (1 << _FILE_RIGHTS.get(version, 16)) - 1
    return files, _ALL_NETWORK if version >= 4 else 0, _ALL_SCOPES if version >= 6 else 0


def forbid_files() -> bool:
    """Forbid all that the kernel's Landlock knows, without exception and for good. Whether it does."""
    version = system_call(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_ASK_VERSION))
    if version < 1 or not gain_nothing():
        return False
    attributes = struct.pack("<3Q", *handled(version))
    size = 8 if version < 4 else 16 if version < 6 else 24  # an older kernel refuses fields that it does not know
    ruleset = system_call(
        _CREATE_RULESET, ctypes.create_string_buffer(attributes[:size], size), ctypes.c_size_t(size), ctypes.c_uint32(0)
    )
    if ruleset < 0:
        return False
    try:
        return system_call(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0)) == 0
    finally:
        os.close(ruleset)


# seccomp


class Machine(NamedTuple):
    """An architecture: its name for the kernel (AUDIT_ARCH_…) and the numbers of its calls."""

    audit: int
    seccomp: int
    clone: int
    clone3: int
    prlimit: int
    allowed: tuple[int, ...]


# Allowed are, where the architecture has them: read, write, readv, writev, close, fstat, lseek, poll, ppoll; mmap,
# mprotect, munmap, mremap, madvise, brk; rt_sigaction, rt_sigprocmask, rt_sigreturn, sigaltstack; nanosleep,
# clock_nanosleep, clock_gettime, clock_getres, gettimeofday, time; futex, set_robust_list, rseq, set_tid_address,
# sched_yield, sched_getaffinity; getpid, gettid, getrandom, getrusage, getrlimit, setrlimit; restart_syscall, exit,
# exit_group.
# No call that names another process: a signal could end the daemon.
MACHINES = MappingProxyType(
    {
        "x86_64": Machine(
            audit=0xC000003E,
            seccomp=317,
            clone=56,
            clone3=435,
            prlimit=302,
            allowed=(
                *(0, 1, 3, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 19, 20, 24, 25, 28, 35, 39, 60, 96, 97, 98, 131, 160),
                *(186, 201, 202, 204, 218, 219, 228, 229, 230, 231, 271, 273, 318, 334),
            ),
        ),
        "aarch64": Machine(
            audit=0xC00000B7,
            seccomp=277,
            clone=220,
            clone3=435,
            prlimit=261,
            allowed=(
                *(57, 62, 63, 64, 65, 66, 73, 80, 93, 94, 96, 98, 99, 101, 113, 114, 115, 123, 124, 128, 132, 134, 135),
                *(139, 163, 164, 165, 169, 172, 178, 214, 215, 216, 222, 226, 233, 278, 293),
            ),
        ),
    }
)
_LOAD, _EQUAL, _ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06  # BPF_LD|W|ABS, BPF_JMP|JEQ|K, BPF_JMP|JSET|K, BPF_RET|K
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000  # SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO | errno
_EPERM, _ENOSYS = 1, 38
_NUMBER_AT, _MACHINE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16
_THREAD = 0x10000  # CLONE_THREAD
_THIS_PROCESS = 0  # for prlimit64
_SET_FILTER = 1  # SECCOMP_SET_MODE_FILTER
_ALL_THREADS = 1  # SECCOMP_FILTER_FLAG_TSYNC


def program(machine: Machine) -> bytes:
    """The filter as `struct sock_filter[]`: the allowed calls, threads but no processes, limits of this process alone.

    All else is answered with EPERM, so that a library which tries it can go on without.

    clone3 hides its flags behind a pointer, so the C library is told that there is none and takes clone.
    """
    refuse, allow = _line(_RETURN, _REFUSE | _EPERM), _line(_RETURN, _ALLOW)
    lines = [_line(_LOAD, _MACHINE_AT), _line(_EQUAL, machine.audit, 1, 0), refuse, _line(_LOAD, _NUMBER_AT)]
    for number in machine.allowed:
        lines += [_line(_EQUAL, number, 0, 1), allow]
    lines += [_line(_EQUAL, machine.clone3, 0, 1), _line(_RETURN, _REFUSE | _ENOSYS)]
    lines += [_line(_EQUAL, machine.clone, 0, 4), _line(_LOAD, _FIRST_ARGUMENT_AT)]
    lines += [_line(_ANY_BIT, _THREAD, 0, 1), allow, refuse]
    lines += [_line(_EQUAL, machine.prlimit, 0, 3), _line(_LOAD, _FIRST_ARGUMENT_AT)]
    lines += [_line(_EQUAL, _THIS_PROCESS, 0, 1), allow, refuse]
    return b"".join(lines)


def forbid_calls() -> bool:
    """Put the filter on all threads of this process, for good. Whether it is on."""
    machine = MACHINES.get(platform.machine())
    if sys.platform != "linux" or machine is None or not gain_nothing():
        return False
    code = program(machine)
    buffer = ctypes.create_string_buffer(code, len(code))
    handed = ctypes.create_string_buffer(struct.pack("@HP", len(code) // 8, ctypes.addressof(buffer)))
    flags = ctypes.c_uint32(_ALL_THREADS)
    return system_call(machine.seccomp, ctypes.c_uint32(_SET_FILTER), flags, handed) == 0


def _line(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """A `struct sock_filter`: a jump skips so many lines."""
    return struct.pack("=HBBI", code, if_true, if_false, value)
