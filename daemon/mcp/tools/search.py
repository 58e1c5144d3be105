"""Tools that find notes."""

from typing import Annotated, Literal

from mcp_types import CallToolResult
from pydantic import Field

from scrubjay.daemon.mcp import render
from scrubjay.daemon.mcp.checked_server import READS, CheckedServer
from scrubjay.daemon.mcp.daemon_calls import CallEndpoint, ToolContext
from scrubjay.daemon.mcp.tool_answer import answer, links_to
from scrubjay.daemon.mcp.tools.parameters import Id, Limit, Profile, Profiles, like, several
from scrubjay.daemon.server.endpoints.links import RELATED, TRAVERSE, RelatedAsk, TraverseAsk
from scrubjay.daemon.server.endpoints.search import CONTEXT, SEARCH, ContextAsk, SearchAsk


def add_finding_tools(server: CheckedServer, ask: CallEndpoint) -> None:
    """Tools that find notes."""

    @server.offers(READS)
    async def search(
        context: ToolContext,
        query: Annotated[
            str,
            Field(description='Words, "phrases", -not, OR, path:, tag:, [property:value], modified:>2026-01-01.'),
        ],
        profiles: Profiles = None,
        limit: Annotated[int, Field(ge=1, le=50)] = 10,
        mode: Literal["hybrid", "lexical", "semantic"] = "hybrid",
        around: Annotated[int, like(SearchAsk, "context", "Passages before and after each, too.")] = 0,
    ) -> CallToolResult:
        """Find notes by words and meaning. Start here."""
        wanted = SearchAsk(query=query, profiles=several(profiles), limit=limit, mode=mode, context=around, newest=True)
        found = await ask(context, SEARCH, wanted)
        return answer(render.search(found), links_to(found.results))

    @server.offers(READS, name="context")
    async def context_block(
        context: ToolContext,
        prompt: Annotated[str, like(ContextAsk, "prompt")],
        profiles: Profiles = None,
        max_tokens: Annotated[int, like(ContextAsk, "max_tokens")] = 1_000,
    ) -> CallToolResult:
        """The sentences of the notes that answer a prompt, with sources: when you want the answer and not a list."""
        wanted = ContextAsk(prompt=prompt, profiles=several(profiles), max_tokens=max_tokens)
        found = await ask(context, CONTEXT, wanted)
        return answer(found.markdown)

    @server.offers(READS)
    async def related(context: ToolContext, id: Id, profile: Profile = None, limit: Limit = 10) -> CallToolResult:
        """Notes that belong to a note, by meaning, links and tags, and why."""
        found = await ask(context, RELATED, RelatedAsk(note=id, profile=profile, limit=limit))
        return answer(render.related(found.notes), links_to(found.notes))

    @server.offers(READS)
    async def traverse(
        context: ToolContext,
        id: str | None = None,
        query: Annotated[str | None, like(TraverseAsk, "search")] = None,
        about: Annotated[str | None, like(TraverseAsk, "about", "What to stay on; else the note.")] = None,
        depth: Annotated[int, like(TraverseAsk, "depth")] = 2,
        deep: Annotated[bool, Field(description="Keep everything within reach.")] = False,
        profile: Profile = None,
    ) -> CallToolResult:
        """Walk along links from a note or the best results of a query; says what was dropped and why."""
        wanted = TraverseAsk(note=id, search=query, about=about, depth=depth, deep=deep, profile=profile)
        found = await ask(context, TRAVERSE, wanted)
        return answer(render.walk(found))
