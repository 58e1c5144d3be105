"""`/v1/review/map`, and a vault's inbox, over the whole stack."""

from typing import Any

import httpx
import msgspec
import pytest

from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.store.rows import LinkRow, NoteBundle
from tests.helpers.waiting import until
from tests.integration.server.conftest import Residents
from tests.integration.server.house import note


@pytest.fixture
def residents(fresh: Residents) -> Residents:
    write(fresh, fresh.work, "birds", count=4)
    write(fresh, fresh.personal, "secretly", count=5)
    return fresh


def write(residents: Residents, profile: Profile, folder: str, *, count: int) -> None:
    """Notes of a folder that all link to each other."""
    links = tuple(LinkRow(f"{folder}{number}", "wiki", 4) for number in range(count))
    with residents.house.store(profile).writing() as writer:
        for number in range(count):
            found = note(profile.vaults[0], f"{folder}/{folder}{number}.md", f"About {folder}, {number}.")
            writer.put_note(NoteBundle(found.note, found.chunks, links))


def current(http: httpx.Client, path: str, **wanted: str) -> Any:
    """The reply once it is one of the notes as they are."""
    replies: list[Any] = []

    def is_current() -> bool:
        replies.append(http.get(path, params=wanted).json())
        return not replies[-1]["waiting"]

    until(is_current)
    return replies[-1]


def mapped(http: httpx.Client) -> Any:
    return current(http, "/v1/review/map")


def test_the_map_shows_the_clusters_of_the_profiles_that_a_client_sees(residents: Residents) -> None:
    with residents.http(residents.owner) as owner, residents.http(residents.reader) as reader:
        everything = mapped(owner)
        seen = mapped(reader)
    assert {(each["profile"], each["name"], each["size"]) for each in everything["clusters"]} == {
        ("work", "birds", 4),
        ("personal", "secretly0", 5),  # nearly all of its notes are in the folder: that tells nothing
    }
    assert [(each["profile"], each["size"]) for each in seen["clusters"]] == [("work", 4)]
    assert "secretly" not in str(seen)
    assert len({each["id"] for each in everything["clusters"]}) == 2
    assert seen["clusters"][0]["notes"][0]["links"] == 3


def test_a_locked_profile_is_named_as_unanswered(residents: Residents) -> None:
    with residents.http(residents.owner) as http:
        http.post(f"/v1/profiles/{residents.personal.id}/lock", json={})
        reply = mapped(http)
    assert [each["profile"] for each in reply["clusters"]] == ["work"]
    assert [each["profile"] for each in reply["unanswered"]] == ["personal"]


def vaults_of(profile: Profile, **changed: str) -> list[dict[str, Any]]:
    return [{"root": vault.root, "allow": vault.allow, **changed} for vault in profile.vaults]


def test_an_inbox_is_named_over_the_api_and_its_notes_are_looked_at(residents: Residents) -> None:
    with residents.http(residents.manager) as http:
        url = f"/v1/profiles/{residents.work.id}"
        assert http.post(url, json={"vaults": vaults_of(residents.work, inbox="birds/")}).status_code == 200
        again = http.post(url, json={"vaults": vaults_of(residents.work)}).json()  # says nothing of it: it stays
        assert [vault["inbox"] for vault in again["vaults"]] == ["birds"]
        found = current(http, "/v1/review", kind="intake")
        assert {each["path"] for each in found["proposals"]} == {f"birds/birds{number}.md" for number in range(4)}
        grounds = [score["ground"] for score in found["proposals"][0]["scores"]]
        assert grounds == ["known", "new", "linked", "complete"]
        http.post(url, json={"vaults": vaults_of(residents.work, inbox="")})
        assert current(http, "/v1/review", kind="intake")["proposals"] == []


@pytest.mark.parametrize("folder", [".", "../elsewhere", "/etc"])
def test_an_inbox_is_a_folder_inside_the_vault(residents: Residents, folder: str) -> None:
    with residents.http(residents.manager) as http:
        reply = http.post(f"/v1/profiles/{residents.work.id}", json={"vaults": vaults_of(residents.work, inbox=folder)})
    assert reply.status_code == 400
    assert msgspec.json.decode(reply.content)["code"] == "invalid-profile"
