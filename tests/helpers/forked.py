"""Daemons, what runs the model for them, and commands, forked from one process that has imported and loaded all of it.

That spares each daemon a second of imports, its model's process two thirds of one, and a command half of one.
"""

import contextlib
import importlib
import json
import multiprocessing
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Generator, Mapping, Sequence
from functools import cache
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any
from unittest.mock import patch

from tests.helpers import forked_client

CAN_FORK = sys.platform == "linux"

_MODULES = (
    "scrubjay.daemon.cli.app",
    "scrubjay.daemon.cli.serve",
    "scrubjay.daemon.server.daemon_process",
    "tests.helpers.loaded_model",
)
_WORKER = "scrubjay.daemon.models.model_worker"


def fork_command(arguments: Sequence[str], environment: Mapping[str, str], errors: str) -> BaseProcess:
    """Start `scrubjay` with these arguments. errors: the file that what it says of errors is written to."""
    return _forked(_run, list(arguments), dict(environment), errors)


@cache
def forking_program() -> list[str]:
    """The argument list of a program that is `scrubjay` in all but that it needs no time to start."""
    name = f"scrubjay-{os.getpid()}-{os.urandom(4).hex()}"
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(f"\0{name}")
    listening.listen()
    threading.Thread(target=_run_those_asked_for, args=(listening,), daemon=True).start()
    return [sys.executable, "-I", "-S", forked_client.__file__, name]


def _run_those_asked_for(listening: socket.socket) -> None:
    while True:
        connection, _ = listening.accept()
        threading.Thread(target=_run_one, args=(connection,), daemon=True).start()


def _run_one(connection: socket.socket) -> None:
    with connection:
        head, descriptors, _, _ = socket.recv_fds(connection, 4, 3)
        request = connection.recv(int.from_bytes(head, "big"), socket.MSG_WAITALL)
        streams = [Connection(descriptor) for descriptor in descriptors]
        process = _forked(_run_command, *json.loads(request), *streams)
        for stream in streams:
            stream.close()
        assert process.pid
        connection.sendall(process.pid.to_bytes(4, "big"))
        if connection in wait([connection, process.sentinel]):  # who asked was killed, and says nothing more
            process.kill()
        process.join()
        with contextlib.suppress(OSError):
            connection.sendall(bytes([(process.exitcode or 0) % 256]))


def _run_command(arguments: list[str], environment: dict[str, str], folder: str, *streams: Connection) -> None:
    from scrubjay.daemon.cli import main, output

    _stand_in(environment, {place: os.dup(stream.fileno()) for place, stream in enumerate(streams)})
    for stream in streams:
        stream.close()
    os.chdir(folder)
    sys.stdin, sys.stdout, sys.stderr = map(os.fdopen, range(3), "rww")
    if "COLUMNS" in environment:  # which rich reads as it is imported
        output.console.width = output.errors.width = int(environment["COLUMNS"])
    sys.argv = ["scrubjay", *arguments]
    with little_is_wiped():
        main()


def _forked(target: Any, *arguments: object) -> BaseProcess:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*_MODULES])
    process = context.Process(target=target, args=arguments)
    process.start()
    return process


def _run(arguments: list[str], environment: dict[str, str], errors: str) -> None:
    _stand_in(environment, {1: os.open(os.devnull, os.O_WRONLY), 2: os.open(errors, os.O_WRONLY)})
    sys.argv = ["scrubjay", *arguments]
    from scrubjay.daemon.cli import main

    with forked_models(), little_is_wiped():
        main()


@contextlib.contextmanager
def little_is_wiped() -> Generator[None]:
    """Until the block ends, what this process sweeps of its memory, once a profile is closed, is next to nothing."""
    from scrubjay.daemon.processes import memory

    with patch.multiple(memory, _SWEPT_BYTES=1 << 10, _C_BLOCKS=1):
        yield


@contextlib.contextmanager
def forked_models() -> Generator[None]:
    """Until the block ends, this process forks the processes that run the bundled model for it."""
    from scrubjay.daemon.processes import worker_process

    class Subprocess:
        """As the module, in all that is used of it there."""

        PIPE, DEVNULL, TimeoutExpired, Popen = subprocess.PIPE, subprocess.DEVNULL, subprocess.TimeoutExpired, _worker

    with patch.object(worker_process, "subprocess", Subprocess):
        yield


def _stand_in(environment: Mapping[str, str], streams: Mapping[int, int]) -> None:
    for descriptor, opened in streams.items():
        os.dup2(opened, descriptor)
        os.close(opened)
    os.environ.clear()
    os.environ.update(environment)


def _worker(command: Sequence[str], *, env: Mapping[str, str], **options: Any) -> "subprocess.Popen[bytes] | _Forked":
    if _WORKER in command:
        return _Forked(env)
    popen: type[subprocess.Popen[bytes]] = subprocess.Popen
    return popen(command, env=env, **options)


class _Forked:
    """What WorkerProcess uses of a Popen, for a model's process that was forked."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        requests, sent = multiprocessing.Pipe(duplex=False)
        received, replies = multiprocessing.Pipe(duplex=False)
        self._process = _forked(_serve_model, dict(environment), requests, replies)
        self.stdin = os.fdopen(os.dup(sent.fileno()), "wb")
        self.stdout = os.fdopen(os.dup(received.fileno()), "rb")
        for connection in (requests, sent, received, replies):
            connection.close()

    @property
    def pid(self) -> int:
        assert self._process.pid
        return self._process.pid

    def kill(self) -> None:
        self._process.kill()

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(_WORKER, timeout or 0)
        return self._process.exitcode


def _serve_model(environment: dict[str, str], requests: Connection, replies: Connection) -> None:
    streams = {0: os.dup(requests.fileno()), 1: os.dup(replies.fileno()), 2: os.open(os.devnull, os.O_WRONLY)}
    requests.close()
    replies.close()
    _stand_in(environment, streams)
    from scrubjay.daemon.models import onnx_model
    from tests.helpers.loaded_model import loaded

    with patch.object(onnx_model, "load_text_embedding", loaded):
        importlib.import_module(_WORKER).main()


if __name__ == "__main__":  # for tests in another language: until standard input ends
    sys.stdout.write(json.dumps(forking_program()))
    sys.stdout.flush()
    sys.stdin.read()
