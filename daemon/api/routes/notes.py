"""`/v1/chunks`, `/v1/notes`, `/v1/recent`, `/v1/suggest`, `/v1/context`: reading what is indexed."""

import contextlib
from typing import Annotated, Literal

from litestar import get, post
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from daemon.api.caller import Caller, InjectedCaller, needs
from daemon.api.context import Source, render_context
from daemon.api.lane import InjectedLane
from daemon.api.reading import (
    ChunkNotFound,
    chunk_reply,
    completions,
    file_names,
    find_chunk,
    note_reply,
    recent_notes,
)
from daemon.api.schemas import (
    ChunkReply,
    ChunksReply,
    ContextAsk,
    ContextReply,
    NoteRef,
    NoteReply,
    NotesReply,
    SuggestReply,
)
from daemon.api.scoping import in_scope, named, named_for_search, visible
from daemon.api.services import InjectedServices, Services
from daemon.errors import UsageError
from daemon.search.types import SearchRequest, SearchResult
from profiles.errors import StoreError
from profiles.rows import ChunkView
from profiles.store import Store

_MOST_CHUNKS = 50
_MOST_CONTEXT_SOURCES = 40
_NAMES_LOOKED_AT = 100  # the newest that hold what was typed
_NO_MARKS = str.maketrans("", "", '"*?\\')  # which the query language reads otherwise

Ids = Annotated[
    str, QueryParameter(max_length=800, description="Ids or short ids (6 to 12 hex digits), separated by commas.")
]
ProfileName = Annotated[str | None, QueryParameter(max_length=60, description="One profile, not all visible ones.")]
Limit = Annotated[int, QueryParameter(ge=1, le=100)]


@get("/v1/chunks", guards=[needs("search")], sync_to_thread=True)
def chunks(ids: Ids, services: InjectedServices, caller: InjectedCaller) -> ChunksReply:
    """Several passages by id."""
    wanted = tuple(dict.fromkeys(part.strip() for part in ids.split(",") if part.strip()))
    if not 1 <= len(wanted) <= _MOST_CHUNKS:
        raise UsageError(f"Ask for 1 to {_MOST_CHUNKS} passages at once.")
    found: list[ChunkReply] = []
    missing: list[str] = []
    for short_id in wanted:
        try:
            found.append(_chunk(short_id, services, caller))
        except ChunkNotFound:
            missing.append(short_id)
    return ChunksReply(chunks=tuple(found), missing=tuple(missing))


@get("/v1/chunks/{chunk_id:str}", guards=[needs("search")], sync_to_thread=True)
def chunk(chunk_id: FromPath[str], services: InjectedServices, caller: InjectedCaller) -> ChunkReply:
    """One passage by its id, or by the first six or more digits of it, from any visible profile."""
    return _chunk(chunk_id, services, caller)


@get("/v1/notes/{chunk_id:str}", guards=[needs("search")], sync_to_thread=True)
def note(
    chunk_id: FromPath[str],
    services: InjectedServices,
    caller: InjectedCaller,
    profile: ProfileName = None,
    path: Annotated[str | None, QueryParameter(max_length=4_096, description="Which of several notes.")] = None,
) -> NoteReply:
    """The whole note that holds a passage, as indexed: credentials taken out."""
    seen = visible(services, caller.client) if profile is None else (named(services, caller.client, profile),)
    stores = services.stores(seen)
    places = find_chunk(stores, seen, chunk_id)
    fitting = [place for place in places if path in (None, place.chunk.path)]
    if not fitting:
        raise ChunkNotFound("No note at this path holds this passage.")
    return note_reply(stores[fitting[0].profile.name], fitting[0])


@get("/v1/recent", guards=[needs("search")], sync_to_thread=True)
def recent(
    services: InjectedServices,
    caller: InjectedCaller,
    limit: Limit = 20,
    profile: ProfileName = None,
) -> NotesReply:
    """The notes modified last."""
    profiles = in_scope(services, caller, None if profile is None else (profile,))
    return NotesReply(notes=recent_notes(services.stores(profiles), profiles, limit))


@get("/v1/notes", guards=[needs("search")])
async def notes(
    services: InjectedServices,
    lane: InjectedLane,
    caller: InjectedCaller,
    filter: Annotated[
        str, QueryParameter(max_length=500, pattern=r"^[^\x00]*$", description="`path:Projects tag:recipe`; or empty.")
    ] = "",
    limit: Limit = 50,
    profile: ProfileName = None,
) -> NotesReply:
    """Notes that pass a filter of the query language, the newest first; with words in it too, the best first."""
    profiles = in_scope(services, caller, None if profile is None else (profile,))
    if not filter.strip():
        return NotesReply(notes=recent_notes(services.stores(profiles), profiles, limit))
    names, ids = named_for_search(profiles)
    found = await lane.run(SearchRequest(query=filter, profiles=names, ids=ids, limit=limit, mode="lexical"))
    return NotesReply(notes=tuple(_listed(result) for result in found.results))


@get("/v1/suggest", guards=[needs("search")])
async def suggest(
    services: InjectedServices,
    lane: InjectedLane,
    caller: InjectedCaller,
    kind: FromQuery[Literal["tag", "folder", "property", "title"]],
    prefix: Annotated[str, QueryParameter(max_length=200)] = "",
    limit: Limit = 10,
) -> SuggestReply:
    """Completions for `tag:`, `path:`, `[property]` and `file:`, from the profiles that a search over all asks."""
    profiles = in_scope(services, caller, None)
    if kind != "title":
        return SuggestReply(suggestions=completions(services.stores(profiles), profiles, kind, prefix, limit))
    if not prefix.strip():
        recent = recent_notes(services.stores(profiles), profiles, limit)
        return SuggestReply(suggestions=file_names((note.path for note in recent), "", limit))
    names, ids = named_for_search(profiles)
    query = 'file:"' + prefix.strip().translate(_NO_MARKS) + '"'
    request = SearchRequest(query=query, profiles=names, ids=ids, limit=_NAMES_LOOKED_AT, mode="lexical")
    found = await lane.run(request, (caller.client.id, "suggest"))
    places = (place.path for result in found.results for place in (result, *result.also_in))
    return SuggestReply(suggestions=file_names(places, prefix.strip(), limit))


@post("/v1/context", guards=[needs("search")], status_code=200)
async def context(
    data: JSONBody[ContextAsk],
    services: InjectedServices,
    lane: InjectedLane,
    caller: InjectedCaller,
) -> ContextReply:
    """What the notes say about a prompt: one Markdown block within a budget of tokens. Deterministic."""
    profiles = in_scope(services, caller, data.profiles)
    names, ids = named_for_search(profiles)
    limit = min(_MOST_CONTEXT_SOURCES, services.limits.results)
    prompt = data.prompt[: services.limits.query_characters]
    found = await lane.run(SearchRequest(query=prompt, profiles=names, ids=ids, limit=limit, group="chunk"))
    relevant = [result for result in found.results if result.relevance != "low"]
    stores = services.stores(profiles)
    return render_context((_source(result, stores.get(result.profile)) for result in relevant), data.max_tokens)


def _listed(result: SearchResult) -> NoteRef:
    return NoteRef(
        id=result.id,
        profile=result.profile,
        vault=result.vault,
        path=result.path,
        title=result.title,
        modified=result.modified,
        tags=result.tags,
    )


def _chunk(short_id: str, services: Services, caller: Caller) -> ChunkReply:
    seen = visible(services, caller.client)
    return chunk_reply(find_chunk(services.stores(seen), seen, short_id))


def _source(result: SearchResult, store: Store | None) -> Source:
    """The passage in full; where it has just been replaced, or its profile closed, what the search saw of it."""
    held: list[ChunkView] = []
    if store is not None:
        with contextlib.suppress(StoreError):
            held = store.chunks_by_digest(bytes.fromhex(result.id), 1)
    return Source(
        id=result.id,
        profile=result.profile,
        path=result.path,
        title=result.title,
        headings=result.headings,
        line=result.line,
        text=held[0].text if held else result.snippet,
    )


ROUTES = (chunks, chunk, notes, note, recent, suggest, context)
