"""The MCP server as the official SDK's streamable HTTP, asked one request at a time."""

from typing import Any, TypeVar

import httpx
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from scrubjay.daemon.client import AsyncScrubjayClient
from scrubjay.daemon.mcp.daemon_calls import ToolContext, reply_to
from scrubjay.daemon.mcp.server import make_server
from scrubjay.daemon.server.access.admission import DoorSettings
from scrubjay.daemon.server.access.gate import App, Receive, Send
from scrubjay.daemon.server.endpoint import Ask, Endpoint

In = TypeVar("In", bound=Ask)
Out = TypeVar("Out")


class CallAsSender:
    """Every call has the rights of the token that the request came with."""

    def __init__(self, app: App, door: DoorSettings) -> None:
        self._url = f"http://127.0.0.1:{door.port}"
        self._transport = httpx.ASGITransport(app)

    async def __call__(self, context: ToolContext, endpoint: Endpoint[In, Out], request: In | None = None) -> Out:
        """The reply."""
        _, _, token = (context.headers or {}).get("authorization", "").partition(" ")
        async with AsyncScrubjayClient(self._url, token.strip(), transport=self._transport) as client:
            return await reply_to(client, endpoint, request)


class HttpServer:
    """Answers requests that the gate has admitted. `app` is the whole guarded API, which the tools ask."""

    def __init__(self, app: App, door: DoorSettings) -> None:
        server = make_server(CallAsSender(app, door))
        server.streamable_http_app()  # makes the session manager, which alone has what the next line asks for
        self._server = server.session_manager.app

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """ASGI entry. Without sessions nothing outlives a request, so each gets a manager of its own.

        Clients of the stateless protocol that take a stream hear of progress, and end the call by hanging up.
        """
        manager = StreamableHTTPSessionManager(self._server, json_response=not _takes_stream(scope), stateless=True)
        async with manager.run():
            await manager.handle_request(scope, receive, send)


def _takes_stream(scope: Any) -> bool:
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    is_modern = headers.get(b"mcp-protocol-version") in MODERN_PROTOCOL_VERSIONS
    return is_modern and "text/event-stream" in headers.get(b"accept", "")
