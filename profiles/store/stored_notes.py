"""The plain reads of a store, each in a snapshot of its own."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager

from scrubjay.profiles.database.filters import NoteFilter
from scrubjay.profiles.database.rows import (
    ChunkView,
    FailureRow,
    KnownNote,
    LinkRow,
    NoteTimes,
    NoteView,
    RedactionPlace,
)
from scrubjay.profiles.database.sql import Connection
from scrubjay.profiles.store import reads


class StoredNotes(ABC):
    """What is stored, as it is stored. Thread-safe."""

    @abstractmethod
    def reading(self, *, short: bool = False) -> AbstractContextManager[Connection]:
        """A connection inside one read transaction, for functions of this package."""

    def note_count(self) -> int:
        """How many notes are stored."""
        with self.reading() as connection:
            return int(str(connection.execute("SELECT count(*) FROM note").get))

    def vaults(self) -> tuple[str, ...]:
        """The ids of the vaults that notes are stored of."""
        with self.reading() as connection:
            return reads.vaults(connection)

    def known_notes(self, vault: str, places: Collection[str] | None = None) -> dict[str, KnownNote]:
        """What is remembered of each file of a vault, by path.

        places: of these files, and of those below these folders, alone; case and diacritics do not count.
        """
        with self.reading() as connection:
            return reads.known_notes(connection, vault, places)

    def stamps(self) -> dict[int, int]:
        """Of each note, by id, a number that changes when it does; it compares within one process only."""
        with self.reading() as connection:
            return reads.stamps(connection)

    def failures(self) -> tuple[FailureRow, ...]:
        """All files that could not be indexed, by vault and path."""
        with self.reading(short=True) as connection:
            return reads.failures(connection)

    def redactions(self, vault: str | None = None) -> tuple[RedactionPlace, ...]:
        """Where credentials sit (never what they are), by vault, path and line."""
        with self.reading() as connection:
            return reads.redactions(connection, vault)

    def chunks(self, ids: Sequence[int]) -> dict[int, ChunkView]:
        """The chunks with these ids; unknown ids are left out."""
        with self.reading() as connection:
            return reads.chunks(connection, ids)

    def note_chunks(self, note_id: int) -> list[ChunkView]:
        """A note's chunks in order; none for an unknown note."""
        with self.reading() as connection:
            return reads.note_chunks(connection, note_id)

    def chunks_by_digest(self, digest_prefix: bytes, limit: int = 10) -> list[ChunkView]:
        """Chunks whose digest begins with these bytes (a result's id is the first six), by digest and id."""
        with self.reading() as connection:
            return reads.chunks_by_digest(connection, digest_prefix, limit)

    def note_by_path(self, vault: str, path: str) -> NoteView | None:
        """A note by its place, or None."""
        with self.reading() as connection:
            return reads.note_by_path(connection, vault, path)

    def notes(self, ids: Sequence[int], where: NoteFilter | None = None) -> dict[int, NoteView]:
        """The notes with these ids that pass `where`; unknown ids are left out."""
        with self.reading() as connection:
            return reads.notes(connection, ids, where)

    def recent(self, limit: int | None = None, where: NoteFilter | None = None) -> list[NoteView]:
        """The notes modified last that pass `where`, newest first; limit: None for all."""
        with self.reading() as connection:
            return reads.recent(connection, limit, where)

    def note_times(self, since_ns: int, until_ns: int) -> list[NoteTimes]:
        """The times of the notes written or changed from `since_ns` on and before `until_ns`, in no order.

        With them come all notes whose names hold a year: these may be about any day.
        """
        with self.reading() as connection:
            return reads.note_times(connection, since_ns, until_ns)

    def link_targets(self, note_ids: Sequence[int] | None = None) -> dict[int, list[str]]:
        """What the links in these notes' texts (None: in all) point to, by note, in the order of the lines."""
        with self.reading() as connection:
            return reads.link_targets(connection, note_ids)

    def links_of(self, note_id: int) -> tuple[LinkRow, ...]:
        """The links a note holds, in the order of its lines."""
        with self.reading() as connection:
            return reads.links_of(connection, note_id)

    def tags(self) -> dict[str, int]:
        """Each tag with its number of notes, the most frequent first."""
        with self.reading(short=True) as connection:
            return reads.tags(connection)

    def folders(self) -> dict[str, int]:
        """Each folder with the number of notes in or below it, by name."""
        with self.reading(short=True) as connection:
            return reads.folders(connection)

    def properties(self) -> dict[str, int]:
        """Each frontmatter property with its number of notes, the most frequent first."""
        with self.reading(short=True) as connection:
            return reads.properties(connection)
