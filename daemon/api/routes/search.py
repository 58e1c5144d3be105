"""`/v1/search`, `/v1/explain`."""

import asyncio
from typing import Annotated

from litestar import post
from litestar.params import HeaderParameter, JSONBody

from daemon.api.caller import Caller, InjectedCaller, needs
from daemon.api.lane import InjectedLane
from daemon.api.schemas import SearchAsk
from daemon.api.schemas_graph import ExplainAsk
from daemon.api.scoping import in_scope, named_for_search
from daemon.api.services import InjectedServices, Services
from daemon.api.unread import say_why_unread
from daemon.errors import UsageError
from daemon.search.types import NoteExplanation, SearchRequest, SearchResponse

TypingStream = Annotated[
    str | None,
    HeaderParameter(
        name="X-Scrubjay-Typing",
        pattern=r"^[A-Za-z0-9_-]{1,64}$",
        description="Names a sequence of searches as the user types; a newer one ends the older with 409 `superseded`.",
    ),
]


@post("/v1/search", guards=[needs("search")], status_code=200)
async def search(
    data: JSONBody[SearchAsk],
    services: InjectedServices,
    lane: InjectedLane,
    caller: InjectedCaller,
    typing_stream: TypingStream = None,
) -> SearchResponse:
    """Search the notes of the profiles that this client may see."""
    stream = None if typing_stream is None else (caller.client.id, typing_stream)
    return await lane.run(search_request(data, services, caller), stream)


@post("/v1/explain", guards=[needs("search")], status_code=200)
async def explain(
    data: JSONBody[ExplainAsk],
    services: InjectedServices,
    lane: InjectedLane,
    caller: InjectedCaller,
) -> NoteExplanation:
    """Why a note is, or is not, among the results of a search: which stage dropped it, and what would bring it back."""
    ask = SearchAsk(query=data.query, profiles=data.profiles, limit=data.limit, mode=data.mode)
    found = await lane.explain(search_request(ask, services, caller), data.path, data.vault)
    if found.stage != "not-indexed" or not caller.client.may("manage"):
        return found
    profiles = in_scope(services, caller, data.profiles)
    return await asyncio.to_thread(say_why_unread, found, profiles, data.path, data.vault)


def search_request(ask: SearchAsk, services: Services, caller: Caller) -> SearchRequest:
    """What the searcher is asked: checked against the limits, and with its profiles named."""
    limits = services.limits
    if len(ask.query) > limits.query_characters:
        raise UsageError(
            f"A query has at most {limits.query_characters:,} characters; this one has {len(ask.query):,}. Shorten it."
        )
    if ask.limit > limits.results:
        raise UsageError(f"One search gives at most {limits.results} results.")
    names, ids = named_for_search(in_scope(services, caller, ask.profiles))
    return SearchRequest(
        query=ask.query,
        profiles=names,
        ids=ids,
        limit=ask.limit,
        mode=ask.mode,
        group=ask.group,
        explain=ask.explain,
        typing=ask.typing,
        context=ask.context,
    )


ROUTES = (search, explain)
