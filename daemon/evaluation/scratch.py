"""Asking questions whose words are hidden from the index: on a copy of it, which is overwritten afterwards."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from scrubjay.daemon.embedding.protocol import Embedder
from scrubjay.daemon.indexing.preparing.model_input import embedding_input
from scrubjay.daemon.search.evaluate.evaluation import GoldenQuery
from scrubjay.daemon.search.searcher import Searcher
from scrubjay.daemon.search.types import Mode, SearchRequest
from scrubjay.profiles.database.encryption import destroy
from scrubjay.profiles.store.beside.hiding import hide_names
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.lifecycle import backup
from scrubjay.profiles.store.store import Store

_BATCH = 64
_SUFFIX = ".evaluation"
"""After the database's name, so that what a crash has left goes with the profile."""


@contextmanager
def copy_of(path: Path, key: bytes | None) -> Generator[Store]:
    """A copy of a database, which may be in use, under the same key. Raises StoreError."""
    target = path.with_name(path.name + _SUFFIX)
    destroy(target)
    try:
        backup(path, key, target)
        store = FileStore.open(target, key=key)
        try:
            yield store
        finally:
            store.close()
    finally:
        destroy(target)


@contextmanager
def searching_hidden(
    copy: Store, questions: Sequence[GoldenQuery], embedder: Embedder, mode: Mode, limit: int
) -> Generator[Callable[[str], list[str]]]:
    """Hide what the questions ask from the notes that they expect; the function given searches that copy.

    Nothing learned from names, or opened before, has a part in it.
    """
    hidden: dict[int, list[str]] = {}
    paths = {note.path: note.note_id for note in copy.recent()}
    for question in questions:
        for note in (paths[path] for path in question.notes if path in paths):
            hidden.setdefault(note, []).append(question.query)
    hide_names(copy, hidden)
    model = embedder.spec.fingerprint
    while pending := copy.pending_embeddings(model, _BATCH):
        texts = [embedding_input(chunk.title, chunk.headings, chunk.text) for chunk in pending]
        with copy.writing() as writer:
            writer.put_embeddings(model, [chunk.digest for chunk in pending], embedder.embed_passages(texts))
    searcher = Searcher(lambda: {"copy": copy}, embedder)

    def search(query: str) -> list[str]:
        found = searcher.search(SearchRequest(query, limit=limit, mode=mode, places=limit)).results
        return [path for result in found for path in (result.path, *(copied.path for copied in result.also_in))]

    try:
        yield search
    finally:
        searcher.close()
