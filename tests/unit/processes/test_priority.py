"""Giving way is a matter of one thread."""

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from scrubjay.daemon.processes.priority import lower_disk_priority, lower_priority

if sys.platform != "linux":
    pytest.skip("only Linux tells a thread's niceness and level", allow_module_level=True)


def niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


def level() -> tuple[int, int]:
    found = psutil.Process(threading.get_native_id()).ionice()
    return int(found.ioclass), found.value


def test_only_the_calling_thread_gives_way() -> None:
    before = niceness()
    with ThreadPoolExecutor(1, initializer=lower_priority) as pool:
        assert pool.submit(niceness).result() == 10
    assert niceness() == before


def test_only_the_calling_thread_gives_way_at_the_disk() -> None:
    before = level()
    with ThreadPoolExecutor(1, initializer=lower_disk_priority) as pool:
        assert pool.submit(level).result() == (psutil.IOPRIO_CLASS_BE, 7)
    assert level() == before


def test_a_thread_that_gives_way_to_all_keeps_doing_so() -> None:
    def idle() -> tuple[int, int]:
        psutil.Process(threading.get_native_id()).ionice(psutil.IOPRIO_CLASS_IDLE)
        lower_disk_priority()
        return level()

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(idle).result()[0] == psutil.IOPRIO_CLASS_IDLE


def test_a_system_that_refuses_is_no_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise psutil.AccessDenied

    monkeypatch.setattr(psutil.Process, "ionice", refuse)
    lower_disk_priority()
