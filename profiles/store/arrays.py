"""What search keeps of a store in RAM, built when first needed and kept in step with each transaction.

Another process may write to the file too: each read compares the file's generation with the arrays', and loads
again where they differ.
"""

import threading
from collections.abc import Sequence

import numpy as np

from scrubjay.profiles.database import columns
from scrubjay.profiles.database.columns import Changes, Columns
from scrubjay.profiles.database.filters import NoteFilter
from scrubjay.profiles.database.rows import Nearest, Vector
from scrubjay.profiles.database.sql import Connection
from scrubjay.profiles.lexical.evidence import EvidenceReader
from scrubjay.profiles.lexical.vocabulary import Vocabulary
from scrubjay.profiles.semantic import embeddings
from scrubjay.profiles.semantic.semantic_leg import SemanticIndex, allowed_chunks, measure, to_measure
from scrubjay.profiles.store.note_facts import NoteFacts

STALE_VOCABULARY = 0.1
"""Share of new transactions' chunks after which the words for typos are read again."""


class SearchArrays:
    """Columns, sketch, vocabulary and the last postings of one store. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reading_words = threading.Lock()  # taken before `_lock`: searches need not wait for the vocabulary
        self._columns: Columns | None = None
        self._semantic: SemanticIndex | None = None
        self._vocabulary: tuple[int, Vocabulary] | None = None
        self._pending = (-1, 0)  # generation, texts without a vector
        self._facts = NoteFacts(-1)
        self.evidence = EvidenceReader()

    def changed(self, changes: Changes, generation: int) -> None:
        """Take in a transaction right after its commit."""
        with self._lock:
            if self._columns is not None:
                in_step = self._columns.generation == generation - 1
                self._columns = self._columns.changed(changes, generation) if in_step else None
            if self._semantic is not None:
                same_model = not changes.model_changed and changes.model in (None, self._semantic.model_row)
                if same_model and self._semantic.generation == generation - 1:
                    self._semantic.changed(changes, generation)
                else:
                    self._semantic = None

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
        model_row = embeddings.model_id(connection, model)
        if model_row is None or limit <= 0:
            return Nearest((), {})
        allowed = allowed_chunks(connection, self.columns(connection), where)
        with self._lock:
            current = self._current(connection)
            index = self._index(connection, model_row, current)
            candidates = index.candidates(vector, to_measure(limit, store_count), current, allowed, also)
        return measure(connection, current, candidates, vector, limit, also)

    def _index(self, connection: Connection, model_row: int, current: Columns) -> SemanticIndex:
        index = self._semantic
        if index is None or index.model_row != model_row or index.generation != current.generation:
            index = self._semantic = SemanticIndex(connection, model_row, current)
        return index

    def pending(self, connection: Connection) -> int:
        """How many texts the model in use has not embedded."""
        generation = columns.generation(connection)
        if self._pending[0] != generation:
            self._pending = (generation, embeddings.pending_count(connection))
        return self._pending[1]

    def facts(self, connection: Connection) -> NoteFacts:
        """What notes are sorted and counted by, of the connection's snapshot."""
        generation = columns.generation(connection)
        with self._lock:
            if self._facts.generation != generation:
                self._facts = NoteFacts(generation)
            return self._facts

    def vocabulary(self, connection: Connection) -> Vocabulary:
        """The words of the store; those of the last few notes may be missing."""
        with self._reading_words:
            chunks = int(np.count_nonzero(self.columns(connection).note_of))
            if self._vocabulary is None or abs(self._vocabulary[0] - chunks) > STALE_VOCABULARY * max(chunks, 100):
                self._vocabulary = (chunks, Vocabulary(connection))
            return self._vocabulary[1]

    def release_memory(self) -> None:
        """Drop all but the columns and the sketch, which every search needs."""
        with self._reading_words:
            self._vocabulary = None
        with self._lock:
            self._facts = NoteFacts(-1)
        self.evidence.forget()

    def forget(self) -> None:
        """Drop all; it is loaded again when next needed."""
        with self._lock:
            self._columns = self._semantic = None
        self.release_memory()

    def _current(self, connection: Connection) -> Columns:
        generation = columns.generation(connection)
        # Newer arrays than the snapshot are fine: what the snapshot lacks is passed over when its rows are read.
        if self._columns is None or self._columns.generation < generation:
            self._columns = columns.load(connection)
        return self._columns
