"""`/v1/search` over the whole stack: how the legs are fused, and how much one search gives."""

from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest

from scrubjay.daemon.settings import Limits
from scrubjay.profiles.search.rank.fusion import RRF_K, RRF_WEIGHTS
from tests.integration.server.house import House, open_house

MOST = 10
NOTES = {f"Day {day:02d}.md": f"The heron of day {day}. " + "weir " * day for day in range(1, 16)}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("search"), Limits(results=MOST)) as made:
        made.add_profile("birds", NOTES)
        yield made


@pytest.fixture(scope="module")
def http(house: House) -> Iterator[httpx.Client]:
    token = house.clients.create("reader", scopes=("search", "manage"), profiles="all").token
    with house.client(token) as client:
        yield client


def found(http: httpx.Client, **wanted: object) -> list[Any]:
    reply = http.post("/v1/search", json={"query": "heron weir", "explain": True, "fold": False, **wanted})
    assert reply.status_code == 200, reply.text
    return reply.json()["results"]


def by_rank(results: list[Any]) -> bool:
    """Whether the points of each result's legs are those of its places in them."""
    return all(
        part["points"] == pytest.approx(weight / (RRF_K + part["rank"]) if part["rank"] else 0.0)
        for result in results
        for weight, part in zip(RRF_WEIGHTS, result["explain"], strict=False)
    )


def test_a_search_is_fused_by_rank_where_it_asks_for_that(http: httpx.Client) -> None:
    assert by_rank(found(http, fusion="rrf"))
    assert not by_rank(found(http))
    assert found(http) == found(http, fusion="convex")
    assert http.post("/v1/search", json={"query": "heron", "fusion": "best"}).json()["code"] == "invalid-request"


def test_the_setting_decides_where_a_search_does_not(house: House, http: httpx.Client) -> None:
    usual = house.engine.settings
    house.engine.settings = msgspec.structs.replace(usual, fusion="rrf")
    try:
        assert by_rank(found(http))
        assert not by_rank(found(http, fusion="convex"))
    finally:
        house.engine.settings = usual


def test_why_a_note_is_found_is_told_of_the_same_fusion(http: httpx.Client) -> None:
    [*_, last] = found(http, fusion="rrf")
    ask = {"query": "heron weir", "path": last["path"], "fusion": "rrf"}
    assert http.post("/v1/explain", json=ask).json()["parts"] == last["explain"]


@pytest.mark.parametrize("limit", [MOST, 1_000])
def test_a_search_gives_as_many_as_the_settings_allow_however_many_are_asked_for(
    http: httpx.Client, limit: int
) -> None:
    reply = http.post("/v1/search", json={"query": "heron", "mode": "lexical", "limit": limit}).json()
    assert (len(reply["results"]), reply["next_offset"], reply["total_notes"]) == (MOST, MOST, len(NOTES))
    explained = http.post("/v1/explain", json={"query": "heron", "path": "Day 01.md", "limit": limit})
    assert explained.status_code == 200
