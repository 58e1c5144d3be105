"""Python's free memory is given back to the system at rest, and Python has it again when there is work."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="taken there alone")

_SCRIPT = """
from pathlib import Path
from scrubjay.daemon.processes.free_memory import set_free_memory_aside, use_free_memory_again
from scrubjay.daemon.processes.memory import resident_bytes, trim

def work(each=5_000):
    made = [b"heron %d" % number for number in range(400_000)]
    return made[::each]  # what stays: some in each arena

def herons():
    found = 0
    with open("/proc/self/mem", "rb", 0) as memory:
        for line in Path("/proc/self/maps").read_text().splitlines():
            start, end = (int(edge, 16) for edge in line.split(" ", 1)[0].split("-"))
            if line.endswith(" 0 ") and " rw-p " in line:
                memory.seek(start)
                found += memory.read(end - start).count(b"heron ")
    return found

kept = work()
"""


def _printed(script: str, **environment: str) -> list[int]:
    command = [sys.executable, "-c", _SCRIPT + script]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return [int(word) for word in done.stdout.split()]


def test_free_memory_is_given_back_though_each_arena_has_something_in_use() -> None:
    script = """
print(resident_bytes())
set_free_memory_aside()
print(resident_bytes())
for _ in range(4):
    more = work()
    use_free_memory_again()
    del more
    set_free_memory_aside()
print(resident_bytes())
print(sum(map(len, kept)), sum(len(b"heron %d" % number) for number in range(0, 400_000, 5_000)))
"""
    worked, at_rest, at_rest_again, kept, made = _printed(script)
    assert worked - at_rest > 10_000_000
    assert at_rest_again - at_rest < 4_000_000
    assert kept == made


def test_pages_are_given_back_though_each_pool_has_something_in_use() -> None:
    script = """
kept = work(each=300)  # a pool has 340
print(resident_bytes())
set_free_memory_aside()
trim()  # what that took
print(resident_bytes())
use_free_memory_again()
more = work(each=300)
print(sum(map(len, kept + more)), 2 * sum(len(b"heron %d" % number) for number in range(0, 400_000, 300)))
"""
    worked, at_rest, kept, made = _printed(script)
    assert worked - at_rest > 5_000_000
    assert kept == made


def test_nothing_can_be_read_in_what_is_set_aside() -> None:
    before, after = _printed("print(herons()); set_free_memory_aside(); print(herons())")
    assert before > 300_000
    assert after < 60_000, "what lies beside something in use"


def test_another_allocator_is_left_as_it_is() -> None:
    script = """
print(resident_bytes())
set_free_memory_aside()
print(resident_bytes())
use_free_memory_again()
"""
    before, after = _printed(script, PYTHONMALLOC="malloc")
    assert abs(after - before) < 1_000_000
