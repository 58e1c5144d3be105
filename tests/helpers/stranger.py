"""A program of another user of the machine, as far as one socket is one."""

import os
import socket
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

STRANGER = 1234
"""The other user's id."""


@contextmanager
def strangers_port() -> Generator[socket.socket]:
    """A listener of another user at a free port of this computer. Skips the test where there can't be one."""
    if not Path("/proc/net/tcp").exists():
        pytest.skip("only Linux tells who listens")
    if os.getuid() != 0:
        pytest.skip("only root can listen as somebody else")
    os.seteuid(STRANGER)
    try:
        listener = socket.socket()
    finally:
        os.seteuid(0)
    with listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener
