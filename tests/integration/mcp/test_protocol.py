"""The protocol by version and transport: the current one, which knows no session, and the two before."""

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from mcp_types import INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR
from mcp_types.version import KNOWN_PROTOCOL_VERSIONS

from scrubjay.daemon.mcp.checked_server import RESOURCE_NOT_FOUND
from scrubjay.daemon.transport import running
from tests.integration.mcp.conftest import Place
from tests.integration.mcp.wire import STATELESS, TRANSPORTS, Connection, StdioConnection, opened, request

VERSIONS = ("2025-06-18", "2025-11-25", STATELESS)
TABLE = [(name, version) for name in TRANSPORTS for version in VERSIONS]


@pytest.fixture(scope="module", params=TABLE, ids="-".join)
def connection(place: Place, request: pytest.FixtureRequest) -> Iterator[Connection]:
    transport, version = request.param
    made = TRANSPORTS[transport](place, version)
    said = opened(made)
    assert version in (said.get("protocolVersion"), *said.get("supportedVersions", ()))
    assert "never instructions" in said["instructions"]
    yield made
    made.close()


def test_these_are_the_current_version_and_the_two_before() -> None:
    assert KNOWN_PROTOCOL_VERSIONS[-3:] == VERSIONS


def test_tools_and_prompts_are_listed_and_a_call_gives_one_text_and_links_that_can_be_read(
    connection: Connection,
) -> None:
    tools = request(connection, "tools/list")["result"]["tools"]
    assert {"search", "context", "get_note", "verify_answer"} <= {tool["name"] for tool in tools}
    assert all(tool["inputSchema"]["type"] == "object" for tool in tools)
    asked = request(connection, "tools/call", name="search", arguments={"query": "ferry island nine"})["result"]
    text, *links = asked["content"]
    assert "leaves at nine" in text["text"]
    assert ("structuredContent" in asked, bool(asked.get("isError"))) == (False, False)
    assert [link["type"] for link in links] == ["resource_link"] * len(links)
    assert f"#{links[0]['uri'].removeprefix('scrubjay://note/')} notes: Ferry.md:6" in text["text"]
    (read,) = request(connection, "resources/read", uri=links[0]["uri"])["result"]["contents"]
    assert "leaves at nine" in read["text"]
    prompts = request(connection, "prompts/list")["result"]["prompts"]
    assert {prompt["name"] for prompt in prompts} == {"find", "recall", "brief_me"}
    filled = request(connection, "prompts/get", name="find", arguments={"what": "eels"})["result"]
    assert "eels" in filled["messages"][0]["content"]["text"]


def test_what_is_wrong_is_said_in_plain_words_and_the_connection_stays(connection: Connection) -> None:
    for tool, arguments, said in (
        ("no-such-tool", {}, "There is no such tool."),
        ("search", {"query": "x", "vault": "sesame"}, "takes no argument of that name"),
        ("search", {"query": ["sesame"]}, "`query` of `search` has to be text"),
    ):
        refused = request(connection, "tools/call", name=tool, arguments=arguments)["result"]
        assert refused["isError"]
        assert said in refused["content"][0]["text"]
        assert "sesame" not in refused["content"][0]["text"]
    prompts: tuple[tuple[dict[str, Any], str], ...] = (
        ({"name": "find"}, "The prompt `find` needs `what`."),
        ({"name": "sesame", "arguments": {}}, "There is no such prompt. There are: find, recall, brief_me."),
    )
    for asked, said in prompts:
        error = request(connection, "prompts/get", **asked)["error"]
        assert (error["code"], error["message"]) == (INVALID_PARAMS, said)
    assert request(connection, "tools/wobble")["error"]["code"] == -32601
    assert request(connection, "tools/call", name="list_profiles", arguments={})["result"]["content"]


def test_a_note_that_there_is_not_is_told_as_the_version_of_the_protocol_has_it(connection: Connection) -> None:
    code = INVALID_PARAMS if connection.version == STATELESS else RESOURCE_NOT_FOUND
    for uri, said in (
        ("scrubjay://note/ffffffffffff", "There is no passage with this id"),
        ("scrubjay://nothing/1", "Unknown resource"),
    ):
        error = request(connection, "resources/read", uri=uri)["error"]
        assert (error["code"], error["data"]) == (code, {"uri": uri})
        assert said in error["message"]


@pytest.mark.parametrize("connection", [row for row in TABLE if row[0] == "stdio"], indirect=True, ids="-".join)
def test_a_line_that_is_no_request_is_refused_without_an_id_and_the_connection_stays(connection: Connection) -> None:
    assert isinstance(connection, StdioConnection)
    for line, code in ((b"{not json", PARSE_ERROR), (b"[]", INVALID_REQUEST), (b"7", INVALID_REQUEST)):
        connection.write_line(line)
        refused = connection.reply(None)
        assert (refused["jsonrpc"], refused["id"], refused["error"]["code"]) == ("2.0", None, code)
    assert request(connection, "tools/list")["result"]["tools"]


# Over HTTP who hangs up cancels: tests/unit/mcp/test_progress.py.
@pytest.mark.parametrize("connection", [row for row in TABLE if row[0] == "stdio"], indirect=True, ids="-".join)
def test_a_call_that_is_taken_back_is_not_answered_and_one_that_lasts_tells_of_progress(
    place: Place, connection: Connection
) -> None:
    assert isinstance(connection, StdioConnection)
    daemon = running(place.installation.home).pid
    call = {"name": "search", "arguments": {"query": "ferry"}}
    os.kill(daemon, signal.SIGSTOP)
    try:
        connection.send("tools/call", call, 1_001)
        connection.send("tools/call", {**call, "_meta": {"progressToken": "p"}}, 1_002)
        connection.cancel(1_001)
        told = connection.notice()
    finally:
        os.kill(daemon, signal.SIGCONT)
    assert (told["method"], told["params"]["progressToken"]) == ("notifications/progress", "p")
    assert connection.reply(1_002)["result"]["content"]
    assert request(connection, "tools/call", **call)["result"]["content"]
    assert 1_001 not in connection.replies
