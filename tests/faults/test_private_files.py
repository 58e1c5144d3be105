"""Whatever the disk does while a private file is written, the file is the old one or the new one, and never half.

Each way that a write can fail, with each error that a disk gives, once and for good, at every private file there is.
"""

import errno
import io
import itertools
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import pytest

from scrubjay.daemon.clients.client_registry import ClientRegistry
from scrubjay.daemon.clients.identity import Identity, read_discovery, write_discovery
from scrubjay.daemon.clients.own_token import FileTokenStore
from scrubjay.daemon.clients.page_file import write_page_file
from scrubjay.daemon.clients.pairing import pairing_key
from scrubjay.daemon.clients.seen import SeenTimes
from scrubjay.daemon.clients.sessions import Sessions
from scrubjay.daemon.home import Home
from scrubjay.daemon.runtime.preparation import Preparation
from scrubjay.daemon.settings import Settings

Point = Literal["make", "write", "half", "sync", "rename", "folder-sync"]
POINTS: tuple[Point, ...] = ("make", "write", "half", "sync", "rename", "folder-sync")
ERRORS = (errno.ENOSPC, errno.EIO, errno.EROFS, errno.EDQUOT)
NOW = datetime(2026, 1, 1, tzinfo=UTC)
TOKEN = "t" * 46


@dataclass(frozen=True, slots=True)
class Private:
    """A private file: where it is, what writes it, and whether it is whole."""

    path: Callable[[Home], Path]
    write: Callable[[Home], object]
    is_whole: Callable[[Home], bool]
    is_key: bool = False  # what is damaged is made anew


def seen(home: Home) -> SeenTimes:
    return SeenTimes(home.data / "clients-seen.json", lambda: NOW)


def note_seen(home: Home) -> None:
    times = seen(home)
    times.note("abcd1234")
    times.close()


def open_page(home: Home) -> None:
    sessions = Sessions(home.state, "one")
    sessions.redeem(sessions.mint_ticket("abcd1234"), 8642)


FILES = {
    "pairing.key": Private(
        lambda home: home.state / "pairing.key",
        lambda home: pairing_key(home.state),
        lambda home: len((home.state / "pairing.key").read_bytes()) == 64,
        is_key=True,
    ),
    "installation.key": Private(
        lambda home: home.data / "installation.key",
        lambda home: Preparation(home, Settings()).close(),
        lambda home: len((home.data / "installation.key").read_bytes()) == 32,
        is_key=True,
    ),
    "clients.json": Private(
        lambda home: home.clients,
        lambda home: ClientRegistry(home.clients).create("one"),
        lambda home: len(ClientRegistry(home.clients).list()) in (1, 2, 3),
    ),
    "clients-seen.json": Private(
        lambda home: home.data / "clients-seen.json", note_seen, lambda home: seen(home).all() == {"abcd1234": NOW}
    ),
    "token": Private(
        lambda home: home.state / "token",
        lambda home: FileTokenStore(home.state).put("abcd1234", TOKEN),
        lambda home: FileTokenStore(home.state).get("abcd1234") == TOKEN,
    ),
    "session.key": Private(
        lambda home: home.state / "session.key",
        open_page,
        lambda home: len((home.state / "session.key").read_bytes()) == 32,
        is_key=True,
    ),
    "sessions.json": Private(
        lambda home: home.state / "sessions.json",
        open_page,
        lambda home: len(Sessions(home.state, "one").list()) in (1, 2, 3),
    ),
    "scrubjay.html": Private(
        lambda home: home.page,
        lambda home: write_page_file(home.page, "http://127.0.0.1:1", "s" * 64),
        lambda home: home.page.read_text().endswith("</script>\n"),
    ),
    "daemon.json": Private(
        lambda home: home.discovery,
        lambda home: write_discovery(home.discovery, Identity.new("1").discovery(1, 1)),
        lambda home: read_discovery(home.discovery) is not None,
    ),
}


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


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="tells files from folders by /proc")
@pytest.mark.parametrize("name", FILES)
def test_a_failing_disk_leaves_the_old_file_or_the_new(name: str, tmp_path: Path) -> None:
    file = FILES[name]
    damaged: tuple[bytes | None, ...] = (b"", b"half") if file.is_key else ()
    cases = itertools.product(POINTS, ERRORS, (False, True), (None, "whole", *damaged))
    for number, (point, error, stays, before) in enumerate(cases):
        home = Home.below(tmp_path / str(number)).make()
        path = file.path(home)
        if before == "whole":
            file.write(home)
        elif isinstance(before, bytes):
            path.write_bytes(before)
        old = path.read_bytes() if path.exists() else None
        with pytest.MonkeyPatch.context() as patch:
            Disk(point, error, stays=stays).install(patch)
            try:
                file.write(home)
            except OSError:
                assert (path.read_bytes() if path.exists() else None) == old
        if path.exists() and path.read_bytes() != old:
            assert file.is_whole(home), (point, error, before)
        assert [litter.name for litter in path.parent.glob(f".{path.name}.*")] == []
        file.write(home)
        assert file.is_whole(home), (point, error, before)
