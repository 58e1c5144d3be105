"""The measures as plain values: what Landlock, seccomp and Windows' job objects are told."""

import struct
from collections.abc import Iterator

import pytest

from scrubjay.daemon.documents.sandbox.confinement import job_limits
from scrubjay.daemon.documents.sandbox.door import needed
from scrubjay.daemon.documents.sandbox.linux import MACHINES, Machine, handled, program

ALLOW, EPERM, ENOSYS = 0x7FFF0000, 0x50001, 0x50026
THREAD, PROCESS = 0x3D0F00, 0x1200011  # flags of clone, as glibc has them for pthread_create and fork


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        (1, (0x1FFF, 0, 0)),
        (2, (0x3FFF, 0, 0)),
        (3, (0x7FFF, 0, 0)),
        (4, (0x7FFF, 3, 0)),
        (5, (0xFFFF, 3, 0)),
        (7, (0xFFFF, 3, 3)),
    ],
)
def test_landlock_forbids_all_that_its_version_knows(version: int, expected: tuple[int, int, int]) -> None:
    assert handled(version) == expected


def verdict(machine: Machine, audit: int, number: int, first_argument: int = 0) -> int:
    """What the kernel would answer: the four operations of its packet filter that the program has."""
    lines = [*_lines(program(machine))]
    data = struct.pack("<iIQQ", number, audit, 0, first_argument)
    loaded, at = 0, 0
    while True:
        code, if_true, if_false, value = lines[at]
        at += 1
        if code == 0x06:
            return value
        if code == 0x20:
            loaded = struct.unpack_from("<I", data, value)[0]
        else:
            holds = loaded == value if code == 0x15 else bool(loaded & value)
            at += if_true if holds else if_false


def _lines(code: bytes) -> Iterator[tuple[int, int, int, int]]:
    return struct.iter_unpack("=HBBI", code)


@pytest.mark.parametrize("name", MACHINES)
def test_the_filter_allows_its_calls_and_refuses_all_others(name: str) -> None:
    machine = MACHINES[name]
    special = {machine.clone, machine.clone3, machine.prlimit}
    for number in range(600):
        if number not in special:
            expected = ALLOW if number in machine.allowed else EPERM
            assert verdict(machine, machine.audit, number) == expected, number


@pytest.mark.parametrize("name", MACHINES)
def test_threads_are_allowed_and_processes_are_not(name: str) -> None:
    machine = MACHINES[name]
    assert verdict(machine, machine.audit, machine.clone, THREAD) == ALLOW
    assert verdict(machine, machine.audit, machine.clone, PROCESS) == EPERM
    assert verdict(machine, machine.audit, machine.clone3) == ENOSYS


@pytest.mark.parametrize("name", MACHINES)
def test_limits_are_those_of_this_process_alone(name: str) -> None:
    machine = MACHINES[name]
    assert verdict(machine, machine.audit, machine.prlimit, 0) == ALLOW
    assert verdict(machine, machine.audit, machine.prlimit, 4_242) == EPERM


def test_calls_of_another_architecture_are_refused() -> None:
    x86, arm = MACHINES["x86_64"], MACHINES["aarch64"]
    assert verdict(x86, arm.audit, x86.allowed[0]) == EPERM
    assert verdict(x86, x86.audit, x86.allowed[0] | 0x40000000) == EPERM  # the 32-bit pointers of x32


@pytest.mark.parametrize(
    ("call", "numbers"),
    [
        ("open", (2, None)),
        ("openat", (257, 56)),
        ("socket", (41, 198)),
        ("connect", (42, 203)),
        ("execve", (59, 221)),
        ("ptrace", (101, 117)),
        ("kill", (62, 129)),
        ("tgkill", (234, 131)),
        ("process_vm_readv", (310, 270)),
        ("io_uring_setup", (425, 425)),
    ],
)
def test_what_reaches_out_is_on_no_list(call: str, numbers: tuple[int | None, int | None]) -> None:
    for machine, number in zip(("x86_64", "aarch64"), numbers, strict=True):
        assert number not in MACHINES[machine].allowed, call


def test_windows_is_told_of_one_process_and_so_much_memory() -> None:
    told = job_limits(400_000_000)
    assert len(told) == 144  # sizeof(JOBOBJECT_EXTENDED_LIMIT_INFORMATION) on 64 bits
    assert struct.unpack_from("<I", told, 16)[0] == 0x8 | 0x100 | 0x400
    assert struct.unpack_from("<I", told, 40)[0] == 1  # ActiveProcessLimit
    assert struct.unpack_from("<Q", told, 112)[0] == 400_000_000  # ProcessMemoryLimit


def test_no_key_of_the_daemons_environment_goes_into_the_box() -> None:
    environment = {"PATH": "/bin", "PYTHONUTF8": "1", "SYSTEMROOT": "C:", "SERVICE_API_KEY": "x", "HOME": "/home/ada"}
    assert needed(environment) == {"PATH": "/bin", "PYTHONUTF8": "1", "SYSTEMROOT": "C:"}
