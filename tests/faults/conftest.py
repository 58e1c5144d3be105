"""What tests of more than one file here are given."""

from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest

from tests.helpers.file_keyring import FileKeyring, kept_in


@pytest.fixture
def keyring_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the keyring of this process, and of those that it starts, keeps its entries."""
    path, before = tmp_path / "keyring.json", keyring.get_keyring()
    for name, value in kept_in(path).items():
        monkeypatch.setenv(name, value)
    keyring.set_keyring(FileKeyring())  # pyright: ignore[reportUnknownMemberType]
    yield path
    keyring.set_keyring(before)  # pyright: ignore[reportUnknownMemberType]
