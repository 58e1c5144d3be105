from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = FileStore.open(tmp_path / "index.sqlite3")
    yield opened
    opened.close()
