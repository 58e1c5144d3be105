"""`/v1/review` over the whole stack: what is listed, to whom, and what is said of it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from scrubjay.credential_filter.rules.templates import expand
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.store import reads
from tests.integration.server.conftest import Residents
from tests.integration.server.house import note
from tests.integration.server.test_review_map import current, mapped

HERON = (
    "The grey heron stands at the weir below the old mill, where the water is shallow and the eels come up at dusk."
    " It has stood there each winter since the bridge was mended, and the miller's daughter counts its visits."
)
HERON_AGAIN = HERON.replace("grey", "great grey").replace("eels", "roach")
OTHER = "Bread needs flour, water and salt, time to rise, a hot oven and somebody who gets up early enough to bake it."
TOKEN = expand("ghp_{alnum:36}", "review")


@pytest.fixture
def residents(fresh: Residents) -> Residents:
    write(fresh, fresh.work, {"Birds/Heron.md": HERON, "Birds/Heron copy.md": HERON_AGAIN, "Bread.md": OTHER})
    write(fresh, fresh.personal, {"Twin.md": OTHER, "Other twin.md": OTHER + " Or two."})
    return replace(fresh, reader=fresh.house.token("reader", fresh.work, scopes=("search", "journal")).token)


def write(residents: Residents, profile: Profile, notes: dict[str, str]) -> None:
    with residents.house.store(profile).writing() as writer:
        for path, text in notes.items():
            writer.put_note(note(profile.vaults[0], path, text))


def listed(http: httpx.Client, *, kind: str = "near-copy", **wanted: str) -> Any:
    """What is found once all is looked through: a request waits for that for seconds, and tells what is left."""
    return current(http, "/v1/review", kind=kind, **wanted)


def decide(http: httpx.Client, proposal: Any, answer: str) -> httpx.Response:
    body = {"profile": proposal["profile"], "key": proposal["key"], "answer": answer}
    return http.post("/v1/review", json=body)


def test_two_notes_that_say_nearly_the_same_are_one_proposal_with_what_differs(residents: Residents) -> None:
    with residents.http(residents.manager) as http:
        reply = listed(http)
        (proposal,) = reply["proposals"]
        paths = {proposal["path"], *(other["path"] for other in proposal["others"])}
        assert paths == {"Birds/Heron.md", "Birds/Heron copy.md"}
        assert "roach" in proposal["quote"]
        assert reply["total"] == 1
        assert {"kind": "near-copy", "count": 1} in reply["counts"]
        assert reply["may_decide"]
        assert listed(http, folder="Birds")["total"] == 1
        assert listed(http, folder="Bread")["total"] == 0
        assert listed(http, kind="stale")["total"] == 0


def test_what_was_refused_is_not_asked_again_while_the_text_is_the_same(residents: Residents) -> None:
    with residents.http(residents.manager) as http:
        (proposal,) = listed(http)["proposals"]
        assert decide(http, proposal, "no").is_success
        assert listed(http)["total"] == 0
        assert [each["key"] for each in listed(http, answer="no")["proposals"]] == [proposal["key"]]
        write(residents, residents.work, {"Birds/Heron copy.md": HERON_AGAIN.replace("dusk", "dawn")})
        assert listed(http)["total"] == 0, "a word was changed"
        rewritten = HERON[: len(HERON) // 3] + " ".join(reversed(HERON_AGAIN[len(HERON) // 3 :].split()))
        write(residents, residents.work, {"Birds/Heron.md": rewritten, "Birds/Heron copy.md": rewritten + " Well."})
        assert listed(http)["total"] == 1, "hardly a sentence is as it was"


def test_an_answer_is_taken_back_and_asked_again(residents: Residents) -> None:
    with residents.http(residents.manager) as http:
        (proposal,) = listed(http)["proposals"]
        for answer in ("later", "yes", "done", "no"):
            assert decide(http, proposal, answer).is_success
            assert [each["answer"] for each in listed(http, answer=answer)["proposals"]] == [answer]
        assert decide(http, proposal, "open").is_success
        assert listed(http)["total"] == 1


def test_what_was_answered_can_be_answered_again_though_its_note_is_gone(residents: Residents) -> None:
    with residents.http(residents.manager) as http:
        (proposal,) = listed(http)["proposals"]
        decide(http, proposal, "yes")
        store = residents.house.store(residents.work)
        gone = store.read(reads.note_by_path, residents.work.vaults[0].id, proposal["path"])
        assert gone is not None
        with store.writing() as writer:
            writer.forget_notes([gone.note_id])
        assert decide(http, proposal, "done").is_success
        assert decide(http, proposal, "open").is_success
        assert decide(http, proposal, "open").json()["code"] == "proposal-not-found"


def test_a_client_sees_what_concerns_its_profiles_and_decides_only_as_a_manager(residents: Residents) -> None:
    with residents.http(residents.reader) as http:
        reply = listed(http)
        assert {each["profile"] for each in reply["proposals"]} == {"work"}
        assert not reply["may_decide"]
        assert "win" not in http.get("/v1/review").text
        assert decide(http, reply["proposals"][0], "no").status_code == 403
    with residents.http(residents.manager) as http:
        unseen = {"profile": "personal", "key": "0" * 32}
        assert http.post("/v1/review", json={**unseen, "answer": "no"}).json()["code"] == "profile-not-found"
        assert http.post("/v1/review/preview", json=unseen).json()["code"] == "profile-not-found"
    with residents.http(residents.owner) as http:
        assert {each["profile"] for each in listed(http)["proposals"]} == {"work", "personal"}
        assert {each["profile"] for each in listed(http, profile="personal")["proposals"]} == {"personal"}


def propose(http: httpx.Client, path: str = "Bread.md", vault: str = "work", **change: object) -> httpx.Response:
    whole = {"action": "append", "vault": vault, "path": path, "after": "See Birds.", **change}
    return http.post("/v1/review/propose", json={"vault": vault, "path": path, "why": "They fit.", "changes": [whole]})


def test_a_program_proposes_what_the_user_decides_and_nothing_is_written(residents: Residents) -> None:
    root = Path(residents.work.vaults[0].root)
    (root / "Bread.md").write_text(OTHER, encoding="utf-8")
    with residents.http(residents.reader) as http:
        proposal = propose(http).json()["proposal"]
        assert (proposal["kind"], proposal["path"], proposal["answer"]) == ("suggested", "Bread.md", "open")
        assert proposal["detail"] == "reader: They fit."
        assert propose(http).json()["proposal"]["key"] == proposal["key"], "the same again is kept once"
        assert listed(http, kind="suggested")["total"] == 1
        assert decide(http, proposal, "yes").status_code == 403
    assert (root / "Bread.md").read_text(encoding="utf-8") == OTHER
    with residents.http(residents.manager) as http:
        assert decide(http, proposal, "yes").is_success
        (accepted,) = listed(http, kind="suggested", answer="yes")["proposals"]
        assert (accepted["key"], accepted["chosen"]) == (proposal["key"], ["all"])
        assert decide(http, proposal, "no").is_success
        assert listed(http, kind="suggested")["total"] == 0


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"path": "Nothing.md"}, "note-not-found"),
        ({"vault": "personal", "path": "Twin.md"}, "note-not-found"),
        ({"action": "delete"}, "invalid-request"),
        ({"action": "move", "to": "../Elsewhere.md"}, "review-invalid"),
        ({"after": "seen \u202eneesnu\x00"}, "usage"),
    ],
)
def test_a_proposal_is_about_notes_that_are_there_and_seen(
    residents: Residents, change: dict[str, str], code: str
) -> None:
    with residents.http(residents.reader) as http:
        assert propose(http, **change).json()["code"] == code  # type: ignore[arg-type]
        inside = http.post(
            "/v1/review/propose",
            json={
                "vault": "work",
                "path": "Bread.md",
                "why": "x",
                "changes": [{"action": "append", "vault": "work", "path": "Bread.md", "after": "x", **change}],
            },
        )
        assert inside.json()["code"] == code


def test_no_secret_of_a_proposal_is_kept_or_shown(residents: Residents) -> None:
    with residents.http(residents.owner) as http:
        reply = http.post(
            "/v1/review/propose",
            json={
                "vault": "work",
                "path": "Bread.md",
                "why": f"the token is {TOKEN}",
                "changes": [
                    {"action": "append", "vault": "work", "path": "Bread.md", "after": f"token: {TOKEN}"},
                    {"action": "add-tags", "vault": "work", "path": "Bread.md", "tags": [TOKEN]},
                    {"action": "move", "vault": "work", "path": "Bread.md", "to": f"{TOKEN}.md"},
                ],
            },
        )
        assert reply.is_success
        assert TOKEN not in reply.text
        assert TOKEN not in http.get("/v1/review").text
    held = b"".join(path.read_bytes() for path in residents.house.home.data.rglob("*") if path.is_file())
    assert TOKEN.encode() not in held


def test_a_program_may_not_fill_the_queue(residents: Residents, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrubjay.daemon.review.suggestions.MOST_WAITING", 2)
    with residents.http(residents.reader) as http:
        assert [propose(http, after=f"{n}").status_code for n in range(3)] == [200, 200, 409]


def test_what_a_program_put_forward_is_refused_at_once_within_what_a_manager_sees(residents: Residents) -> None:
    with residents.http(residents.owner) as owner, residents.http(residents.reader) as reader:
        assert propose(owner, path="Twin.md", vault="personal").is_success
        assert propose(owner).is_success
        assert propose(reader, after="Another.").is_success
        accepted = propose(reader, after="Accepted.").json()["proposal"]
        assert decide(owner, accepted, "yes").is_success
        assert reader.post("/v1/review/clear", json={}).status_code == 403
        with residents.http(residents.manager) as manager:
            assert manager.post("/v1/review/clear", json={"by": "reader"}).json() == {"count": 1}
            assert manager.post("/v1/review/clear", json={}).json() == {"count": 1}
            unseen = manager.post("/v1/review/clear", json={"profile": "personal"})
            assert unseen.json()["code"] == "profile-not-found"
        left = listed(owner, kind="suggested")["proposals"]
        assert [(each["profile"], each["by"]) for each in left] == [("personal", "owner")]
        assert listed(owner, kind="suggested", answer="yes")["total"] == 1, "what was accepted stays accepted"


def test_a_preview_shows_what_yes_would_change(residents: Residents) -> None:
    root = Path(residents.work.vaults[0].root)
    (root / "Bread.md").write_text(OTHER, encoding="utf-8")
    write(residents, residents.work, {"Bread.md": OTHER})
    with residents.http(residents.reader) as http:
        proposal = propose(http).json()["proposal"]
        shown = http.post("/v1/review/preview", json={"profile": "work", "key": proposal["key"]}).json()
        assert [each["after"] for each in shown["changes"]] == ["See Birds."]
        assert shown["refused"] or "+See Birds." in shown["files"][0]["diff"]
        unknown = {"profile": "work", "key": proposal["key"], "chosen": ["no-such"]}
        assert http.post("/v1/review/preview", json=unknown).json()["code"] == "usage"


def test_a_search_shows_near_copies_as_one_result_and_each_by_itself_on_demand(residents: Residents) -> None:
    with residents.http(residents.reader) as http:
        listed(http)  # has the notes compared

        def found(**wanted: object) -> Any:
            return http.post("/v1/search", json={"query": "heron weir", "mode": "lexical", **wanted}).json()

        folded, unfolded = found(), found(fold=False)
        both = {"Birds/Heron.md", "Birds/Heron copy.md"}
        (result,) = folded["results"]
        assert {result["path"], *(place["path"] for place in result["nearly_same"])} == both
        assert {each["path"] for each in unfolded["results"]} == both
        assert folded["total_notes"] == unfolded["total_notes"] == len(both)
        assert folded["next_offset"] is None
        first = found(limit=1, fold=False)
        second = found(limit=1, offset=first["next_offset"])
        assert {first["results"][0]["path"], second["results"][0]["path"]} == both, "on a page of its own it is shown"
        assert {each["path"] for each in found(sort="path")["results"]} == both, "a list leaves none out"
        assert {each["path"] for each in found(group="chunk")["results"]} == both
        below = result["nearly_same"][0]["path"]
        said = http.post("/v1/explain", json={"query": "heron weir", "path": below, "mode": "lexical"}).json()
        assert (said["stage"], result["path"] in said["message"]) == ("folded", True)
        residents.house.engine.settings = msgspec.structs.replace(
            residents.house.engine.settings, fold_near_copies=False
        )
        assert {each["path"] for each in found()["results"]} == both, "the setting says so"


def test_the_map_shows_what_links_to_what_in_the_profiles_that_a_client_sees(residents: Residents) -> None:
    star = {"Hub.md": ["A", "B", "C"], "A.md": ["B"], "B.md": ["C"], "C.md": ["A"], "Bridge.md": ["Hub", "X"]}
    linked = residents.house.create_linked("linked", {**star, "X.md": ["Y", "Z"], "Y.md": ["Z"], "Z.md": []})
    token = residents.house.token("mapper", linked, residents.work).token
    with residents.http(token) as http:
        reply: Any = mapped(http)
        assert {each["profile"] for each in reply["clusters"]} == {"linked"}
        numbers = [each["id"] for each in reply["clusters"]]
        assert len(numbers) == len(set(numbers))
        assert "Bridge.md" in {each["note"]["path"] for each in reply["bridges"]}
        assert reply["unlinked"] == residents.house.store(residents.work).read(reads.note_count)
    with residents.http(residents.reader) as http:
        assert mapped(http)["clusters"] == []
