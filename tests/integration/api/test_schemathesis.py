"""The API by its own description: nothing that schemathesis makes of it is a fault, and replies are as described."""

import importlib
import json
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.integration.api.conftest import Residents

# Of its types none is complete, so it is asked as what it is: untyped.
OPENAPI, GENERAL, GENERATION, CONFORMANCE = (
    cast("Any", importlib.import_module(f"schemathesis.{name}"))
    for name in ("openapi", "checks", "generation", "specs.openapi.checks")
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


def try_out(residents: Residents, examples: int) -> int:
    """Make so many requests of each operation, well-formed ones and others; how many that were."""
    with residents.http(residents.owner) as http:
        description: dict[str, Any] = json.loads(http.get("/schema").content)
    tried = 0
    for result in OPENAPI.from_dict(description).get_all_operations():
        operation = result.ok()
        if operation.path not in LEFT_OUT:
            tried += try_operation(residents, operation, examples)
    return tried


def try_operation(residents: Residents, operation: Any, examples: int) -> int:
    tried = 0

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
        headers = {"Authorization": f"Bearer {residents.owner}"}
        case.call_and_validate(base_url=residents.house.url, headers=headers, checks=CHECKS)

    run()
    return tried


def test_the_description_holds(residents: Residents) -> None:
    assert try_out(residents, 2) >= 80


@pytest.mark.slow
def test_the_description_holds_for_thousands_of_requests(residents: Residents) -> None:
    assert try_out(residents, 150) >= 5_000
