"""A team's server that is far away: a line to it on which each byte takes its time, and ways there are counted."""

import socket
import threading
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from queue import SimpleQueue

from scrubjay.profiles.server_address import ServerAddress

_BLOCK = 1 << 16


@dataclass(slots=True)
class Line:
    """What went over it so far."""

    address: ServerAddress
    """By which the server is reached over the line."""
    seconds: float
    """That each byte takes, either way."""
    ways: int = 0
    """How often somebody asked and then had to wait: to the server and back, however much was sent at once."""
    sent: list[bytes] = field(default_factory=list[bytes])
    """What was asked, one for each way."""
    held: bytes | None = None
    """An answer with this in it does not come, and nothing after it by the same connection."""
    asking: list[list[bytes]] = field(default_factory=list[list[bytes]])
    """By connection: what was asked and is not answered."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def asked(self, data: bytes, *, goes_on: bool) -> None:
        """Something was sent to the server. goes_on: nothing has come back since the last."""
        with self._lock:
            if goes_on and self.sent:
                self.sent[-1] += data
            else:
                self.ways += 1
                self.sent.append(data)

    def forget(self, last: bytes) -> None:
        """Count from here, once something with `last` in it was the last that was asked, and all is answered."""
        while not (self.sent and last in self.sent[-1]) or any(self.asking):
            time.sleep(0.001)
        with self._lock:
            self.ways = 0
            self.sent.clear()


@contextmanager
def line_to(address: ServerAddress, *, seconds: float = 0.0) -> Generator[Line]:
    """A line to a server that is reached by a socket of this machine, until the block ends."""
    with socket.create_server(("127.0.0.1", 0)) as door, ExitStack() as ends:
        line = Line(replace(address, host="127.0.0.1", port=door.getsockname()[1]), seconds)
        server = f"{address.host}/.s.PGSQL.{address.port}"
        entry = threading.Thread(target=_let_in, args=(door, server, line, ends))
        entry.start()
        try:
            yield line
        finally:
            line.held = None
            door.shutdown(socket.SHUT_RDWR)
            entry.join()


def _let_in(door: socket.socket, server: str, line: Line, ends: ExitStack) -> None:
    while True:
        try:
            here, _ = door.accept()
        except OSError:
            return
        here.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        there = socket.socket(socket.AF_UNIX)
        there.connect(server)
        asked: list[bytes] = []  # since something came back
        line.asking.append(asked)
        ends.enter_context(here)
        ends.enter_context(there)
        for source, target, is_question in ((here, there, True), (there, here, False)):
            carried: SimpleQueue[tuple[float, bytes]] = SimpleQueue()
            taking = threading.Thread(target=_take, args=(source, carried, line, asked, is_question))
            bringing = threading.Thread(target=_bring, args=(target, carried))
            for thread in (taking, bringing):
                thread.start()
                ends.callback(thread.join)
        for end in (here, there):
            ends.callback(_shut, end)


def _shut(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)


def _take(
    source: socket.socket,
    carried: SimpleQueue[tuple[float, bytes]],
    line: Line,
    asked: list[bytes],
    is_question: bool,
) -> None:
    data = b"?"
    while data:
        try:
            data = source.recv(_BLOCK)
        except OSError:
            data = b""
        if is_question and data:
            line.asked(data, goes_on=bool(asked))
            asked.append(data)
        elif not is_question:
            while line.held is not None and line.held in data:
                time.sleep(0.01)
            asked.clear()
        carried.put((time.monotonic() + line.seconds, data))


def _bring(target: socket.socket, carried: SimpleQueue[tuple[float, bytes]]) -> None:
    while True:
        due, data = carried.get()
        time.sleep(max(0.0, due - time.monotonic()))
        try:
            if data:
                target.sendall(data)
            else:
                target.shutdown(socket.SHUT_RDWR)
        except OSError:
            data = b""
        if not data:
            return
