"""The process that prepares notes for the daemon, so that one that takes for ever can be ended.

It ends when its stdin does. Frames are pickles between two processes of the same program: first the context,
answered by nothing at all, then batches of notes, each answered by what they were prepared to.
"""

import contextlib
import os
import pickle
import sys
from collections.abc import Sequence
from typing import IO, Any

from daemon.embedding.priority import give_way
from daemon.indexing.prepare import PrepareContext, prepare_many
from daemon.vault.read import RawNote

_LENGTH_BYTES = 4


def main() -> None:
    """Serve until stdin ends."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDWR), 1)  # where a library's print can do no harm
    context: PrepareContext | None = read_frame(requests)
    write_frame(replies, [])  # it is ready
    give_way()  # only now: the first edit after a rest waits for the start
    while context is not None and (batch := read_frame(requests)) is not None:
        seconds: float = batch[0]
        raws: Sequence[RawNote] = batch[1]
        _limit(seconds)
        write_frame(replies, prepare_many(raws, context))


def read_frame(pipe: IO[bytes]) -> Any:
    """The next frame; None where the pipe has ended."""
    head = pipe.read(_LENGTH_BYTES)
    if len(head) < _LENGTH_BYTES:
        return None
    data = pipe.read(int.from_bytes(head, "big"))
    return pickle.loads(data)  # noqa: S301 - the other end is this very program


def write_frame(pipe: IO[bytes], frame: object) -> None:
    """Write a frame. Raises OSError where nobody reads any more."""
    data = pickle.dumps(frame, pickle.HIGHEST_PROTOCOL)
    pipe.write(len(data).to_bytes(_LENGTH_BYTES, "big") + data)
    pipe.flush()


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
