"""How a tool asks the daemon, whoever's rights it has."""

from typing import Any, Protocol, TypeAlias, TypeVar

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from daemon.api.calls import Call
from daemon.client import AsyncScrubjayClient
from daemon.errors import ScrubjayError

T = TypeVar("T")
ToolContext: TypeAlias = Context[Any, Any]


class Ask(Protocol):
    """Makes one call of the HTTP API with the rights of whoever sent the tool call."""

    async def __call__(self, context: ToolContext, call: Call[T]) -> T:
        """The reply. Raises ToolError, whose message the agent gets."""
        ...


class AskAsOne:
    """Over standard input and output: every call has the rights of one client."""

    def __init__(self, client: AsyncScrubjayClient) -> None:
        self._client = client

    async def __call__(self, context: ToolContext, call: Call[T]) -> T:
        """The reply."""
        del context
        return await reply_to(self._client, call)


async def reply_to(client: AsyncScrubjayClient, call: Call[T]) -> T:
    """The reply to one call; what the daemon refuses becomes a ToolError in the same words."""
    try:
        return await client.send(call)
    except ScrubjayError as error:
        raise ToolError(str(error)) from None
