"""What a process in the box can still do: compute, read and write its pipes, take memory. Nothing else."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the measures of this system are others")

MEMORY_BYTES = 400_000_000
ATTEMPTS = {
    "open a file": "open('/etc/passwd')",
    "open a file for writing": "open('/tmp/from-the-box', 'w')",
    "list a folder": "__import__('os').listdir('/')",
    "make a folder": "__import__('os').mkdir('/tmp/from-the-box')",
    "look at itself": "open('/proc/self/environ')",
    "open a socket": "__import__('socket').socket()",
    "open a pair of sockets": "__import__('socket').socketpair()",
    "start a process": "__import__('os').fork()",
    "start a program": "__import__('os').execv('/bin/true', ['true'])",
    "end its parent": f"__import__('os').kill({os.getpid()}, 0)",
    "take the parent's time": f"__import__('resource').prlimit({os.getpid()}, 0, (1, 1))",
    "trace its parent": f"raise_for(__import__('ctypes').CDLL(None, use_errno=True).ptrace(16, {os.getpid()}, 0, 0))",
    "load a library": "__import__('ctypes').CDLL('libz.so.1')",
    "take more memory": f"bytearray({MEMORY_BYTES})",
    "raise its own limits": "__import__('resource').setrlimit(__import__('resource').RLIMIT_AS, (-1, -1))",
}
PROGRAM = """
import ctypes, os, resource, socket, sys
from scrubjay.daemon.documents.sandbox.confinement import confine

def raise_for(result):
    if result:
        raise OSError(result)

attempt = compile(sys.argv[1], "attempt", "exec")
confine({memory})
try:
    exec(attempt)
except (OSError, MemoryError, ValueError):
    sys.stdout.write("refused")
else:
    sys.stdout.write("done")
sys.stdout.flush()
os._exit(0)
"""


def tried(attempt: str) -> str:
    program = PROGRAM.format(memory=MEMORY_BYTES)
    command = [sys.executable, "-c", program, attempt]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60).stdout


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_all_that_reaches_out_is_refused(attempt: str) -> None:
    assert tried(ATTEMPTS[attempt]) == "refused"


def test_what_parsers_do_still_works() -> None:
    assert tried("sum(range(100)); bytearray(10_000_000); __import__('time').sleep(0.01); os.urandom(8)") == "done"
