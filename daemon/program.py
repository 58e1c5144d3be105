"""This installation: how it is started again, and what it runs on."""

import sys
from typing import Literal, TypeAlias

Platform: TypeAlias = Literal["linux", "darwin", "win32"]


def scrubjay_command(*arguments: str) -> list[str]:
    """The argument list that runs `scrubjay` with these arguments."""
    if getattr(sys, "frozen", False):
        return [sys.executable, *arguments]
    return [sys.executable, "-m", "scrubjay.daemon", *arguments]


def this_platform() -> Platform:
    """The system that this runs on; what is neither Windows nor macOS is like Linux."""
    return "win32" if sys.platform == "win32" else "darwin" if sys.platform == "darwin" else "linux"
