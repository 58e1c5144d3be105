"""The API by its own description: nothing that schemathesis makes of it is a fault, and replies are as described."""

import importlib
import json
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.integration.api.conftest import Residents

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


SHARES = 10
CASES = 100  # of each operation: 5,000 with the fifty that there are


def operations(residents: Residents) -> list[Any]:
    """All that the description has, but for what is left out."""
    with residents.http(residents.owner) as http:
        description: dict[str, Any] = json.loads(http.get("/schema").content)
    found = (result.ok() for result in OPENAPI.from_dict(description).get_all_operations())
    return [operation for operation in found if operation.path not in LEFT_OUT]


def try_operation(residents: Residents, operation: Any, examples: int) -> int:
    """Make so many requests of an operation, well-formed ones and others; how many that were."""
    tried = 0
    headers = {"Authorization": f"Bearer {residents.owner}"}

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
        phases=[Phase.generate],
    )
    @given(st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in GENERATION.GenerationMode)))
    def run(case: Any) -> None:
        nonlocal tried
        tried += 1
        case.call_and_validate(base_url=residents.house.url, headers=headers, session=session, checks=CHECKS)

    with REQUESTS.Session() as session:  # one connection, not a new one for each request
        run()
    return tried


def test_the_description_holds(residents: Residents) -> None:
    for operation in operations(residents):
        assert try_operation(residents, operation, 2) > 0


@pytest.mark.slow
@pytest.mark.parametrize("share", range(SHARES))
def test_the_description_holds_for_thousands_of_requests(share: int, residents: Residents) -> None:
    tried = sum(try_operation(residents, each, CASES) for each in operations(residents)[share::SHARES])
    print(f"{tried:,} requests")
    assert tried >= 5 * CASES
