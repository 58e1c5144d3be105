"""What search keeps of a store in RAM, built when first needed and kept in step with each transaction.

Another process may write to the file too: each read compares the file's generation with the arrays', and loads again
where they differ.
"""

import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar, cast

from scrubjay.profiles.search.meaning import vectors
from scrubjay.profiles.search.meaning.semantic_leg import Measured, SemanticIndex, allowed_chunks, measure, to_measure
from scrubjay.profiles.search.words.evidence import EvidenceReader
from scrubjay.profiles.search.words.vocabulary import CurrentWords
from scrubjay.profiles.store import columns
from scrubjay.profiles.store.columns import Changes, Columns
from scrubjay.profiles.store.filters import NoteFilter
from scrubjay.profiles.store.note_facts import NoteFacts
from scrubjay.profiles.store.rows import SemanticCandidates, Vector
from scrubjay.profiles.store.shared_lock import SharedLock
from scrubjay.profiles.store.statements import Connection, generation_of

T = TypeVar("T")

_LONGEST_COMMIT_SECONDS = 5.0  # after which what is lacking is loaded


@dataclass(frozen=True, slots=True)
class ArraySizes:
    """Bytes that the arrays of a store take; 0: not loaded."""

    columns: int  # what each search needs of every passage
    sketches: int  # by which candidates are chosen by meaning
    words: int  # that mistyped ones are near to


class SearchArrays:
    """Columns, sketch, vocabulary and the last postings of one store. Thread-safe."""

    def __init__(self) -> None:
        # Guards `_semantic`; taken before `_lock`: words need not wait for vectors. Searches read it together.
        self._loading = SharedLock()
        self._lock = threading.Lock()
        self._committing = threading.Condition()
        self._expected: int | None = None  # the generation of a transaction that may be seen, and is not taken in yet
        self._columns: Columns | None = None
        self._semantic: SemanticIndex | None = None
        self._numbers: tuple[int, dict[str, object]] = (-1, {})  # generation, what `remembered` has of it
        self._facts = NoteFacts(-1)
        self._same_notes = (-1, -1)  # the first and the last generation of the newest that have the same notes
        self.evidence = EvidenceReader()
        self.words = CurrentWords()

    @contextmanager
    def committing(self) -> Generator[Callable[[int], None]]:
        """A transaction that is `changed` in this block. It yields what is told its generation before the commit.

        Who reads it before it is taken in waits for that, where all would be loaded anew otherwise.
        """
        try:
            yield self._expect
        finally:
            self._expect(None)

    def _expect(self, generation: int | None) -> None:
        with self._committing:
            self._expected = generation
            self._committing.notify_all()

    def _await_commit(self, connection: Connection) -> None:
        """To be called with no lock of these arrays held, as `changed` takes them."""
        generation = generation_of(connection)
        with self._committing:
            self._committing.wait_for(lambda: self._expected != generation, _LONGEST_COMMIT_SECONDS)

    def changed(self, changes: Changes, generation: int) -> None:
        """Take in a transaction right after its commit."""
        self._take_in(changes, generation)
        self._expect(None)
        self.words.changed(changes.words, generation)

    def _take_in(self, changes: Changes, generation: int) -> None:
        with self._loading.alone(), self._lock:
            if changes.beside_notes:
                first, last = self._same_notes
                self._same_notes = (first if last == generation - 1 else generation - 1, generation)
            if self._columns is not None and self._columns.generation == generation - 1:
                self._columns = self._columns.changed(changes, generation)
            if self._semantic is not None:
                is_other = changes.model not in (None, self._semantic.model_row)
                is_lacking = changes.model_changed or (is_other and changes.chunks)  # whose vectors of this model, too
                if not is_lacking and self._semantic.generation == generation - 1:
                    self._semantic.changed(changes, generation)
                else:
                    self._semantic = None

    def load(self, connection: Connection) -> None:
        """Have in RAM what searches need: first what those by words do, then the vectors of the model in use."""
        self.columns(connection)
        self._load_vectors(connection)

    def _load_vectors(self, connection: Connection) -> None:
        model_row = vectors.current_model(connection)
        with self._loading.alone():
            if model_row is not None:
                self._index(connection, model_row, self._columns_now(connection))

    def columns(self, connection: Connection) -> Columns:
        """The columns, at least as new as the connection's snapshot."""
        self._await_commit(connection)
        return self._columns_now(connection)

    def _columns_now(self, connection: Connection) -> Columns:
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
    ) -> SemanticCandidates:
        """See `Store.nearest`."""
        model_row = self._model_row(connection, model)
        if model_row is None or limit <= 0:
            return SemanticCandidates((), {})
        allowed = allowed_chunks(connection, self.columns(connection), where)
        wanted = to_measure(limit, store_count)
        current, candidates = self._chosen(
            connection, model_row, lambda index, columns: index.candidates(vector, wanted, columns, allowed, also)
        )
        return measure(connection, current, candidates, vector, limit, also)

    def _model_row(self, connection: Connection, model: str) -> int | None:
        return self.remembered(connection, f"model {model}", lambda: vectors.model_id(connection, model))

    def _chosen(
        self, connection: Connection, model_row: int, choose: Callable[[SemanticIndex, Columns], Measured]
    ) -> tuple[Columns, Measured]:
        """What `choose` gives, and the columns that it was given; only who has to load the vectors keeps others out.

        To be called once the snapshot's commit is taken in, as it is after `columns`.
        """
        with self._loading.shared():
            current, index = self._columns_now(connection), self._semantic
            if index is not None and _fits(index, model_row, current):
                return current, choose(index, current)
        with self._loading.alone():
            current = self._columns_now(connection)
            return current, choose(self._index(connection, model_row, current), current)

    def _index(self, connection: Connection, model_row: int, current: Columns) -> SemanticIndex:
        index = self._semantic
        if index is None or not _fits(index, model_row, current):
            index = self._semantic = SemanticIndex(connection, model_row, current)
        return index

    def embedded(self, connection: Connection, model: str) -> int:
        """How many texts a model has embedded."""
        return self.remembered(connection, f"embedded by {model}", lambda: vectors.embedded_count(connection, model))

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

    def lately(self, name: str, nothing: T) -> T:
        """What is `remembered` by this name, of whichever generation; `nothing` where it has not been read."""
        return cast("T", self._numbers[1].get(name, nothing))

    def notes_generation(self, connection: Connection) -> int:
        """The first generation known to have the notes of the connection's snapshot, and what is said of them."""
        self._await_commit(connection)
        generation = generation_of(connection)
        first, last = self._same_notes
        return first if first <= generation <= last else generation

    def facts(self, connection: Connection) -> NoteFacts:
        """What notes are sorted and counted by, of the connection's snapshot."""
        generation = self.notes_generation(connection)
        with self._lock:
            if self._facts.generation != generation:
                self._facts = NoteFacts(generation)
            return self._facts

    def sizes(self) -> ArraySizes:
        """What they take now."""
        known, semantic = self._columns, self._semantic
        return ArraySizes(known.nbytes if known else 0, semantic.nbytes if semantic else 0, self.words.nbytes)

    def release_memory(self) -> None:
        """Drop what is there again in a moment, and keep what takes longer: columns, sketch and vocabulary."""
        with self._loading.alone(), self._lock:
            self._facts = NoteFacts(-1)
            if self._semantic is not None:
                self._semantic.release_memory()
        self.evidence.forget()
        self.words.release_memory()

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
            self._columns = self._read_columns(connection, self._columns)
        return self._columns

    def _read_columns(self, connection: Connection, before: Columns | None) -> Columns:
        """The columns of a snapshot. before: those of an earlier one."""
        del before
        return columns.load(connection)


def _fits(index: SemanticIndex, model_row: int, columns: Columns) -> bool:
    return (index.model_row, index.generation) == (model_row, columns.generation)
