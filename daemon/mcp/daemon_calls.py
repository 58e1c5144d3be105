"""How a tool calls the daemon's API, with the rights of a token."""

import asyncio
from typing import Any, Protocol, TypeAlias, TypeVar

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from scrubjay.daemon.client import AsyncScrubjayClient
from scrubjay.daemon.home import Home
from scrubjay.daemon.server.endpoint import Ask, Endpoint
from scrubjay.daemon.transport import running
from scrubjay.profiles.errors import ScrubjayError

In = TypeVar("In", bound=Ask)
Out = TypeVar("Out")
ToolContext: TypeAlias = Context[Any, Any]


class CallEndpoint(Protocol):
    """Makes one call of the HTTP API with the rights of the tool call's sender."""

    async def __call__(self, context: ToolContext, endpoint: Endpoint[In, Out], request: In | None = None) -> Out:
        """The reply. Raises ToolError, whose message the agent gets."""
        ...


class CallWithToken:
    """Over standard input and output: every call has the rights of one token.

    An agent's session outlives daemons, so each call finds the one that runs now and verifies it: a program
    that took the port of a daemon that has ended is sent nothing.
    """

    def __init__(self, home: Home, token: str) -> None:
        self._home = home
        self._token = token

    async def __call__(self, context: ToolContext, endpoint: Endpoint[In, Out], request: In | None = None) -> Out:
        """The reply."""
        del context
        try:
            found = await asyncio.to_thread(running, self._home)
        except ScrubjayError as error:
            raise ToolError(str(error)) from None
        async with AsyncScrubjayClient(found.url, self._token) as client:
            return await reply_to(client, endpoint, request)


async def reply_to(client: AsyncScrubjayClient, endpoint: Endpoint[In, Out], request: In | None) -> Out:
    """The reply to one call; what the daemon refuses becomes a ToolError in the same words."""
    try:
        return await client.ask(endpoint, request)
    except ScrubjayError as error:
        raise ToolError(str(error)) from None
