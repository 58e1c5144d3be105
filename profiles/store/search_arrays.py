"""What a store answers with: its rows, each read in a snapshot, and its arrays in RAM."""

import threading
from collections.abc import Callable, Collection, Sequence
from typing import TypeVar, cast

from scrubjay.profiles.search.meaning import vectors
from scrubjay.profiles.search.meaning.semantic_leg import Measured, SemanticIndex, allowed_chunks, measure, to_measure
from scrubjay.profiles.search.words.evidence import EvidenceReader
from scrubjay.profiles.search.words.vocabulary import CurrentWords
from scrubjay.profiles.store import columns, reads
from scrubjay.profiles.store import reads as languages
from scrubjay.profiles.store.columns import Changes, Columns
from scrubjay.profiles.store.filters import NoteFilter
from scrubjay.profiles.store.note_facts import NoteFacts
from scrubjay.profiles.store.rows import (
    ChunkView,
    FailureRow,
    KindCounts,
    KnownNote,
    LinkRow,
    Nearest,
    NoteTimes,
    NoteView,
    RedactionPlace,
    Vector,
)
from scrubjay.profiles.store.shared_lock import SharedLock
from scrubjay.profiles.store.snapshots import Snapshots
from scrubjay.profiles.store.statements import Connection, generation_of
from scrubjay.profiles.team.vector_index import chosen

T = TypeVar("T")

# The plain reads of a store.


class StoredNotes(Snapshots):
    """What is stored, as it is stored. Thread-safe."""

    def note_count(self) -> int:
        """How many notes are stored; files of other kinds are not counted."""
        with self.reading() as connection:
            return int(str(connection.execute("SELECT count(*) FROM note WHERE kind = ''").get))

    def vaults(self) -> tuple[str, ...]:
        """The ids of the vaults that notes are stored of."""
        with self.reading() as connection:
            return reads.vaults(connection)

    def known_notes(self, vault: str, places: Collection[str] | None = None) -> dict[str, KnownNote]:
        """What is remembered of each note of a vault, by path.

        places: of these notes, and of those below these folders, alone; case and diacritics do not count.
        """
        with self.reading() as connection:
            return reads.known_notes(connection, vault, places, files=False)

    def known_files(self, vault: str, places: Collection[str] | None = None) -> dict[str, KnownNote]:
        """As `known_notes`, of the files of other kinds."""
        with self.reading() as connection:
            return reads.known_notes(connection, vault, places, files=True)

    def scanned_files(self, vault: str) -> dict[str, KnownNote]:
        """As `known_files`, of those with pages, or a picture, whose text was not recognised."""
        with self.reading() as connection:
            return reads.scanned_files(connection, vault)

    def kind_counts(self) -> tuple[KindCounts, ...]:
        """How much is stored of each kind of file beside notes, by the name of the kind."""
        with self.reading(short=True) as connection:
            return reads.kind_counts(connection)

    def passage_languages(self) -> dict[str, int]:
        """How many passages there are of notes in each language, by its code; "" where it is unknown."""
        with self.reading(short=True) as connection:
            return languages.passage_languages(connection)

    def sample_texts(self, language: str, limit: int) -> list[str]:
        """The texts of some passages of notes in a language."""
        with self.reading(short=True) as connection:
            return languages.sample_texts(connection, language, limit)

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

    def texts(self, chunks: Sequence[int]) -> dict[int, str]:
        """The texts of these chunks, by id, and nothing else of them; unknown ids are left out."""
        with self.reading() as connection:
            return reads.texts(connection, chunks)

    def paths_of(self, chunks: Sequence[int]) -> dict[int, str]:
        """The path of each chunk's note, by the chunk's id; unknown ids are left out. No text is read."""
        with self.reading() as connection:
            return reads.paths_of(connection, chunks)

    def note_chunks(self, note_id: int) -> list[ChunkView]:
        """A note's chunks in order; none for an unknown note."""
        with self.reading() as connection:
            return reads.note_chunks(connection, note_id)

    def chunks_by_digest(self, digest_prefix: bytes, limit: int = 10) -> list[ChunkView]:
        """Chunks whose digest begins with these bytes (a result's id is the first six), by digest and id."""
        with self.reading() as connection:
            return reads.chunks_by_digest(connection, digest_prefix, limit)

    def successors(self, digest_prefix: bytes, limit: int = 10) -> list[tuple[bytes, ChunkView]]:
        """What took the place of passages that were edited, by the beginning of their digest, and that digest."""
        with self.reading() as connection:
            return reads.successors(connection, digest_prefix, limit)

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

    def newest_named(self, part: str, limit: int) -> list[tuple[int, str]]:
        """(Unix nanoseconds, path) of the notes modified last in whose file names `part` stands, newest first.

        Case and accents do not count; empty notes are left out.
        """
        with self.reading(short=True) as connection:
            return reads.newest_named(connection, part, limit)

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


# What search keeps of a store in RAM, built when first needed and kept in step with each transaction.
#
# Another process may write to the file too: each read compares the file's generation with the arrays', and loads again
# where they differ.


class SearchArrays:
    """Columns, sketch, vocabulary and the last postings of one store. Thread-safe."""

    def __init__(self) -> None:
        # Guards `_semantic`; taken before `_lock`: words need not wait for vectors. Searches read it together.
        self._loading = SharedLock()
        self._lock = threading.Lock()
        self._columns: Columns | None = None
        self._semantic: SemanticIndex | None = None
        self._numbers: tuple[int, dict[str, object]] = (-1, {})  # generation, what `remembered` has of it
        self._facts = NoteFacts(-1)
        self.evidence = EvidenceReader()
        self.words = CurrentWords()

    def changed(self, changes: Changes, generation: int) -> None:
        """Take in a transaction right after its commit."""
        self.words.changed(changes.words, generation)
        with self._loading.alone(), self._lock:
            if self._columns is not None and self._columns.generation == generation - 1:
                self._columns = self._columns.changed(changes, generation)
            if self._semantic is not None:
                same_model = not changes.model_changed and changes.model in (None, self._semantic.model_row)
                if same_model and self._semantic.generation == generation - 1:
                    self._semantic.changed(changes, generation)
                else:
                    self._semantic = None

    def load(self, connection: Connection) -> None:
        """Have in RAM what searches need: first what those by words do, then the vectors of the model in use."""
        self.columns(connection)
        model_row = vectors.current_model(connection)
        with self._loading.alone():
            if model_row is not None and connection.engine == "sqlite":
                self._index(connection, model_row, self.columns(connection))

    def columns(self, connection: Connection) -> Columns:
        """The columns, at least as new as the connection's snapshot."""
        with self._lock:
            return self._current(connection)

    def nearest(
        self,
        connection: Connection,
        model: str,
        vector: Vector,
        where: NoteFilter | None,
        limit: int,
        also: Sequence[int],
        store_count: int,
    ) -> Nearest:
        """See `Store.nearest`."""
        model_row = self.remembered(connection, f"model {model}", lambda: vectors.model_id(connection, model))
        if model_row is None or limit <= 0:
            return Nearest((), {})
        allowed = allowed_chunks(connection, self.columns(connection), where)
        if connection.engine == "postgres":
            current = self.columns(connection)
            candidates = chosen(connection, model_row, vector, limit, where, allowed, also)
            return measure(connection, current, candidates, vector, limit, also)
        wanted = to_measure(limit, store_count)
        current, candidates = self._chosen(
            connection, model_row, lambda index, columns: index.candidates(vector, wanted, columns, allowed, also)
        )
        return measure(connection, current, candidates, vector, limit, also)

    def _chosen(
        self, connection: Connection, model_row: int, choose: Callable[[SemanticIndex, Columns], Measured]
    ) -> tuple[Columns, Measured]:
        """What `choose` gives, and the columns that it was given; only who has to load the vectors keeps others out."""
        with self._loading.shared():
            current, index = self.columns(connection), self._semantic
            if index is not None and _fits(index, model_row, current):
                return current, choose(index, current)
        with self._loading.alone():
            current = self.columns(connection)
            return current, choose(self._index(connection, model_row, current), current)

    def _index(self, connection: Connection, model_row: int, current: Columns) -> SemanticIndex:
        index = self._semantic
        if index is None or not _fits(index, model_row, current):
            index = self._semantic = SemanticIndex(connection, model_row, current)
        return index

    def pending(self, connection: Connection) -> int:
        """How many texts the model in use has not embedded."""
        return self.remembered(connection, "pending", lambda: vectors.pending_count(connection))

    def remembered(self, connection: Connection, name: str, read: Callable[[], T]) -> T:
        """What is small and asked for by every search: read once in each generation of the store."""
        generation = generation_of(connection)
        known = self._numbers
        if known[0] != generation:
            known = self._numbers = (generation, {})
        if name not in known[1]:
            known[1][name] = read()
        return cast("T", known[1][name])

    def facts(self, connection: Connection) -> NoteFacts:
        """What notes are sorted and counted by, of the connection's snapshot."""
        generation = generation_of(connection)
        with self._lock:
            if self._facts.generation != generation:
                self._facts = NoteFacts(generation)
            return self._facts

    def release_memory(self) -> None:
        """Drop what is there again in a moment, and keep what takes longer: columns, sketch and vocabulary."""
        with self._lock:
            self._facts = NoteFacts(-1)
        self.evidence.forget()

    def forget(self) -> None:
        """Drop all; it is loaded again when next needed."""
        with self._loading.alone(), self._lock:
            self._columns = self._semantic = None
            self._numbers = (-1, {})
        self.words.forget()
        self.release_memory()

    def _current(self, connection: Connection) -> Columns:
        generation = generation_of(connection)
        # Newer arrays than the snapshot are fine: what the snapshot lacks is passed over when its rows are read.
        if self._columns is None or self._columns.generation < generation:
            before = self._columns if connection.engine == "postgres" else None
            self._columns = columns.brought_up_to_date(connection, before) if before else columns.load(connection)
        return self._columns


def _fits(index: SemanticIndex, model_row: int, columns: Columns) -> bool:
    return (index.model_row, index.generation) == (model_row, columns.generation)
