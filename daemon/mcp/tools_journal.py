"""Tools that remember."""

from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations
from pydantic import AwareDatetime, Field

from scrubjay.daemon.api.endpoints.journal import FORGET, LOG, RECALL, REMEMBER, EntryAsk, JournalAsk, LogAsk, RecallAsk
from scrubjay.daemon.journal import LONGEST_TEXT
from scrubjay.daemon.mcp import render
from scrubjay.daemon.mcp.daemon_calls import CallEndpoint, ToolContext
from scrubjay.daemon.mcp.tools_notes import READS, Id, Limit, Profiles, Text

_APPENDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
_DELETES = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)


def add_journal_tools(server: MCPServer[Any], ask: CallEndpoint) -> None:
    """Tools that save to the journal and read it."""

    @server.tool(annotations=_APPENDS, structured_output=False)
    async def remember(
        context: ToolContext,
        text: Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)],
        profile: Annotated[str | None, Field(description="Needed where several are visible.")] = None,
        tags: Annotated[list[str] | None, Field(max_length=20)] = None,
    ) -> str:
        """Save something worth knowing later in the user's journal. Credentials are taken out."""
        wanted = JournalAsk(text=text, profile=profile, tags=tuple(tags or ()))
        return render.remembered(await ask(context, REMEMBER, wanted))

    @server.tool(annotations=READS, structured_output=False)
    async def recall(context: ToolContext, query: Text, profiles: Profiles = None, limit: Limit = 10) -> str:
        """What was remembered that fits a query, by words and by meaning, best first."""
        wanted = RecallAsk(query=query, profiles=tuple(profiles) if profiles else None, limit=limit)
        return render.entries((await ask(context, RECALL, wanted)).entries)

    @server.tool(annotations=READS, structured_output=False)
    async def journal_log(
        context: ToolContext,
        since: Annotated[AwareDatetime | None, Field(description="RFC 3339 with its offset.")] = None,
        until: AwareDatetime | None = None,
        profile: str | None = None,
        limit: Limit = 20,
    ) -> str:
        """What was remembered, by time, newest first."""
        wanted = LogAsk(profile=profile, since=since, until=until, limit=limit)
        return render.entries((await ask(context, LOG, wanted)).entries)

    @server.tool(annotations=_DELETES, structured_output=False)
    async def forget(context: ToolContext, id: Id) -> str:
        """Delete one remembered entry for good, named by its id."""
        await ask(context, FORGET, EntryAsk(entry_id=id.removeprefix("#")))
        return "Forgotten."
