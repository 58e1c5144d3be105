"""MCP over standard input and output."""

from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Final, TypeAlias

import anyio
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, JSONRPCRequest
from pydantic import ValidationError

from scrubjay.daemon.mcp.checked_server import CheckedServer

if TYPE_CHECKING:
    from mcp.shared._stream_protocols import ReadStream, WriteStream  # the SDK's own module, which may move

_Item: TypeAlias = SessionMessage | Exception
_AT_ONCE_SECONDS: Final = 0.1
"""In which what a client sent before is read: it has been in the pipe since this program started."""


async def serve_stdio(server: CheckedServer) -> None:
    """Answer until the client closes its end."""
    async with stdio_server() as (read, write):
        await server.run_over(ClientMessages(read, write), write)


class ClientMessages:
    """What a client sends, without lines that are no message, and a first `server/discover` that it has given up.

    The SDK hands a line that it can't read on as an exception, and its server drops these without a word. JSON-RPC
    wants an error without an id: who waits for a reply learns so that none will come.

    A client that speaks both eras of the protocol begins with `server/discover`. Some wait a second for the reply, and
    send `initialize` next: a busy machine needs longer to start this program. The first message decides the era, so
    the one that nobody waits for any more is left out.
    """

    def __init__(self, sent: "ReadStream[_Item]", replies: "WriteStream[SessionMessage]") -> None:
        self._sent = sent
        self._replies = replies
        self._is_first = True
        self._waiting: list[_Item] = []

    async def receive(self) -> SessionMessage:
        """The next message. Raises anyio.EndOfStream."""
        while not isinstance(item := await self._next(), SessionMessage):
            await self._refuse(item)
        return item

    async def _refuse(self, unread: Exception) -> None:
        error = _refusal(unread)
        if error is not None:
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):  # nobody is left to be told
                await self._replies.send(SessionMessage(JSONRPCError(jsonrpc="2.0", id=None, error=error)))

    async def _next(self) -> _Item:
        if self._waiting:
            return self._waiting.pop()
        item = await self._sent.receive()
        if isinstance(item, Exception):
            return item
        is_first, self._is_first = self._is_first, False
        if is_first and _method(item) == "server/discover":
            with anyio.move_on_after(_AT_ONCE_SECONDS), suppress(anyio.EndOfStream):
                following = await self._sent.receive()
                if _method(following) == "initialize":
                    return following
                self._waiting.append(following)
        return item

    async def aclose(self) -> None:
        """Let the stream go."""
        await self._sent.aclose()

    def __aiter__(self) -> "ClientMessages":
        return self

    async def __anext__(self) -> SessionMessage:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> "ClientMessages":
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> bool | None:
        await self.aclose()
        return None


def _refusal(unread: Exception) -> ErrorData | None:
    """What is wrong with a line that is no message; None: it is empty, as some programs end what they send."""
    found = unread.errors()[0] if isinstance(unread, ValidationError) else None
    if found is None or found["type"] != "json_invalid":
        return ErrorData(code=INVALID_REQUEST, message="This is no request of JSON-RPC 2.0.")
    return ErrorData(code=PARSE_ERROR, message="This is no JSON.") if found["input"].strip() else None


def _method(item: _Item) -> str:
    message = item.message if isinstance(item, SessionMessage) else None
    return message.method if isinstance(message, JSONRPCRequest) else ""
