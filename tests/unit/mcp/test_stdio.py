"""The first messages of a client over standard input: one that gave up asking for the new protocol gets the old one."""

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from scrubjay.daemon.mcp.stdio import FirstQuestion


def message(method: str, id: int) -> SessionMessage | Exception:
    return SessionMessage(jsonrpc_message_adapter.validate_python({"jsonrpc": "2.0", "id": id, "method": method}))


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
    give, take = anyio.create_memory_object_stream[SessionMessage | Exception](10)
    for number, method in enumerate(sent):
        await give.send(message(method, number))
    await give.aclose()
    async with FirstQuestion(take) as stream:
        asked = [getattr(getattr(item, "message", None), "method", None) async for item in stream]
    assert asked == read
