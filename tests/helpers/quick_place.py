"""Where tests write their files: in memory where there is plenty of it, since a disk is waited for.

Run as `python -m tests.helpers.quick_place`, which prints it. On a disk the tests take a quarter more processor time,
and their PostgreSQL three times as much.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

import psutil

_MEMORY = Path("/dev/shm")
_ROOM = 6 << 30
_LEFT = 4 << 30  # for all else that runs


def quick_place() -> Path:
    """The folder for temporary files that $TMPDIR names, else one in memory, else the system's."""
    is_wanted = sys.platform == "linux" and "TMPDIR" not in os.environ
    return _MEMORY if is_wanted and _has_room() else Path(tempfile.gettempdir())


def _has_room() -> bool:
    if not (_MEMORY.is_dir() and os.access(_MEMORY, os.W_OK)) or os.statvfs(_MEMORY).f_flag & os.ST_NOEXEC:
        return False
    return shutil.disk_usage(_MEMORY).free >= _ROOM and psutil.virtual_memory().available >= _ROOM + _LEFT


if __name__ == "__main__":
    print(quick_place())
