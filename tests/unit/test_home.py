"""Where files go, and who may read them."""

from pathlib import Path

import pytest

from scrubjay.daemon.home import Home
from scrubjay.profiles.private_files import read_or_create_private, write_private


def test_scrubjay_home_holds_everything(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SCRUBJAY_HOME", str(tmp_path / "here"))
    home = Home.find()
    for folder in (home.config, home.data, home.state, home.cache):
        assert folder.is_relative_to(tmp_path / "here")


def test_without_it_the_platform_folders_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCRUBJAY_HOME", raising=False)
    assert "scrubjay" in str(Home.find().data)


def test_the_folders_are_the_owners_alone(tmp_path: Path) -> None:
    home = Home.below(tmp_path / "h").make()
    assert [folder.stat().st_mode & 0o077 for folder in (home.config, home.data, home.state, home.cache)] == [0] * 4


def test_a_private_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "file"
    write_private(path, b"old")
    write_private(path, b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o077 == 0
    assert list(path.parent.iterdir()) == [path]


def test_the_first_writer_of_a_key_wins(tmp_path: Path) -> None:
    path = tmp_path / "key"
    assert read_or_create_private(path, b"first") == b"first"
    assert read_or_create_private(path, b"second") == b"first"
