"""What a person excludes by hand is in no reply from then on, whatever the background work is at."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.indexing.indexer import Indexer
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.upkeep import PAUSE, ProfileChoice
from tests.helpers.installation import Installation, wait_until_indexed
from tests.integration.server.house import open_house

NOTES = {"Open.md": "The heron waits at the weir.\n", "Private/Day.md": "The heron stood in our garden.\n"}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[tuple[Path, ScrubjayClient]]:
    made = Installation(tmp_path)
    made.create_profile("notes")
    made.write(NOTES)
    with made.daemon() as client:
        wait_until_indexed(client)
        (settings,) = made.root.rglob("profile.toml")
        yield settings, client


def found(client: ScrubjayClient) -> set[str]:
    return {each.path for each in client.ask(SEARCH, SearchAsk(query="heron")).results}


def exclude(settings: Path) -> None:
    settings.write_text(settings.read_text().replace("\nexclude = []", '\nexclude = ["Private"]', 1))


def test_the_next_search_knows_nothing_of_it(house: tuple[Path, ScrubjayClient]) -> None:
    settings, client = house
    assert found(client) == set(NOTES)
    exclude(settings)
    assert found(client) == {"Open.md"}


def test_also_while_indexing_is_paused(house: tuple[Path, ScrubjayClient]) -> None:
    settings, client = house
    client.ask(PAUSE, ProfileChoice())
    exclude(settings)
    assert found(client) == {"Open.md"}


def test_a_search_that_begins_while_the_settings_are_taken_over_waits_for_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    under_way, may_end = threading.Event(), threading.Event()
    forget = Indexer.forget_excluded

    def held_up(indexer: Indexer) -> None:
        under_way.set()
        assert may_end.wait(60)
        forget(indexer)

    monkeypatch.setattr(Indexer, "forget_excluded", held_up)
    with open_house(tmp_path) as house, ThreadPoolExecutor(2) as others:
        profile = house.add_profile("notes", NOTES)
        with house.client(house.token("all", profile).token) as http:

            def paths() -> set[str]:
                reply = http.post("/v1/search", json={"query": "heron"}).raise_for_status()
                return {each["path"] for each in reply.json()["results"]}

            assert paths() == set(NOTES)
            exclude(house.engine.registry.folder_of(profile) / "profile.toml")
            first = others.submit(paths)
            assert under_way.wait(60)
            second = others.submit(paths)
            with pytest.raises(TimeoutError):
                second.result(0.5)
            may_end.set()
            assert (first.result(60), second.result(60)) == ({"Open.md"}, {"Open.md"})
