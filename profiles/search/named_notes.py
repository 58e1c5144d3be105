"""Which notes somebody means by the id of a passage, a path, the end of one, or a pattern of paths."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import translate
from pathlib import PurePosixPath

from scrubjay.profiles.errors import NotFound, UsageError
from scrubjay.profiles.names import fold
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.search.results.explain import find_note
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.rows import ChunkView, NoteView
from scrubjay.profiles.store.store import Store

ID_LENGTH = 12  # hex digits of a chunk's digest
SHORTEST_ID = 6
_MOST_PLACES = 1_000  # of one text in one profile
_ID = re.compile(rf"#?[0-9A-Fa-f]{{{SHORTEST_ID},{ID_LENGTH}}}")
_PATTERN = re.compile(r"[*?]")
_MOST_OFFERED = 3

NO_NOTE_HERE = (
    "No visible profile has a note at this path. Give the whole path in its vault, such as Projects/Atlas.md; "
    "a search for `file:atlas` would show it."
)
SEVERAL_HERE = "Several vaults have a note at this path: name the profile, or the vault."


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
class PassageInProfile:
    """A passage, the profile that it was found in, and the name of its vault."""

    profile: Profile
    chunk: ChunkView
    vault: str
    was: str = ""  # the id that it was found by, where that is of a passage that was edited since; this took its place


def find_chunk(stores: Mapping[str, Store], profiles: Sequence[Profile], short_id: str) -> tuple[PassageInProfile, ...]:
    """Every place of the one passage that an id, or the beginning of one, names.

    The id of a passage that was edited since leads to what stands in its place.

    Raises UsageError for what is no id, ChunkNotFound, or AmbiguousId when it names several different passages.
    """
    prefix = short_id.removeprefix("#").lower()
    if not SHORTEST_ID <= len(prefix) <= ID_LENGTH or not set(prefix) <= set("0123456789abcdef"):
        raise UsageError(f"A passage's id has {SHORTEST_ID} to {ID_LENGTH} hexadecimal digits.")
    opened = [(profile, stores[profile.name]) for profile in profiles if profile.name in stores]
    found = tuple(
        PassageInProfile(profile, chunk, vault_name(store, profile, chunk.vault))
        for profile, store in opened
        for chunk in _with_prefix(store, prefix)
    )
    if not found:
        found = tuple(
            PassageInProfile(profile, chunk, vault_name(store, profile, chunk.vault), digest.hex()[:ID_LENGTH])
            for profile, store in opened
            for digest, chunk in _formerly_with_prefix(store, prefix)
        )
    if not found:
        raise ChunkNotFound("There is no passage with this id in any profile that this client may see.")
    if len({place.was or place.chunk.digest.hex() for place in found}) > 1:
        raise AmbiguousId("Several passages begin with this id. Give more of its digits.")
    return found


def _with_prefix(store: Store, prefix: str) -> list[ChunkView]:
    whole_bytes = bytes.fromhex(prefix[: len(prefix) // 2 * 2])
    return [
        chunk
        for chunk in store.read(reads.chunks_by_digest, whole_bytes, _MOST_PLACES)
        if chunk.digest.hex().startswith(prefix)
    ]


def _formerly_with_prefix(store: Store, prefix: str) -> list[tuple[bytes, ChunkView]]:
    found = store.read(reads.successors, bytes.fromhex(prefix[: len(prefix) // 2 * 2]), _MOST_PLACES)
    return [each for each in found if each[0].hex().startswith(prefix)]


def notes_at(
    stores: Mapping[str, Store], profiles: Sequence[Profile], path: str, vault: str | None = None
) -> tuple[tuple[Profile, NoteView], ...]:
    """Every note at this path, at least one: of the vault that is called so (see `vault_name`), or of any.

    In each profile those of its own vaults are first; then, in a team's, those that others brought in.
    Raises NoteNotFound.
    """
    found: list[tuple[Profile, NoteView]] = []
    for profile in profiles:
        if store := stores.get(profile.name):
            own = [folder.id for folder in profile.vaults]
            notes = [note for note in store.read(reads.notes_by_path, path) if store.is_shared or note.vault in own]
            notes.sort(key=lambda note: [*own, note.vault].index(note.vault))
            found += [(profile, note) for note in notes if vault in (None, vault_name(store, profile, note.vault))]
    if not found:
        raise NoteNotFound(NO_NOTE_HERE)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Named:
    """A note, and the line that an id points at: that of its passage; None for a path."""

    profile: Profile
    note_id: int
    line: int | None = None
    was: str = ""  # as of `PassageInProfile`


def notes_named(stores: Mapping[str, Store], profiles: Sequence[Profile], name: str) -> tuple[Named, ...]:
    """The notes that `name` means, at least one: of a pattern such as `Projects/*.md` several, by path.

    An id with "#" is one; without it, a path that looks like one is meant where no passage has it. A path may leave out
    its beginning and its ending as long as one note alone fits; where several vaults have the whole path, the first.
    So may the name of a note all that follows a whole word.

    Raises NoteNotFound, whose message offers what is spelt alike, ChunkNotFound, AmbiguousId.
    """
    name = name.strip()
    if _ID.fullmatch(name):
        try:
            found = find_chunk(stores, profiles, name)[0]
            return (Named(found.profile, found.chunk.note_id, found.chunk.line, found.was),)
        except ChunkNotFound:
            if name.startswith("#"):
                raise
    if _PATTERN.search(name):
        several = tuple(_fitting(stores, profiles, name))
        if several:
            return several
        raise NoteNotFound("No visible note has a path of this pattern.")
    vaults = {folder.id: folder.name for profile in profiles for folder in profile.vaults}
    note = find_note(stores, vaults, name, None)
    if note is not None:
        return (Named(next(each for each in profiles if each.name == note.profile), note.note.note_id),)
    begun = [(profile, path, note_id) for profile, path, note_id in _all_paths(stores, profiles) if _begins(path, name)]
    if len(begun) == 1:
        return (Named(begun[0][0], begun[0][2]),)
    raise NoteNotFound(_offered(path for _, path, _ in begun) if begun else _not_found(stores, profiles, name))


def note_named(stores: Mapping[str, Store], profiles: Sequence[Profile], name: str) -> Named:
    """The one note that `name` means. Raises as `notes_named`, and UsageError for a pattern of several."""
    first, *more = notes_named(stores, profiles, name)
    if more:
        raise UsageError(f"{len(more) + 1:,} notes have a path of this pattern. Name one.")
    return first


def _fitting(stores: Mapping[str, Store], profiles: Sequence[Profile], pattern: str) -> Iterator[Named]:
    wanted = re.compile(translate(fold(pattern.removeprefix("./").replace("[", "[[]"))))
    for profile, path, note_id in _all_paths(stores, profiles):
        if wanted.match(fold(path)):
            yield Named(profile, note_id)


def _all_paths(stores: Mapping[str, Store], profiles: Sequence[Profile]) -> Iterator[tuple[Profile, str, int]]:
    """Every note's path, in order of profiles and paths."""
    for profile in profiles:
        if store := stores.get(profile.name):
            for note in sorted(store.read(reads.recent), key=lambda note: (note.path, note.vault)):
                yield profile, note.path, note.note_id


def _not_found(stores: Mapping[str, Store], profiles: Sequence[Profile], name: str) -> str:
    stems: dict[str, list[str]] = {}
    for _, path, _ in _all_paths(stores, profiles):
        stems.setdefault(fold(PurePosixPath(path).stem), []).append(path)
    wanted = fold(PurePosixPath(name).stem)
    alike = stems.get(wanted) or [
        path for stem in get_close_matches(wanted, stems, _MOST_OFFERED, 0.7) for path in stems[stem]
    ]
    return _offered(alike) if alike else "No visible note is at this path, and none is called nearly so."


def _offered(paths: Iterable[str]) -> str:
    return f"No one note is at this path. Do you mean {' or '.join(sorted(paths)[:_MOST_OFFERED])}?"


def _begins(path: str, name: str) -> bool:
    """Whether the name of the note at this path begins with whole words that are `name`."""
    stem, begun = fold(PurePosixPath(path).stem), fold(name)
    return stem.startswith(begun) and not (stem[len(begun) : len(begun) + 1].isalnum() and begun[-1:].isalnum())


def vault_name(store: Store, profile: Profile, vault_id: str) -> str:
    """What a vault of the profile is called, on this computer or, in a team's, by who brought it; else its id."""
    return store.vault_name(vault_id, {vault.id: vault.name for vault in profile.vaults})
