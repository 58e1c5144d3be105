"""The API by its own description: nothing that schemathesis makes of it is a fault, and replies are as described."""

import importlib
import json
from itertools import count
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.helpers.waiting import PATIENCE_SECONDS
from tests.integration.server.conftest import Residents, furnished_house

# Of its types none is complete, so it is asked as what it is: untyped.
OPENAPI, GENERAL, GENERATION, CONFORMANCE, REQUESTS = (
    cast("Any", importlib.import_module(name))
    for name in (
        "schemathesis.openapi",
        "schemathesis.checks",
        "schemathesis.generation",
        "schemathesis.specs.openapi.checks",
        "requests",
    )
)
CHECKS = [
    GENERAL.not_a_server_error,
    CONFORMANCE.status_code_conformance,
    CONFORMANCE.content_type_conformance,
    CONFORMANCE.response_schema_conformance,
]
LEFT_OUT = {
    "/v1/events",  # a reply that does not end
    "/metrics",  # in the format of Prometheus, which OpenAPI does not describe
}
WORDS = (  # of queries
    "jackdaw",
    "ledger",
    '"the jackdaw project"',
    "-garden",
    "OR",
    "(",
    "tag:work",
    "path:Jackdaw",
    "[Concerns:work]",
    "/jack.*/",
    "line:(jackdaw spring)",
    "created:2026-07-01",
    "created:2300",
    "modified:9999-12-31",
    "created:0001",
    "created:0000-00-00",
    "modified:<0001-01-01",
    "modified:>9999",
    "modified:-1d",
    "size:>1kb",
    "sort:-modified",
    "lang:de",
)
DAYS = ("2026-07-01", "2026-10-25", "0001-01-01", "9999-12-31", "9999", "2026-13", "1d", "yesterday")
SHARES = 10
CASES = 40  # of each operation, the same each time: 2,000 with the fifty that there are


def new_owner(residents: Residents) -> str:
    """The token of the only client, who may do everything: requests may have revoked any, or made too many."""
    clients = residents.house.clients
    for each in clients.list():
        clients.revoke(each.id)
    return clients.create("owner", scopes=("search", "manage"), profiles="all").token


def operations(residents: Residents) -> list[Any]:
    """All that the description has, but for what is left out."""
    with residents.http(new_owner(residents)) as http:
        description: dict[str, Any] = json.loads(http.get("/schema").content)
    found = (result.ok() for result in OPENAPI.from_dict(description).get_all_operations())
    return [operation for operation in found if operation.path not in LEFT_OUT]


def real_values(residents: Residents, operation: Any, token: str) -> dict[str, st.SearchStrategy[Any]]:
    """What a parameter or a part of a body may hold that means something here, by its name."""
    with residents.http(token) as http:
        ids = [hit["id"] for hit in http.post("/v1/search", json={"query": "jackdaw"}).json()["results"]]
    names, paths = st.sampled_from(("work", "personal")), st.sampled_from(("Jackdaw.md", "Ledger.md", "Diary.md"))
    queries, days = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join), st.sampled_from(DAYS)
    values = {
        **dict.fromkeys(("profile", "vault"), names),
        **dict.fromkeys(("query", "filter", "about", "prompt", "quote", "prefix"), queries),
        **dict.fromkeys(("since", "until", "before"), days),
        **dict.fromkeys(("id", "ids", "chunk_id"), st.sampled_from(ids or ["0"])),
        "path": paths,
        "profiles": st.lists(names, max_size=2),
    }
    return values if operation.method == "delete" else {**values, "profile_id": st.just(residents.personal.id)}


def make_real(case: Any, values: dict[str, st.SearchStrategy[Any]], data: st.DataObject) -> None:
    """Put values that mean something into a request, in place of some of those that were made up."""
    for part in (case.path_parameters, case.query, case.body):
        for name in sorted(values.keys() & part.keys()) if isinstance(part, dict) else ():
            if data.draw(st.booleans()):
                part[name] = data.draw(values[name])


def try_operation(residents: Residents, operation: Any, examples: int) -> int:
    """Make so many requests of an operation, well-formed ones and others; how many that were."""
    tried, token, clients = 0, new_owner(residents), residents.house.clients
    values = real_values(residents, operation, token)

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
        phases=[Phase.generate],
    )
    @given(st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in GENERATION.GenerationMode)), st.data())
    def run(case: Any, data: st.DataObject) -> None:
        nonlocal tried, token
        tried += 1
        make_real(case, values, data)
        if clients.authenticate(token) is None:  # a request has revoked it
            token = new_owner(residents)
        headers = {"Authorization": f"Bearer {token}"}
        asked = {"headers": headers, "session": session, "timeout": PATIENCE_SECONDS}
        case.call_and_validate(base_url=residents.house.url, checks=CHECKS, **asked)

    with REQUESTS.Session() as session:  # one connection, not a new one for each request
        run()
    return tried


@pytest.mark.slow
@pytest.mark.parametrize("share", range(SHARES))
def test_the_description_holds_for_thousands_of_requests(share: int, tmp_path: Path) -> None:
    tried = 0
    for number in count(share, SHARES):
        with furnished_house(tmp_path / str(number)) as residents:  # what one operation does must not empty the next
            if number >= len(found := operations(residents)):
                break
            tried += try_operation(residents, found[number], CASES)
    print(f"{tried:,} requests")
    assert tried >= 5 * CASES
