"""The process that prepares notes for the daemon, so that one that takes for ever can be ended.

It ends when its stdin does. The bodies of its frames are pickles between two processes of the same program: first the
context, answered by nothing at all, then batches of notes, each answered by what they were prepared to.
"""

import contextlib
import pickle
import sys
from collections.abc import Sequence

from scrubjay.daemon.indexing.prepare import PrepareContext, prepare_many
from scrubjay.daemon.vault.read import RawNote
from scrubjay.daemon.workers.loops import lower_priority
from scrubjay.daemon.workers.process import Frame, read_frame, take_pipes, write_frame


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
        batch: tuple[float, Sequence[RawNote]] = pickle.loads(frame.body)  # noqa: S301 - as above
        seconds, raws = batch
        _limit(seconds)
        prepared = pickle.dumps(prepare_many(raws, context), pickle.HIGHEST_PROTOCOL)
        write_frame(replies, Frame(frame.number, prepared))


def _limit(seconds: float) -> None:
    """Where the system can: end this process after so much more processor time, even if the daemon is gone by then."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - POSIX has it

    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (int(used + seconds) + 2, hard))


if __name__ == "__main__":
    main()
