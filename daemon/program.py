"""How this very installation of Scrubjay is started again: by its Python, or as the frozen program that it is."""

import sys


def scrubjay_command(*arguments: str) -> list[str]:
    """The argument list that runs `scrubjay` with these arguments."""
    if getattr(sys, "frozen", False):
        return [sys.executable, *arguments]
    return [sys.executable, "-m", "daemon", *arguments]
