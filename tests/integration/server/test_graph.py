"""`/v1/traverse`, `/v1/verify`, `/v1/explain`, `/v1/notes` over the whole stack."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.integration.server.conftest import Residents


def chunk_id(http: httpx.Client, query: str = "jackdaw spring") -> str:
    return str(http.post("/v1/search", json={"query": query}).json()["results"][0]["id"])


@pytest.mark.parametrize(
    ("quote", "verdict"),
    [
        ("The jackdaw project ships in spring", "verified"),
        ("Heading The jackdaw project ships", "verified"),
        ("The jackdaw project ships in autumn", "not-found"),
    ],
)
def test_a_quotation_is_looked_for_in_the_note_it_cites(residents: Residents, quote: str, verdict: str) -> None:
    with residents.http(residents.reader) as http:
        for cited in ({"id": chunk_id(http)}, {"path": "Jackdaw.md"}, {"path": "Jackdaw.md", "vault": "work"}):
            reply = http.post("/v1/verify", json={"quote": quote, **cited}).json()
            assert (reply["verdict"], reply["path"]) == (verdict, "Jackdaw.md")
            assert bool(reply["places"]) is (verdict == "verified")
            assert all(place["line"] == 3 for place in reply["places"])


UNVERIFIABLE: tuple[tuple[dict[str, str], str], ...] = (
    ({}, "usage"),
    ({"id": "abcdef", "path": "a.md"}, "usage"),
    ({"path": "Nothing.md"}, "note-not-found"),
    ({"path": "Diary.md"}, "note-not-found"),
    ({"path": "Jackdaw.md", "vault": "personal"}, "note-not-found"),
    ({"path": "Jackdaw.md", "profile": "personal"}, "profile-not-found"),
    ({"id": "000000"}, "chunk-not-found"),
    ({"id": "000000", "quote": ""}, "invalid-request"),
)


def test_what_can_t_be_verified_says_why(residents: Residents) -> None:
    with residents.http(residents.reader) as http:
        said = [http.post("/v1/verify", json={"quote": "x", **body}).json()["code"] for body, _ in UNVERIFIABLE]
    assert said == [code for _, code in UNVERIFIABLE]


def test_a_walk_names_every_note_that_it_looked_at(residents: Residents) -> None:
    work = residents.house.create_linked(
        "walk", {"Start.md": ["Near", "Far"], "Near.md": ["Next"], "Far.md": [], "Next.md": []}
    )
    token = residents.house.token("walker", work).token
    with residents.http(token) as http:
        start = chunk_id(http, "file:Start.md")
        deep: Any = http.get("/v1/traverse", params={"id": start, "deep": "true"}).json()
        assert [(step["note"]["path"], step["hop"], step["via"], step["fate"]) for step in deep["steps"]] == [
            ("Start.md", 0, None, "kept"),
            ("Near.md", 1, "Start.md", "kept"),
            ("Far.md", 1, "Start.md", "kept"),
            ("Next.md", 2, "Near.md", "kept"),
        ]
        gated = http.get("/v1/traverse", params={"id": start, "about": "something else"}).json()
        assert {step["fate"] for step in gated["steps"] if step["hop"]} == {"not-embedded"}
        one = http.get("/v1/traverse", params={"id": start, "deep": "true", "limit": 1}).json()
        assert (len(one["steps"]), one["omitted"]) == (1, 3)
        by_query: Any = http.get("/v1/traverse", params={"search": "file:Start.md", "deep": "true"}).json()
        assert [step["note"]["path"] for step in by_query["steps"]] == ["Start.md", "Near.md", "Far.md", "Next.md"]
        both: Any = http.get("/v1/traverse", params={"search": "file:Near.md OR file:Far.md", "deep": "true"}).json()
        assert {step["note"]["path"] for step in both["steps"] if step["hop"] == 0} == {"Near.md", "Far.md"}
        assert http.get("/v1/traverse", params={"search": "file:nothing"}).json()["code"] == "note-not-found"
        by_path: Any = http.get("/v1/traverse", params={"path": "Start.md", "deep": "true"}).json()
        assert by_path == deep
        assert http.get("/v1/traverse", params={"path": "Nowhere.md"}).json()["code"] == "note-not-found"
        assert http.get("/v1/traverse", params={"path": "Start.md", "vault": "other"}).status_code == 404
        wrongs = (
            {"id": start, "depth": 9},
            {"id": "xyz"},
            {"depth": 1},
            {"id": start, "path": "Start.md"},
            {"id": start, "deep": "perhaps"},
        )
        for wrong in wrongs:
            assert http.get("/v1/traverse", params=wrong).status_code == 400
    with residents.http(residents.reader) as http:
        assert http.get("/v1/traverse", params={"id": start}).json()["code"] == "chunk-not-found"
        assert http.get("/v1/traverse", params={"path": "Start.md"}).json()["code"] == "note-not-found"


STAGES = (
    ("jackdaw spring", "Jackdaw.md", "shown"),
    ("jackdaw tag:nothing", "Jackdaw.md", "filtered"),
    ("jackdaw", "Nothing.md", "not-indexed"),
    ("jackdaw", "Diary.md", "not-indexed"),
)


def test_explaining_where_a_note_went(residents: Residents) -> None:
    with residents.http(residents.reader) as http:
        for query, path, stage in STAGES:
            assert http.post("/v1/explain", json={"query": query, "path": path}).json()["stage"] == stage
        filtered = http.post("/v1/explain", json={"query": "jackdaw tag:nothing", "path": "jackdaw"}).json()
    assert filtered["message"] == "Jackdaw.md: It does not meet what `tag:nothing` in the query asks for."
    assert filtered["remedy"] == "Search for `jackdaw`: it is then result 1."


def test_only_who_manages_a_profile_is_told_which_rule_keeps_a_note_out(residents: Residents) -> None:
    work = residents.work
    told: dict[str, str] = {}
    (Path(work.vaults[0].root) / "Fresh.md").write_text("Not read yet.", encoding="utf-8")
    for name, token in (("manager", residents.manager), ("reader", residents.reader)):
        with residents.http(token) as http:
            found = http.post("/v1/explain", json={"query": "jackdaw", "path": "Fresh.md"}).json()
            assert found["stage"] == "not-indexed"
            told[name] = found["message"]
    assert told["manager"] == "Profile work may read it, and has not read it yet."
    assert "it is not in an allowed folder, is excluded, or has not been read yet" in told["reader"]


def test_notes_are_listed_by_filter_newest_first(residents: Residents) -> None:
    found = {
        "": ["Jackdaw.md", "Ledger.md"],
        "file:Ledger": ["Ledger.md"],
        "tag:personal": [],
        "tag:work spring": ["Jackdaw.md"],
    }
    with residents.http(residents.reader) as http:
        listed = {name: http.get("/v1/notes", params={"filter": name}).json()["notes"] for name in found}
        assert {name: [note["path"] for note in notes] for name, notes in listed.items()} == found
        assert http.get(f"/v1/chunks/{listed['file:Ledger'][0]['id']}").json()["path"] == "Ledger.md"


def test_notes_by_day_daily_notes_first(residents: Residents) -> None:
    days = residents.house.add_profile("days", {"2026-03-14.md": "A daily note.", "2026-03-14 Standup.md": "Another."})
    with residents.http(residents.house.token("diarist", days).token) as http:
        found = http.get("/v1/timeline", params={"since": "2026-03-10", "until": "2026-03-14"}).json()["days"]
        assert [(day["day"], [(each["note"]["path"], each["occasion"]) for each in day["notes"]]) for day in found] == [
            ("2026-03-14", [("2026-03-14 Standup.md", "daily-note"), ("2026-03-14.md", "daily-note")])
        ]
        assert http.get("/v1/timeline", params={"since": "2026-03-10", "until": "2026-03-13"}).json()["days"] == []
        assert http.get("/v1/timeline", params={"until": "2026-03-15", "profile": "days"}).json()["days"] == found
        for wrong in ({"since": "2026-03-15", "until": "2026-03-14"}, {"since": "1990-01-01"}, {"since": "spring"}):
            assert http.get("/v1/timeline", params=wrong).status_code == 400
        for day in ("0001-01-01", "9999-12-31"):
            assert http.get("/v1/timeline", params={"since": day, "until": day}).status_code == 400
        assert http.get("/v1/timeline", params={"profile": "work"}).json()["code"] == "profile-not-found"


def test_the_sentences_that_answer_best_are_given_with_their_lines(residents: Residents) -> None:
    with residents.http(residents.reader) as http:
        found: Any = http.post("/v1/excerpt", json={"id": chunk_id(http), "query": "jackdaw spring"}).json()
        assert (found["way"], found["path"]) == ("words", "Jackdaw.md")
        assert "jackdaw" in found["sentences"][0]["text"]
        assert found["sentences"][0]["line"] >= 1
        unknown = http.post("/v1/excerpt", json={"id": "0" * 12, "query": "jackdaw"})
        assert unknown.json()["code"] == "chunk-not-found"
