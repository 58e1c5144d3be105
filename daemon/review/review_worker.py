"""The process that looks through a large store for what could be tidied, so that the daemon keeps none of its memory.

It ends when its stdin does, whatever it is doing: so it never outlives a daemon that was killed. The bodies of its
frames are pickles between two processes of the same program: first an `Errand`, answered by the first step of the look,
then whether nobody else has written, answered by the next step; None comes after the last.
"""

import os
import pickle
import signal
import threading
from contextlib import closing
from queue import SimpleQueue
from typing import IO

from scrubjay.daemon.links.link_graph import read_graph
from scrubjay.daemon.processes.frames import Frame, read_frame, take_pipes, write_frame
from scrubjay.daemon.processes.memory import give_back, share_heap
from scrubjay.daemon.processes.priority import lower_priority
from scrubjay.daemon.review.look import look
from scrubjay.daemon.review.steps import Errand, Found, Step, Steps, Stopped
from scrubjay.profiles.errors import ProfileError
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.store import Store


def main() -> None:
    """Look at one store."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the daemon, which then closes stdin
    requests, replies = take_pipes()
    frames = SimpleQueue[Frame]()
    threading.Thread(target=_listen, args=(requests, frames), name="requests", daemon=True).start()
    lower_priority()
    share_heap()
    frame = frames.get()
    errand: Errand = pickle.loads(frame.body)  # noqa: S301 - the other end is this very program
    try:
        store = FileStore.beside(errand.file)
    except ProfileError as error:
        _reply(replies, frame, Stopped(error.code, damaged=False, suspect=False))
        return
    with closing(store):
        steps = look(store, read_graph, errand.wanted, errand.now_ns)
        step = _next(steps, store, None)
        _reply(replies, frame, step)
        while step is not None:
            if isinstance(step, Found) and step.is_last:
                give_back()  # while the daemon keeps what was found
            frame = frames.get()
            step = _next(steps, store, pickle.loads(frame.body))  # noqa: S301 - as above
            _reply(replies, frame, step)


def _listen(requests: IO[bytes], frames: SimpleQueue[Frame]) -> None:
    while (frame := read_frame(requests)) is not None:
        frames.put(frame)
    os._exit(0)


def _next(steps: Steps, store: Store, is_alone: bool | None) -> Step | Stopped | None:
    try:
        return next(steps) if is_alone is None else steps.send(is_alone)
    except StopIteration:
        return None
    except ProfileError as error:
        return Stopped(error.code, store.damaged, store.suspect)


def _reply(replies: IO[bytes], frame: Frame, step: Step | Stopped | None) -> None:
    write_frame(replies, Frame(frame.number, pickle.dumps(step, pickle.HIGHEST_PROTOCOL)))


if __name__ == "__main__":
    main()
