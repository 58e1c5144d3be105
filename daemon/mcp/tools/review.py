"""Tools about what could be tidied: they list and put forward; only the user decides, and no tool writes a note."""

from collections.abc import Mapping
from typing import get_args

from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, ToolAnnotations

from scrubjay.daemon.mcp import render
from scrubjay.daemon.mcp.checked_server import READS, CheckedServer
from scrubjay.daemon.mcp.daemon_calls import CallEndpoint, ToolContext
from scrubjay.daemon.mcp.tool_answer import answer
from scrubjay.daemon.mcp.tools.parameters import Limit, Profile
from scrubjay.daemon.review.proposal import Change, Kind
from scrubjay.daemon.server.endpoints.read import READ, ReadAsk
from scrubjay.daemon.server.endpoints.review import REVIEW, REVIEW_PROPOSE, ProposeAsk, ReviewAsk

_PUTS = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
_KINDS: Mapping[str, Kind] = {kind: kind for kind in get_args(Kind)}
FEW_TOKENS = 50  # of a note that only has to be found


def add_tidying_tools(server: CheckedServer, ask: CallEndpoint) -> None:
    """Tools about what could be tidied."""

    @server.offers(READS)
    async def review_list(
        context: ToolContext,
        kind: str | None = None,
        profile: Profile = None,
        limit: Limit = 20,
    ) -> CallToolResult:
        """What could be tidied. The user decides."""
        of_kind = None if kind is None else _KINDS.get(kind)
        if kind is not None and of_kind is None:
            raise ToolError(f"`kind` is one of {', '.join(_KINDS)}.")
        wanted = ReviewAsk(kind=of_kind, profile=profile, limit=limit)
        found = await ask(context, REVIEW, wanted)
        return answer(render.proposals(found))

    @server.offers(_PUTS, needs="journal")
    async def review_propose(
        context: ToolContext,
        id: str,
        why: str,
        tags: list[str] | None = None,
        append: str = "",
        move_to: str = "",
    ) -> CallToolResult:
        """Propose a change of a note: tags, text at its end, a new path. The user decides."""
        read = await ask(context, READ, ReadAsk(notes=(id,), max_tokens=FEW_TOKENS))
        if len(read.notes) + len(read.unread) != 1 or not read.notes:
            raise ToolError("Name one note, by its #id or path.")
        note = read.notes[0]
        changes = (
            *([Change(action="add-tags", vault=note.vault, path=note.path, tags=tuple(tags))] if tags else ()),
            *([Change(action="append", vault=note.vault, path=note.path, after=append)] if append else ()),
            *([Change(action="move", vault=note.vault, path=note.path, to=move_to)] if move_to else ()),
        )
        if not changes:
            raise ToolError("Say what to change: `tags`, `append` or `move_to`.")
        wanted = ProposeAsk(vault=note.vault, path=note.path, why=why, changes=changes, profile=note.profile)
        kept = (await ask(context, REVIEW_PROPOSE, wanted)).proposal
        return answer(f"It waits for the user, who decides. Its key is {kept.key}.")
