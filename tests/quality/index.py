"""A collection, or a vault, as an index: its documents go the way of notes, into a real store."""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

from scrubjay.credential_filter import BUILT_IN
from scrubjay.daemon.indexing.model_input import embedding_input
from scrubjay.daemon.indexing.prepare import PrepareContext, prepare_many
from scrubjay.daemon.models.token_counter import TokenCounter
from scrubjay.daemon.vault.language import language_of
from scrubjay.daemon.vault.read import RawNote
from scrubjay.profiles.digests import bytes_digest
from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.search.words.analysis import ANALYSIS_VERSION
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.rows import NoteBundle
from scrubjay.profiles.store.store import Store
from tests.helpers.indexed_vault import index_vault
from tests.quality.beir import Collection, Document
from tests.quality.vectors import VectorCache

_VAULT = "quality0"
_KEY = bytes(32)
_BATCH = 256

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Index:
    """A store that holds a collection; `document_of` leads from a note's path back to the document."""

    store: Store
    document_of: dict[str, str]


def build(collection: Collection, cache: Path, embedder: Embedder) -> Index:
    """The collection's index, built if the cache has none for these fingerprints and these documents."""
    path = cache / f"{collection.name}-{_state(collection, embedder)}" / "index.sqlite3"
    return fill(FileStore.open(path), collection, cache, embedder)


def build_vault(vault: Path, name: str, cache: Path, embedder: Embedder) -> Store:
    """The index of a folder of notes, built if the cache has none for these fingerprints that was built to its end."""
    path = cache / f"{name}-{_digest_of(_fingerprints(embedder))}" / "index.sqlite3"
    store = FileStore.open(path)
    if store.read(reads.meta, "quality-state") == "whole":
        return store
    store.close()
    shutil.rmtree(path.parent)
    store = FileStore.open(path)
    index_vault(store, vault, embedder)
    store.set_meta("quality-state", "whole")
    return store


def fill(store: Store, collection: Collection, cache: Path, embedder: Embedder) -> Index:
    """The collection's index in this store, put there unless it is. cache: where vectors are kept."""
    context = _context(embedder)
    state = _state(collection, embedder)
    paths = _paths(collection.documents)
    if store.read(reads.meta, "quality-state") != state:
        _put_notes(store, collection, paths, context)
        _put_vectors(store, cache, embedder)
        store.set_meta("quality-state", state)
    if not embedder.spec.is_usual:
        store.calibrate(embedder.spec.fingerprint)
    return Index(store, {path: document.id for path, document in zip(paths, collection.documents, strict=True)})


def _context(embedder: Embedder) -> PrepareContext:
    return PrepareContext(_KEY, BUILT_IN, TokenCounter(embedder.spec).count_many, embedder.spec.max_tokens)


def _state(collection: Collection, embedder: Embedder) -> str:
    corpus = (collection.folder / "corpus.jsonl").stat()
    return _digest_of((*_fingerprints(embedder), corpus.st_size))


def _fingerprints(embedder: Embedder) -> tuple[object, ...]:
    return (_context(embedder).fingerprint, ANALYSIS_VERSION, embedder.spec.fingerprint)


def _digest_of(parts: tuple[object, ...]) -> str:
    return blake2b(repr(parts).encode(), digest_size=6).hexdigest()


def _paths(documents: Sequence[Document]) -> list[str]:
    """Where each document would lie in a vault. An id that is a path stays; another says nothing, and is not shown."""
    return [doc.id if doc.id.endswith(".md") else f"{doc.number:06d}.md" for doc in documents]


def _put_notes(store: Store, collection: Collection, paths: Sequence[str], context: PrepareContext) -> None:
    for batch in _batches(list(zip(paths, collection.documents, strict=True))):
        prepared = prepare_many([_raw(path, document) for path, document in batch], context)
        with store.writing() as writer:
            for bundle, (_, document) in zip(prepared, batch, strict=True):
                if isinstance(bundle, NoteBundle):
                    writer.put_note(replace(bundle, note=replace(bundle.note, title=document.title)))
    with store.writing() as writer:
        writer.refresh_anchors()
    store.refresh_language(_VAULT, language_of, lambda: True)


def _raw(path: str, document: Document) -> RawNote:
    data = document.text.encode("utf-8", "replace")
    return RawNote(_VAULT, path, document.text, len(data), 0, bytes_digest(data, _KEY))


def _put_vectors(store: Store, cache: Path, embedder: Embedder) -> None:
    vectors = VectorCache(cache / "vectors.sqlite3", embedder)
    model = embedder.spec.fingerprint
    while pending := store.pending_embeddings(model, _BATCH):
        found = vectors.embed([embedding_input(chunk.title, chunk.headings, chunk.text) for chunk in pending])
        with store.writing() as writer:
            writer.put_embeddings(model, [chunk.digest for chunk in pending], found)
    vectors.close()


def _batches(items: Sequence[_T]) -> Iterator[Sequence[_T]]:
    for start in range(0, len(items), _BATCH):
        yield items[start : start + _BATCH]
