"""This installation: how it is started again, and what it runs on."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeAlias, TypedDict

Platform: TypeAlias = Literal["linux", "darwin", "win32"]

# https://learn.microsoft.com/windows/win32/procthread/process-creation-flags
_DETACHED_PROCESS, _CREATE_NEW_PROCESS_GROUP = 0x0000_0008, 0x0000_0200


class Detachment(TypedDict):
    """What subprocess.Popen is told of how a process hangs on the one that starts it."""

    start_new_session: bool
    creationflags: int


def scrubjay_command(*arguments: str) -> list[str]:
    """The argument list that runs `scrubjay` with these arguments."""
    if getattr(sys, "frozen", False):
        return [sys.executable, *arguments]
    return [sys.executable, "-m", "scrubjay.daemon", *arguments]


def this_platform() -> Platform:
    """The system that this runs on; what is neither Windows nor macOS is like Linux."""
    return "win32" if sys.platform == "win32" else "darwin" if sys.platform == "darwin" else "linux"


def detached(platform: Platform) -> Detachment:
    """How to start a process that goes on when the terminal it was started from is closed."""
    if platform == "win32":  # no session there: without these flags it shares the console, and ends with it
        return {"start_new_session": False, "creationflags": _DETACHED_PROCESS | _CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True, "creationflags": 0}


def windowless(command: Sequence[str], platform: Platform) -> list[str]:
    """The command, by the interpreter that opens no console window where there is one beside its own (Windows)."""
    program, *arguments = command
    quiet = Path(program).with_name("pythonw.exe")
    is_python = platform == "win32" and Path(program).name.lower() == "python.exe"
    return [str(quiet) if is_python and quiet.exists() else program, *arguments]
