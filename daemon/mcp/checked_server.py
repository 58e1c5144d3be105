"""An MCP server whose tools refuse what they don't take, in our own words."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from mcp.server import ServerRequestContext
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError, UnexpectedToolError
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_PARAMS,
    CallToolResult,
    GetPromptResult,
    InputRequiredResult,
    ListToolsResult,
    PaginatedRequestParams,
    ToolAnnotations,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import AnyUrl, ValidationError

from scrubjay.daemon.mcp.arguments import WrongArguments, checked, invalid
from scrubjay.daemon.mcp.daemon_calls import CallEndpoint, ToolContext
from scrubjay.daemon.printable import printable
from scrubjay.daemon.server.access.client_registry import Scope, holds
from scrubjay.daemon.server.endpoints.clients import SHOW_SELF

if TYPE_CHECKING:
    from mcp.shared._stream_protocols import ReadStream, WriteStream  # the SDK's own module, which may move

RESOURCE_NOT_FOUND: Final = -32002
"""In versions of the protocol before 2026-07-28, which has INVALID_PARAMS in its place."""
PROGRESS_SECONDS: Final = 1.0
"""Between two notices of progress. Clients that give up on silence wait five seconds and more."""
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)  # the other hints are for what writes

Tool: TypeAlias = Callable[..., Awaitable[CallToolResult]]


class CheckedServer(MCPServer[None]):
    """Every tool is declared by `offers`, and every call of one goes through `call_tool`.

    A client is offered the tools that its scopes allow. Where no daemon can say what these are, it is offered all: each
    call is judged by the daemon anyway.
    """

    def __init__(self, ask: CallEndpoint, name: str, **settings: Any) -> None:
        super().__init__(name, **settings)
        self._ask = ask
        self._needs: dict[str, Scope] = {}

    def offers(
        self,
        annotations: ToolAnnotations,
        *,
        name: str | None = None,
        needs: Scope = "search",
    ) -> Callable[[Tool], Tool]:
        """Declares a tool. name: where the function has another."""

        def declared(function: Tool) -> Tool:
            self._needs[name or function.__name__] = needs
            made = self._tool_manager.add_tool(function, name=name, annotations=annotations, structured_output=False)
            made.parameters = _published(made.parameters)
            return function

        return declared

    async def run_over(
        self, sent: "ReadStream[SessionMessage | Exception]", replies: "WriteStream[SessionMessage]"
    ) -> None:
        """Serve one client over a pair of streams until it closes them."""
        await self._lowlevel_server.run(sent, replies, self._lowlevel_server.create_initialization_options())

    async def _handle_list_tools(
        self, ctx: ServerRequestContext[Any], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        del params  # there is one page
        tools = await self.list_tools()
        with suppress(ToolError):
            client = await self._ask(ToolContext(request_context=ctx, mcp_server=self), SHOW_SELF)
            tools = [tool for tool in tools if holds(client.scopes, self._needs[tool.name])]
        return ListToolsResult(tools=tools)

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: ToolContext | None = None
    ) -> CallToolResult | InputRequiredResult:
        """The answer of a tool. Raises ToolError, whose message the agent gets."""
        tool = self._tool_manager.get_tool(name)
        if tool is None:
            raise ToolError("There is no such tool.")
        ticking = asyncio.create_task(_tick(context)) if context is not None else None
        try:
            arguments = checked(name, tool.parameters, arguments)
            return await super().call_tool(name, arguments, context)
        except WrongArguments as error:
            raise ToolError(str(error)) from None
        except ToolError as error:
            raise _in_our_words(name, tool.parameters, error) from None
        finally:
            if ticking is not None:
                ticking.cancel()

    async def get_prompt(
        self, name: str, arguments: dict[str, Any] | None = None, context: ToolContext | None = None
    ) -> GetPromptResult | InputRequiredResult:
        """A prompt, filled in. Raises MCPError, whose message the program gets."""
        known = {prompt.name: prompt for prompt in await self.list_prompts()}
        if name not in known:
            raise MCPError(INVALID_PARAMS, f"There is no such prompt. There are: {', '.join(known)}.")
        needed = [each.name for each in known[name].arguments or () if each.required]
        if missing := [f"`{each}`" for each in needed if each not in (arguments or {})]:
            raise MCPError(INVALID_PARAMS, f"The prompt `{name}` needs {', '.join(missing)}.")
        return await super().get_prompt(name, arguments, context)

    async def read_resource(
        self, uri: AnyUrl | str, context: ToolContext | None = None
    ) -> Iterable[ReadResourceContents] | InputRequiredResult:
        """A resource. Raises MCPError for one that there is not, whose message the program gets."""
        try:
            return await super().read_resource(uri, context)
        except ResourceNotFoundError as error:
            # The SDK gives clients of all versions the code of the newest.
            is_current = context is not None and context.protocol_version in MODERN_PROTOCOL_VERSIONS
            code = INVALID_PARAMS if is_current else RESOURCE_NOT_FOUND
            raise MCPError(code, printable(str(error)), {"uri": str(uri)}) from None


async def _tick(context: ToolContext) -> None:
    """Tell a client that wants to know of progress that the call goes on: how many seconds it has taken."""
    with suppress(Exception):  # whoever has left needs no telling
        for ticks in count(1):
            await asyncio.sleep(PROGRESS_SECONDS)
            await context.report_progress(ticks * PROGRESS_SECONDS, message="Scrubjay is still at it.")


def _in_our_words(name: str, schema: Mapping[str, Any], error: ToolError) -> ToolError:
    """The same refusal, without the validator's text and without the SDK's prefix."""
    cause = error.__cause__
    if isinstance(cause, ValidationError):
        return ToolError(invalid(name, schema, [str(each["loc"][0]) for each in cause.errors() if each["loc"]]))
    if isinstance(error, UnexpectedToolError):
        return ToolError("Something went wrong inside Scrubjay. `scrubjay logs` may say what.")
    return ToolError(printable(str(error).removeprefix(f"Error executing tool {name}: ")))


def _published(schema: dict[str, Any]) -> dict[str, Any]:
    """Without titles, empty defaults and that what may be left out may be null, which would double the length."""
    properties: dict[str, dict[str, Any]] = schema["properties"]
    return {
        "type": "object",
        "properties": {name: _shortened(each) for name, each in properties.items()},
        **({"required": schema["required"]} if schema.get("required") else {}),
        "additionalProperties": False,
    }


def _shortened(schema: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in schema.items() if name != "title" and (name != "default" or value)}
    several = [each for each in kept.pop("anyOf", ()) if each.get("type") != "null"]
    if len(several) == 1:
        return several[0] | kept
    return {**kept, "anyOf": several} if several else kept
