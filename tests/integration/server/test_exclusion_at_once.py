"""What a person excludes by hand is in no reply from then on, whatever the background work is at."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.upkeep import PAUSE, ProfileChoice
from tests.helpers.installation import Installation, wait_until_indexed

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
