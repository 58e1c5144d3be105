"""What a client may not see does not exist for it: no route tells, by content, count, status or wording."""

import json
from typing import Any

import pytest

from tests.integration.api.conftest import PERSONAL_TEXT, Residents


def search(residents: Residents, token: str, **ask: Any) -> Any:
    with residents.http(token) as http:
        return http.post("/v1/search", json={"query": "jackdaw", **ask})


def personal_chunk_id(residents: Residents) -> str:
    with residents.http(residents.owner) as http:
        found = http.post("/v1/search", json={"query": "diary garden", "profiles": ["personal"]}).json()
    return str(found["results"][0]["id"])


def test_a_client_finds_what_its_profiles_hold_and_nothing_else(residents: Residents) -> None:
    assert {hit["profile"] for hit in search(residents, residents.owner).json()["results"]} == {"work", "personal"}
    assert {hit["profile"] for hit in search(residents, residents.reader).json()["results"]} == {"work"}


@pytest.mark.parametrize("names", [["personal"], ["work", "personal"], ["PERSONAL"], ["nowhere"], ["work", "nowhere"]])
def test_an_unknown_and_a_forbidden_profile_give_the_same_answer(residents: Residents, names: list[str]) -> None:
    reply = search(residents, residents.reader, profiles=names)
    unknown = search(residents, residents.reader, profiles=["never heard of"])
    assert reply.status_code == unknown.status_code == 404
    assert reply.content == unknown.content


def test_a_vault_of_another_profile_is_as_unknown_as_one_that_is_nowhere(residents: Residents) -> None:
    own, hidden, unknown = (
        search(residents, residents.reader, query=f"vault:{name} jackdaw").json()
        for name in ("work", "personal", "nowhere")
    )
    assert own["results"]
    assert not own["warnings"]
    assert not hidden["results"]
    assert [each["code"] for each in hidden["warnings"]] == [each["code"] for each in unknown["warnings"]] != []
    assert [each["message"] for each in hidden["warnings"]] == [each["message"] for each in unknown["warnings"]]


def test_no_reading_route_shows_another_profile(residents: Residents) -> None:
    hidden = personal_chunk_id(residents)
    paths = [
        "/v1/profiles",
        "/v1/status",
        "/v1/credentials",
        "/v1/recent?limit=100",
        "/v1/suggest?kind=tag",
        "/v1/suggest?kind=folder",
        "/v1/suggest?kind=property",
        "/v1/suggest?kind=title&prefix=diary",
        f"/v1/chunks?ids={hidden}",
        f"/v1/chunks/{hidden}",
        f"/v1/notes/{hidden}",
        f"/v1/notes/{hidden}?profile=personal",
        "/v1/recent?profile=personal",
        "/v1/notes",
        "/v1/notes?filter=tag:personal",
        "/v1/notes?profile=personal",
        "/v1/journal?limit=1000",
        "/v1/journal?profile=personal",
        "/v1/timeline?since=2024-01-01&until=2024-12-31",
        "/v1/timeline?profile=personal",
        f"/v1/traverse?id={hidden}",
        "/v1/related?vault=personal&path=Diary.md",
        "/v1/clients",
        "/v1/pairing",
    ]
    with residents.http(residents.manager) as http:
        for path in paths:
            text = http.get(path).text
            assert "personal" not in text.replace("prefix=personal", ""), path
            assert "Diary" not in text, path
            assert residents.personal.id not in text, path
        for path, body in (
            ("/v1/verify", {"quote": PERSONAL_TEXT, "id": hidden}),
            ("/v1/verify", {"quote": PERSONAL_TEXT, "path": "Diary.md"}),
            ("/v1/explain", {"query": "diary", "path": "Diary.md"}),
            ("/v1/journal/recall", {"query": "diary"}),
            ("/v1/credentials", {"path": "Diary.md", "line": 7, "standing": "done"}),
            ("/v1/opened", {"profile": "work", "query": "diary", "path": "Diary.md"}),
        ):
            assert "personal" not in http.post(path, json=body).text, path
        context = http.post("/v1/context", json={"prompt": "diary entry jackdaw garden"}).text
        assert "diary entry" not in context
    with residents.http(residents.owner) as http:
        assert http.get(f"/v1/chunks/{hidden}").json()["text"] == PERSONAL_TEXT


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/v1/profiles", {"name": "new", "vaults": []}),
        ("POST", "/v1/profiles/{work}", {"name": "renamed"}),
        ("DELETE", "/v1/profiles/{work}", None),
        ("POST", "/v1/index", {}),
        ("POST", "/v1/credentials", {"path": "Keys.md", "line": 7, "standing": "allowed"}),
        ("GET", "/v1/clients", None),
        ("POST", "/v1/clients", {"name": "friend", "profiles": ["work"]}),
        ("POST", "/v1/clients/0", {"name": "x"}),
        ("POST", "/v1/clients/0/rotate", {}),
        ("DELETE", "/v1/clients/0", None),
        ("GET", "/v1/pairing", None),
        ("POST", "/v1/pairing/ABCDEF", {"approve": True}),
    ],
)
def test_a_searcher_manages_nothing(residents: Residents, method: str, path: str, body: Any) -> None:
    with residents.http(residents.reader) as http:
        reply = http.request(method, path.format(work=residents.work.id), json=body)
    assert (reply.status_code, reply.json()["code"]) == (403, "forbidden")
    assert [profile.name for profile in residents.house.engine.registry.list()] == ["personal", "work"]


@pytest.mark.parametrize(
    ("method", "path", "body", "code"),
    [
        ("POST", "/v1/profiles/{personal}", {"name": "mine"}, "profile-not-found"),
        ("DELETE", "/v1/profiles/{personal}", None, "profile-not-found"),
        ("POST", "/v1/index", {"profile": "personal"}, "profile-not-found"),
        ("POST", "/v1/clients", {"name": "spy", "profiles": ["personal"]}, "profile-not-found"),
        ("POST", "/v1/clients", {"name": "spy", "profiles": "all"}, "forbidden"),
        ("POST", "/v1/clients/{owner}", {"name": "mine"}, "client-not-found"),
        ("POST", "/v1/clients/{owner}/rotate", {}, "client-not-found"),
        ("DELETE", "/v1/clients/{owner}", None, "client-not-found"),
        ("POST", "/v1/clients/{self}", {"profiles": ["personal"]}, "profile-not-found"),
        ("POST", "/v1/clients/{self}", {"profiles": "all"}, "forbidden"),
    ],
)
def test_a_manager_of_one_profile_reaches_no_further(
    residents: Residents, method: str, path: str, body: Any, code: str
) -> None:
    ids = {client.name: client.id for client in residents.house.clients.list()}
    target = path.format(personal=residents.personal.id, owner=ids["owner"], self=ids["manager"])
    with residents.http(residents.manager) as http:
        reply = http.request(method, target, json=body)
    assert reply.json()["code"] == code
    with residents.http(residents.owner) as http:
        assert len(http.get("/v1/profiles").json()["profiles"]) == 2


def test_indexing_without_a_name_is_of_what_the_manager_sees(residents: Residents) -> None:
    residents.house.index_requests.clear()
    with residents.http(residents.manager) as http:
        assert http.post("/v1/index", json={"full": True}).json() == {"profiles": ["work"]}
    assert residents.house.index_requests == [(residents.work.id, True)]


def test_vault_folders_on_disk_are_told_to_managers_alone(residents: Residents) -> None:
    with residents.http(residents.reader) as http:
        assert str(residents.house.vaults) not in http.get("/v1/profiles").text
    with residents.http(residents.manager) as http:
        assert str(residents.house.vaults) in http.get("/v1/profiles").text


def test_a_profile_keeps_its_vaults_id_when_it_is_changed(residents: Residents) -> None:
    folder = residents.house.vaults / "fresh"
    folder.mkdir()
    with residents.http(residents.owner) as http:
        ask = {"name": "fresh", "vaults": [{"root": str(folder), "allow": ["Notes"]}]}
        created = http.post("/v1/profiles", json=ask).json()
        vault_id = created["vaults"][0]["id"]
        changed = http.post(
            f"/v1/profiles/{created['id']}",
            json={"vaults": [{"root": str(folder), "allow": ["Notes", "Diary"]}], "federate": False, "name": "Fresh 2"},
        ).json()
        assert changed["vaults"][0] == {
            "id": vault_id,
            "name": "fresh",
            "allow": ["Notes", "Diary"],
            "exclude": [],
            "root": str(folder),
        }
        assert (changed["name"], changed["federate"]) == ("Fresh 2", False)
        assert http.delete(f"/v1/profiles/{created['id']}").json() == {"done": True}
        assert "Fresh 2" not in {profile["name"] for profile in http.get("/v1/profiles").json()["profiles"]}


def test_a_manager_of_one_profile_changes_what_it_reads_of_its_own_vault(residents: Residents) -> None:
    with residents.http(residents.manager) as http:
        vault = residents.work.vaults[0]
        ask = {"vaults": [{"root": vault.root, "allow": ["Notes"]}], "colour": "#123456"}
        changed = http.post(f"/v1/profiles/{residents.work.id}", json=ask).json()
    assert (changed["vaults"][0]["id"], changed["vaults"][0]["allow"]) == (vault.id, ["Notes"])


@pytest.mark.parametrize("name", ["personal", "never was"])
@pytest.mark.parametrize("place", ["personal", "nowhere"])
def test_a_manager_of_one_profile_learns_of_no_name_and_no_folder_beyond_it(
    residents: Residents, name: str, place: str
) -> None:
    vaults = [{"root": str(residents.house.vaults / place), "allow": ["."]}]
    with residents.http(residents.manager) as http:
        replies = [
            http.post("/v1/profiles", json={"name": name, "vaults": vaults}),
            http.post(f"/v1/profiles/{residents.work.id}", json={"name": name}),
            http.post(f"/v1/profiles/{residents.work.id}", json={"vaults": vaults}),
        ]
        assert [profile["name"] for profile in http.get("/v1/profiles").json()["profiles"]] == ["work"]
    assert [(reply.status_code, reply.json()["code"]) for reply in replies] == [(403, "forbidden")] * 3
    assert len({reply.content for reply in replies}) == 1


@pytest.mark.parametrize(
    "folder", ["../outside", "/etc", "..\\outside", "C:\\Windows", "a/../../b", "\\\\server\\share"]
)
def test_folders_that_lead_out_of_the_vault_are_refused(residents: Residents, folder: str) -> None:
    root = residents.house.vaults / "work"
    with residents.http(residents.owner) as http:
        reply = http.post("/v1/profiles", json={"name": "out", "vaults": [{"root": str(root), "allow": [folder]}]})
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid-profile")


def test_credentials_are_told_by_place_and_rule_alone(residents: Residents) -> None:
    with residents.http(residents.owner) as http:
        found = http.get("/v1/credentials").json()["credentials"]
    assert [(hit["profile"], hit["vault"], hit["path"], hit["line"], hit["rule"]) for hit in found] == [
        ("personal", "personal", "Diary.md", 7, "github-token"),
        ("personal", "personal", "Diary.md", 8, "github-token"),
    ]
    told = {"profile", "vault", "path", "line", "column", "rule", "about", "standing"}
    assert all(set(hit) == told for hit in found)
    assert json.dumps(found)
