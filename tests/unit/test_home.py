"""Where files go, and who may read them."""

from pathlib import Path

import pytest

from scrubjay.daemon.home import Home


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
