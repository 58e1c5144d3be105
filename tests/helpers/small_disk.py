"""A file system of its own, for what a full one or one that can only be read does."""

import subprocess
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(folder: Path, size: str) -> Generator[Callable[[str], None]]:
    """`folder` on a file system of this size; what comes back changes its options ("size=10m", "ro").

    Skips the test where this process may mount nothing.
    """
    folder.mkdir(parents=True, exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "none", str(folder)]
    try:
        subprocess.run(mount, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no file system may be mounted here")

    def remount(options: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{options}", str(folder)], check=True)

    try:
        yield remount
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
