"""Whatever a client with a token sends: an answer that the description knows, and never a fault of ours."""

import json
from typing import Any
from urllib.parse import quote

import httpx
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.daemon.server.endpoint import Ask
from scrubjay.daemon.server.endpoints.profiles import VaultAsk
from tests.integration.server.conftest import Residents

ODD: list[Any] = [
    "jackdaw",
    "work",
    "",
    "all",
    0,
    5,
    -1,
    10**30,
    True,
    None,
    [],
    {},
    "\x00",
    "../x",
    "abcdef",
    "é" * 50,
]
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.sampled_from(ODD) | st.text(max_size=20) | st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
FIELDS = tuple(sorted({name for each in (*Ask.__subclasses__(), VaultAsk) for name in each.__struct_fields__}))
BODIES = st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=4).map(json.dumps) | VALUES.map(json.dumps)
RAW = st.binary(max_size=60)
PARAMETERS = st.dictionaries(
    st.sampled_from(["limit", "kind", "prefix", "ids", "profile", "path", "vault", "challenge", "x"]),
    st.sampled_from(["5", "tag", "title", "abcdef", "work", "%ff", "%00", "-1", "", "a,b,c"])
    | st.text(max_size=12).map(lambda text: quote(text, errors="replace")),
    max_size=4,
)
NAMES = st.sampled_from(["abcdef", "abcdef012345", "0" * 16, "x", "ABCDEF", "~", "-", "a" * 300])
NO_JSON_ENDPOINTS = ("/v1/events", "/metrics", "/mcp")


def ask(http: httpx.Client, route: tuple[str, str, Any], parameters: str, body: bytes, name: str) -> None:
    path, method, about = route
    url = path.replace("{" + path.partition("{")[2].partition("}")[0] + "}", name) + (
        f"?{parameters}" if parameters else ""
    )
    is_post = method == "post"
    headers = {"Content-Type": "application/json"} if is_post else {}
    reply = http.request(method.upper(), url, content=body if is_post else None, headers=headers)
    assert reply.status_code < 500, (url, body, reply.text)
    assert str(reply.status_code) in about["responses"], (url, body, reply.text)
    if reply.status_code >= 400:
        assert reply.headers["content-type"] == "application/problem+json"
        assert set(reply.json()) >= {"type", "title", "status", "detail", "code"}
    else:
        reply.json()


def test_no_request_makes_a_fault(residents: Residents) -> None:
    with residents.http(residents.owner) as http:
        description = http.get("/schema").json()
        routes = [
            (path, method, about)
            for path, each in description["paths"].items()
            for method, about in each.items()
            if path not in NO_JSON_ENDPOINTS and method != "delete"
        ]

        @settings(max_examples=150, deadline=None, database=None)
        @given(st.sampled_from(routes), PARAMETERS, BODIES.map(str.encode) | RAW, NAMES)
        def run(route: tuple[str, str, Any], parameters: dict[str, str], body: bytes, name: str) -> None:
            ask(http, route, "&".join(f"{key}={value}" for key, value in parameters.items()), body, name)

        run()
