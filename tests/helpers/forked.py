"""Daemons, their workers, and commands, forked from one process that has imported and loaded all of it.

That spares each daemon a second of imports, a worker two thirds of one, and a command half of one.
"""

import contextlib
import importlib
import json
import multiprocessing
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import cache
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any
from unittest.mock import patch

import psutil

from tests.helpers import forked_client

CAN_FORK = sys.platform == "linux"

_ROOT = Path(__file__).parents[2]
_COMMANDS = [path for path in sorted((_ROOT / "daemon" / "cli").rglob("*.py")) if path.stem != "__init__"]
_MODULES = (
    *(f"scrubjay.{'.'.join(path.relative_to(_ROOT).with_suffix('').parts)}" for path in _COMMANDS),
    "scrubjay.daemon.mcp.daemon_calls",
    "scrubjay.daemon.server.daemon_process",
    "tests.helpers.loaded",
)
_WORKERS = {"scrubjay.daemon.models.model_worker", "scrubjay.daemon.indexing.prepare_worker"}
_ASKED_BY: dict[int, int] = {}
"""The id of each process that was forked from this one, to that of who asked for it."""


def forking_program() -> list[str]:
    """The argument list of a program that is `scrubjay` in all but that it needs no time to start."""
    return [sys.executable, "-I", "-S", forked_client.__file__, _listening()]


def helpers_of(daemon: int) -> list[psutil.Process]:
    """The processes that a daemon has beside it: its children, and what was forked for it."""
    theirs = [child for child, asker in list(_ASKED_BY.items()) if asker == daemon]
    return [*psutil.Process(daemon).children(recursive=True), *map(psutil.Process, theirs)]


def forked(target: Callable[..., None], *arguments: object, daemon: bool = False) -> BaseProcess:
    """A process that was started to run `target`, with all of the program imported. daemon: it ends with this one.

    A test process has one server of forks, and what was given to it first holds: whoever asked for another would have
    every daemon after it import and load all by itself.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*_MODULES])
    process = context.Process(target=target, args=arguments, daemon=daemon)
    process.start()
    return process


@cache
def _listening() -> str:
    """The name of the socket at which this process takes what is to be forked."""
    name = f"scrubjay-{os.getpid()}-{os.urandom(4).hex()}"
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(f"\0{name}")
    listening.listen()
    threading.Thread(target=_run_those_asked_for, args=(listening, name), daemon=True).start()
    return name


def _run_those_asked_for(listening: socket.socket, name: str) -> None:
    while True:
        connection, _ = listening.accept()
        threading.Thread(target=_run_one, args=(connection, name), daemon=True).start()


def _run_one(connection: socket.socket, name: str) -> None:
    with connection:
        head, descriptors, _, _ = socket.recv_fds(connection, 4, 3)
        arguments, environment, folder = json.loads(connection.recv(int.from_bytes(head, "big"), socket.MSG_WAITALL))
        streams = [Connection(descriptor) for descriptor in descriptors]
        process = forked(_run, name, arguments, environment, folder, *streams)
        for stream in streams:
            stream.close()
        assert process.pid
        _ASKED_BY[process.pid], _, _ = struct.unpack(
            "3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        )
        with contextlib.suppress(OSError):  # who asked may have been killed meanwhile
            connection.sendall(process.pid.to_bytes(4, "big"))
        if connection in wait([connection, process.sentinel]):  # who asked was killed, and says nothing more
            process.kill()
        process.join()
        del _ASKED_BY[process.pid]
        with contextlib.suppress(OSError):
            connection.sendall((process.exitcode or 0).to_bytes(2, "big", signed=True))


def _run(name: str, arguments: list[str], environment: dict[str, str], folder: str, *streams: Connection) -> None:
    """name: of the socket at which what this command starts is forked in its turn."""
    for place, stream in enumerate(streams):
        os.dup2(stream.fileno(), place)
        stream.close()
    os.environ.clear()
    os.environ.update(environment | {"ORT_DISABLE_TELEMETRY": "1"})  # see `installation.invoke`
    os.chdir(folder)
    from tests.helpers.loaded import loaded_once

    with loaded_once():
        if arguments and _WORKERS.issuperset(arguments):
            importlib.import_module(arguments[0]).main()
        else:
            _run_command(arguments, name)


def _run_command(arguments: list[str], name: str) -> None:
    from scrubjay.daemon.cli import main, terminal

    sys.stdin, sys.stdout, sys.stderr = map(os.fdopen, range(3), "rww")
    if "COLUMNS" in os.environ:  # which rich reads as it is imported
        terminal.console.width = terminal.errors.width = int(os.environ["COLUMNS"])
    sys.argv = ["scrubjay", *arguments]
    with forked_workers(name), little_is_wiped():
        main()


@contextlib.contextmanager
def little_is_wiped() -> Generator[None]:
    """Until the block ends, what this process sweeps of its memory, once a profile is closed, is next to nothing."""
    from scrubjay.daemon.processes import memory

    with patch.multiple(memory, _SWEPT_BYTES=1 << 10, _C_BLOCKS=1):
        yield


@contextlib.contextmanager
def forked_workers(name: str = "") -> Generator[None]:
    """Until the block ends, the processes that embed and prepare notes for this one are forked.

    name: of the socket at which another process takes what is to be forked; this one does it by itself otherwise.
    """
    from scrubjay.daemon.processes import worker_process

    def started(
        command: Sequence[str], *, env: Mapping[str, str], **options: Any
    ) -> "subprocess.Popen[bytes] | _ForkedWorker":
        if command[-1] in _WORKERS:
            return _ForkedWorker(name or _listening(), command[-1], env)
        popen: type[subprocess.Popen[bytes]] = subprocess.Popen
        return popen(command, env=env, **options)

    class Subprocess:
        """As the module, in all that is used of it there."""

        PIPE, DEVNULL, TimeoutExpired, Popen = subprocess.PIPE, subprocess.DEVNULL, subprocess.TimeoutExpired, started

    with patch.object(worker_process, "subprocess", Subprocess):
        yield


class _ForkedWorker:
    """What WorkerProcess uses of a Popen, for a worker that was forked."""

    def __init__(self, name: str, module: str, environment: Mapping[str, str]) -> None:
        requests, sent = os.pipe()
        received, replies = os.pipe()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        self.stdin, self.stdout = os.fdopen(sent, "wb"), os.fdopen(received, "rb")
        theirs = (requests, replies, nowhere)
        self._connection, self.pid = forked_client.ask(name, [module], environment, theirs)
        self._module = module
        self._status: int | None = None
        for descriptor in theirs:
            os.close(descriptor)

    def kill(self) -> None:
        if self._status is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        if self._status is None:
            self._connection.settimeout(timeout)
            try:
                self._status = forked_client.status(self._connection)
            except TimeoutError:
                raise subprocess.TimeoutExpired(self._module, timeout or 0) from None
            self._connection.close()
        return self._status


if __name__ == "__main__":  # for tests in another language: until standard input ends
    sys.stdout.write(json.dumps(forking_program()))
    sys.stdout.flush()
    sys.stdin.read()
