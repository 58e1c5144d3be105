"""Tools that list what there is."""

from typing import Annotated

from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult
from msgspec.structs import replace

from scrubjay.daemon.mcp import render
from scrubjay.daemon.mcp.checked_server import READS, CheckedServer
from scrubjay.daemon.mcp.daemon_calls import CallEndpoint, ToolContext
from scrubjay.daemon.mcp.tool_answer import answer, links_to
from scrubjay.daemon.mcp.tools.parameters import Limit, Moment, Offset, Profile, Until, day, like
from scrubjay.daemon.server.endpoints.credentials import CREDENTIALS, CredentialsAsk
from scrubjay.daemon.server.endpoints.links import TIMELINE, TimelineAsk
from scrubjay.daemon.server.endpoints.notes import NOTES, RECENT, SUGGEST, NotesAsk, RecentAsk, SuggestAsk
from scrubjay.daemon.server.endpoints.profiles import LIST_PROFILES
from scrubjay.daemon.server.endpoints.status import STATUS, Status


def add_listing_tools(server: CheckedServer, ask: CallEndpoint) -> None:
    """Tools that list what there is."""

    @server.offers(READS)
    async def list_notes(
        context: ToolContext,
        filter: Annotated[str, like(NotesAsk, "filter", "Such as path:Projects tag:recipe.")] = "",
        profile: Profile = None,
        limit: Limit = 50,
        offset: Offset = 0,
    ) -> CallToolResult:
        """All notes that pass a filter, the newest first. To find by words use search."""
        found = await ask(context, NOTES, NotesAsk(filter=filter, limit=limit, offset=offset, profile=profile))
        return answer(render.notes(found, offset), links_to(found.notes))

    @server.offers(READS)
    async def recent(
        context: ToolContext, profile: Profile = None, limit: Limit = 20, offset: Offset = 0
    ) -> CallToolResult:
        """The notes modified last."""
        found = await ask(context, RECENT, RecentAsk(limit=limit, offset=offset, profile=profile))
        return answer(render.notes(found, offset), links_to(found.notes))

    @server.offers(READS)
    async def timeline(
        context: ToolContext, since: Moment = "7d", until: Until = None, profile: Profile = None
    ) -> CallToolResult:
        """Notes by day: written, changed, daily notes."""
        wanted = TimelineAsk(since=day("since", since), until=day("until", until), profile=profile)
        return answer(render.timeline(await ask(context, TIMELINE, wanted)))

    @server.offers(READS)
    async def list_profiles(context: ToolContext) -> CallToolResult:
        """The profiles that may be searched."""
        found = (await ask(context, LIST_PROFILES)).profiles
        return answer(render.profiles(found))

    @server.offers(READS)
    async def credentials_report(
        context: ToolContext, profile: Profile = None, limit: Limit = 100, offset: Offset = 0
    ) -> CallToolResult:
        """Where notes hold credentials: kind and place only, for the user to rotate and remove."""
        reply = await ask(context, CREDENTIALS, CredentialsAsk(profile=profile, offset=offset, limit=limit))
        return answer(render.credentials(reply.credentials, reply.unanswered, offset, reply.waiting))

    @server.offers(READS)
    async def stats(context: ToolContext, profile: Profile = None) -> CallToolResult:
        """How much is indexed, and the commonest tags and folders."""
        tags = await ask(context, SUGGEST, SuggestAsk(kind="tag", profile=profile))
        folders = await ask(context, SUGGEST, SuggestAsk(kind="folder", profile=profile))
        found = _of(await ask(context, STATUS), profile)
        return answer(render.stats(found, tags.suggestions, folders.suggestions))

    @server.offers(READS)
    async def index_status(context: ToolContext, profile: Profile = None) -> CallToolResult:
        """What the indexing has done and still does. Ask it when a note that must be there is not found."""
        return answer(render.status(_of(await ask(context, STATUS), profile)))


def _of(found: Status, profile: str | None) -> Status:
    """The status of one profile, or of all. Raises ToolError for one that is not visible."""
    if profile is None:
        return found
    named = tuple(each for each in found.profiles if each.name.casefold() == profile.casefold())
    if not named:
        raise ToolError("There is no such profile that this client may see.")
    return replace(found, profiles=named)
