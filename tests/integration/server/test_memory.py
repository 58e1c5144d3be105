"""`/v1/memory`: what holds the daemon's memory, and whose it is."""

from pathlib import Path

from scrubjay.daemon.processes.memory import resident_bytes
from tests.integration.server.house import open_house

SCOPES = ("search", "manage")
LINKS = "links between notes"


def test_all_memory_is_held_by_something_and_links_while_somebody_walks_along_them(tmp_path: Path) -> None:
    with open_house(tmp_path) as house:
        house.create_linked("work", {f"Note {n}": [f"Note {n + 1}"] for n in range(50)})
        house.add_profile("diary", {"A.md": "The heron."})
        token = house.clients.create("owner", scopes=SCOPES, profiles="all").token
        with house.client(token) as http:
            before = http.get("/v1/memory").json()["held"]
            assert http.get("/v1/related", params={"note": "Note 3", "profile": "work"}).status_code == 200
            after = http.get("/v1/memory").json()["held"]
        assert 0.5 < sum(part["bytes"] for part in after) / resident_bytes() < 2
        links = {(part["profile"], part["what"]): part["bytes"] for part in before}
        assert links["work", LINKS] == links["diary", LINKS] == 0
        links = {(part["profile"], part["what"]): part["bytes"] for part in after}
        assert links["work", LINKS] > links["diary", LINKS] == 0
        walked = links["work", LINKS]
        assert house.engine.let_go(0)
        with house.client(token) as http:
            held = {(part["profile"], part["what"]): part["bytes"] for part in http.get("/v1/memory").json()["held"]}
        assert 0 < held["work", LINKS] < walked


def test_what_searches_need_is_counted_once_it_is_there_and_nothing_is_told_of_other_profiles(tmp_path: Path) -> None:
    with open_house(tmp_path) as house:
        work = house.add_profile("work", {f"{n}.md": f"A walrus number {n}." for n in range(50)})
        house.add_profile("diary", {"A.md": "The heron."})
        token = house.token("helper", work, scopes=SCOPES).token
        with house.client(token) as http:
            http.post("/v1/search", json={"query": "walrus"})
            held = http.get("/v1/memory").json()["held"]
        assert {part["profile"] for part in held} == {"work", ""}
        assert {part["what"]: part["bytes"] for part in held}["what searches need of each passage"] > 50 * 24
