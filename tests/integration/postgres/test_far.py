"""How often a search has to wait for a server that is far away: counted on the way to it."""

import threading
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from scrubjay.profiles.errors import StoreError
from scrubjay.profiles.journal.hidden_notes import hidden_here, hidden_ids
from scrubjay.profiles.journal.searches import openings
from scrubjay.profiles.search.rank.retrieval import Personal
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.team import connection as connection_module
from scrubjay.profiles.team.connection import ProfileConnection
from scrubjay.profiles.team.server import ServerConnection, settings_for
from scrubjay.profiles.team.team_schema import create_profile
from scrubjay.profiles.team.team_store import TeamStore
from tests.helpers.far_server import Line, line_to
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.indexed_vault import index_vault
from tests.helpers.team_server import TeamDatabase

ENCODER = HashEncoder()
BIRDS = ("heron", "jay", "magpie", "crow", "finch", "wren", "siskin", "plover", "curlew", "knot")
PLACES = ("reed", "pond", "cliff", "heath", "marsh")
ENDING = b"ROLLBACK\0"
"""What a search sends at its end, and does not wait for."""
QUERIES = ("heron stood for long", "a jay slept", "wren and curlew", "plover stood later", "knot reed finch")
"""Whose words no title holds all of: names of notes are asked for once more."""


@pytest.fixture(scope="module")
def line(shared: TeamDatabase, tmp_path_factory: pytest.TempPathFactory) -> Generator[Line]:
    """To a team's server with fifty notes, as Ada goes it."""
    folder = tmp_path_factory.mktemp("far")
    vault = folder / "vault"
    vault.mkdir()
    for bird in BIRDS:
        for place in PLACES:
            text = f"# Seen at the {place}\n\nA {bird} stood there for long.\n\n## Later\n\nThen it slept by a {place}."
            (vault / f"{bird} {place}.md").write_text(text)
    with line_to(shared.server.address("ada", shared.name)) as line:
        store = opened(line, shared, folder)
        index_vault(store, vault, ENCODER)
        store.close()
        yield line


def opened(line: Line, database: TeamDatabase, folder: Path) -> TeamStore:
    return TeamStore.open(folder / "x", line.address, database.server.passwords["ada"], database.profile)


@pytest.fixture
def store(line: Line, shared: TeamDatabase, tmp_path: Path) -> Generator[TeamStore]:
    store = opened(line, shared, tmp_path)
    yield store
    store.close()


@pytest.fixture
def searcher(store: TeamStore) -> Generator[Searcher]:
    """That has searched before: what is small and asked for by every search is known."""
    personal = Personal(
        hidden=lambda _name, store, query: hidden_here(store.derived(hidden_ids), query, b""),
        openings=lambda _name, store: store.derived(openings),
    )
    searcher = Searcher(lambda: {"team": store}, ENCODER, personal=personal)
    for query in (*BIRDS, *PLACES):
        searcher.search(SearchRequest(f"{query} stood"))
    yield searcher
    searcher.close()


def test_a_search_waits_twice_for_the_server(line: Line, searcher: Searcher) -> None:
    for query in QUERIES:
        line.forget(ENDING)
        assert searcher.search(SearchRequest(query)).results
        asked = [each for each in line.sent if ENDING not in each]  # which nobody waits for, see below
        assert len(asked) == 2


def test_nobody_waits_until_a_search_has_ended_on_the_server(line: Line, searcher: Searcher) -> None:
    line.forget(ENDING)
    line.held = ENDING
    searching = threading.Thread(target=searcher.search, args=(SearchRequest(QUERIES[0]),))
    searching.start()
    searching.join(60)
    is_waiting, line.held = searching.is_alive(), None
    assert not is_waiting
    assert searcher.search(SearchRequest(QUERIES[1])).results


def test_what_came_ahead_changes_nothing(searcher: Searcher, monkeypatch: pytest.MonkeyPatch) -> None:
    def found() -> list[object]:
        return [replace(searcher.search(SearchRequest(query)), took_ms=0.0) for query in QUERIES]

    def nothing(_connection: ProfileConnection, _statement: str, _bindings: Sequence[object]) -> None: ...

    ahead = found()
    monkeypatch.setattr(ProfileConnection, "_known", nothing)
    assert found() == ahead


def test_nothing_that_came_ahead_is_used_where_the_session_is_for_another_profile(
    shared: TeamDatabase, store: TeamStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def for_another(raw: ServerConnection, profile: int, others: Mapping[str, str]) -> bytes:
        return settings_for(raw, profile + 1, others)

    monkeypatch.setattr(connection_module, "settings_for", for_another)
    with shared.as_owner() as owner:
        shared.add_member("ada", create_profile(owner, "second"))
    address = shared.server.address("ada", shared.name)
    other = TeamStore(store.path, address, shared.server.passwords["ada"], shared.profile)
    with (
        other.one_snapshot([("SELECT 'known'", ())]),
        pytest.raises(StoreError, match="for another profile"),
        other.reading() as connection,
    ):
        connection.execute("SELECT 'known'")
    other.close()
