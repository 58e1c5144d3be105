"""The description at /schema agrees with what is served."""

import json
import re
from typing import Any

import msgspec
import pytest

from scrubjay.daemon.server.access import problems
from scrubjay.daemon.server.app import HANDLERS
from tests.integration.server.conftest import Residents

MCP = "/mcp"  # speaks a protocol of its own, whose bodies are not ours to describe


@pytest.fixture(scope="module")
def description(residents: Residents) -> Any:
    with residents.http(residents.reader) as http:
        reply = http.get("/schema")
    assert reply.status_code == 200
    return json.loads(reply.content)


def operations(description: Any) -> list[tuple[str, str, Any]]:
    return [(path, method, about) for path, each in description["paths"].items() for method, about in each.items()]


def test_every_route_says_what_it_does_and_how_it_fails(description: Any) -> None:
    for path, method, about in operations(description):
        where = f"{method} {path}"
        assert about["summary"], where
        assert about["description"].endswith("."), where
        for status in ("400", "429", "503"):
            content = about["responses"][status]["content"]
            assert content[problems.MEDIA_TYPE]["schema"]["$ref"].endswith("/Problem"), where
        if about.get("security") != []:
            assert {"401", "403", "404"} <= set(about["responses"]), where


def test_only_these_routes_need_no_token(description: Any) -> None:
    assert {path for path, _, about in operations(description) if about.get("security") == []} == {
        "/health",
        "/v1/session",
        "/v1/pairing",
        "/v1/pairing/{request_id}/proof",
        "/v1/pairing/{request_id}/collect",
    }


def test_bodies_admit_no_other_fields(description: Any) -> None:
    schemas = description["components"]["schemas"]
    bodies = {
        about["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        for path, _, about in operations(description)
        if "requestBody" in about and path != MCP
    }
    assert "SearchAsk" in bodies
    assert {name for name in bodies if schemas[name].get("additionalProperties") is not False} == set()


def test_every_body_has_an_example_that_is_accepted(description: Any) -> None:
    asked = {each.endpoint.body.__name__: each.endpoint.body for each in HANDLERS if each.endpoint.body}
    for path, _, about in operations(description):
        if "requestBody" in about and path != MCP:
            name = about["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            (example,) = description["components"]["schemas"][name]["examples"]
            msgspec.convert(example, asked[name])


def test_every_path_that_is_served_is_described(description: Any) -> None:
    beside_v1 = {
        path for path in description["paths"] if not re.fullmatch(r"/v1/[a-z]+(/\{[a-z_]+\})?(/[a-z]+)?", path)
    }
    assert beside_v1 == {"/health", "/metrics", MCP}
    described = {(method.upper(), path) for path, method, _ in operations(description)}
    assert {(each.endpoint.method, each.endpoint.path) for each in HANDLERS} <= described
