"""`/v1/read`, `/v1/changes`."""

from collections.abc import Sequence

from scrubjay.daemon.answers.citation import journal_passage
from scrubjay.daemon.server.access.caller import chosen, chosen_of
from scrubjay.daemon.server.endpoints.read import (
    CHANGES,
    NO_RANGE,
    READ,
    ChangedPassage,
    ChangesAsk,
    ChangesReply,
    NoSuchNote,
    PartOfNote,
    ReadAsk,
    ReadReply,
    is_range,
)
from scrubjay.daemon.server.replies.note_lines import AROUND, cut, last_line
from scrubjay.daemon.server.replies.note_replies import time_of
from scrubjay.daemon.server.routing import Context, Handlers
from scrubjay.profiles.errors import NotFound, UsageError
from scrubjay.profiles.kinds import shown_kind
from scrubjay.profiles.search.named_notes import (
    ID_LENGTH,
    NO_NOTE_HERE,
    AmbiguousId,
    Named,
    NoteNotFound,
    PassageInProfile,
    notes_named,
    vault_name,
)
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.rows import ChunkView
from scrubjay.profiles.store.store import Store

HANDLERS = Handlers()

_LEAST_TOKENS = 50  # less of a note than this is not worth its head
_HEAD_TOKENS = 40  # what stands above a note: title, path, tags
_MOST_NOTES = 1_000
_EVERY_LINE = 100_000_000


@HANDLERS.answers(READ)
def read(context: Context, request: ReadAsk) -> ReadReply:
    _check_lines(request)
    seen = chosen_of(context.services, context.client, request.profiles)
    stores = context.stores(seen)
    closed = context.unanswered(seen, stores)
    but = "".join(f" {each.profile} was not looked at: {each.reason}" for each in closed)
    wanted: dict[tuple[str, int], Named] = {}
    entries: dict[bytes, PassageInProfile] = {}
    missing: list[NoSuchNote] = []
    for name in request.notes:
        try:
            wanted |= {(each.profile.id, each.note_id): each for each in notes_named(stores, seen, name)}
        except (NotFound, AmbiguousId) as error:
            if entry := journal_passage(stores, seen, name):
                entries[entry.chunk.digest] = entry
            else:
                missing.append(NoSuchNote(name=name, reason=f"{error}{but}"))
    if len(wanted) > 1 and (request.from_line, request.to_line, request.around) != (None, None, None):
        raise UsageError(f"Lines are of one note; these are {len(wanted):,}. Name one, or leave the lines out.")
    if len(wanted) > _MOST_NOTES:
        raise UsageError(f"{len(wanted):,} notes are meant, and at most {_MOST_NOTES:,} are read. Narrow the pattern.")
    left = request.max_tokens
    parts: list[PartOfNote] = []
    unread: list[str] = []
    for each in wanted.values():
        store = stores[each.profile.name]
        chunks = store.read(reads.note_chunks, each.note_id)
        if not chunks:
            continue  # it has just been removed
        if left < _LEAST_TOKENS:
            unread.append(chunks[0].path)
            continue
        part, tokens = _part(stores[each.profile.name], each, chunks, request, left - _HEAD_TOKENS)
        parts.append(part)
        left -= tokens + _HEAD_TOKENS
    for entry in entries.values():
        if left < _LEAST_TOKENS:
            unread.append(f"#{entry.chunk.digest.hex()}")
            continue
        store = stores[entry.profile.name]
        part, tokens = _part(store, Named(entry.profile, 0), [entry.chunk], request, left - _HEAD_TOKENS)
        parts.append(part)
        left -= tokens + _HEAD_TOKENS
    return ReadReply(notes=tuple(parts), missing=tuple(missing), unread=tuple(unread))


def _check_lines(request: ReadAsk) -> None:
    if request.around is not None and (request.from_line, request.to_line) != (None, None):
        raise UsageError("Say either `around` or `from_line` and `to_line`.")
    if not is_range(request.from_line, request.to_line):
        raise UsageError(NO_RANGE)


@HANDLERS.answers(CHANGES)
def changes(context: Context, request: ChangesAsk) -> ChangesReply:
    seen = chosen(context.services, context.client, request.profile)
    stores = context.stores(seen)
    found = notes_named(stores, seen, request.note)
    if len(found) != 1:
        raise UsageError(f"{len(found):,} notes are called so. Name one, by its #id or path.")
    named = found[0]
    store = stores[named.profile.name]
    since_ns = int(request.since.timestamp() * 1e9)
    chunks = store.read(reads.note_chunks, named.note_id)
    if not chunks:
        raise NoteNotFound(NO_NOTE_HERE)  # it has just been removed
    first = chunks[0]
    is_new = (first.created_ns or 0) >= since_ns  # by its own word: nothing tells when a note without a date came
    new = {chunk.digest for chunk in chunks if is_new or (chunk.since_ns or 0) >= since_ns}
    gone = [each for each, heir in store.read(reads.former_chunks, named.note_id, since_ns) if heir not in new]
    return ChangesReply(
        id=first.digest.hex()[:ID_LENGTH],
        profile=named.profile.name,
        vault=vault_name(store, named.profile, first.vault),
        path=first.path,
        title=first.title,
        modified=first.modified,
        passages=tuple(
            ChangedPassage(
                id=chunk.digest.hex()[:ID_LENGTH],
                headings=chunk.headings,
                line=chunk.line,
                text=chunk.text,
                place=chunk.place,
                changed=chunk.modified if chunk.since_ns is None else time_of(chunk.since_ns),
            )
            for chunk in chunks
            if chunk.digest in new
        ),
        gone=tuple(each.hex()[:ID_LENGTH] for each in gone),
        kept=sum(chunk.digest not in new for chunk in chunks),
        kind=shown_kind(first.kind),
        dated=first.dated,
    )


def _part(
    store: Store, named: Named, chunks: Sequence[ChunkView], request: ReadAsk, max_tokens: int
) -> tuple[PartOfNote, int]:
    """The lines of one note that were asked for, and the tokens they take."""
    first, last = request.from_line or 1, request.to_line or _EVERY_LINE
    if request.around is not None:
        line = request.around or named.line or 1
        first, last = max(line - AROUND, 1), line + AROUND
    found = cut(chunks, first, last, max_tokens)
    chunk = chunks[0]
    part = PartOfNote(
        id=chunk.digest.hex()[:ID_LENGTH],
        profile=named.profile.name,
        vault=vault_name(store, named.profile, chunk.vault),
        path=chunk.path,
        title=chunk.title,
        tags=chunk.tags,
        modified=chunk.modified,
        redactions=chunk.redactions,
        passages=found.passages,
        lines=last_line(chunks),
        next_line=found.next_line,
        lines_left=found.lines_left,
        was=named.was,
        kind=shown_kind(chunk.kind),
        dated=chunk.dated,
    )
    return part, found.tokens
