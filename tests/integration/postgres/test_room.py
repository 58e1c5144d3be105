"""A server without room for another connection: who has one searches by it, and who has none waits for a while."""

import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from scrubjay.profiles.errors import StoreFull
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.statements import generation_of
from scrubjay.profiles.team import connection as connection_module
from scrubjay.profiles.team.server import ServerConnection
from scrubjay.profiles.team.team_store import TeamStore
from tests.helpers.team_server import TeamDatabase, fresh_database, prepare_template, running_server
from tests.helpers.waiting import until

SETTINGS = "fsync = off\nmax_connections = 12\n"


@pytest.fixture(scope="module")
def database() -> Generator[TeamDatabase]:
    """On a server with a dozen connections."""
    with running_server(settings=SETTINGS) as server:
        prepare_template(server)
        with fresh_database(server) as database:
            database.add_member("anna", database.profile)
            yield database


def opened(database: TeamDatabase, folder: Path) -> TeamStore:
    address = database.server.address("anna", database.name)
    return TeamStore.open(folder / "x", address, database.server.passwords["anna"], database.profile)


@contextmanager
def full(database: TeamDatabase) -> Generator[list[ServerConnection]]:
    """Others have all sessions that there is room for."""
    taken: list[ServerConnection] = []
    with ExitStack() as ends:
        with suppress(StoreFull):
            while True:
                taken.append(database.as_member("anna"))
                ends.callback(taken[-1].close)
        yield taken


def test_a_search_uses_whichever_connection_its_computer_has(database: TeamDatabase, tmp_path: Path) -> None:
    store = opened(database, tmp_path)  # by its connection for what is short
    with full(database):
        assert list(store.read(reads.recent)) == []
        store.set_meta("a", "b")
        assert store.read(reads.meta, "a") == "b"
    store.close()


def test_two_searches_at_once_share_one_connection(
    database: TeamDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "ROOM_SECONDS", 30.0)
    store = opened(database, tmp_path)
    found: list[int] = []
    with full(database):
        with store.reading():  # has the only one
            waiting = threading.Thread(target=lambda: found.append(len(store.read(reads.recent))))
            waiting.start()
            waiting.join(0.3)
            assert waiting.is_alive()
        waiting.join(30)
    assert found == [0]
    store.close()


def test_who_has_no_connection_yet_waits_until_somebody_leaves(
    database: TeamDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "ROOM_SECONDS", 30.0)
    with full(database) as taken:
        leaving = threading.Timer(0.3, taken.pop().close)
        leaving.start()
        store = opened(database, tmp_path)
        assert list(store.read(reads.recent)) == []
        leaving.join()
        store.close()


def test_a_server_that_stays_full_is_said_to_be(
    database: TeamDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "ROOM_SECONDS", 0.3)
    with full(database), pytest.raises(StoreFull, match="no room for another connection"):
        opened(database, tmp_path)


def test_connections_that_are_not_needed_make_room_for_others(
    database: TeamDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "IDLE_SECONDS", 0.2)
    store = opened(database, tmp_path)
    with store.reading(), store.reading(short=True):
        pass  # two at once
    query = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'anna'"
    with database.as_operator() as operator:
        assert operator.execute(query).fetchall() == [(2,)]
        threading.Event().wait(0.3)
        store.read(generation_of)
        until(lambda: operator.execute(query).fetchall() == [(1,)])
    store.close()
