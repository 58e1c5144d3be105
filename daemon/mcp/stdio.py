"""MCP over standard input and output."""

from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Final, TypeAlias

import anyio
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest

from scrubjay.daemon.mcp.checked_server import CheckedServer

if TYPE_CHECKING:
    from mcp.shared._stream_protocols import ReadStream  # the SDK's own module, which may move

_Item: TypeAlias = SessionMessage | Exception
_AT_ONCE_SECONDS: Final = 0.1
"""In which what a client sent before is read: it has been in the pipe since this program started."""


async def serve_stdio(server: CheckedServer) -> None:
    """Answer until the client closes its end."""
    async with stdio_server() as (read, write):
        await server.run_over(FirstQuestion(read), write)


class FirstQuestion:
    """What a client sends, without a first `server/discover` that it has given up.

    A client that speaks both eras of the protocol begins with `server/discover`. Some wait a second for the reply, and
    send `initialize` next: a busy machine needs longer to start this program. The first message decides the era, so
    the one that nobody waits for any more is left out.
    """

    def __init__(self, sent: "ReadStream[_Item]") -> None:
        self._sent = sent
        self._is_first = True
        self._waiting: list[_Item] = []

    async def receive(self) -> _Item:
        """The next message. Raises anyio.EndOfStream."""
        if self._waiting:
            return self._waiting.pop()
        item = await self._sent.receive()
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

    def __aiter__(self) -> "FirstQuestion":
        return self

    async def __anext__(self) -> _Item:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> "FirstQuestion":
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> bool | None:
        await self.aclose()
        return None


def _method(item: _Item) -> str:
    message = item.message if isinstance(item, SessionMessage) else None
    return message.method if isinstance(message, JSONRPCRequest) else ""
