"""Passages and notes as they travel. Nothing here reads a file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from msgspec.structs import asdict

from scrubjay.daemon.links.related import RelatedNote, RelationSignal
from scrubjay.daemon.server.endpoints.common import NoteRef
from scrubjay.daemon.server.endpoints.links import RelatedRef
from scrubjay.daemon.server.endpoints.notes import ChunkReply, LinkReply, NoteReply, Passage, PlaceReply
from scrubjay.profiles.kinds import shown_kind
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.search.named_notes import ID_LENGTH, PassageInProfile, vault_name
from scrubjay.profiles.search.results.snippet import make_snippet
from scrubjay.profiles.search.types import MOST_PLACES
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.rows import ChunkView
from scrubjay.profiles.store.store import Store

_EXCERPT_LENGTH = 160  # code points

_REASONS: Mapping[RelationSignal, str] = {
    "meaning": "similar",
    "shared-links": "shares links",
    "shared-tags": "shares tags",
    "links-to": "linked from here",
    "linked-from": "links here",
    "mentions": "mentioned here",
}


def chunk_reply(places: Sequence[PassageInProfile]) -> ChunkReply:
    """One passage, shown at its first place."""
    first = places[0]
    chunk = first.chunk
    others = [place for place in places[1:] if place.chunk.digest == chunk.digest]
    return ChunkReply(
        id=chunk.digest.hex()[:ID_LENGTH],
        profile=first.profile.name,
        vault=first.vault,
        path=chunk.path,
        title=chunk.title,
        headings=chunk.headings,
        line=chunk.line,
        end_line=chunk.end_line,
        text=chunk.text,
        tags=chunk.tags,
        modified=chunk.modified,
        redactions=chunk.redactions,
        also_in=tuple(
            PlaceReply(profile=place.profile.name, vault=place.vault, path=place.chunk.path)
            for place in others[:MOST_PLACES]
        ),
        also_in_count=len(others),
        kind=shown_kind(chunk.kind),
        place=chunk.place,
        was=first.was,
        dated=chunk.dated,
    )


def note_reply(store: Store, found: PassageInProfile) -> NoteReply:
    """The whole note that contains a passage."""
    chunk = found.chunk
    return NoteReply(
        profile=found.profile.name,
        vault=found.vault,
        path=chunk.path,
        title=chunk.title,
        tags=chunk.tags,
        modified=chunk.modified,
        redactions=chunk.redactions,
        passages=tuple(
            Passage(
                id=part.digest.hex()[:ID_LENGTH],
                headings=part.headings,
                line=part.line,
                text=part.text,
                place=part.place,
            )
            for part in store.read(reads.note_chunks, chunk.note_id)
        ),
        links=tuple(
            LinkReply(target=link.target, line=link.line, text=link.text)
            for link in store.read(reads.links_of, chunk.note_id)
        ),
        kind=shown_kind(chunk.kind),
    )


def recent_notes(
    stores: Mapping[str, Store], profiles: Sequence[Profile], limit: int, offset: int = 0
) -> tuple[NoteRef, ...]:
    """The notes modified last in these profiles together, newest first; so many of the newest are passed over."""
    found = [
        (profile, note)
        for profile in profiles
        if profile.name in stores
        for note in stores[profile.name].read(reads.newest, offset + limit)
    ]
    found.sort(key=lambda pair: (-pair[1].mtime_ns, pair[0].name, pair[1].path))
    return tuple(
        _note_ref(stores[profile.name], profile, chunk)
        for profile, note in found[offset : offset + limit]
        for chunk in stores[profile.name].read(reads.first_chunks, [note.note_id]).values()  # none: just forgotten
    )


def note_refs(store: Store, profile: Profile, note_ids: Iterable[int]) -> dict[int, NoteRef]:
    """Notes by id, each named by its first passage; those that have just been forgotten are left out."""
    first = store.read(reads.first_chunks, list(note_ids))
    return {note_id: _note_ref(store, profile, chunk) for note_id, chunk in first.items()}


def _note_ref(store: Store, profile: Profile, chunk: ChunkView) -> NoteRef:
    return NoteRef(
        id=chunk.digest.hex()[:ID_LENGTH],
        profile=profile.name,
        vault=vault_name(store, profile, chunk.vault),
        path=chunk.path,
        title=chunk.title,
        modified=chunk.modified,
        tags=chunk.tags,
        kind=shown_kind(chunk.kind),
        dated=chunk.dated,
    )


def related_refs(store: Store, profile: Profile, found: Sequence[RelatedNote]) -> Iterator[RelatedRef]:
    """Related notes, each shown by its nearest passage, or by its first where meaning is no reason."""
    for related in found:
        nearest = (
            store.read(reads.chunks, [related.chunk_id]).get(related.chunk_id) if related.chunk_id is not None else None
        )
        chunks = [nearest] if nearest else store.read(reads.note_chunks, related.note_id)[:1]
        for chunk in chunks:  # none when the note has just been forgotten
            yield RelatedRef(
                **asdict(_note_ref(store, profile, chunk)),
                headings=chunk.headings,
                line=chunk.line,
                score=related.score,
                reasons=tuple(_REASONS[reason.signal] for reason in related.reasons),
                unlinked=related.suggested,
                excerpt=make_snippet(chunk.text, (), _EXCERPT_LENGTH).text,
            )


def next_page(end: int, total: int) -> int | None:
    """Where the page begins that follows one which ends at `end`; None where nothing follows."""
    return end if end < total else None


def time_of(ns: int) -> datetime:
    """Unix nanoseconds as a time with its offset, which is UTC."""
    if ns < 0:  # Windows has no timestamps before 1970
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=ns // 1000)
    return datetime.fromtimestamp(ns / 1e9, UTC)
