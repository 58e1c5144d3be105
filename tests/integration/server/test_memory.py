"""`/v1/memory`: what holds the daemon's memory, and whose it is."""

from scrubjay.daemon.processes.memory import resident_bytes
from tests.integration.server.house import House

SCOPES = ("search", "manage")
LINKS = "links between notes"


def test_all_memory_is_held_by_something_and_links_while_somebody_walks_along_them(empty_house: House) -> None:
    house = empty_house
    work = house.create_linked("work", {f"Note {n}": [f"Note {n + 1}"] for n in range(50)})
    house.add_profile("diary", {"A.md": "The heron."})
    with (
        house.client(house.clients.create("owner", scopes=SCOPES, profiles="all").token) as http,
        house.client(house.token("helper", work, scopes=SCOPES).token) as helper,
    ):

        def links() -> dict[str, int]:
            held = http.get("/v1/memory").json()["held"]
            assert 0.5 < sum(part["bytes"] for part in held) / resident_bytes() < 2
            return {part["profile"]: part["bytes"] for part in held if part["what"] == LINKS}

        assert links() == {"work": 0, "diary": 0}
        assert http.get("/v1/related", params={"note": "Note 3", "profile": "work"}).status_code == 200
        walked = links()
        assert walked["work"] > walked["diary"] == 0
        assert house.engine.let_go(0)
        assert 0 < links()["work"] < walked["work"]
        helper.post("/v1/search", json={"query": "note"})
        held = helper.get("/v1/memory").json()["held"]
    assert {part["profile"] for part in held} == {"work", ""}, "nothing is told of other profiles"
    assert {part["what"]: part["bytes"] for part in held}["what searches need of each passage"] > 50 * 24
