"""Which notes somebody means by the id of a passage, a path, the end of one, or a pattern of paths."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import translate
from pathlib import PurePosixPath

from scrubjay.daemon.api.reading import ID_LENGTH, SHORTEST_ID, ChunkNotFound, NoteNotFound, find_chunk
from scrubjay.daemon.errors import UsageError
from scrubjay.daemon.search.show.expected import find_note
from scrubjay.profiles.names import fold
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.store.store import Store

_ID = re.compile(rf"#?[0-9A-Fa-f]{{{SHORTEST_ID},{ID_LENGTH}}}")
_PATTERN = re.compile(r"[*?]")
_MOST_OFFERED = 3


@dataclass(frozen=True, slots=True)
class Named:
    """A note, and the line that an id points at: that of its passage; None for a path."""

    profile: Profile
    note_id: int
    line: int | None = None


def notes_named(stores: Mapping[str, Store], profiles: Sequence[Profile], name: str) -> tuple[Named, ...]:
    """The notes that `name` means, at least one: of a pattern such as `Projects/*.md` several, by path.

    An id with "#" is one; without it, a path that looks like one is meant where no passage has it. A path may leave out
    its beginning and its ending as long as one note alone fits; where several vaults have the whole path, the first.
    Raises NoteNotFound, whose message offers what is spelt alike, ChunkNotFound, AmbiguousId.
    """
    name = name.strip()
    if _ID.fullmatch(name):
        try:
            found = find_chunk(stores, profiles, name)[0]
            return (Named(found.profile, found.chunk.note_id, found.chunk.line),)
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
    raise NoteNotFound(_not_found(stores, profiles, name))


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
            for note in sorted(store.recent(), key=lambda note: (note.path, note.vault)):
                yield profile, note.path, note.note_id


def _not_found(stores: Mapping[str, Store], profiles: Sequence[Profile], name: str) -> str:
    stems: dict[str, list[str]] = {}
    for _, path, _ in _all_paths(stores, profiles):
        stems.setdefault(fold(PurePosixPath(path).stem), []).append(path)
    wanted = fold(PurePosixPath(name).stem)
    alike = stems.get(wanted) or [
        path for stem in get_close_matches(wanted, stems, _MOST_OFFERED, 0.7) for path in stems[stem]
    ]
    if not alike:
        return "No visible note is at this path, and none is called nearly so."
    return f"No one note is at this path. Do you mean {' or '.join(sorted(alike)[:_MOST_OFFERED])}?"
