"""A hook of another program: its prompt is neither kept waiting nor refused, whatever becomes of us.

Some programs take a status other than 0 as a veto, so there is none, also where the command no longer takes an option
that an older version wrote into their settings.
"""

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

SECONDS = 0.8
"""For all that is done after the interpreter has started, imports among it."""


def as_hook(command: Callable[[], object]) -> NoReturn:
    """Run a command and end this process with status 0, after `SECONDS` at the latest."""
    overdue = threading.Timer(SECONDS, os._exit, (0,))
    overdue.daemon = True
    overdue.start()
    with suppress(BaseException):  # a command ends with SystemExit
        command()
    with suppress(BaseException):
        sys.stdout.flush()
    os._exit(0)  # nothing is left to be done, and what is left of standard output may have no reader
