from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.store.team_store import TeamStore
from tests.helpers.team_server import team_database, team_server

__all__ = ["team_database", "team_server"]


@pytest.fixture(params=["file", "team"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """One of each kind: what a store promises, both keep."""
    path = tmp_path / "index.sqlite3"
    if request.param == "file":
        opened: Store = FileStore.open(path)
    else:
        database = request.getfixturevalue("team_database")
        opened = TeamStore.open(path, database.owner, database.owner_password, database.profile)
    yield opened
    opened.close()
