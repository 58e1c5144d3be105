"""Dividing a collection among profiles, by topic or at random: what federation has to cope with."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.search.meaning.vectors import vectors_of
from scrubjay.profiles.store import reads
from tests.quality.beir import Collection
from tests.quality.index import Index

Way = Literal["topic", "random"]

_ROUNDS = 25


def split(collection: Collection, index: Index, parts: int, way: Way, seed: int = 1) -> list[Collection]:
    """The collection in so many parts, none empty, each document in one; the same each time."""
    rng = np.random.default_rng(seed)
    if way == "random":
        labels = rng.permutation(len(collection.documents)) % parts
    else:
        labels = _clusters(_document_vectors(collection, index), parts, rng)
    return [
        replace(
            collection,
            name=f"{collection.name}.{way}-{parts}-{number}",
            documents=tuple(doc for doc, label in zip(collection.documents, labels, strict=True) if label == number),
        )
        for number in range(parts)
    ]


def _document_vectors(collection: Collection, index: Index) -> NDArray[np.float32]:
    """The mean of each document's passages, of length 1; zeros for a document without any."""
    path_of = {document: path for path, document in index.document_of.items()}
    (vault,) = index.store.read(reads.vaults)
    rows = [_mean_vector(index, vault, path_of[document.id]) for document in collection.documents]
    size = max(len(row) for row in rows)
    return np.stack([row if len(row) else np.zeros(size, np.float32) for row in rows])


def _mean_vector(index: Index, vault: str, path: str) -> NDArray[np.float32]:
    note = index.store.read(reads.note_by_path, vault, path)
    chunks = index.store.read(reads.note_chunks, note.note_id) if note else []
    found = list(index.store.read(vectors_of, [chunk.digest for chunk in chunks]).values())
    if not found:
        return np.zeros(0, np.float32)
    mean = np.mean(found, axis=0, dtype=np.float32)
    return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-9), dtype=np.float32)


def _clusters(vectors: NDArray[np.float32], count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Spherical k-means: the number of each row's cluster. An empty cluster takes the row that fits its own least."""
    centres = vectors[rng.choice(len(vectors), count, replace=False)]
    labels = np.zeros(len(vectors), dtype=np.int64)
    for _ in range(_ROUNDS):
        likeness = vectors @ centres.T
        labels = likeness.argmax(axis=1)
        for number in range(count):
            if not (labels == number).any():
                labels[likeness.max(axis=1).argmin()] = number
        sums = np.stack([vectors[labels == number].sum(axis=0) for number in range(count)])
        centres = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
    return labels


def sizes(parts: Sequence[Collection]) -> str:
    """How many documents each part has, for the table."""
    return " + ".join(str(len(part.documents)) for part in parts)
