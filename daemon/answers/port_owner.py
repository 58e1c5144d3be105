"""Who listens on a port of this computer: a port that nobody has taken can be taken by any user of the machine."""

import os
import re
from pathlib import Path

_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_LISTENS = "0A"
# Addresses as the tables have them, each group of four bytes with the last first.
_REACHED = re.compile(r"(0{24}|0{16}FFFF0000)?([0-9A-F]{6}7F|0{8})|0{24}01000000")
"""Any address, and those of this computer alone."""
FIRST_OF_PEOPLE = 1_000
"""User ids below it are the system's, whose services only its administrator installs, as `ollama` is."""


def stranger_at(port: int, tables: tuple[Path, ...] = _TABLES, own: int | None = None) -> int | None:
    """The id of another person who listens on this port; None where nobody does, or where the system does not tell.

    own: the user's id, else that of this process.
    """
    own = os.getuid() if own is None and hasattr(os, "getuid") else own
    for table in tables:
        try:
            lines = table.read_text(encoding="ascii").splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            _, local, _, state, _, _, _, owner, *_ = line.split()
            address, _, number = local.partition(":")
            is_this = state == _LISTENS and int(number, 16) == port and _REACHED.fullmatch(address) is not None
            if is_this and int(owner) >= FIRST_OF_PEOPLE and int(owner) != own:
                return int(owner)
    return None
