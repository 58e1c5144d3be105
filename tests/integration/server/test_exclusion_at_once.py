"""What a person excludes by hand is in no reply from then on, whatever the background work is at."""

import json
import re
import threading
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from scrubjay.daemon.engine import profile_sync
from scrubjay.daemon.indexing.indexer import Indexer
from scrubjay.daemon.indexing.supervisor import Supervisor
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.upkeep import PAUSE, ProfileChoice
from tests.helpers.installation import Installation, wait_until_indexed
from tests.helpers.waiting import until
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


def test_what_is_excluded_while_nothing_runs_is_in_no_reply_either(tmp_path: Path) -> None:
    made = Installation(tmp_path)
    made.create_profile("notes")
    made.write(NOTES | {f"Diary/{number}.md": f"The heron of day {number}.\n" for number in range(200)})
    (settings,) = made.root.rglob("profile.toml")
    made.run("index", "--wait")

    def found(reply: str) -> set[str]:
        return {each["path"].partition("/")[0] for each in json.loads(reply)["results"]}

    ask = ("search", "heron", "--json")
    assert found(made.run(*ask).stdout) >= {"Diary"}
    exclude(settings, "Diary")
    assert found(made.run(*ask).stdout) == {"Open.md", "Private"}
    exclude(settings)
    made.run("index", "--wait")
    assert found(made.run(*ask).stdout) >= {"Diary"}
    exclude(settings, "Private", "Diary")
    with made.daemon() as client:
        assert {each.path for each in client.ask(SEARCH, SearchAsk(query="heron")).results} == {"Open.md"}


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


@dataclass
class Held:
    """A method that waits, once it is called, until it may go on."""

    under_way: threading.Event
    may_end: threading.Event


@pytest.fixture
def hold(monkeypatch: pytest.MonkeyPatch) -> Generator[Callable[[type, str], Held]]:
    made: list[Held] = []

    def hold_up(owner: type, name: str) -> Held:
        held = Held(threading.Event(), threading.Event())
        made.append(held)
        before = getattr(owner, name)

        def waiting(*args: Any) -> Any:
            held.under_way.set()
            assert held.may_end.wait(300)
            return before(*args)

        monkeypatch.setattr(owner, name, waiting)
        return held

    yield hold_up
    for held in made:
        held.may_end.set()


def search(http: httpx.Client, **options: Any) -> tuple[set[str], dict[str, str]]:
    """The paths found, and which profiles did not answer, with the reason's code."""
    reply = http.post("/v1/search", json={"query": "heron", **options}).raise_for_status().json()
    return {each["path"] for each in reply["results"]}, {each["profile"]: each["code"] for each in reply["unanswered"]}


OTHERS = {"Boats.md": "A heron on the boat.\n"}


def test_while_what_is_excluded_is_being_forgotten_other_profiles_answer(
    empty_house: House, hold: Callable[[type, str], Held], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profile_sync, "_PATIENCE_SECONDS", 0.5)
    held = hold(Indexer, "forget_excluded")
    notes, boats = empty_house.add_profile("notes", NOTES), empty_house.add_profile("boats", OTHERS)
    sees_all, sees_boats = empty_house.token("all", notes, boats).token, empty_house.token("boats", boats).token
    settings = empty_house.engine.registry.folder_of(notes) / "profile.toml"
    with empty_house.client(sees_all) as everything, empty_house.client(sees_boats) as only_boats:
        exclude(settings, "Private")
        assert search(only_boats) == ({"Boats.md"}, {})
        assert held.under_way.wait(60)
        assert search(everything) == ({"Boats.md"}, {"notes": "changing"})
        listed = everything.get("/v1/notes", params={"profile": "notes"}).json()
        assert (listed["notes"], [each["code"] for each in listed["unanswered"]]) == ([], ["changing"])
        reply = everything.post("/v1/read", json={"notes": ["Private/Day.md"], "profiles": ["notes"]})
        assert reply.json()["notes"] == []
        assert "notes was not looked at: The folders of notes were changed" in reply.json()["missing"][0]["reason"]
        exclude(settings, "Private", "Diary")  # once more, while the first is under way
        assert search(everything) == ({"Boats.md"}, {"notes": "changing"})
        assert {each["name"]: each["state"] for each in everything.get("/v1/status").json()["profiles"]} == {
            "boats": "idle",
            "notes": "paused",
        }
        held.may_end.set()
        empty_house.engine.profile_sync.sync()
        assert search(everything) == ({"Boats.md", "Open.md"}, {})


def test_while_work_on_a_profile_ends_that_is_removed_or_locked_other_profiles_answer(
    empty_house: House, hold: Callable[[type, str], Held]
) -> None:
    engine = empty_house.engine
    notes, boats, logs = (empty_house.add_profile(name, OTHERS) for name in ("notes", "boats", "logs"))
    held = hold(Supervisor, "halt")
    with (
        ThreadPoolExecutor(2) as others,
        empty_house.client(empty_house.token("all", notes, boats, logs).token) as http,
    ):
        removed = others.submit(engine.profile_sync.forget, "notes")
        assert held.under_way.wait(60)
        engine.custody.lock(logs)
        locked = others.submit(engine.profile_sync.sync, of=logs.id)
        assert search(http)[0] == {"Boats.md"}
        assert http.post("/v1/profiles", json={}).status_code in (400, 403)  # others that ask are answered, too
        until(lambda: search(http)[1] == {"logs": "locked"})
        assert not removed.done() and not locked.done()
        held.may_end.set()
        removed.result(60)
        locked.result(60)
        assert search(http) == ({"Boats.md"}, {"logs": "locked"})


def test_a_folder_more_takes_nothing_away_meanwhile(empty_house: House, hold: Callable[[type, str], Held]) -> None:
    notes = empty_house.add_profile("notes", NOTES)
    settings = empty_house.engine.registry.folder_of(notes) / "profile.toml"
    exclude(settings, "Private")
    empty_house.engine.profile_sync.sync()
    held = hold(Supervisor, "halt")
    with empty_house.client(empty_house.token("all", notes).token) as http:
        exclude(settings)
        assert search(http) == ({"Open.md", "Diary/Day.md"}, {})
        assert held.under_way.wait(60)
        exclude(settings, "Diary")  # and now something is taken away, before that was done
        with ThreadPoolExecutor(1) as others:
            found = others.submit(search, http)
            until(lambda: found.done() or notes.id in empty_house.engine.open_profiles.withheld())
            held.may_end.set()
            assert "Diary/Day.md" not in found.result(60)[0]
        empty_house.engine.profile_sync.sync()
        assert search(http) == ({"Open.md"}, {})
