"""What the stores hold, as it travels: passages, notes, completions, credentials. Nothing here reads a file."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Literal

from scrubjay.credential_filter import BUILT_IN
from scrubjay.daemon.api.endpoints.common import NoteRef
from scrubjay.daemon.api.endpoints.credentials import Credential
from scrubjay.daemon.api.endpoints.graph import RelatedRef
from scrubjay.daemon.api.endpoints.notes import ChunkReply, LinkReply, NoteReply, Passage, PlaceReply, Suggestion
from scrubjay.daemon.errors import NotFound, UsageError
from scrubjay.daemon.file_places import place_name
from scrubjay.daemon.graph.related import RelatedNote, RelationSignal
from scrubjay.daemon.search.show.snippet import make_snippet
from scrubjay.daemon.vault.file_kinds import file_kind
from scrubjay.profiles.database.filters import HasKind
from scrubjay.profiles.database.rows import ChunkView, RedactionPlace, RedactionRow
from scrubjay.profiles.kinds import NOTE, shown_kind
from scrubjay.profiles.names import fold
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.store.store import Store

ID_LENGTH = 12  # hex digits of a chunk's digest
SHORTEST_ID = 6
_MOST_PLACES = 1_000  # of one text in one profile
_EXCERPT_LENGTH = 160  # code points

_REASONS: Mapping[RelationSignal, str] = {
    "meaning": "similar",
    "shared-links": "shares links",
    "shared-tags": "shares tags",
    "links-to": "linked from here",
    "linked-from": "links here",
    "mentions": "mentioned here",
}
_ABOUT = {rule.id: rule.about for rule in BUILT_IN.active}
_WORD = re.compile(r"[^\W_]+")
_COUNTED = {"tag": Store.tags, "folder": Store.folders, "property": Store.properties}


NO_NOTE_HERE = (
    "No visible profile has a note at this path. Give the whole path in its vault, such as Projects/Atlas.md; "
    "a search for `file:atlas` would show it."
)


class ChunkNotFound(NotFound):
    """No visible profile has a passage with this id."""

    code = "chunk-not-found"


class NoteNotFound(NotFound):
    """No visible profile has a note at this place."""

    code = "note-not-found"


class AmbiguousId(UsageError):
    """Several passages begin with this short id."""

    code = "ambiguous-id"
    status = 409


@dataclass(frozen=True, slots=True)
class Found:
    """A passage and the profile that it was found in."""

    profile: Profile
    chunk: ChunkView

    @property
    def vault(self) -> str:
        """The vault's name."""
        return vault_name(self.profile, self.chunk.vault)


def find_chunk(stores: Mapping[str, Store], profiles: Sequence[Profile], short_id: str) -> tuple[Found, ...]:
    """Every place of the one passage that an id, or the beginning of one, names.

    Raises UsageError for what is no id, ChunkNotFound, or AmbiguousId when it names several different passages.
    """
    prefix = short_id.removeprefix("#").lower()
    if not SHORTEST_ID <= len(prefix) <= ID_LENGTH or not set(prefix) <= set("0123456789abcdef"):
        raise UsageError(f"A passage's id has {SHORTEST_ID} to {ID_LENGTH} hexadecimal digits.")
    found = tuple(
        Found(profile, chunk)
        for profile in profiles
        if profile.name in stores
        for chunk in _with_prefix(stores[profile.name], prefix)
    )
    if not found:
        raise ChunkNotFound("There is no passage with this id in any profile that this client may see.")
    if len({place.chunk.digest for place in found}) > 1:
        raise AmbiguousId("Several passages begin with this id. Give more of its digits.")
    return found


def _with_prefix(store: Store, prefix: str) -> list[ChunkView]:
    whole_bytes = bytes.fromhex(prefix[: len(prefix) // 2 * 2])
    return [
        chunk for chunk in store.chunks_by_digest(whole_bytes, _MOST_PLACES) if chunk.digest.hex().startswith(prefix)
    ]


def chunk_reply(places: Sequence[Found]) -> ChunkReply:
    """One passage, shown at its first place."""
    first = places[0]
    chunk = first.chunk
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
        modified=time_of(chunk.mtime_ns),
        redactions=chunk.redactions,
        also_in=tuple(
            PlaceReply(profile=place.profile.name, vault=place.vault, path=place.chunk.path) for place in places[1:]
        ),
        kind=shown_kind(chunk.kind),
        place=chunk.place,
    )


def note_reply(store: Store, found: Found) -> NoteReply:
    """The whole note that contains a passage."""
    chunk = found.chunk
    return NoteReply(
        profile=found.profile.name,
        vault=found.vault,
        path=chunk.path,
        title=chunk.title,
        tags=chunk.tags,
        modified=time_of(chunk.mtime_ns),
        redactions=chunk.redactions,
        passages=tuple(
            Passage(
                id=part.digest.hex()[:ID_LENGTH],
                headings=part.headings,
                line=part.line,
                text=part.text,
                place=part.place,
            )
            for part in store.note_chunks(chunk.note_id)
        ),
        links=tuple(
            LinkReply(target=link.target, line=link.line, text=link.text) for link in store.links_of(chunk.note_id)
        ),
        kind=shown_kind(chunk.kind),
    )


def recent_notes(stores: Mapping[str, Store], profiles: Sequence[Profile], limit: int) -> tuple[NoteRef, ...]:
    """The notes modified last in these profiles together, newest first."""
    found = [
        (profile, note)
        for profile in profiles
        if profile.name in stores
        for note in stores[profile.name].recent(limit, HasKind(NOTE))
    ]
    found.sort(key=lambda pair: (-pair[1].mtime_ns, pair[0].name, pair[1].path))
    return tuple(
        _note_ref(profile, chunks[0])
        for profile, note in found[:limit]
        if (chunks := stores[profile.name].note_chunks(note.note_id))  # else it has just been forgotten
    )


def note_refs(store: Store, profile: Profile, note_ids: Iterable[int]) -> dict[int, NoteRef]:
    """Notes by id, each named by its first passage; those that have just been forgotten are left out."""
    found = ((note_id, store.note_chunks(note_id)) for note_id in note_ids)
    return {note_id: _note_ref(profile, chunks[0]) for note_id, chunks in found if chunks}


def _note_ref(profile: Profile, chunk: ChunkView) -> NoteRef:
    return NoteRef(
        id=chunk.digest.hex()[:ID_LENGTH],
        profile=profile.name,
        vault=vault_name(profile, chunk.vault),
        path=chunk.path,
        title=chunk.title,
        modified=time_of(chunk.mtime_ns),
        tags=chunk.tags,
        kind=shown_kind(chunk.kind),
    )


def note_at(stores: Mapping[str, Store], profiles: Sequence[Profile], vault: str, path: str) -> tuple[Profile, int]:
    """The note at a path of the vault with this name. Raises NoteNotFound."""
    places = ((profile, folder.id) for profile in profiles for folder in profile.vaults if folder.name == vault)
    for profile, vault_id in places:
        store = stores.get(profile.name)
        note = store.note_by_path(vault_id, path) if store else None
        if note is not None:
            return profile, note.note_id
    raise NoteNotFound(NO_NOTE_HERE)


def related_refs(store: Store, profile: Profile, found: Sequence[RelatedNote]) -> Iterator[RelatedRef]:
    """Related notes, each shown by its nearest passage, or by its first where meaning is no reason."""
    for related in found:
        nearest = store.chunks([related.chunk_id]).get(related.chunk_id) if related.chunk_id is not None else None
        chunks = [nearest] if nearest else store.note_chunks(related.note_id)[:1]
        for chunk in chunks:  # none when the note has just been forgotten
            yield RelatedRef(
                id=chunk.digest.hex()[:ID_LENGTH],
                profile=profile.name,
                vault=vault_name(profile, chunk.vault),
                path=chunk.path,
                title=chunk.title,
                modified=time_of(chunk.mtime_ns),
                tags=chunk.tags,
                kind=shown_kind(chunk.kind),
                headings=chunk.headings,
                line=chunk.line,
                score=related.score,
                reasons=tuple(_REASONS[reason.signal] for reason in related.reasons),
                unlinked=related.suggested,
                excerpt=make_snippet(chunk.text, (), _EXCERPT_LENGTH).text,
            )


def completions(
    stores: Mapping[str, Store],
    profiles: Sequence[Profile],
    kind: Literal["tag", "folder", "property"],
    prefix: str,
    limit: int,
) -> tuple[Suggestion, ...]:
    """Tags, folders or properties that begin with `prefix`, or of which a part does; most used first.

    Compared as filters do: without case and accents.
    """
    wanted = fold(prefix).removeprefix("#")
    counts: Counter[str] = Counter()
    for profile in profiles:
        if store := stores.get(profile.name):
            counts.update(_COUNTED[kind](store))
    folded = {value: fold(value) for value in counts}
    fitting = [
        value
        for value, key in folded.items()
        if key.startswith(wanted) or any(part.startswith(wanted) for part in key.split("/"))
    ]
    best = sorted(fitting, key=lambda value: (not folded[value].startswith(wanted), -counts[value], value))
    return tuple(Suggestion(value=value, notes=counts[value]) for value in best[:limit])


def file_names(paths: Iterable[str], prefix: str, limit: int) -> tuple[Suggestion, ...]:
    """Names for `file:` of notes at these paths, without their ending: those that begin with `prefix`, then those of
    which a word does, then the others; within each in the order given.
    """
    wanted = fold(prefix)
    counts = Counter(PurePosixPath(path).stem for path in paths)

    def standing(name: str) -> int:
        key = fold(name)
        if key.startswith(wanted):
            return 0
        return 1 if any(word.startswith(wanted) for word in _WORD.findall(key)) else 2

    best = sorted(counts, key=standing)
    return tuple(Suggestion(value=name, notes=counts[name]) for name in best[:limit])


def credentials_of(stores: Mapping[str, Store], profiles: Sequence[Profile]) -> Iterator[Credential]:
    """Every credential that was found, hidden or let stand, by profile, path and line."""
    for profile in profiles:
        if profile.name not in stores:
            continue
        for place in stores[profile.name].redactions():
            yield credential_reply(profile, vault_name(profile, place.vault), place.path, place)


def credential_reply(profile: Profile, vault: str, path: str, found: RedactionRow | RedactionPlace) -> Credential:
    """One credential of a note, and how it stands. vault: its name."""
    return Credential(
        profile=profile.name,
        vault=vault,
        path=path,
        line=found.line,
        column=found.column,
        rule=found.rule,
        about=_ABOUT.get(found.rule, "a rule of your own"),
        standing=found.standing,
        place=place_name(file_kind(path) or NOTE, found.place),
    )


def vault_name(profile: Profile, vault_id: str) -> str:
    """What a vault of the profile is called; its id where the profile has no such vault any more."""
    return next((vault.name for vault in profile.vaults if vault.id == vault_id), vault_id)


def time_of(ns: int) -> datetime:
    """Unix nanoseconds as a time with its offset, which is UTC."""
    return datetime.fromtimestamp(ns / 1e9, UTC)
