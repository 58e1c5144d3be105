"""What a client may not see does not exist for it: no route tells, by content, count, status or wording."""

import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.access.client_registry import Scope
from scrubjay.profiles.registry.registry import Profile
from tests.integration.server.conftest import PERSONAL_TEXT, Residents


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
        "/v1/suggest?kind=named-folder&prefix=personal",
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
            ("/v1/verify/answer", {"text": f"“{PERSONAL_TEXT}” [#{hidden}]"}),
            ("/v1/read", {"notes": ["Diary.md", hidden, "*"]}),
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


MANAGING: tuple[tuple[str, str, Any], ...] = (
    ("POST", "/v1/profiles", {"name": "new", "vaults": []}),
    ("GET", "/v1/vaults", None),
    ("POST", "/v1/vaults/folders", {"root": "/"}),
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
)


def test_a_searcher_manages_nothing(residents: Residents) -> None:
    with residents.http(residents.reader) as http:
        for method, path, body in MANAGING:
            reply = http.request(method, path.format(work=residents.work.id), json=body)
            assert (reply.status_code, reply.json()["code"]) == (403, "forbidden"), (method, path)
    assert [profile.name for profile in residents.house.engine.registry.list()] == ["personal", "work"]


BEYOND: tuple[tuple[str, str, Any, str], ...] = (
    ("GET", "/v1/vaults", None, "forbidden"),
    ("POST", "/v1/vaults/folders", {"root": "/"}, "forbidden"),
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
)


def test_a_manager_of_one_profile_reaches_no_further(residents: Residents) -> None:
    ids = {client.name: client.id for client in residents.house.clients.list()}
    named = {"personal": residents.personal.id, "owner": ids["owner"], "self": ids["manager"]}
    with residents.http(residents.manager) as http:
        for method, path, body, code in BEYOND:
            assert http.request(method, path.format(**named), json=body).json()["code"] == code, (method, path)
    with residents.http(residents.owner) as http:
        assert len(http.get("/v1/profiles").json()["profiles"]) == 2


def test_indexing_without_a_name_is_of_what_the_manager_sees(residents: Residents) -> None:
    residents.house.index_requests.clear()
    with residents.http(residents.manager) as http:
        assert http.post("/v1/index", json={"full": True}).json() == {"profiles": ["work"]}
    assert residents.house.index_requests == [(residents.work.id, True)]


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
            "own": False,
            "inbox": "",
        }
        assert (changed["name"], changed["federate"]) == ("Fresh 2", False)
        assert http.delete(f"/v1/profiles/{created['id']}").json() == {"done": True}
        assert "Fresh 2" not in {profile["name"] for profile in http.get("/v1/profiles").json()["profiles"]}


@pytest.fixture
def folder(residents: Residents) -> Iterator[tuple[httpx.Client, Profile, Path]]:
    """The owner, a profile of its own for each test, and its `profile.toml`."""
    root = residents.house.vaults / "written twice"
    root.mkdir(exist_ok=True)
    with residents.http(residents.owner) as http:
        ask = {"name": "twice", "vaults": [{"root": str(root), "allow": ["."], "exclude": ["Old"]}]}
        registry = residents.house.engine.registry
        profile = registry.get(http.post("/v1/profiles", json=ask).json()["name"])
        yield http, profile, registry.folder_of(profile) / "profile.toml"
        http.delete(f"/v1/profiles/{profile.id}")


def by_hand(settings: Path, exclude: str) -> None:
    text, count = re.subn(
        r"^exclude = \[[^\]]*\]", f"exclude = {exclude}", settings.read_text("utf-8"), flags=re.MULTILINE
    )
    assert count == 1
    settings.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("change", [{"colour": "#654321"}, {"name": "thrice", "files": {"ocr": True}}])
def test_a_change_keeps_the_exclusion_that_was_written_by_hand_a_moment_before(
    folder: tuple[httpx.Client, Profile, Path], change: dict[str, object]
) -> None:
    http, profile, settings = folder
    by_hand(settings, '["Old", "Private"] # for good')
    changed = http.post(f"/v1/profiles/{profile.id}", json=change).json()
    assert changed["vaults"][0]["exclude"] == ["Old", "Private"]
    assert '"Private"] # for good' in settings.read_text(encoding="utf-8")


def test_folders_that_were_changed_since_somebody_looked_are_not_written_over(
    folder: tuple[httpx.Client, Profile, Path],
) -> None:
    http, profile, settings = folder
    (seen,) = [each for each in http.get("/v1/profiles").json()["profiles"] if each["id"] == profile.id]
    by_hand(settings, '["Old", "Private"]')
    assert http.post("/v1/profiles/refresh", json={}).is_success
    root = profile.vaults[0].root
    ask = {"vaults": [{"root": root, "allow": ["."], "exclude": []}], "folders_revision": seen["folders_revision"]}
    refused = http.post(f"/v1/profiles/{profile.id}", json=ask)
    assert (refused.status_code, refused.json()["code"]) == (409, "folders-changed")
    (now,) = [each for each in http.get("/v1/profiles").json()["profiles"] if each["id"] == profile.id]
    assert now["vaults"][0]["exclude"] == ["Old", "Private"]
    assert now["folders_revision"] != seen["folders_revision"]
    changed = http.post(f"/v1/profiles/{profile.id}", json={**ask, "folders_revision": now["folders_revision"]})
    assert changed.json()["vaults"][0]["exclude"] == []


def test_who_does_not_say_what_was_seen_takes_no_exclusion_back(
    folder: tuple[httpx.Client, Profile, Path],
) -> None:
    http, profile, settings = folder
    by_hand(settings, '["Old", "Private"] # for good')
    ask = {"vaults": [{"root": profile.vaults[0].root, "allow": ["."], "exclude": ["New"]}]}
    for _ in range(2):  # the daemon has seen the file by the second
        assert http.post("/v1/profiles/refresh", json={}).is_success
        changed = http.post(f"/v1/profiles/{profile.id}", json=ask).json()
        assert set(changed["vaults"][0]["exclude"]) == {"New", "Old", "Private"}
    assert '"Private"' in settings.read_text(encoding="utf-8")


def test_folders_and_vaults_that_others_add_and_take_away_meanwhile_stay_so(
    folder: tuple[httpx.Client, Profile, Path], tmp_path: Path
) -> None:
    http, profile, settings = folder
    by_hand(settings, '["Private"]')
    more = f'\n[[vaults]]\nid = "0123abcd"\nroot = {json.dumps(str(tmp_path))}\nname = "more"\n'
    settings.write_text(settings.read_text(encoding="utf-8") + more, encoding="utf-8")
    ask = {"vaults": [{"root": profile.vaults[0].root, "allow": ["."], "exclude": ["Old", "New"]}]}
    changed = http.post(f"/v1/profiles/{profile.id}", json=ask).json()
    assert [(vault["name"], sorted(vault["exclude"])) for vault in changed["vaults"]] == [
        ("written twice", ["New", "Private"]),
        ("more", []),
    ]


@pytest.mark.parametrize(
    "refused", [{"name": "personal"}, {"name": "a/b"}, {"colour": "red"}, {"model": "nobody/knows-it"}]
)
def test_a_refused_change_changes_nothing(
    folder: tuple[httpx.Client, Profile, Path], refused: dict[str, object]
) -> None:
    http, profile, settings = folder
    before = settings.read_bytes()
    ask = {"colour": "#654321", "federate": False, "filter_groups": ["payment"], **refused}
    assert http.post(f"/v1/profiles/{profile.id}", json=ask).is_error
    assert settings.read_bytes() == before


def test_a_manager_of_one_profile_changes_what_it_reads_of_its_own_vault(residents: Residents) -> None:
    with residents.http(residents.manager) as http:
        vault = residents.work.vaults[0]
        ask = {"vaults": [{"root": vault.root, "allow": ["."], "exclude": ["Old"]}], "colour": "#123456"}
        changed = http.post(f"/v1/profiles/{residents.work.id}", json=ask).json()
    assert (changed["vaults"][0]["id"], changed["vaults"][0]["exclude"]) == (vault.id, ["Old"])


def test_a_manager_of_one_profile_learns_of_no_name_and_no_folder_beyond_it(residents: Residents) -> None:
    with residents.http(residents.manager) as http:

        def replies(name: str, place: str) -> list[httpx.Response]:
            vaults = [{"root": str(residents.house.vaults / place), "allow": ["."]}]
            return [
                http.post("/v1/profiles", json={"name": name, "vaults": vaults}),
                http.post(f"/v1/profiles/{residents.work.id}", json={"name": name}),
                http.post(f"/v1/profiles/{residents.work.id}", json={"vaults": vaults}),
            ]

        said = [*replies("personal", "personal"), *replies("never was", "nowhere")]
        assert [profile["name"] for profile in http.get("/v1/profiles").json()["profiles"]] == ["work"]
    assert [(reply.status_code, reply.json()["code"]) for reply in said] == [(403, "forbidden")] * 6
    assert len({reply.content for reply in said}) == 1


@pytest.mark.parametrize("folder", ["/etc", "C:\\Windows", "a/../../b", "\\\\server\\share"])
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
    told = {"profile", "vault", "path", "line", "column", "rule", "about", "standing", "place"}
    assert all(set(hit) == told for hit in found)
    assert json.dumps(found)


def test_what_is_counted_over_all_profiles_is_told_to_who_sees_all(residents: Residents) -> None:
    search(residents, residents.owner)
    with residents.http(residents.manager) as manager, residents.http(residents.owner) as owner:
        told, all_told = manager.get("/metrics").text, owner.get("/metrics").text
    assert "scrubjay_search_seconds_count" in all_told
    assert {line.split("{")[0].split(" ")[0] for line in told.splitlines() if not line.startswith("#")} == {
        f"scrubjay_profile_{name}"
        for name in ("notes", "chunks", "pending_embeddings", "redactions", "failures", "bytes_on_disk")
    }
    assert 'profile="personal"' not in told


def test_what_was_opened_is_remembered_of_notes_of_the_index_alone(residents: Residents) -> None:
    planted = "notes/" + "".join(("AKIA", "Q7RZPLM2XNVB4TYE")) + "/x.md"
    with residents.http(residents.reader) as http:
        said = {"profile": "work", "query": "jackdaw"}
        assert http.post("/v1/opened", json=said | {"path": planted}).status_code == 404
        assert http.post("/v1/opened", json=said | {"path": "Jackdaw.md"}).status_code == 200
    residents.house.services.searches.flush()
    written = b"".join(file.read_bytes() for file in residents.house.home.profiles.rglob("*") if file.is_file())
    assert planted.encode() not in written


def test_a_profile_event_is_heard_by_who_may_know_of_the_profile(residents: Residents) -> None:
    hub, changed = residents.house.services.events, residents.house.engine.registry.get("personal")
    reader = residents.house.id_of(residents.reader)
    start = hub.newest(reader)
    residents.house.engine.registry.change(changed.id, lambda now: msgspec.structs.replace(now, colour="#123456"))
    residents.house.engine.profile_sync.sync()
    hub.publish("changed", "the end", profile=residents.work.id)
    with ScrubjayClient(residents.house.url, residents.reader) as client:
        assert [event.kind for event in islice(client.events(start), 1)] == ["changed"]


def test_where_files_lie_is_told_to_managers_alone(residents: Residents) -> None:
    home = residents.house.home
    message = f"{home.profiles}/0123456789ab/index.sqlite3 is damaged: mend it."
    told = residents.house.services.places.left_out_of(message)
    assert told == "(a file of Scrubjay's) is damaged: mend it."
    spoilt = residents.house.add_profile("spoilt", {"A.md": "A note."})
    guest = residents.house.token("guest of spoilt", spoilt)
    manager = residents.house.token("manager of spoilt", spoilt, scopes=("search", "manage"))
    settings = home.profiles / spoilt.id / "profile.toml"
    before = settings.read_bytes()
    settings.write_text("colour = 7\nname = 'spoilt'\n")
    residents.house.engine.profile_sync.sync()
    for token in (guest.token, manager.token):
        with residents.http(token) as http:
            replies = [http.get(path).text for path in ("/v1/status", "/v1/recent", "/v1/credentials")]
            replies.append(http.post("/v1/search", json={"query": "note"}).text)
            replies.append(http.post("/v1/journal/recall", json={"query": "note", "profile": "spoilt"}).text)
        assert [reply for reply in replies if str(home.data) in reply and token == guest.token] == []
    settings.write_bytes(before)
    residents.house.engine.profile_sync.sync()


def test_a_client_gives_its_own_token_back_but_not_the_command_line_s_by_mistake(residents: Residents) -> None:
    clients = residents.house.clients
    several: tuple[tuple[Scope, ...], ...] = (("search",), ("journal",), ("search", "manage"))
    for scopes in several:
        guest = clients.create("guest", scopes=scopes, profiles=(residents.work.id,))
        with residents.http(guest.token) as http:
            assert http.delete("/v1/clients/self").json() == {"done": True}
            assert http.get("/v1/status").status_code == 401
    own = clients.create("own", scopes=("search", "manage"), profiles="all", own=True)
    for token, status in ((None, 401), (own.token, 403)):
        with residents.http(token) as http:
            assert http.delete("/v1/clients/self").status_code == status
    clients.revoke(own.client.id)


def test_the_credentials_of_a_locked_profile_are_said_to_be_unknown(residents: Residents) -> None:
    with residents.http(residents.owner) as http:
        assert http.get("/v1/credentials").json()["unanswered"] == []
        http.post(f"/v1/profiles/{residents.personal.id}/lock", json={})
        try:
            [closed] = http.get("/v1/credentials").json()["unanswered"]
            with residents.http(residents.manager) as manager:
                assert manager.get("/v1/credentials").json()["unanswered"] == []
        finally:
            http.post(f"/v1/profiles/{residents.personal.id}/unlock", json={})
    assert (closed["profile"], "locked" in closed["reason"]) == ("personal", True)


def test_where_the_program_and_the_vaults_lie_is_told_to_managers_alone(residents: Residents) -> None:
    vaults = str(residents.house.vaults)
    for token, is_told in ((residents.reader, False), (residents.manager, True), (residents.owner, True)):
        with residents.http(token) as http:
            assert (vaults in http.get("/v1/profiles").text) is is_told
            assert http.get("/v1/status").json()["command"].endswith("scrubjay") is is_told
