"""Tools that read what was found."""

from datetime import UTC, datetime
from typing import Annotated

from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult
from pydantic import Field

from scrubjay.daemon.mcp import render
from scrubjay.daemon.mcp.checked_server import READS, CheckedServer
from scrubjay.daemon.mcp.daemon_calls import CallEndpoint, ToolContext
from scrubjay.daemon.mcp.tool_answer import answer
from scrubjay.daemon.mcp.tools.parameters import Id, Moment, PassageId, Profile, Profiles, like, moment, several
from scrubjay.daemon.server.endpoints.links import VERIFY, VERIFY_ANSWER, VerifyAnswerAsk, VerifyAsk
from scrubjay.daemon.server.endpoints.notes import CHUNKS, ChunksAsk
from scrubjay.daemon.server.endpoints.read import (
    CHANGES,
    LONGEST_NAME,
    MOST_TOKENS,
    NO_RANGE,
    READ,
    ChangesAsk,
    ReadAsk,
    is_range,
)

NoteName = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
_Line = Annotated[int | None, Field(ge=1)]


def add_reading_tools(server: CheckedServer, ask: CallEndpoint) -> None:
    """Tools that read what was found."""

    @server.offers(READS)
    async def get_note(
        context: ToolContext,
        id: Annotated[
            NoteName | Annotated[list[NoteName], like(ReadAsk, "notes")],
            Field(description="#id, path, the end of one, a pattern (Projects/*.md), or several."),
        ],
        from_line: _Line = None,
        to_line: _Line = None,
        around: Annotated[int | None, Field(ge=0, description="A line; 0: that of the #id.")] = None,
        max_tokens: Annotated[int, Field(ge=50, le=200_000)] = MOST_TOKENS,
        profiles: Profiles = None,
    ) -> CallToolResult:
        """Read notes, whole or in parts."""
        if not is_range(from_line, to_line):
            raise ToolError(NO_RANGE)
        wanted = ReadAsk(
            notes=(id,) if isinstance(id, str) else tuple(id),
            profiles=several(profiles),
            from_line=from_line,
            to_line=to_line,
            around=around,
            max_tokens=max_tokens,
        )
        found = await ask(context, READ, wanted)
        return answer(render.parts(found))

    @server.offers(READS)
    async def changes(
        context: ToolContext,
        id: Annotated[str, Field(min_length=1)],
        since: Moment = "7d",
        profile: Profile = None,
    ) -> CallToolResult:
        """What is new in a note since a day."""
        asked = ChangesAsk(note=id, since=moment("since", since) or datetime.now(UTC), profile=profile)
        return answer(render.changes(await ask(context, CHANGES, asked)))

    @server.offers(READS)
    async def get_chunk(
        context: ToolContext,
        ids: Annotated[list[PassageId], Field(min_length=1, max_length=50)],
        profile: Profile = None,
    ) -> CallToolResult:
        """Passages in full, by the #id of results."""
        named = ",".join(each.removeprefix("#") for each in ids)
        found = await ask(context, CHUNKS, ChunksAsk(ids=named, profile=profile))
        return answer(render.chunks(found))

    @server.offers(READS)
    async def verify_quote(
        context: ToolContext, id: Id, quote: Annotated[str, like(VerifyAsk, "quote")], profile: Profile = None
    ) -> CallToolResult:
        """Whether a quotation really is in a note. Use it before you quote one."""
        found = await ask(context, VERIFY, VerifyAsk(quote=quote, note=id, profile=profile))
        return answer(render.verdict(found))

    @server.offers(READS)
    async def verify_answer(
        context: ToolContext,
        text: Annotated[str, like(VerifyAnswerAsk, "text")],
        profiles: Profiles = None,
    ) -> CallToolResult:
        """Whether every quotation of your answer stands in the notes it cites as [#id] beside it. Call it last."""
        found = await ask(context, VERIFY_ANSWER, VerifyAnswerAsk(text=text, profiles=several(profiles)))
        return answer(render.checked_answer(found))
