"""`/v1/chunks`, `/v1/notes`, `/v1/recent`, `/v1/suggest`: reading what is indexed."""

import re
from collections.abc import Iterator

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
from scrubjay.daemon.server.handlers.completions import completions, file_names, named_folders
from scrubjay.daemon.server.replies.note_replies import chunk_reply, next_page, note_reply, recent_notes
from scrubjay.daemon.server.routing import Context, Handlers
from scrubjay.daemon.server.services import Services
from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.local_time import local_now
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.search.named_notes import ChunkNotFound, find_chunk
from scrubjay.profiles.search.query.operators import OPERATORS
from scrubjay.profiles.search.query.parser import parse_query
from scrubjay.profiles.search.query.query_tree import Either, Every, Node, Phrase, Word
from scrubjay.profiles.search.types import SearchRequest, SearchResult
from scrubjay.profiles.store import reads

HANDLERS = Handlers()

_MOST_CHUNKS = 50
_NAMES_LOOKED_AT = 100  # the newest that hold what was typed
_NO_FILTER = re.compile(r"[^\W\d]\w*:")
_FILTERS = f"filters are {', '.join(f'{name}:' for name in OPERATORS)}, and [property:value]"
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
    return _newest(context, profiles, request)


def _newest(context: Context, profiles: tuple[Profile, ...], request: RecentAsk | NotesAsk) -> NotesReply:
    stores = context.stores(profiles)
    notes = recent_notes(stores, profiles, request.limit, request.offset)
    total = sum(store.derived(reads.newest_count) for store in stores.values())
    return NotesReply(
        notes=notes,
        total=total,
        next_offset=next_page(request.offset + len(notes), total),
        unanswered=context.unanswered(profiles, stores),
    )


@HANDLERS.answers(NOTES, lane="search")
def notes(context: Context, request: NotesAsk) -> NotesReply:
    profiles = in_scope(context.services, context.caller, None if request.profile is None else (request.profile,))
    if not request.filter.strip():
        return _newest(context, profiles, request)
    names, ids = named_for_search(profiles)
    found = context.services.search(
        SearchRequest(
            query=request.filter,
            profiles=names,
            ids=ids,
            limit=request.limit,
            offset=request.offset,
            mode="lexical",
            fold="none",
        )
    )
    words = tuple(_words(parse_query(request.filter, local_now()).tree))
    no_filters = tuple(dict.fromkeys(name[0] for word in words if (name := _NO_FILTER.match(word))))
    said = [f"`{name}` is no filter, so it was searched as words; {_FILTERS}." for name in no_filters]
    return NotesReply(
        notes=tuple(_listed(result) for result in found.results),
        total=len(found.results) if found.total_notes is None else found.total_notes,
        next_offset=found.next_offset,
        order="best" if words else "newest",
        warnings=(*said, *(warning.message for warning in found.warnings)),
        unanswered=found.unanswered,
    )


def _typed_name(request: SuggestAsk) -> str | None:
    """Looking for a title, which each keystroke makes anew, ends the look for that of the keystroke before."""
    return "suggest" if request.kind == "title" and request.prefix.strip() else None


@HANDLERS.answers(SUGGEST, lane="quick", stream=_typed_name)
def suggest(context: Context, request: SuggestAsk) -> SuggestReply:
    profiles = in_scope(context.services, context.caller, None if request.profile is None else (request.profile,))
    if request.kind == "named-folder":
        return SuggestReply(
            suggestions=named_folders(context.stores(profiles), profiles, request.prefix, request.limit)
        )
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


def _words(node: Node) -> Iterator[str]:
    """Words and phrases that rank what a filter lets through."""
    match node:
        case Word(text=text) | Phrase(text=text):
            yield text
        case Every(parts=parts) | Either(parts=parts):
            for part in parts:
                yield from _words(part)
        case _:
            pass


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
