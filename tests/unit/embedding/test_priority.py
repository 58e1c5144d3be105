"""Giving way is a matter of one thread."""

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from daemon.embedding.priority import give_way


def niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a thread's niceness")
def test_only_the_calling_thread_gives_way() -> None:
    before = niceness()
    with ThreadPoolExecutor(1, initializer=give_way) as pool:
        assert pool.submit(niceness).result() == 10
    assert niceness() == before
