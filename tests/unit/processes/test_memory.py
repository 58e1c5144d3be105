"""What a thread let go of is given back to the system."""

import subprocess
import sys

import pytest

_SCRIPT = """
import threading
from scrubjay.daemon.processes.memory import give_back, resident_bytes, share_heap

share_heap()

def work():
    blocks = [bytearray(b"x" * 600_000) for _ in range(20)]

def after_work():
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    give_back()
    return resident_bytes()

before = resident_bytes()
print(after_work() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's allocator")
def test_what_a_thread_let_go_of_is_given_back() -> None:
    done = subprocess.run([sys.executable, "-c", _SCRIPT], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 4_000_000
