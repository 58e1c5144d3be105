"""Tools that remember."""

from typing import Annotated

from mcp_types import CallToolResult, ToolAnnotations
from pydantic import Field

from scrubjay.daemon.mcp import render
from scrubjay.daemon.mcp.checked_server import READS, CheckedServer
from scrubjay.daemon.mcp.daemon_calls import CallEndpoint, ToolContext
from scrubjay.daemon.mcp.tool_answer import answer
from scrubjay.daemon.mcp.tools.parameters import (
    EntryId,
    Limit,
    Moment,
    Offset,
    Profiles,
    Until,
    entry_id,
    last_of,
    like,
    moment,
    several,
)
from scrubjay.daemon.server.endpoints.journal import (
    ENTRY,
    FORGET,
    LOG,
    RECALL,
    REMEMBER,
    EntryAsk,
    JournalAsk,
    LogAsk,
    RecallAsk,
)

_APPENDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
_DELETES = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)


def add_journal_tools(server: CheckedServer, ask: CallEndpoint) -> None:
    """Tools that save to the journal and read it."""

    @server.offers(_APPENDS, needs="journal")
    async def remember(
        context: ToolContext,
        text: Annotated[str, like(JournalAsk, "text")],
        profile: Annotated[str | None, Field(description="Needed where several are visible.")] = None,
        tags: Annotated[list[str] | None, like(JournalAsk, "tags")] = None,
        replaces: Annotated[EntryId | None, Field(description="The #id of what this makes untrue.")] = None,
        valid_from: Annotated[str | None, Field(description="The first day that it holds.")] = None,
        valid_to: Annotated[str | None, Field(description="The last.")] = None,
    ) -> CallToolResult:
        """Save something worth knowing later; name with `replaces` what is true no more."""
        wanted = JournalAsk(
            text=text,
            profile=profile,
            tags=tuple(tags or ()),
            replaces=None if replaces is None else entry_id(replaces),
            valid_from=moment("valid_from", valid_from),
            valid_to=moment("valid_to", valid_to, is_end=True),
        )
        saved = await ask(context, REMEMBER, wanted)
        return answer(render.remembered(saved))

    @server.offers(READS)
    async def recall(  # noqa: PLR0913, PLR0917 (the SDK makes an argument of each)
        context: ToolContext,
        query: Annotated[str, like(RecallAsk, "query")],
        profiles: Profiles = None,
        limit: Limit = 10,
        tags: Annotated[list[str] | None, like(RecallAsk, "tags")] = None,
        since: Moment | None = None,
        until: Until = None,
        as_of: Annotated[str | None, Field(description="A day: what held then.")] = None,
    ) -> CallToolResult:
        """What was remembered that fits a query, best first."""
        wanted = RecallAsk(
            query=query,
            profiles=several(profiles),
            limit=limit,
            tags=tuple(tags or ()),
            since=moment("since", since),
            until=moment("until", until, is_end=True),
            as_of=last_of("as_of", as_of),
        )
        return answer(render.recalled(await ask(context, RECALL, wanted)))

    @server.offers(READS)
    async def journal_log(
        context: ToolContext,
        since: Moment | None = None,
        until: Until = None,
        profile: str | None = None,
        limit: Limit = 20,
        offset: Offset = 0,
    ) -> CallToolResult:
        """What was remembered, by time, newest first."""
        first, last = moment("since", since), moment("until", until, is_end=True)
        found = await ask(context, LOG, LogAsk(profile=profile, since=first, until=last, limit=limit, offset=offset))
        return answer(render.log(found, offset))

    @server.offers(_DELETES, needs="journal")
    async def forget(context: ToolContext, id: EntryId, confirm: bool = False) -> CallToolResult:
        """Delete a remembered entry for good. Without `confirm` it shows what it would delete."""
        if not confirm:
            entry = await ask(context, ENTRY, EntryAsk(entry_id=entry_id(id)))
            return answer(render.to_be_forgotten(entry))
        await ask(context, FORGET, EntryAsk(entry_id=entry_id(id)))
        return answer("Forgotten.")
