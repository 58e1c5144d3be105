"""A server that is connected and says nothing more: who waits is told that it is away; a slow one is waited for."""

from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from scrubjay.profiles.errors import StoreAway
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.statements import generation_of
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.team import server
from tests.helpers.stores import team_store
from tests.helpers.team_server import TeamDatabase, TeamServer, frozen


@pytest.fixture
def store(own_database: TeamDatabase, tmp_path: Path) -> Generator[Store]:
    opened = team_store(tmp_path / "index.sqlite3", own_database)
    yield opened
    opened.close()


def _write(store: Store, text: str = "there") -> None:
    with store.writing() as writer:
        writer.connection.executemany("INSERT INTO meta (name, value) VALUES (?, ?)", [("note", text)])


def _look_up(store: Store) -> None:
    store.read(generation_of)


@pytest.mark.parametrize(
    "use",
    [
        pytest.param(_look_up, id="a search"),
        pytest.param(Store.counts, id="status", marks=pytest.mark.slow),
        pytest.param(_write, id="a note", marks=pytest.mark.slow),
    ],
)
def test_who_waits_for_a_frozen_server_is_told_that_it_is_away(
    own_server: TeamServer, store: Store, use: Callable[[Store], object]
) -> None:
    store.read(generation_of)
    store.counts()
    store.set_meta("before", "there")
    with frozen(own_server), ThreadPoolExecutor(8) as people:
        waiting = [people.submit(use, store) for _ in range(8)]
        assert [type(each.exception()) for each in waiting] == [StoreAway] * 8
        assert isinstance(store.away, StoreAway)
    _until_it_opens(store)
    use(store)


@pytest.mark.slow
def test_a_server_that_freezes_in_the_middle_of_much_that_is_sent_is_away(own_server: TeamServer, store: Store) -> None:
    with pytest.raises(StoreAway), store.writing() as writer, frozen(own_server):
        rows = [("much", "x" * 30_000_000)]
        writer.connection.executemany("INSERT INTO meta (name, value) VALUES (?, ?)", rows)
    _until_it_opens(store)
    assert store.read(reads.meta, "much") is None


def test_a_slow_server_is_waited_for(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "SILENT_SECONDS", 0.1)
    with store.reading() as connection:
        assert connection.execute("SELECT pg_sleep(0.5) IS NULL, 7 AS waited").get[1] == 7
    assert store.away is None


def _until_it_opens(store: Store) -> None:
    while True:
        try:
            store.read(generation_of)
        except StoreAway:
            continue
        break
