"""Workers of this folder, killed at moments that nobody chose."""

import importlib
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from multiprocessing.connection import Connection

from tests.helpers.forked import CAN_FORK, forked


def killed(worker: str, *arguments: object, after: float) -> list[str]:
    """Run `python -m tests.faults.WORKER ARGUMENTS` until so many seconds after it said "ready".

    The whole lines that it said then. Raises AssertionError where it came to a bad end by itself.
    """
    module, given = f"tests.faults.{worker}", [str(each) for each in arguments]
    reading, writing = os.pipe()
    if CAN_FORK:
        stream = Connection(writing)
        process = forked(_run, module, given, dict(os.environ), stream, daemon=True)
        stream.close()
    else:
        process = subprocess.Popen([sys.executable, "-m", module, *given], stdout=writing)
        os.close(writing)
    with os.fdopen(reading) as said:
        assert said.readline() == "ready\n"
        time.sleep(after)
        status = process.poll() if isinstance(process, subprocess.Popen) else process.exitcode
        assert status in (None, 0)
        process.kill()
        (process.wait if isinstance(process, subprocess.Popen) else process.join)()
        return [line.removesuffix("\n") for line in said if line.endswith("\n")]


def _run(module: str, arguments: list[str], environment: Mapping[str, str], stream: Connection) -> None:
    os.dup2(stream.fileno(), 1)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    stream.close()
    os.environ.clear()
    os.environ.update(environment)
    sys.argv[1:] = arguments
    importlib.import_module(module).main()
