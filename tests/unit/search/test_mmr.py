import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.search.rank.diversity import diversify


def unit(*values: float) -> NDArray[np.float32]:
    vector = np.array(values, dtype=np.float32)
    return vector / np.float32(np.linalg.norm(vector))


def test_a_repetition_inside_a_note_falls_behind() -> None:
    vectors = [unit(1, 0), unit(1, 0.01), unit(0, 1)]
    assert diversify([1.0, 0.95, 0.8], [1, 1, 1], vectors, keep=3) == [0, 2, 1]


def test_other_notes_never_push_each_other_down() -> None:
    vectors = [unit(1, 0), unit(1, 0), unit(1, 0)]
    assert diversify([0.5, 0.9, 0.7], [1, 2, 3], vectors, keep=3) == [1, 2, 0]


def test_passages_without_a_vector_keep_their_order() -> None:
    assert diversify([0.9, 0.8, 0.7], [1, 1, 1], [None, None, None], keep=2) == [0, 1]


def test_equal_scores_keep_their_order() -> None:
    assert diversify([0.0, 0.0], [1, 2], [None, None], keep=2) == [0, 1]
    assert diversify([], [], [], keep=5) == []
