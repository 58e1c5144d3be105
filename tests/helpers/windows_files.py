"""Files as Windows keeps them, where that can be had on Linux: what a process has open can't be deleted or moved."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

_DESCRIPTORS = Path("/proc/self/fd")


def open_files_stay(patch: pytest.MonkeyPatch) -> None:
    """Until `patch` is undone, deleting a file that this process has open fails as on Windows (PermissionError)."""
    for name in ("unlink", "remove"):
        patch.setattr(os, name, _refusing(getattr(os, name)))


def _refusing(real: Callable[..., None]) -> Callable[..., None]:
    def delete(path: Any, *, dir_fd: int | None = None) -> None:
        folder = _DESCRIPTORS / str(dir_fd) if dir_fd is not None else Path()
        found = (folder / os.fsdecode(path)).resolve()
        if any(_target(each) == found for each in _DESCRIPTORS.iterdir()):
            raise PermissionError(13, "The process cannot access the file because it is being used", str(found))
        real(path, dir_fd=dir_fd) if dir_fd is not None else real(path)

    return delete


def _target(descriptor: Path) -> Path | None:
    try:
        return descriptor.readlink()
    except OSError:
        return None
