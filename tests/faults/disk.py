"""A disk that fails when it is told to: an SQLite VFS over the real one.

Every write, truncation, sync and deletion is an operation with a number. At the operation chosen something goes wrong,
and what is on the real disk afterwards is what a real one could hold.
"""

import random
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal

import apsw
import pytest

from scrubjay.profiles.store import sqlite

Fault = Literal["write-error", "short-write", "disk-full", "sync-error", "power-cut"]
FAULTS: tuple[Fault, ...] = ("write-error", "short-write", "disk-full", "sync-error", "power-cut")

_NAME = "faulty"
_SECTOR = 512
_TEMPORARY = apsw.SQLITE_OPEN_TEMP_DB | apsw.SQLITE_OPEN_TEMP_JOURNAL | apsw.SQLITE_OPEN_TRANSIENT_DB


@dataclass
class _Image:
    """One file: its bytes as they are safe on the platter, and what was done to it since its last sync."""

    path: str  # when it was last opened; it may be renamed
    safe: bytearray
    since: list[tuple[int, bytes | None]] = field(default_factory=list[tuple[int, bytes | None]])  # None: cut to offset

    def sync(self) -> None:
        for offset, data in self.since:
            _apply(self.safe, offset, data)
        self.since.clear()

    def after_power_cut(self, rng: random.Random) -> bytes:
        """The safe bytes with any of the rest: each write there, not there, or torn at a sector."""
        left = bytearray(self.safe)
        for offset, data in self.since:
            fate = rng.random()
            if data is not None and 0.4 < fate < 0.6:
                data = data[: rng.randrange(0, len(data) + 1, _SECTOR)]  # noqa: PLW2901 (torn)
            if fate < 0.6:
                _apply(left, offset, data)
        return bytes(left)


class Disk:
    """Counts operations on all files that are opened through it, and fails at one of them."""

    def __init__(self, fault: Fault | None = None, at: int = 0, seed: int = 0) -> None:
        self.operations = 0
        self.happened = False
        self.fault: Fault | None = fault
        self._at = at
        self._rng = random.Random(seed)
        self._dead = False
        self._images: dict[int, _Image] = {}  # by inode, which a file that is renamed over another keeps

    def image(self, path: str) -> _Image:
        """The image of a file that is there, as it is now if it is new to us."""
        inode, content = Path(path).stat().st_ino, Path(path).read_bytes()
        known = self._images.get(inode)
        if known is None or (known.path != path and not content):  # empty: the inode of one that was replaced is reused
            self._images[inode] = known = _Image(path, bytearray(content))
        known.path = path
        return known

    def before(self, operation: Literal["write", "truncate", "sync", "delete"]) -> bool:
        """Count an operation; True where a write is to stop half-way. Raises what SQLite is to see."""
        if self._dead:
            raise apsw.IOError
        self.operations += 1
        if self.fault is None or self.operations < self._at or (self.happened and self.fault != "disk-full"):
            return False
        if not _concerns(self.fault, operation):
            return False
        self.happened = True
        if self.fault == "power-cut":
            self._dead = True
            raise apsw.IOError
        if self.fault == "disk-full":
            raise apsw.FullError
        if self.fault == "short-write":
            return True
        raise apsw.IOError

    def forget(self, path: str) -> None:
        """A file is about to be deleted."""
        if Path(path).exists():
            self._images.pop(Path(path).stat().st_ino, None)

    def restart(self) -> None:
        """Once everything is closed: leave on the real disk what the fault lets it hold."""
        if self.fault != "power-cut" or not self.happened:
            return
        folders = {Path(image.path).parent for image in self._images.values()}
        files = {file.stat().st_ino: file for folder in folders for file in folder.iterdir()}
        for inode, image in self._images.items():
            if file := files.get(inode):
                file.write_bytes(image.after_power_cut(self._rng))
                file.with_name(f"{file.name}-shm").unlink(missing_ok=True)

    @contextmanager
    def mounted(self) -> Generator["Disk"]:
        """While entered, every connection that names no VFS opens its file on this disk."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(_vfs(), "disk", self)
            opened = partial(sqlite.SqliteConnection, vfs=f"multipleciphers-{_NAME}")
            patch.setattr(sqlite, "SqliteConnection", opened)
            yield self


class _Vfs(apsw.VFS):
    disk: Disk

    def __init__(self) -> None:
        super().__init__(_NAME, base="unix")
        self.disk = Disk()

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 (SQLite's own name)
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        return _File(self.disk, path, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        self.disk.before("delete")
        self.disk.forget(filename)
        super().xDelete(filename, syncdir)


@cache
def _vfs() -> _Vfs:
    """The one VFS of this process: the cipher's layer above it keeps pointing at it for ever."""
    return _Vfs()


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, path: str | None, name: Any, flags: list[int]) -> None:
        self._disk = disk
        super().__init__("unix", name, flags)
        self._image = None if path is None or flags[0] & _TEMPORARY else disk.image(path)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802
        written = bytes(data)
        is_short = self._disk.before("write")
        if is_short:
            written = written[: len(written) // 2]
        super().xWrite(written, offset)  # pyright: ignore[reportUnknownMemberType] (its stub does not type the data)
        if self._image is not None:
            self._image.since.append((offset, written))
        if is_short:
            raise apsw.FullError

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._disk.before("truncate")
        super().xTruncate(newsize)
        if self._image is not None:
            self._image.since.append((newsize, None))

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._disk.before("sync")
        super().xSync(flags)
        if self._image is not None:
            self._image.sync()


def _concerns(fault: Fault, operation: str) -> bool:
    if fault == "power-cut":
        return True
    return operation == "sync" if fault == "sync-error" else operation == "write"


def _apply(content: bytearray, offset: int, data: bytes | None) -> None:
    if data is None:
        del content[offset:]
        content.extend(bytes(max(0, offset - len(content))))
        return
    content.extend(bytes(max(0, offset - len(content))))
    content[offset : offset + len(data)] = data
