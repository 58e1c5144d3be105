"""Private files are whole or not there, whatever the disk does; a key that is no key is made anew."""

import errno
import os
import secrets
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from scrubjay.profiles.private_files import locked, stored_key, write_private

KEY_BYTES = 32


def new_key() -> bytes:
    return secrets.token_bytes(KEY_BYTES)


def test_a_private_file_is_its_owner_s_alone(tmp_path: Path) -> None:
    path = tmp_path / "data" / "file"
    write_private(path, b"content")
    assert path.read_bytes() == b"content"
    assert (stat.S_IMODE(path.stat().st_mode), stat.S_IMODE(path.parent.stat().st_mode)) == (0o600, 0o700)


def test_a_link_in_its_place_is_replaced_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"theirs")
    (tmp_path / "file").symlink_to(elsewhere)
    write_private(tmp_path / "file", b"ours")
    assert (elsewhere.read_bytes(), (tmp_path / "file").is_symlink()) == (b"theirs", False)


def test_a_key_is_made_once(tmp_path: Path) -> None:
    first = stored_key(tmp_path / "key", new_key)
    assert stored_key(tmp_path / "key", new_key) == first == (tmp_path / "key").read_bytes()


@pytest.mark.parametrize("damaged", [b"", b"half", bytes(KEY_BYTES + 1)])
def test_what_has_not_a_key_s_length_is_no_key(tmp_path: Path, damaged: bytes) -> None:
    (tmp_path / "key").write_bytes(damaged)
    made = stored_key(tmp_path / "key", new_key)
    assert len(made) == KEY_BYTES
    assert (tmp_path / "key").read_bytes() == made


def test_those_who_race_for_a_new_key_get_the_same(tmp_path: Path) -> None:
    def key(_: int) -> bytes:
        return stored_key(tmp_path / "key", new_key)

    with ThreadPoolExecutor(8) as pool:
        got = set(pool.map(key, range(32)))
    assert len(got) == 1


def test_a_lock_keeps_two_changes_apart(tmp_path: Path) -> None:
    file = tmp_path / "number"
    file.write_bytes(b"0")

    def add_one(_: int) -> None:
        with locked(file):
            write_private(file, str(int(file.read_bytes()) + 1).encode())

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add_one, range(50)))
    assert file.read_bytes() == b"50"


def _full(*_: Any, **__: Any) -> Any:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("before", [None, b"the old content"])
@pytest.mark.parametrize("where", ["tempfile.mkstemp", "os.fsync", "pathlib.Path.replace"])
def test_a_full_disk_leaves_the_old_file_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, before: bytes | None
) -> None:
    path = tmp_path / "file"
    if before is not None:
        path.write_bytes(before)
    monkeypatch.setattr(where, _full)
    with pytest.raises(OSError, match="No space"):
        write_private(path, b"the new content")
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == (
        [] if before is None else [("file", before)]
    )


def test_a_disk_that_loses_bytes_without_a_word_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[[int], None] = os.fsync

    def losing(descriptor: int) -> None:
        os.ftruncate(descriptor, 3)
        real(descriptor)

    monkeypatch.setattr("os.fsync", losing)
    with pytest.raises(OSError, match="3 of 15 bytes"):
        write_private(tmp_path / "file", b"the new content")
    assert list(tmp_path.iterdir()) == []
