"""What a process replied is held by who asked, and by nobody else."""

import sys
import weakref
from contextlib import closing

from scrubjay.daemon.processes.scheduler import Scheduler
from scrubjay.daemon.processes.worker_process import WorkerProcess
from tests.helpers.waiting import until

_ECHO = """
from scrubjay.daemon.processes.frames import read_frame, take_pipes, write_frame

requests, replies = take_pipes()
while (frame := read_frame(requests)) is not None:
    write_frame(replies, frame)
"""


class Reply(bytearray):
    """Can be referred to weakly."""


def test_a_reply_goes_with_who_asked() -> None:
    with closing(WorkerProcess("Echo", [sys.executable, "-c", _ECHO], Reply, Scheduler())) as process:
        held = weakref.ref(process.ask(b"heron").result())
        until(lambda: held() is None)
