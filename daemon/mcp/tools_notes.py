"""Tools that read notes and what is known of them."""

from typing import Annotated, Any, Literal

from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations
from pydantic import Field

from scrubjay.daemon.api.endpoints.credentials import CREDENTIALS
from scrubjay.daemon.api.endpoints.graph import RELATED, TRAVERSE, VERIFY, RelatedAsk, TraverseAsk, VerifyAsk
from scrubjay.daemon.api.endpoints.notes import (
    CHUNKS,
    NOTE,
    NOTES,
    RECENT,
    SUGGEST,
    ChunksAsk,
    NoteAsk,
    NotesAsk,
    RecentAsk,
    SuggestAsk,
)
from scrubjay.daemon.api.endpoints.profiles import LIST_PROFILES
from scrubjay.daemon.api.endpoints.search import CONTEXT, SEARCH, ContextAsk, SearchAsk
from scrubjay.daemon.api.endpoints.status import STATUS
from scrubjay.daemon.mcp import render
from scrubjay.daemon.mcp.daemon_calls import CallEndpoint, ToolContext

READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)

Profiles = Annotated[list[str] | None, Field(description="Names of profiles to look in; all visible ones if left out.")]
Id = Annotated[
    str,
    Field(pattern=r"^#?[0-9A-Fa-f]{6,12}$", description="The id of a result, such as a1b2c3d4e5f6; the # may stay."),
]
Text = Annotated[str, Field(min_length=1, max_length=10_000)]
Limit = Annotated[int, Field(ge=1, le=100)]


def add_finding_tools(server: MCPServer[Any], ask: CallEndpoint) -> None:
    """Tools that find notes."""

    @server.tool(annotations=READS, structured_output=False)
    async def search(
        context: ToolContext,
        query: Annotated[
            str,
            Field(
                description='Words, "phrases", -not, OR, path:, tag:, file:, [property:value], modified:>2026-01-01.'
            ),
        ],
        profiles: Profiles = None,
        limit: Annotated[int, Field(ge=1, le=50)] = 10,
        mode: Literal["hybrid", "lexical", "semantic"] = "hybrid",
        around: Annotated[int, Field(ge=0, le=5, description="Passages before and after each to show, too.")] = 0,
    ) -> str:
        """Find notes by word and by meaning."""
        wanted = SearchAsk(query=query, profiles=_named(profiles), limit=limit, mode=mode, context=around)
        return render.search(await ask(context, SEARCH, wanted))

    @server.tool(name="context", annotations=READS, structured_output=False)
    async def context_block(
        context: ToolContext,
        prompt: Text,
        profiles: Profiles = None,
        max_tokens: Annotated[int, Field(ge=50, le=20_000)] = 1_000,
    ) -> str:
        """What the notes say about a prompt, as one block of Markdown within a budget of tokens."""
        wanted = ContextAsk(prompt=prompt, profiles=_named(profiles), max_tokens=max_tokens)
        return (await ask(context, CONTEXT, wanted)).markdown

    @server.tool(annotations=READS, structured_output=False)
    async def related(context: ToolContext, id: Id, limit: Limit = 10) -> str:
        """Notes related to the note that holds a passage, by meaning, links and tags, and why."""
        note = await ask(context, NOTE, NoteAsk(chunk_id=id.removeprefix("#")))
        return render.related(
            (await ask(context, RELATED, RelatedAsk(vault=note.vault, path=note.path, limit=limit))).notes
        )

    @server.tool(annotations=READS, structured_output=False)
    async def traverse(
        context: ToolContext,
        id: Id,
        about: Annotated[
            str | None, Field(max_length=2_000, description="What to stay on; the note if left out.")
        ] = None,
        depth: Annotated[int, Field(ge=1, le=4)] = 2,
        deep: Annotated[bool, Field(description="Keep everything within reach.")] = False,
    ) -> str:
        """Walk from a note along links, keeping what stays on the subject; says what was dropped and why."""
        wanted = TraverseAsk(id=id.removeprefix("#"), about=about, depth=depth, deep=deep)
        return render.walk(await ask(context, TRAVERSE, wanted))


def add_reading_tools(server: MCPServer[Any], ask: CallEndpoint) -> None:
    """Tools that read what was found."""

    @server.tool(annotations=READS, structured_output=False)
    async def get_note(context: ToolContext, id: Id) -> str:
        """The whole note that holds a passage."""
        return render.note(await ask(context, NOTE, NoteAsk(chunk_id=id.removeprefix("#"))))

    @server.tool(annotations=READS, structured_output=False)
    async def get_chunk(context: ToolContext, ids: Annotated[list[Id], Field(min_length=1, max_length=50)]) -> str:
        """Passages in full, by id."""
        found = await ask(context, CHUNKS, ChunksAsk(ids=",".join(each.removeprefix("#") for each in ids)))
        missing = f"\n\nNot found: {', '.join(found.missing)}." if found.missing else ""
        return (render.chunks(found.chunks) if found.chunks else "No passage.") + missing

    @server.tool(annotations=READS, structured_output=False)
    async def verify_quote(context: ToolContext, id: Id, quote: Text) -> str:
        """Whether a quotation really is in the note that holds a passage. Use it before you quote a note."""
        return render.verdict(await ask(context, VERIFY, VerifyAsk(quote=quote, id=id)))


def add_listing_tools(server: MCPServer[Any], ask: CallEndpoint) -> None:
    """Tools that list what there is."""

    @server.tool(annotations=READS, structured_output=False)
    async def list_notes(
        context: ToolContext,
        filter: Annotated[str, Field(max_length=500, description="Such as path:Projects tag:recipe; or empty.")] = "",
        profile: str | None = None,
        limit: Limit = 50,
    ) -> str:
        """Notes that pass a filter, the newest first."""
        return render.notes((await ask(context, NOTES, NotesAsk(filter=filter, limit=limit, profile=profile))).notes)

    @server.tool(annotations=READS, structured_output=False)
    async def recent(context: ToolContext, limit: Limit = 20) -> str:
        """The notes modified last."""
        return render.notes((await ask(context, RECENT, RecentAsk(limit=limit))).notes)

    @server.tool(annotations=READS, structured_output=False)
    async def list_profiles(context: ToolContext) -> str:
        """The profiles that may be searched."""
        return render.profiles((await ask(context, LIST_PROFILES)).profiles)

    @server.tool(annotations=READS, structured_output=False)
    async def credentials_report(context: ToolContext) -> str:
        """Which notes hold credentials: kind and place only, for the user to rotate and remove."""
        return render.credentials((await ask(context, CREDENTIALS)).credentials)

    @server.tool(annotations=READS, structured_output=False)
    async def stats(context: ToolContext) -> str:
        """How much is indexed, and the commonest tags and folders."""
        found = await ask(context, STATUS)
        tags = await ask(context, SUGGEST, SuggestAsk(kind="tag"))
        folders = await ask(context, SUGGEST, SuggestAsk(kind="folder"))
        return render.stats(found, tags.suggestions, folders.suggestions)

    @server.tool(annotations=READS, structured_output=False)
    async def index_status(context: ToolContext) -> str:
        """What the indexing has done and still does, profile by profile."""
        return render.status(await ask(context, STATUS))


def _named(profiles: list[str] | None) -> tuple[str, ...] | None:
    return tuple(profiles) if profiles else None
