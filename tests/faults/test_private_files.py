"""Whatever the disk does while a private file is written, the file is the old one or the new one, and never half.

Each way that a write can fail, with each error that a disk gives, once and for good, at every private file there is.
"""

import errno
import io
import itertools
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import pytest

from scrubjay.daemon.home import Home
from tests.faults.private_files import FILES, Private

Point = Literal["make", "write", "half", "sync", "rename", "folder-sync"]
POINTS: tuple[Point, ...] = ("make", "write", "half", "sync", "rename", "folder-sync")
OTHER_ERRORS = (errno.EIO, errno.EROFS, errno.EDQUOT)


class Disk:
    """Fails at one point of writing, with one error: the first time, or each time."""

    def __init__(self, point: Point, error: int, *, stays: bool) -> None:
        self._point, self._error, self._stays = point, error, stays
        self._happened = False

    def at(self, point: Point) -> None:
        """Raises what the system would."""
        if point == self._point and (self._stays or not self._happened):
            self._happened = True
            raise OSError(self._error, os.strerror(self._error))

    def install(self, patch: pytest.MonkeyPatch) -> None:
        """Take the place of the real disk."""
        mkstemp, fdopen, fsync, replace, disk = tempfile.mkstemp, os.fdopen, os.fsync, Path.replace, self

        class File(io.FileIO):
            def write(self, data: Any, /) -> int:
                disk.at("write")
                try:
                    disk.at("half")
                except OSError:
                    super().write(bytes(data)[: len(data) // 2])
                    raise
                return super().write(data)

        def making(*, dir: Path, prefix: str) -> tuple[int, str]:
            disk.at("make")
            return mkstemp(dir=dir, prefix=prefix)

        def opening(handle: int, mode: str = "r", *args: Any, **options: Any) -> Any:
            return File(handle, "w") if mode == "wb" else fdopen(handle, mode, *args, **options)

        def syncing(handle: int) -> None:
            disk.at("folder-sync" if Path(f"/proc/self/fd/{handle}").is_dir() else "sync")
            fsync(handle)

        def renaming(file: Path, target: Any) -> Path:
            disk.at("rename")
            return replace(file, target)

        patch.setattr("tempfile.mkstemp", making)
        patch.setattr("os.fdopen", opening)
        patch.setattr("os.fsync", syncing)
        patch.setattr("pathlib.Path.replace", renaming)


NEEDS_PROC = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="tells files from folders by /proc")


def fail_everywhere(file: Private, errors: Iterable[int], folder: Path) -> None:
    """Write the file anew, and over others, with each fault once."""
    damaged: tuple[bytes | None, ...] = (b"", b"half") if file.is_key else ()
    cases = itertools.product(POINTS, errors, (False, True), (None, "whole", *damaged))
    for number, (point, error, stays, before) in enumerate(cases):
        home = Home.below(folder / str(number)).make()
        path = file.path(home)
        if before == "whole":
            file.write(home)
            path = file.path(home)
        elif isinstance(before, bytes):
            path.write_bytes(before)
        old = path.read_bytes() if path.exists() else None
        with pytest.MonkeyPatch.context() as patch:
            Disk(point, error, stays=stays).install(patch)
            try:
                file.write(home)
            except OSError:
                assert (path.read_bytes() if path.exists() else None) == old
        path = file.path(home)
        if path.exists() and path.read_bytes() != old:
            assert file.is_whole(home), (point, error, before)
        assert [litter.name for litter in path.parent.glob(f".{path.name}.*")] == []
        file.write(home)
        assert file.is_whole(home), (point, error, before)


@NEEDS_PROC
@pytest.mark.parametrize("name", FILES)
def test_a_failing_disk_leaves_the_old_file_or_the_new(name: str, tmp_path: Path) -> None:
    fail_everywhere(FILES[name], (errno.ENOSPC,), tmp_path)


@pytest.mark.slow
@NEEDS_PROC
@pytest.mark.parametrize("name", FILES)
def test_a_disk_that_fails_in_other_ways_leaves_the_old_file_or_the_new(name: str, tmp_path: Path) -> None:
    fail_everywhere(FILES[name], OTHER_ERRORS, tmp_path)


def kill_often(folder: Path, times: int) -> None:
    environment = {**os.environ, "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
    arguments = [sys.executable, "-m", "tests.faults.private_worker", str(folder), str(times)]
    done = subprocess.run(arguments, env=environment, capture_output=True, text=True, timeout=3_000, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
@pytest.mark.parametrize("times", [2, pytest.param(15, marks=pytest.mark.slow)])
def test_a_kill_leaves_every_private_file_whole(tmp_path: Path, times: int) -> None:
    kill_often(tmp_path, times)
