"""Looking for a quotation in the note that it is said to be from."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scrubjay.daemon.api.endpoints.graph import QuotedAt
from scrubjay.daemon.api.reading.naming import ID_LENGTH, NO_NOTE_HERE, NoteNotFound
from scrubjay.daemon.quotes.verify import Verification, verify_quote
from scrubjay.profiles.database.rows import ChunkView
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.store.store import Store


@dataclass(frozen=True, slots=True)
class Citation:
    """What became of a quotation in one note. `places` has one entry a part if and only if it is verified."""

    verification: Verification
    places: tuple[QuotedAt, ...]


@dataclass(frozen=True, slots=True)
class CitedNote:
    """A note's passages, which with their headings are read as one text."""

    pieces: tuple[tuple[ChunkView, str], ...]
    text: str

    @classmethod
    def of(cls, chunks: Sequence[ChunkView]) -> "CitedNote":
        """The note of these passages, which are all it has, in order."""
        pieces = tuple(piece for chunk in _with_new_headings(chunks) for piece in chunk)
        return cls(pieces, "\n".join(text for _, text in pieces))

    def place(self, offset: int) -> QuotedAt:
        """The passage that holds a code point of the text, and the line."""
        for chunk, text in self.pieces:
            if offset <= len(text):
                below = text.count("\n", 0, offset) if text is chunk.text else 0
                return QuotedAt(id=chunk.digest.hex()[:ID_LENGTH], line=chunk.line + below)
            offset -= len(text) + 1
        raise ValueError("the text has no such place")


def cited_in(chunks: Sequence[ChunkView], quote: str) -> Citation:
    """Look for a quotation in a note's passages."""
    note = CitedNote.of(chunks)
    found = verify_quote(quote, note.text)
    return Citation(found, tuple(note.place(start) for start, _ in found.spans))


def places_of(
    stores: Mapping[str, Store], profiles: Sequence[Profile], path: str, vault: str | None
) -> tuple[tuple[Profile, int], ...]:
    """Every note at this path: of the vault with this name, or of any. Raises NoteNotFound where there is none."""
    found = [
        (profile, note.note_id)
        for profile in profiles
        if (store := stores.get(profile.name))
        for folder in profile.vaults
        if vault in (None, folder.name) and (note := store.note_by_path(folder.id, path))
    ]
    if not found:
        raise NoteNotFound(NO_NOTE_HERE)
    return tuple(found)


def _with_new_headings(chunks: Sequence[ChunkView]) -> Iterator[list[tuple[ChunkView, str]]]:
    """Each passage with the headings that the one before it did not stand under: they are not in its text."""
    before: tuple[str, ...] = ()
    for chunk in chunks:
        new = chunk.headings[_shared(before, chunk.headings) :]
        yield [*((chunk, heading) for heading in new), (chunk, chunk.text)]
        before = chunk.headings


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    return next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), len(one))
