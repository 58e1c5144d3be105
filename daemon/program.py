"""This installation: how it is started again, and what it runs on."""

import shlex
import shutil
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


def typed_command(platform: Platform, home: str | None = None) -> str:
    """What a person types here for `scrubjay`: its name where that leads to this program, else its path.

    home: `$SCRUBJAY_HOME`, which a terminal needs, too; on Windows it is left to the user, whose shells differ there.
    """
    beside = Path(sys.executable).with_name("scrubjay.exe" if platform == "win32" else "scrubjay")
    program = Path(sys.executable) if getattr(sys, "frozen", False) else beside
    found = shutil.which("scrubjay")
    is_found = found is not None and program.exists() and Path(found).samefile(program)
    typed = "scrubjay" if is_found or not program.exists() else shlex.quote(str(program))
    if not home or platform == "win32":
        return typed
    return f"SCRUBJAY_HOME={shlex.quote(str(Path(home).expanduser().absolute()))} {typed}"


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
