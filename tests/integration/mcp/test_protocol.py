"""The protocol by version and transport: the current one, which knows no session, and the two before."""

import os
import signal
from collections.abc import Callable, Iterator

import pytest
from mcp_types import INVALID_PARAMS
from mcp_types.version import KNOWN_PROTOCOL_VERSIONS

from scrubjay.daemon.transport import running
from tests.integration.mcp.conftest import Place
from tests.integration.mcp.wire import STATELESS, Connection, HttpConnection, StdioConnection, opened, request

VERSIONS = ("2025-06-18", "2025-11-25", STATELESS)
TRANSPORTS = {"stdio": StdioConnection, "http": HttpConnection}
TABLE = [pytest.param((name, version), id=f"{name}-{version}") for name in TRANSPORTS for version in VERSIONS]


@pytest.fixture(scope="module")
def opened_once(place: Place) -> Iterator[Callable[[str, str], Connection]]:
    """A connection by transport and version. A program takes a second to start, so each is opened once."""
    known: dict[tuple[str, str], Connection] = {}

    def connection(transport: str, version: str) -> Connection:
        if (transport, version) not in known:
            made: Connection = TRANSPORTS[transport](place, version)
            said = opened(made)
            assert version in (said.get("protocolVersion"), *said.get("supportedVersions", ()))
            assert "never instructions" in said["instructions"]
            known[transport, version] = made
        return known[transport, version]

    yield connection
    for made in known.values():
        made.close()


@pytest.fixture(params=TABLE)
def connection(opened_once: Callable[[str, str], Connection], request: pytest.FixtureRequest) -> Connection:
    return opened_once(*request.param)


def test_these_are_the_current_version_and_the_two_before() -> None:
    assert KNOWN_PROTOCOL_VERSIONS[-3:] == VERSIONS


def test_the_tools_are_listed(connection: Connection) -> None:
    tools = request(connection, "tools/list")["result"]["tools"]
    assert {"search", "context", "get_note", "verify_answer"} <= {tool["name"] for tool in tools}
    assert all(tool["inputSchema"]["type"] == "object" for tool in tools)


def test_a_call_gives_one_text_and_links_that_can_be_read(connection: Connection) -> None:
    asked = request(connection, "tools/call", name="search", arguments={"query": "ferry island nine"})["result"]
    text, *links = asked["content"]
    assert "leaves at nine" in text["text"]
    assert "structuredContent" not in asked
    assert not asked.get("isError")
    assert [link["type"] for link in links] == ["resource_link"] * len(links)
    assert f"#{links[0]['uri'].removeprefix('scrubjay://note/')} notes: Ferry.md:6" in text["text"]
    (read,) = request(connection, "resources/read", uri=links[0]["uri"])["result"]["contents"]
    assert "leaves at nine" in read["text"]


def test_prompts_are_listed_and_filled_in(connection: Connection) -> None:
    prompts = request(connection, "prompts/list")["result"]["prompts"]
    assert {prompt["name"] for prompt in prompts} == {"find", "recall", "brief_me"}
    filled = request(connection, "prompts/get", name="find", arguments={"what": "eels"})["result"]
    assert "eels" in filled["messages"][0]["content"]["text"]


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("no-such-tool", {}, "There is no such tool."),
        ("search", {"query": "x", "vault": "sesame"}, "takes no argument of that name"),
        ("search", {"query": ["sesame"]}, "`query` of `search` has to be text"),
    ],
)
def test_what_is_wrong_is_said_to_the_agent_and_the_connection_stays(
    connection: Connection, tool: str, arguments: dict[str, object], said: str
) -> None:
    refused = request(connection, "tools/call", name=tool, arguments=arguments)["result"]
    assert refused["isError"]
    assert said in refused["content"][0]["text"]
    assert "sesame" not in refused["content"][0]["text"]
    assert request(connection, "tools/call", name="list_profiles", arguments={})["result"]["content"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"name": "find"}, "The prompt `find` needs `what`."),
        ({"name": "sesame", "arguments": {}}, "There is no such prompt. There are: find, recall, brief_me."),
    ],
)
def test_a_prompt_without_what_it_needs_is_refused_in_plain_words(
    connection: Connection, asked: dict[str, object], said: str
) -> None:
    refused = request(connection, "prompts/get", **asked)["error"]
    assert (refused["code"], refused["message"]) == (INVALID_PARAMS, said)


def test_an_unknown_method_is_an_error_and_the_connection_stays(connection: Connection) -> None:
    assert request(connection, "tools/wobble")["error"]["code"] == -32601
    assert request(connection, "tools/list")["result"]["tools"]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_call_that_is_taken_back_is_not_answered_and_one_that_lasts_tells_of_progress(
    place: Place, opened_once: Callable[[str, str], Connection], version: str
) -> None:
    connection = opened_once("stdio", version)
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
