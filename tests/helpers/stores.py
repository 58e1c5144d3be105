"""A store of each kind, for tests of what both promise.

tests/integration/conftest.py has the fixtures. What is said of files alone takes `file_store`.
"""

from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from weakref import WeakKeyDictionary

import pytest

from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.team.team_store import TeamStore
from tests.helpers.team_server import TeamDatabase, TeamServer, fresh_database

MEMBER = "anna"

NewStore = Callable[[], Store]
"""Makes an empty store."""


@pytest.fixture(params=["file", pytest.param("team", marks=pytest.mark.slow)])
def store_kind(request: pytest.FixtureRequest) -> str:
    """Which kind of store a test runs on; quick tests trust the contract, and run on files alone."""
    return str(request.param)


@pytest.fixture(name="store_kind", params=["file", "team"])
def either_kind(request: pytest.FixtureRequest) -> str:
    """As `store_kind`, for what states the contract: a folder or a module may have it in its place."""
    return str(request.param)


@pytest.fixture(scope="module", params=["file", pytest.param("team", marks=pytest.mark.slow)])
def module_store_kind(request: pytest.FixtureRequest) -> str:
    """As `store_kind`, for stores that a whole module reads."""
    return str(request.param)


@pytest.fixture
def new_store(store_kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[NewStore]:
    """Empty stores of one kind, as many as are wanted, closed at the end."""
    with _stores(_server(request, store_kind), tmp_path) as make:
        yield make


@pytest.fixture(scope="module")
def new_module_store(
    module_store_kind: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[NewStore]:
    """As `new_store`, closed after the module's last test."""
    with _stores(_server(request, module_store_kind), tmp_path_factory.mktemp("stores")) as make:
        yield make


@pytest.fixture
def store(new_store: NewStore) -> Store:
    """One of each kind: what a store promises, both keep."""
    return new_store()


@pytest.fixture
def file_store(tmp_path: Path) -> Iterator[FileStore]:
    """A store in a file, for what is said of files."""
    opened = FileStore.open(tmp_path / "index.sqlite3")
    yield opened
    opened.close()


def _server(request: pytest.FixtureRequest, kind: str) -> TeamServer | None:
    return request.getfixturevalue("team_server") if kind == "team" else None


@contextmanager
def _stores(server: TeamServer | None, folder: Path) -> Generator[NewStore]:
    with ExitStack() as stack:
        made: list[Store] = []

        def make() -> Store:
            path = folder / f"store-{len(made)}" / "index.sqlite3"
            if server is None:
                made.append(FileStore.open(path))
            else:
                made.append(team_store(path, stack.enter_context(fresh_database(server))))
            stack.callback(made[-1].close)
            return made[-1]

        yield make


_SERVED: WeakKeyDictionary[Store, tuple[TeamDatabase, str]] = WeakKeyDictionary()  # by whom each is opened


def team_store(path: Path, database: TeamDatabase, member: str = MEMBER) -> TeamStore:
    """The store of a database's profile as one of its members, who is made one if need be."""
    if member not in database.server.passwords or not _is_granted(database, member):
        database.add_member(member, database.profile)
    password = database.server.passwords[member]
    opened = TeamStore.open(path, database.server.address(member, database.name), password, database.profile)
    _SERVED[opened] = database, member
    return opened


def _is_granted(database: TeamDatabase, member: str) -> bool:
    with database.as_owner() as owner:
        sql = "SELECT FROM scrubjay.team_grant WHERE member = %s AND profile = %s"
        return bool(owner.execute(sql, (member, database.profile)).rowcount)


def another(store: Store, member: str = MEMBER) -> Store:
    """The same profile, opened once more; on a server perhaps by another member."""
    if store in _SERVED:
        return team_store(store.path, _SERVED[store][0], member)
    return FileStore.open(store.path)
