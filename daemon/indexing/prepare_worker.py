"""The process that prepares notes for the daemon, so that one that takes for ever can be ended.

It ends when its stdin does. The bodies of its frames are pickles between two processes of the same program: first the
context, answered by nothing at all, then batches of notes, each with the function that prepares them, and answered by
what that made of them.
"""

import pickle
from collections.abc import Callable, Sequence
from typing import TypeAlias

from scrubjay.daemon.indexing.prepare import PrepareContext, Prepared
from scrubjay.daemon.processes.frames import Frame, read_frame, take_pipes, write_frame
from scrubjay.daemon.processes.priority import limit_processor, lower_priority

How: TypeAlias = Callable[[Sequence[object], PrepareContext], Prepared]


def main() -> None:
    """Serve until stdin ends."""
    requests, replies = take_pipes()
    frame = read_frame(requests)
    if frame is None:
        return
    context: PrepareContext = pickle.loads(frame.body)  # noqa: S301 - the other end is this very program
    write_frame(replies, Frame(frame.number, pickle.dumps([])))  # it is ready
    lower_priority()  # only now: the first edit after a rest waits for the start
    while (frame := read_frame(requests)) is not None:
        batch: tuple[float, How, Sequence[object]] = pickle.loads(frame.body)  # noqa: S301 - as above
        seconds, how, raws = batch
        limit_processor(seconds)
        prepared = pickle.dumps(how(raws, context), pickle.HIGHEST_PROTOCOL)
        write_frame(replies, Frame(frame.number, prepared))


if __name__ == "__main__":
    main()
