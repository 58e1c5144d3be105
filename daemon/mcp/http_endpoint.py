"""MCP as streamable HTTP, behind the daemon's own door: one request, one answer, no session.

A tool call comes in through the door with its sender's token, and goes on through the same door with the same token,
inside this process: an agent can't reach more over MCP than over the API.
"""

import asyncio
from typing import TYPE_CHECKING, Any

from litestar.exceptions import MethodNotAllowedException

from scrubjay.daemon.server.access.admission import DoorSettings
from scrubjay.daemon.server.access.caller import Forbidden, caller_of
from scrubjay.daemon.server.access.gate import App, Receive, Send

if TYPE_CHECKING:
    from scrubjay.daemon.mcp.http_server import HttpServer


class McpEndpoint:
    """What answers at `/mcp`. `app` is the whole guarded API, which the tools ask.

    The MCP library is loaded when the first agent calls: it takes 34 MB and most of a second, which a daemon that no
    agent asks never needs.
    """

    def __init__(self, app: App, door: DoorSettings) -> None:
        self._app = app
        self._door = door
        self._loading = asyncio.Lock()
        self._server: HttpServer | None = None

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """ASGI entry, for requests that the gate has admitted. Raises what the API maps to problems."""
        if scope["method"] != "POST":  # there are no sessions to listen to or to end
            raise MethodNotAllowedException(headers={"Allow": "POST"})
        if caller_of(scope).session is not None:
            raise Forbidden("This is for agents with a token, not for the search page.")
        async with self._loading:
            if self._server is None:
                self._server = await asyncio.to_thread(self._load)
        await self._server(scope, receive, send)

    def _load(self) -> "HttpServer":
        from scrubjay.daemon.mcp.http_server import HttpServer  # noqa: PLC0415 (see the class)

        return HttpServer(self._app, self._door)
