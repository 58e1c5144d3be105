"""Odd prompts and arguments: a tool always replies, with an answer or with a sentence, and the server lives on."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.integration.mcp.conftest import Place
from tests.integration.mcp.wire import STATELESS, HttpConnection, StdioConnection, opened, request

pytestmark = pytest.mark.slow

WRITTEN = (
    *('"' * 900, "path:" * 300, "(" * 2_000, "[[" * 500, "-" * 9_000, "a" * 9_999),
    *("sort:x sort:y", "/(a+)+$/", "\0", "#", "\ud800"),
)
ODD_TEXT = st.text(max_size=60) | st.sampled_from(WRITTEN)
ODD = st.recursive(
    ODD_TEXT | st.none() | st.booleans() | st.integers() | st.floats() | st.just(10**400),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ODD_TEXT, inner, max_size=3),
    max_leaves=5,
)
CHECKS = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture)
TEXTS = {"search": "query", "context": "prompt", "recall": "query", "get_note": "id", "verify_answer": "text"}


@pytest.fixture(scope="module")
def http(place: Place) -> Iterator[HttpConnection]:
    made = HttpConnection(place, STATELESS)
    yield made
    made.close()


@pytest.fixture(scope="module")
def schemas(http: HttpConnection) -> dict[str, list[str]]:
    """The arguments of each tool, by its name."""
    return {
        tool["name"]: list(tool["inputSchema"]["properties"]) for tool in request(http, "tools/list")["result"]["tools"]
    }


def said(reply: dict[str, Any]) -> str:
    """What an agent is given: a tool's text, or what was wrong with the request."""
    return reply["error"]["message"] if "error" in reply else reply["result"]["content"][0]["text"]


@settings(max_examples=300, deadline=None, suppress_health_check=CHECKS)
@given(tool=st.sampled_from(sorted(TEXTS)), text=ODD_TEXT)
def test_odd_prompts_are_replied_to(http: HttpConnection, tool: str, text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    reply = request(http, "tools/call", name=tool, arguments={TEXTS[tool]: text})
    assert said(reply)
    assert "Something went wrong" not in said(reply)


@settings(max_examples=300, deadline=None, suppress_health_check=CHECKS)
@given(data=st.data())
def test_odd_arguments_are_replied_to(http: HttpConnection, schemas: dict[str, list[str]], data: st.DataObject) -> None:
    tool = data.draw(st.sampled_from(sorted(schemas.keys() - {"forget"})))
    names = st.sampled_from(schemas[tool]) if schemas[tool] else st.nothing()
    arguments = data.draw(st.dictionaries(names | ODD_TEXT, ODD, max_size=4))
    sent = json.loads(json.dumps(arguments).encode("utf-8", "replace"))
    try:
        reply = request(http, "tools/call", name=tool, arguments=sent)
    except ValueError:  # what JSON can't hold was never sent
        return
    assert said(reply)
    assert "Something went wrong" not in said(reply)


@settings(max_examples=300, deadline=None, suppress_health_check=CHECKS)
@given(st.binary(max_size=80) | ODD.map(lambda value: json.dumps(value).encode()))
def test_lines_that_are_no_requests_do_not_end_a_session(stdio: StdioConnection, line: bytes) -> None:
    stdio.write_line(line.replace(b"\n", b" "))
    assert request(stdio, "tools/list")["result"]["tools"]


@pytest.fixture(scope="module")
def stdio(place: Place) -> Iterator[StdioConnection]:
    made = StdioConnection(place, "2025-11-25")
    opened(made)
    yield made
    made.close()
