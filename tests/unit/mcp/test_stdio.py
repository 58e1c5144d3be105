"""What a client sends over standard input: a question that it gave up is left out, what is no message is refused."""

from collections.abc import Sequence

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, JSONRPCError, jsonrpc_message_adapter
from pydantic import ValidationError

from scrubjay.daemon.mcp.stdio import ClientMessages


def message(method: str, id: int) -> SessionMessage | Exception:
    return SessionMessage(jsonrpc_message_adapter.validate_python({"jsonrpc": "2.0", "id": id, "method": method}))


def sent_line(line: str) -> SessionMessage | Exception:
    """As the SDK hands a line on."""
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValidationError as error:
        return error


async def read_of(sent: Sequence[SessionMessage | Exception]) -> tuple[list[str | None], list[tuple[object, int]]]:
    """The methods of what is read, and the id and the code of each refusal."""
    give, take = anyio.create_memory_object_stream[SessionMessage | Exception](10)
    refuse, refused = anyio.create_memory_object_stream[SessionMessage](10)
    for item in sent:
        await give.send(item)
    await give.aclose()
    async with refused:
        async with refuse, ClientMessages(take, refuse) as stream:
            asked = [getattr(item.message, "method", None) async for item in stream]
        errors = [item.message async for item in refused]
    return asked, [(each.id, each.error.code) for each in errors if isinstance(each, JSONRPCError)]


DISCOVER, INITIALIZE, LIST = "server/discover", "initialize", "tools/list"


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ([DISCOVER, INITIALIZE, LIST], [INITIALIZE, LIST]),
        ([DISCOVER, LIST, INITIALIZE], [DISCOVER, LIST, INITIALIZE]),
        ([INITIALIZE, DISCOVER, INITIALIZE], [INITIALIZE, DISCOVER, INITIALIZE]),
        ([DISCOVER], [DISCOVER]),
        ([], []),
    ],
)
async def test_a_question_that_was_given_up_is_left_out(sent: list[str], read: list[str]) -> None:
    assert await read_of([message(method, number) for number, method in enumerate(sent)]) == (read, [])


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("{not json", [PARSE_ERROR]),
        ('{"jsonrpc": "2.0", "id": 1, "method": "tools/list"', [PARSE_ERROR]),
        ("[]", [INVALID_REQUEST]),
        ("7", [INVALID_REQUEST]),
        ('{"jsonrpc": "2.0", "id": 1}', [INVALID_REQUEST]),
        ('{"jsonrpc": "1.0", "id": 1, "method": "tools/list"}', [INVALID_REQUEST]),
        ("\n", []),
        ('{"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": "x"}}', []),
    ],
)
async def test_a_line_that_is_no_message_is_refused_and_what_follows_is_read(line: str, codes: list[int]) -> None:
    sent = [sent_line(line), message(DISCOVER, 1), message(INITIALIZE, 2), sent_line(line), message(LIST, 3)]
    asked, refused = await read_of(sent)
    assert [each for each in asked if each][-2:] == [INITIALIZE, LIST]
    assert refused == [(None, code) for code in codes * 2]


async def test_a_line_that_is_no_message_ends_nothing_where_nobody_takes_the_refusal() -> None:
    give, take = anyio.create_memory_object_stream[SessionMessage | Exception](10)
    refuse, refused = anyio.create_memory_object_stream[SessionMessage](10)
    await refused.aclose()
    async with give, refuse, ClientMessages(take, refuse) as stream:
        await give.send(sent_line("[]"))
        await give.send(message(LIST, 1))
        assert getattr((await stream.receive()).message, "method", None) == LIST
