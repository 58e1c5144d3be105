"""Of 50,000 passages the ten nearest are among those that are measured, however a model lays its vectors out."""

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from scrubjay.profiles.search.rank.retrieval import SEMANTIC_DEPTH
from scrubjay.profiles.store.columns import PASSAGES
from scrubjay.profiles.store.file_store import FileStore
from tests.integration.profiles.notes import bundle, digest
from tests.quality.test_any_model import DIM, MODELS

NOTES, EACH, SUBJECTS = 500, 100, 200
SPREAD = np.arange(1, DIM + 1) ** -0.35
"""Of the directions that passages differ in: in a model's vectors the first few hold most."""
RNG = np.random.default_rng(50)
TURNED = np.linalg.qr(RNG.standard_normal((DIM, DIM)))[0]
Rows = NDArray[np.float32]


def spread(numbers: NDArray[np.float64]) -> Rows:
    """Numbers as vectors: of the dimensions themselves none is like a direction that passages differ in."""
    return (numbers * SPREAD @ TURNED).astype(np.float32)


def of_length_1(rows: Rows) -> Rows:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture(scope="module")
def passages() -> Rows:
    """Of notes about a few subjects."""
    subjects = 0.8 * RNG.standard_normal((SUBJECTS, 1, DIM))[RNG.integers(0, SUBJECTS, NOTES)]
    notes = subjects + 0.8 * RNG.standard_normal((NOTES, 1, DIM))
    return of_length_1(spread(notes + RNG.standard_normal((NOTES, EACH, DIM))).reshape(-1, DIM))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FileStore]:
    opened = FileStore.open(tmp_path_factory.mktemp("many") / "index.sqlite3")
    with opened.writing() as writer:
        for note in range(NOTES):
            writer.put_note(bundle(f"{note}.md", *(f"{note} {number}" for number in range(EACH))))
    yield opened
    opened.close()


def ten_nearest(similarities: Rows) -> list[int]:
    """The best passages of all, no more of a note than a search has."""
    found, taken = list[int](), Counter[int]()
    for passage in np.argsort(-similarities).tolist():
        if taken[passage // EACH] < PASSAGES:
            taken[passage // EACH] += 1
            found.append(passage)
        if len(found) == 10:
            break
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_the_ten_nearest_are_found(name: str, passages: Rows, store: FileStore) -> None:
    asked = passages[::1009]
    noise = spread(0.8 / np.linalg.norm(SPREAD) * RNG.standard_normal(asked.shape))
    vectors, queries = (of_length_1(MODELS[name](rows, ())) for rows in (passages, asked + noise))
    digests = [digest(f"{note} {number}") for note in range(NOTES) for number in range(EACH)]
    with store.writing() as writer:
        writer.put_embeddings(name, digests, vectors)
    store.calibrate(name)
    found = 0
    for query, similarities in zip(queries, queries @ vectors.T, strict=True):
        near = {hit.digest for hit in store.nearest(name, query, where=None, limit=SEMANTIC_DEPTH).hits}
        found += sum(digests[passage] in near for passage in ten_nearest(similarities))
    assert found >= 0.98 * 10 * len(queries)
