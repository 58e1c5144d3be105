"""Deciding about credentials, as their user does it: allowed by their place, done with, and taken back as easily."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest

from scrubjay.credential_filter.rules.templates import expand
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoints.credentials import (
    CREDENTIALS,
    DECIDE,
    CredentialsAsk,
    CredentialsReply,
    DecideAsk,
    DecidedReply,
)
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.status import STATUS
from scrubjay.profiles.store.rows import Standing
from tests.helpers.installation import Installation, wait_until_indexed
from tests.helpers.waiting import until


@dataclass(frozen=True, slots=True)
class Place:
    """A folder of notes with tokens that no other test has, in the vault that all of them share."""

    installation: Installation
    client: ScrubjayClient
    folder: str

    @property
    def token(self) -> str:
        return expand("ghp_{alnum:36}", self.folder)

    @property
    def other(self) -> str:
        return expand("ghp_{alnum:36}", f"another {self.folder}")

    @property
    def router(self) -> str:
        return f"# Router\n\nIt blinks: {self.token} at night.\n"

    def path(self, name: str) -> Path:
        return self.installation.vault / self.folder / name

    def write(self, name: str, text: str) -> None:
        self.installation.write({f"{self.folder}/{name}": text})

    def decide(self, standing: Standing, name: str = "Router.md", line: int = 3) -> DecidedReply:
        return self.client.ask(DECIDE, DecideAsk(path=f"{self.folder}/{name}", line=line, standing=standing))

    def listed(self) -> tuple[list[tuple[str, int]], list[tuple[str, int, str]]]:
        """The places in this folder that are open, and those that are not with how they stand."""
        found = self.client.ask(CREDENTIALS)
        opened = [(name, each.line) for each in found.credentials if (name := self._name(each.path))]
        decided = [(name, each.line, each.standing) for each in found.decided if (name := self._name(each.path))]
        return opened, decided

    def holders(self, text: str) -> set[str]:
        """The notes that are found by this word as it is."""
        found = self.client.ask(SEARCH, SearchAsk(query=f'"{text}"', mode="lexical"))
        return {self._name(each.path) for each in found.results}

    def _name(self, path: str) -> str:
        """Within the folder; empty for a note of another test."""
        return path.removeprefix(f"{self.folder}/") if path.startswith(f"{self.folder}/") else ""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Installation, ScrubjayClient]]:
    """One daemon for all that decide beside one."""
    installation = Installation(tmp_path_factory.mktemp("deciding"))
    installation.write({"Heron.md": "A heron.\n"})
    installation.create_profile()
    with installation.daemon() as client:
        wait_until_indexed(client)
        yield installation, client


@pytest.fixture
def place(running: tuple[Installation, ScrubjayClient], request: pytest.FixtureRequest) -> Place:
    made = Place(*running, folder=request.node.name)
    made.write("Router.md", made.router)
    made.write("Attic/Old.md", f"Once {made.token} was here.\n")
    until(lambda: made.listed() == ([("Attic/Old.md", 1), ("Router.md", 3)], []))
    return made


def on_disk(installation: Installation, text: str) -> list[str]:
    wanted = text.lower().encode()
    return [Path(path).name for path, held in installation.everything_written().items() if wanted in held.lower()]


def settings_of(installation: Installation) -> Path:
    return next(installation.home.profiles.rglob("profile.toml"))


def test_a_value_that_is_allowed_stands_in_its_note_alone_and_once_taken_back_is_gone_from_the_disk(
    place: Place,
) -> None:
    (told,) = place.decide("allowed").credentials
    assert (told.path, told.line, told.standing) == (f"{place.folder}/Router.md", 3, "allowed")
    assert place.listed() == ([("Attic/Old.md", 1)], [("Router.md", 3, "allowed")])
    until(lambda: place.holders(place.token) == {"Router.md"})
    assert place.token not in settings_of(place.installation).read_text()
    place.decide("open")
    assert place.listed() == ([("Attic/Old.md", 1), ("Router.md", 3)], [])
    until(lambda: on_disk(place.installation, place.token) == [])
    assert place.holders(place.token) == set()


def test_pages_hold_each_credential_once_those_that_wait_first(place: Place) -> None:
    place.decide("done")
    whole = place.client.ask(CREDENTIALS)
    assert (whole.waiting, whole.next_offset) == (len(whole.credentials), None)
    pages, offset = list[CredentialsReply](), cast("int | None", 0)
    while offset is not None:
        pages.append(place.client.ask(CREDENTIALS, CredentialsAsk(offset=offset, limit=1)))
        offset = pages[-1].next_offset
    assert [len(page.credentials) + len(page.decided) for page in pages] == [1] * len(pages)
    assert tuple(each for page in pages for each in page.credentials) == whole.credentials
    assert tuple(each for page in pages for each in page.decided) == whole.decided
    assert {page.waiting for page in pages} == {whole.waiting}
    behind = place.client.ask(CREDENTIALS, CredentialsAsk(offset=10_000))
    assert (behind.credentials, behind.decided, behind.waiting, behind.next_offset) == ((), (), whole.waiting, None)


def test_it_stands_where_the_line_moves_and_another_secret_on_that_line_does_not(place: Place) -> None:
    place.decide("allowed")
    until(lambda: place.holders(place.token) == {"Router.md"})
    place.write("Router.md", place.router.replace("It blinks", f"New.\n\n{place.other} blinks"))
    until(lambda: ("Router.md", 5, "allowed") in place.listed()[1])
    assert ("Router.md", 5) in place.listed()[0]
    assert place.holders(place.token) == {"Router.md"}
    assert on_disk(place.installation, place.other) == []


def test_what_is_done_with_stays_hidden_and_is_listed_again_when_it_changes(place: Place) -> None:
    (before,) = place.client.ask(STATUS).profiles
    place.decide("done")
    assert place.listed() == ([("Attic/Old.md", 1)], [("Router.md", 3, "done")])
    (after,) = place.client.ask(STATUS).profiles
    assert (after.redactions, after.redactions_done) == (before.redactions, before.redactions_done + 1)
    place.write("Router.md", f"Moved.\n\n{place.router}")
    until(lambda: place.listed()[1] == [("Router.md", 5, "done")])
    assert on_disk(place.installation, place.token) == []
    place.write("Router.md", place.router.replace(place.token, place.other))
    until(lambda: place.listed() == ([("Attic/Old.md", 1), ("Router.md", 3)], []))
    assert on_disk(place.installation, place.other) == []


def test_a_decision_goes_with_a_note_that_moves_to_another_folder_or_name(place: Place) -> None:
    place.decide("done")
    place.path("Router.md").rename(place.path("Attic/Router.md"))
    until(lambda: place.listed() == ([("Attic/Old.md", 1)], [("Attic/Router.md", 3, "done")]))
    place.path("Attic/Router.md").rename(place.path("Blinking.md"))
    until(lambda: place.listed() == ([("Attic/Old.md", 1)], [("Blinking.md", 3, "done")]))


def test_a_decision_comes_back_with_a_note_that_was_gone_for_a_while_and_with_no_other(place: Place) -> None:
    place.decide("done")
    place.path("Router.md").unlink()
    until(lambda: place.listed() == ([("Attic/Old.md", 1)], []))
    place.write("Router.md", f"# Another\n\n{place.token}\n")
    until(lambda: place.listed() == ([("Attic/Old.md", 1), ("Router.md", 3)], []))
    place.write("Restored.md", place.router)
    until(lambda: place.listed() == ([("Attic/Old.md", 1), ("Router.md", 3)], [("Restored.md", 3, "done")]))


def test_a_value_that_is_allowed_everywhere_stands_in_all_notes_and_is_written_nowhere_else(place: Place) -> None:
    place.decide("everywhere")
    until(lambda: place.holders(place.token) == {"Router.md", "Attic/Old.md"})
    assert place.listed() == ([], [("Attic/Old.md", 1, "everywhere"), ("Router.md", 3, "everywhere")])
    settings = settings_of(place.installation)
    assert place.token not in settings.read_text()
    assert len(tomllib.loads(settings.read_text())["filter_digests"]) == 1
    place.decide("open", "Attic/Old.md", 1)
    until(lambda: place.listed() == ([("Attic/Old.md", 1), ("Router.md", 3)], []))
    until(lambda: on_disk(place.installation, place.token) == [])


TOKEN = expand("ghp_{alnum:36}", "decided")
OTHER = expand("ghp_{alnum:36}", "another")
ROUTER = f"# Router\n\nIt blinks: {TOKEN} at night.\n"


def without_daemon(root: Path) -> Installation:
    """An installation in which nothing runs, and nothing is indexed yet."""
    installation = Installation(root)
    installation.write({"Router.md": ROUTER, "Attic/Old.md": f"Once {TOKEN} was here.\n", "Heron.md": "A heron.\n"})
    installation.create_profile()
    return installation


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """One such for all tests of commands that leave it as it was; indexed."""
    installation = without_daemon(tmp_path_factory.mktemp("alone"))
    installation.run("index")
    return installation


def test_a_place_without_a_credential_is_refused_kindly(indexed: Installation) -> None:
    for at, said in (
        ("Heron.md:1", "no credential stands there"),
        ("Nowhere.md:1", "no visible profile has a note"),
        ("Router.md", "such as keys.md:7"),
    ):
        refused = indexed.run("credentials", "--allow", at, check=False)
        assert refused.returncode != 0
        assert said in " ".join(refused.stderr.split()).lower()


@pytest.mark.slow
def test_without_a_daemon_the_commands_do_the_same(indexed: Installation) -> None:
    assert indexed.run("credentials", check=False).stdout == (
        "notes: Attic/Old.md:1: github-token\nnotes: Router.md:3: github-token\n"
    )
    told = indexed.run("credentials", "--allow", "Router.md:3", "--done", "Attic/Old.md:1").stdout.splitlines()
    assert sorted(told) == [
        "notes: Attic/Old.md:1: github-token, done",
        "notes: Router.md:3: github-token, allowed in this note",
    ]
    clean = indexed.run("credentials")
    assert (clean.stdout, "2 more" in clean.stderr) == ("", True)
    assert indexed.run("credentials", "--decided").stdout.splitlines() == sorted(told)
    assert "Router.md" in indexed.run("search", "--mode", "lexical", f'"{TOKEN}"').stdout
    indexed.run("credentials", "--undo", "Router.md:3")
    assert indexed.run("credentials", check=False).stdout == "notes: Router.md:3: github-token\n"
    assert on_disk(indexed, TOKEN) == []


@pytest.mark.slow
def test_texts_that_were_allowed_in_plain_become_digests_when_the_settings_are_next_written(
    tmp_path: Path,
) -> None:
    place = without_daemon(tmp_path)
    settings = settings_of(place)
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
