"""What a program may do: it is offered the tools for that and no others, and can't flood who decides."""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import httpx
import pytest
from click.testing import Result

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.review.suggestions import MOST_WAITING
from scrubjay.daemon.server.access.client_registry import Scope
from scrubjay.daemon.server.endpoints.clients import CREATE_CLIENT, REVOKE_CLIENT, ClientAsk, ClientId
from tests.helpers.plain_http import http_client
from tests.integration.mcp.conftest import Place

Run: TypeAlias = Callable[..., Result]
Let: TypeAlias = Callable[..., str]
WRITES = {"remember", "forget", "review_propose"}


@pytest.fixture
def let_in(place: Place) -> Iterator[Let]:
    """Makes a client of the profile `notes` with these scopes; its token."""
    with ScrubjayClient.discover(place.installation.home) as owner:
        made: list[str] = []

        def create(name: str, *scopes: Scope) -> str:
            new = owner.ask(CREATE_CLIENT, ClientAsk(name=name, profiles=("notes",), scopes=scopes))
            made.append(new.client.id)
            return new.token

        yield create
        for client_id in made:
            owner.ask(REVOKE_CLIENT, ClientId(client_id=client_id))


@pytest.fixture
def run(place: Place) -> Run:
    return place.installation.invoke


def propose(place: Place, token: str, why: str, **change: Any) -> httpx.Response:
    whole = {"action": "append", "vault": "vault", "path": "Ferry.md", **change}
    body = {"vault": "vault", "path": "Ferry.md", "why": why, "changes": [whole]}
    with http_client(place.url, token) as http:
        return http.post("/v1/review/propose", json=body)


def waiting(run: Run) -> str:
    return run("review", "--list", "--kind", "suggested").stdout


@pytest.mark.parametrize("transport", ["http", "stdio"])
@pytest.mark.parametrize(
    ("scopes", "lacks"),
    [(("search",), WRITES), (("search", "journal"), set[str]()), (("search", "manage"), set[str]())],
)
async def test_the_tools_are_those_that_the_scopes_allow(
    place: Place, let_in: Let, scopes: tuple[Scope, ...], lacks: set[str], transport: str
) -> None:
    token = let_in(" ".join(scopes), *scopes)
    async with place.stdio(token) if transport == "stdio" else place.http(token) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
    assert WRITES - names == lacks
    assert {"search", "review_list", "recall"} <= names


def test_a_program_that_only_reads_puts_nothing_forward(place: Place, let_in: Let, run: Run) -> None:
    refused = propose(place, let_in("reader", "search"), "It reads better.", after="x")
    assert (refused.status_code, "`scrubjay clients scope`" in refused.json()["detail"]) == (403, True)
    assert "It reads better" not in waiting(run)


def test_a_place_where_no_note_can_go_and_what_is_no_change_of_any_note_are_refused_at_once(
    place: Place, let_in: Let, run: Run
) -> None:
    token = let_in("hasty", "search", "journal")
    for to in (
        ".obsidian/plugins/evil/main.js",
        ".obsidian/Ferry.md",
        ".trash/Ferry.md",
        "Ferry.png",
        "../Ferry.md",
        "/Ferry.md",
        "a//Ferry.md",
        "Island.md",
        f"{'x' * 300}.md",
    ):
        refused = propose(place, token, "It can't be made.", action="move", to=to)
        assert (refused.is_client_error, refused.json()["detail"] != "") == (True, True), to
    changes: tuple[tuple[dict[str, Any], str], ...] = (
        ({"action": "replace", "before": "ferry", "after": "boat"}, "`line`"),
        ({"action": "replace", "line": 1, "before": "", "after": "boat"}, "`before`"),
        ({"action": "replace", "line": 1, "before": "a\nb", "after": "boat"}, "`before`"),
        ({"action": "add-tags", "tags": ["boat\nowner: me"]}, "name tags in `tags`"),
        ({"action": "add-tags", "tags": ["boat]", "- x"]}, "name tags in `tags`"),
        ({"action": "add-tags"}, "name tags in `tags`"),
        ({"action": "append"}, "`after`"),
    )
    for change, says in changes:
        refused = propose(place, token, "It can't be made.", **change)
        assert (refused.is_client_error, says in refused.json()["detail"]) == (True, True), change
    assert "It can't be made" not in waiting(run)


def test_what_a_program_puts_forward_is_bounded_and_cleared_at_once(place: Place, let_in: Let, run: Run) -> None:
    flood, other = let_in("flood", "search", "journal"), let_in("other", "search", "journal")
    assert propose(place, other, "Kept.", after="kept").is_success
    replies = [propose(place, flood, f"Reason {n}.", after=f"{n}").status_code for n in range(MOST_WAITING + 20)]
    assert replies == [200] * MOST_WAITING + [409] * 20
    said = run("review", "clear", "flood")
    assert said.exit_code == 0, said.output
    assert f"{MOST_WAITING} proposals of flood" in said.stdout
    assert "scrubjay clients" in said.stdout
    left = waiting(run)
    assert "Kept." in left
    assert "Reason" not in left
    assert propose(place, flood, "Reason 1.", after="1").is_success, "the same again is not asked again"
    assert "Reason" not in waiting(run)
    assert run("review", "clear", "nobody").exit_code == 1
    assert "1 proposal of other" in run("review", "clear", "other").stdout
