"""What a person excludes by hand is in no reply from then on, whatever the background work is at."""

import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from scrubjay.daemon.indexing.indexer import Indexer
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.upkeep import PAUSE, ProfileChoice
from tests.helpers.installation import Installation, wait_until_indexed
from tests.integration.server.house import House

NOTES = {
    "Open.md": "The heron waits at the weir.\n",
    "Private/Day.md": "The heron stood in our garden.\n",
    "Diary/Day.md": "The heron was late.\n",
}


def exclude(settings: Path, *folders: str) -> None:
    text, count = re.subn(r"\nexclude = \[.*\]", f"\nexclude = {json.dumps(folders)}", settings.read_text())
    assert count == 1
    settings.write_text(text)


def test_the_next_search_knows_nothing_of_it_also_while_indexing_is_paused(tmp_path: Path) -> None:
    made = Installation(tmp_path)
    made.create_profile("notes")
    made.write(NOTES)
    with made.daemon() as client:

        def found() -> set[str]:
            return {each.path for each in client.ask(SEARCH, SearchAsk(query="heron")).results}

        wait_until_indexed(client)
        (settings,) = made.root.rglob("profile.toml")
        assert found() == set(NOTES)
        exclude(settings, "Private")
        assert found() == {"Open.md", "Diary/Day.md"}
        client.ask(PAUSE, ProfileChoice())
        exclude(settings, "Private", "Diary")
        assert found() == {"Open.md"}


def test_a_search_that_begins_while_the_settings_are_taken_over_waits_for_that(
    empty_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    under_way, may_end = threading.Event(), threading.Event()
    forget = Indexer.forget_excluded

    def held_up(indexer: Indexer) -> None:
        under_way.set()
        assert may_end.wait(60)
        forget(indexer)

    monkeypatch.setattr(Indexer, "forget_excluded", held_up)
    profile = empty_house.add_profile("notes", NOTES)
    with ThreadPoolExecutor(2) as others, empty_house.client(empty_house.token("all", profile).token) as http:

        def paths() -> set[str]:
            reply = http.post("/v1/search", json={"query": "heron"}).raise_for_status()
            return {each["path"] for each in reply.json()["results"]}

        assert paths() == set(NOTES)
        exclude(empty_house.engine.registry.folder_of(profile) / "profile.toml", "Private", "Diary")
        first = others.submit(paths)
        assert under_way.wait(60)
        second = others.submit(paths)
        with pytest.raises(TimeoutError):
            second.result(0.5)
        may_end.set()
        assert (first.result(60), second.result(60)) == ({"Open.md"}, {"Open.md"})
