"""What a model's similarities say is measured on a store's own vectors, whatever kind of store it is."""

import numpy as np

from scrubjay.profiles.search.meaning.calibration import GROWN, Calibration
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.integrity_check import check
from scrubjay.profiles.store.rows import Vector, Vectors
from scrubjay.profiles.store.store import Store
from tests.integration.profiles.notes import bundle, digest

DIM = 64
MODEL, OTHER = "aa" * 16, "bb" * 16
COMMON = np.sign(np.random.default_rng(1).standard_normal(DIM)) / DIM**0.5


def texts_of(note: int) -> tuple[str, str]:
    return f"note {note}, its beginning", f"note {note}, its end"


def vectors_of(notes: range, common: float = 3.0) -> Vectors:
    """Two passages a note, alike; all notes point much the same way."""
    rng = np.random.default_rng(2)
    abouts = rng.standard_normal((max(notes) + 1, 1, DIM))
    found = (abouts + 0.3 * rng.standard_normal((len(abouts), 2, DIM)))[notes.start :]
    found = (found / DIM**0.5 + common * COMMON).reshape(-1, DIM)
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


def put(store: Store, notes: range, model: str = MODEL, common: float = 3.0) -> None:
    with store.writing() as writer:
        for note in notes:
            writer.put_note(bundle(f"{note}.md", *texts_of(note)))
        digests = [digest(text) for note in notes for text in texts_of(note)]
        writer.put_embeddings(model, digests, vectors_of(notes, common))


def measured(store: Store, model: str = MODEL) -> Calibration:
    store.calibrate(model)
    found = store.calibration(model)
    assert found is not None
    return found


def test_before_it_is_measured_there_is_none_and_without_vectors_nothing_is_measured(store: Store):
    store.calibrate(MODEL)
    assert store.calibration(MODEL) is None
    put(store, range(20))
    assert store.calibration(MODEL) is None


def test_it_is_of_the_stores_own_vectors(store: Store):
    put(store, range(40))
    found = measured(store)
    vectors = vectors_of(range(40))
    assert found.vectors == 80
    assert found.mean @ vectors.mean(axis=0) > 0.999 * np.linalg.norm(found.mean) * np.linalg.norm(vectors.mean(axis=0))
    assert found.told_apart > 0.95
    assert 0.01 < found.spread < 0.03


def test_it_is_measured_again_when_there_are_many_more_vectors_and_not_before(store: Store):
    put(store, range(10))
    first = measured(store)
    put(store, range(10, 10 * GROWN - 1))
    assert measured(store) == first
    put(store, range(10 * GROWN - 1, 10 * GROWN))
    assert measured(store).vectors == 20 * GROWN


def nearest(store: Store, query: Vector) -> tuple[list[int], list[int]]:
    """The passages that a search finds, and those that are."""
    near, exact = store.nearest(MODEL, query, where=None, limit=10), store.scan(MODEL, query, where=None, limit=10)
    return [hit.chunk_id for hit in near.hits], [hit.chunk_id for hit in exact]


def test_a_search_finds_the_exact_nearest_and_nothing_is_out_of_step(store: Store):
    put(store, range(600))
    nearest(store, vectors_of(range(600))[100])  # so that sketches are there, which the measured ones replace
    measured(store)
    found, exact = nearest(store, vectors_of(range(600))[100])
    assert found == exact
    put(store, range(600, 700))  # around the centre that was measured before
    for query in vectors_of(range(700))[::280]:
        found, exact = nearest(store, query)
        assert found == exact
    assert check(store, digest=digest) == ()


def test_it_goes_with_its_model(store: Store):
    put(store, range(10))
    measured(store)
    with store.writing() as writer:
        writer.use_model(OTHER)
    put(store, range(10), OTHER)
    measured(store, OTHER)
    with store.writing() as writer:
        writer.forget_other_models(OTHER)
    assert store.calibration(MODEL) is None
    assert store.calibration(OTHER) is not None


def test_what_another_model_embeds_meanwhile_leaves_the_nearest_as_they_are(store: Store):
    put(store, range(700))
    measured(store)
    query = vectors_of(range(700))[100]
    _, exact = nearest(store, query)
    with store.writing() as writer:
        writer.use_model(OTHER)
    for notes in (range(200), range(200, 400)):
        with store.writing() as writer:
            digests = [digest(text) for note in notes for text in texts_of(note)]
            writer.put_embeddings(OTHER, digests, vectors_of(notes, common=0.0))
        assert nearest(store, query) == (exact, exact)
    with store.writing() as writer:
        writer.forget_notes([note.note_id for note in store.read(reads.recent) if note.path == "50.md"])
    found, left = nearest(store, query)
    assert found == left
    assert not {*found} & {*exact[:2]}
    assert (store.embedded_count(MODEL), store.embedded_count(OTHER)) == (1398, 798)
