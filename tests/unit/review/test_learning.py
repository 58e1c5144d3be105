"""When a query matrix is used: where names of notes that it never saw find these better than by chance."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from scrubjay.daemon.review.learning import LEAST_GAIN, Names, learn
from scrubjay.daemon.review.steps import LEAST_PAIRS
from scrubjay.profiles.search.meaning.query_matrix import QueryMatrix
from scrubjay.profiles.search.meaning.vectors import quantized
from scrubjay.profiles.store.query_matrices import NotePassages
from scrubjay.profiles.store.rows import Vectors

DIM = 24


def unit(vectors: NDArray[np.float64]) -> Vectors:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def as_stored(vectors: NDArray[np.float64]) -> NDArray[np.int8]:
    return np.frombuffer(b"".join(quantized(unit(vectors))), np.int8).reshape(vectors.shape)


def named(pairs: int, *, turned: bool, seed: int = 5) -> Names:
    """Notes of two passages each, two names a note: noisy, and where `turned` all in another direction."""
    rng = np.random.default_rng(seed)
    notes = np.arange(pairs) // 2 + 1
    about = rng.standard_normal((pairs // 2 + 1, DIM))
    meant = about[notes - 1] + 0.6 * rng.standard_normal((pairs, DIM))
    asked = meant @ np.roll(np.eye(DIM), 1, axis=1) + 0.5 * meant if turned else meant
    passages = NotePassages(
        np.arange(len(about)) + 1,
        np.arange(len(about) + 1) * 2,
        as_stored(np.stack((about, rng.standard_normal(about.shape)), axis=1).reshape(-1, DIM)),
    )
    return Names(unit(asked), notes.astype(np.int64), passages)


def test_names_that_mean_something_else_than_they_say_are_learned_the_same_each_time() -> None:
    names = named(1_200, turned=True)
    learned, matrix = learn(names)
    assert learned.pairs == 1_200
    assert learned.gain >= LEAST_GAIN
    assert 0 < learned.low <= learned.gain <= learned.high
    assert matrix is not None
    passage = names.passages.vectors(0, 1)[0]
    assert QueryMatrix(matrix, learned.shift).of(names.queries[0]) @ passage > names.queries[0] @ passage
    again, same = learn(named(1_200, turned=True))
    assert again == learned
    assert same is not None
    assert np.array_equal(same, matrix)


def test_what_queries_mean_already_is_left_as_it_is() -> None:
    learned, matrix = learn(named(1_200, turned=False))
    assert learned.gain < LEAST_GAIN
    assert matrix is None


@pytest.mark.parametrize("notes", [1, 2])
def test_names_of_one_or_two_notes_teach_nothing(notes: int) -> None:
    names = named(1_200, turned=True)
    learned, matrix = learn(replace(names, notes=names.notes % notes + 1))
    assert (learned.pairs, matrix) == (1_200, None)


def test_names_of_chance_teach_nothing() -> None:
    names = named(1_200, turned=True)
    rng = np.random.default_rng(3)
    _, matrix = learn(Names(unit(rng.standard_normal((1_200, DIM))), names.notes, names.passages))
    assert matrix is None


@pytest.mark.parametrize(("pairs", "is_used"), [(LEAST_PAIRS - 2, False), (LEAST_PAIRS, True)])
def test_fewer_than_a_thousand_names_teach_nothing(pairs: int, is_used: bool) -> None:
    learned, matrix = learn(named(pairs, turned=True))
    assert (learned.pairs, matrix is not None) == (pairs, is_used)
