"""Daemons forked from one process that has imported what they are made of, which spares each a second of imports."""

import multiprocessing
import os
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.process import BaseProcess

CAN_FORK = sys.platform == "linux"

_MODULES = ("scrubjay.daemon.cli.app", "scrubjay.daemon.cli.serve", "scrubjay.daemon.server.daemon_process")


def fork_command(arguments: Sequence[str], environment: Mapping[str, str], errors: str) -> BaseProcess:
    """Start `scrubjay` with these arguments. errors: the file that what it says of errors is written to."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*_MODULES])
    process = context.Process(target=_run, args=(list(arguments), dict(environment), errors), daemon=True)
    process.start()
    return process


def _run(arguments: list[str], environment: dict[str, str], errors: str) -> None:
    for descriptor, path in ((1, os.devnull), (2, errors)):
        opened = os.open(path, os.O_WRONLY)
        os.dup2(opened, descriptor)
        os.close(opened)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["scrubjay", *arguments]
    from scrubjay.daemon.cli import main

    main()
