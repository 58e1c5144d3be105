"""Deciding about credentials, as their user does it: allowed by their place, done with, and taken back as easily."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scrubjay.credential_filter.rules.templates import expand
from scrubjay.daemon.api.endpoints.credentials import CREDENTIALS, DECIDE, DecideAsk, DecidedReply
from scrubjay.daemon.api.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.api.endpoints.status import STATUS
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.profiles.database.rows import Standing
from tests.helpers.installation import Installation, wait_until_indexed

TOKEN = expand("ghp_{alnum:36}", "decided")
OTHER = expand("ghp_{alnum:36}", "another")
ROUTER = f"# Router\n\nIt blinks: {TOKEN} at night.\n"


@pytest.fixture
def place(tmp_path: Path) -> Installation:
    installation = Installation(tmp_path)
    installation.write({"Router.md": ROUTER, "Attic/Old.md": f"Once {TOKEN} was here.\n", "Heron.md": "A heron.\n"})
    installation.create_profile()
    return installation


@pytest.fixture
def client(place: Installation) -> Iterator[ScrubjayClient]:
    with place.daemon() as client:
        wait_until_indexed(client)
        yield client


def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def decide(client: ScrubjayClient, standing: Standing, path: str = "Router.md", line: int = 3) -> DecidedReply:
    return client.ask(DECIDE, DecideAsk(path=path, line=line, standing=standing))


def listed(client: ScrubjayClient) -> tuple[list[tuple[str, int]], list[tuple[str, int, str]]]:
    """The places that are open, and those that are not with how they stand."""
    found = client.ask(CREDENTIALS)
    opened = [(each.path, each.line) for each in found.credentials]
    return opened, [(each.path, each.line, each.standing) for each in found.decided]


def holders(client: ScrubjayClient, text: str) -> set[str]:
    """The notes that are found by this word as it is."""
    return {each.path for each in client.ask(SEARCH, SearchAsk(query=f'"{text}"', mode="lexical")).results}


def on_disk(place: Installation, text: str) -> list[str]:
    wanted = text.lower().encode()
    return [Path(path).name for path, held in place.everything_written().items() if wanted in held.lower()]


def test_a_value_that_is_allowed_stands_in_its_note_alone(place: Installation, client: ScrubjayClient) -> None:
    (told,) = decide(client, "allowed").credentials
    assert (told.path, told.line, told.standing) == ("Router.md", 3, "allowed")
    assert listed(client) == ([("Attic/Old.md", 1)], [("Router.md", 3, "allowed")])
    until(lambda: holders(client, TOKEN) == {"Router.md"})
    settings = next(place.home.profiles.rglob("profile.toml"))
    assert TOKEN not in settings.read_text()


def test_it_stands_where_the_line_moves_and_another_secret_on_that_line_does_not(
    place: Installation, client: ScrubjayClient
) -> None:
    decide(client, "allowed")
    until(lambda: holders(client, TOKEN) == {"Router.md"})
    place.write({"Router.md": ROUTER.replace("It blinks", f"New.\n\n{OTHER} blinks")})
    until(lambda: ("Router.md", 5, "allowed") in listed(client)[1])
    assert ("Router.md", 5) in listed(client)[0]
    assert holders(client, TOKEN) == {"Router.md"}
    assert on_disk(place, OTHER) == []


def test_what_was_allowed_and_is_taken_back_is_gone_from_the_disk(place: Installation, client: ScrubjayClient) -> None:
    decide(client, "allowed")
    until(lambda: holders(client, TOKEN) == {"Router.md"})
    decide(client, "open")
    assert listed(client) == ([("Attic/Old.md", 1), ("Router.md", 3)], [])
    until(lambda: on_disk(place, TOKEN) == [])
    assert holders(client, TOKEN) == set()


def test_what_is_done_with_stays_hidden_and_is_listed_again_when_it_changes(
    place: Installation, client: ScrubjayClient
) -> None:
    decide(client, "done")
    assert listed(client) == ([("Attic/Old.md", 1)], [("Router.md", 3, "done")])
    (profile,) = client.ask(STATUS).profiles
    assert (profile.redactions, profile.redactions_done) == (2, 1)
    place.write({"Router.md": f"Moved.\n\n{ROUTER}"})
    until(lambda: listed(client)[1] == [("Router.md", 5, "done")])
    assert on_disk(place, TOKEN) == []
    place.write({"Router.md": ROUTER.replace(TOKEN, OTHER)})
    until(lambda: listed(client) == ([("Attic/Old.md", 1), ("Router.md", 3)], []))
    assert on_disk(place, OTHER) == []


def test_a_decision_goes_with_a_note_that_moves_to_another_folder_or_name(
    place: Installation, client: ScrubjayClient
) -> None:
    decide(client, "done")
    (place.vault / "Router.md").rename(place.vault / "Attic" / "Router.md")
    until(lambda: listed(client) == ([("Attic/Old.md", 1)], [("Attic/Router.md", 3, "done")]))
    (place.vault / "Attic" / "Router.md").rename(place.vault / "Blinking.md")
    until(lambda: listed(client) == ([("Attic/Old.md", 1)], [("Blinking.md", 3, "done")]))


def test_a_decision_comes_back_with_a_note_that_was_gone_for_a_while_and_with_no_other(
    place: Installation, client: ScrubjayClient
) -> None:
    decide(client, "done")
    (place.vault / "Router.md").unlink()
    until(lambda: listed(client) == ([("Attic/Old.md", 1)], []))
    place.write({"Router.md": f"# Another\n\n{TOKEN}\n"})
    until(lambda: listed(client) == ([("Attic/Old.md", 1), ("Router.md", 3)], []))
    place.write({"Restored.md": ROUTER})
    until(lambda: listed(client) == ([("Attic/Old.md", 1), ("Router.md", 3)], [("Restored.md", 3, "done")]))


def test_a_value_that_is_allowed_everywhere_stands_in_all_notes_and_is_written_nowhere_else(
    place: Installation, client: ScrubjayClient
) -> None:
    decide(client, "everywhere")
    until(lambda: holders(client, TOKEN) == {"Router.md", "Attic/Old.md"})
    assert listed(client) == ([], [("Attic/Old.md", 1, "everywhere"), ("Router.md", 3, "everywhere")])
    settings = next(place.home.profiles.rglob("profile.toml"))
    assert TOKEN not in settings.read_text()
    assert len(tomllib.loads(settings.read_text())["filter_digests"]) == 1
    decide(client, "open", "Attic/Old.md", 1)
    until(lambda: listed(client) == ([("Attic/Old.md", 1), ("Router.md", 3)], []))
    until(lambda: on_disk(place, TOKEN) == [])


def test_without_a_daemon_the_commands_do_the_same(place: Installation) -> None:
    place.run("index")
    assert place.run("credentials", check=False).stdout == (
        "notes: Attic/Old.md:1: github-token\nnotes: Router.md:3: github-token\n"
    )
    told = place.run("credentials", "--allow", "Router.md:3", "--done", "Attic/Old.md:1").stdout.splitlines()
    assert sorted(told) == [
        "notes: Attic/Old.md:1: github-token, done",
        "notes: Router.md:3: github-token, allowed in this note",
    ]
    clean = place.run("credentials")
    assert (clean.stdout, "2 more" in clean.stderr) == ("", True)
    assert place.run("credentials", "--decided").stdout.splitlines() == sorted(told)
    assert "Router.md" in place.run("search", "--mode", "lexical", f'"{TOKEN}"').stdout
    place.run("credentials", "--undo", "Router.md:3")
    assert place.run("credentials", check=False).stdout == "notes: Router.md:3: github-token\n"
    assert on_disk(place, TOKEN) == []


@pytest.mark.parametrize(
    ("place_said", "said"),
    [
        ("Heron.md:1", "No credential stands there"),
        ("Nowhere.md:1", "no visible profile has a note"),
        ("Router.md", "such as Keys.md:7"),
    ],
)
def test_a_place_without_a_credential_is_refused_kindly(place: Installation, place_said: str, said: str) -> None:
    place.run("index")
    refused = place.run("credentials", "--allow", place_said, check=False)
    assert refused.returncode != 0
    assert said.lower() in " ".join(refused.stderr.split()).lower()


def test_texts_that_were_allowed_in_plain_become_digests_when_the_settings_are_next_written(
    place: Installation,
) -> None:
    settings = next(place.home.profiles.rglob("profile.toml"))
    before = settings.read_text()
    settings.write_text(before.replace("filter_allow = []", f'filter_allow = ["{TOKEN}", "heron-[0-9]+"]'))
    place.run("index")
    assert place.run("credentials").stdout == ""
    place.run("profile", "filter", "notes", "--allow-value", standard_input=f"{OTHER}\n")
    kept = tomllib.loads(settings.read_text())
    assert kept["filter_allow"] == ["heron-[0-9]+"]
    assert len(kept["filter_digests"]) == 2
    assert on_disk(place, OTHER) == []
    place.run("index")
    assert place.run("credentials").stdout == ""
    place.run("profile", "filter", "notes", "--no-allow", kept["filter_digests"][0])
    place.run("index")
    assert len(place.run("credentials", check=False).stdout.splitlines()) == 2
