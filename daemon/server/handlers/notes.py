"""`/v1/chunks`, `/v1/notes`, `/v1/recent`, `/v1/suggest`: reading what is indexed."""

from scrubjay.daemon.documents.recognition import PdfPage, page_picture
from scrubjay.daemon.server.access.caller import Caller, chosen, in_scope, named_for_search
from scrubjay.daemon.server.endpoints.common import NoteRef
from scrubjay.daemon.server.endpoints.notes import (
    CHUNK,
    CHUNKS,
    NOTE,
    NOTES,
    PAGE,
    RECENT,
    SUGGEST,
    ChunkAsk,
    ChunkReply,
    ChunksAsk,
    ChunksReply,
    NoteAsk,
    NoteReply,
    NotesAsk,
    NotesReply,
    PageAsk,
    PageReply,
    RecentAsk,
    SuggestAsk,
    SuggestReply,
)
from scrubjay.daemon.server.handlers.completions import completions, file_names
from scrubjay.daemon.server.replies.note_replies import chunk_reply, note_reply, recent_notes
from scrubjay.daemon.server.routing import Context, Handlers
from scrubjay.daemon.server.services import Services
from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.search.named_notes import ChunkNotFound, find_chunk
from scrubjay.profiles.search.types import SearchRequest, SearchResult
from scrubjay.profiles.store import reads

HANDLERS = Handlers()

_MOST_CHUNKS = 50
_NAMES_LOOKED_AT = 100  # the newest that hold what was typed
_NO_MARKS = str.maketrans("", "", '"*?\\')  # which the query language reads otherwise


@HANDLERS.answers(CHUNKS)
def chunks(context: Context, request: ChunksAsk) -> ChunksReply:
    wanted = tuple(dict.fromkeys(part.strip() for part in request.ids.split(",") if part.strip()))
    if not 1 <= len(wanted) <= _MOST_CHUNKS:
        raise UsageError(f"Ask for 1 to {_MOST_CHUNKS} passages at once.")
    found: list[ChunkReply] = []
    missing: list[str] = []
    for short_id in wanted:
        try:
            found.append(_chunk(short_id, context.services, context.caller, request.profile))
        except ChunkNotFound:
            missing.append(short_id)
    return ChunksReply(chunks=tuple(found), missing=tuple(missing))


@HANDLERS.answers(CHUNK)
def chunk(context: Context, request: ChunkAsk) -> ChunkReply:
    return _chunk(request.chunk_id, context.services, context.caller)


@HANDLERS.answers(NOTE)
def note(context: Context, request: NoteAsk) -> NoteReply:
    seen = chosen(context.services, context.client, request.profile)
    stores = context.stores(seen)
    places = find_chunk(stores, seen, request.chunk_id)
    fitting = [place for place in places if request.path in (None, place.chunk.path)]
    if not fitting:
        raise ChunkNotFound("No note at this path holds this passage.")
    return note_reply(stores[fitting[0].profile.name], fitting[0])


@HANDLERS.answers(PAGE)
def page(context: Context, request: PageAsk) -> PageReply:
    seen = chosen(context.services, context.client, request.profile)
    places = find_chunk(context.stores(seen), seen, request.chunk_id)
    found = next((place for place in places if request.path in (None, place.chunk.path)), None)
    vault = next((each for each in found.profile.vaults if each.id == found.chunk.vault), None) if found else None
    if found is None or vault is None:
        raise ChunkNotFound("No file at this path holds this passage.")
    number = request.page or (int(found.chunk.place) if found.chunk.place.isdecimal() else 0)
    opened = context.engine.open_profiles.same(found.profile)
    preparation = context.engine.preparation
    wanted = PdfPage(vault, found.chunk.path, number)
    box = preparation.boxes.of(opened.profile.id)
    png = page_picture(opened.profile, opened.store, box, preparation.digest_key(opened.profile), wanted, request.width)
    return PageReply(page=number, png=png)


@HANDLERS.answers(RECENT)
def recent(context: Context, request: RecentAsk) -> NotesReply:
    profiles = in_scope(context.services, context.caller, None if request.profile is None else (request.profile,))
    return NotesReply(notes=recent_notes(context.stores(profiles), profiles, request.limit))


@HANDLERS.answers(NOTES, lane="search")
def notes(context: Context, request: NotesAsk) -> NotesReply:
    profiles = in_scope(context.services, context.caller, None if request.profile is None else (request.profile,))
    if not request.filter.strip():
        return NotesReply(notes=recent_notes(context.stores(profiles), profiles, request.limit))
    names, ids = named_for_search(profiles)
    found = context.services.search(
        SearchRequest(query=request.filter, profiles=names, ids=ids, limit=request.limit, mode="lexical")
    )
    return NotesReply(notes=tuple(_listed(result) for result in found.results))


def _typed_name(request: SuggestAsk) -> str | None:
    """Looking for a title, which each keystroke makes anew, ends the look for that of the keystroke before."""
    return "suggest" if request.kind == "title" and request.prefix.strip() else None


@HANDLERS.answers(SUGGEST, lane="quick", stream=_typed_name)
def suggest(context: Context, request: SuggestAsk) -> SuggestReply:
    profiles = in_scope(context.services, context.caller, None if request.profile is None else (request.profile,))
    if request.kind != "title":
        return SuggestReply(
            suggestions=completions(context.stores(profiles), profiles, request.kind, request.prefix, request.limit)
        )
    if not request.prefix.strip():
        recent = recent_notes(context.stores(profiles), profiles, request.limit)
        return SuggestReply(suggestions=file_names((note.path for note in recent), "", request.limit))
    part = request.prefix.strip().translate(_NO_MARKS)
    stores = context.stores(profiles).values()
    found = [named for store in stores for named in store.read(reads.newest_named, part, _NAMES_LOOKED_AT)]
    newest = sorted(found, key=lambda named: -named[0])[:_NAMES_LOOKED_AT]
    return SuggestReply(suggestions=file_names((path for _, path in newest), request.prefix.strip(), request.limit))


def _listed(result: SearchResult) -> NoteRef:
    return NoteRef(
        id=result.id,
        profile=result.profile,
        vault=result.vault,
        path=result.path,
        title=result.title,
        modified=result.modified,
        tags=result.tags,
        kind=result.kind,
        dated=result.dated,
    )


def _chunk(short_id: str, services: Services, caller: Caller, profile: str | None = None) -> ChunkReply:
    seen = chosen(services, caller.client, profile)
    return chunk_reply(find_chunk(services.stores(seen), seen, short_id))
