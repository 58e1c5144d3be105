import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.search.meaning.sketch import Sketch, sketches
from scrubjay.profiles.store.rows import Vectors

DIM = 96


def vectors(count: int, seed: int = 0, dim: int = DIM) -> Vectors:
    return np.random.default_rng(seed).standard_normal((count, dim)).astype(np.float32)


def differing(
    one: np.ndarray[tuple[int, ...], np.dtype[np.float32]], rows: np.ndarray[tuple[int, int], np.dtype[np.float32]]
):
    return np.count_nonzero((rows > 0) != (one > 0), axis=1)


def agreement(
    one: np.ndarray[tuple[int, ...], np.dtype[np.float32]], rows: np.ndarray[tuple[int, int], np.dtype[np.float32]]
):
    """The product of one vector with the signs of the others."""
    return np.where(rows > 0, 1.0, -1.0) @ one.astype(np.float64)


@given(st.integers(0, 40), st.integers(0, 50), st.integers(0, 5))
def test_nearest_are_those_whose_signs_agree_best_with_the_vector(count: int, k: int, seed: int):
    rows, query = vectors(count, seed), vectors(1, seed + 99)[0]
    sketch = Sketch(DIM, capacity=4)
    sketch.add(list(enumerate(sketches(rows), 1)))
    found = sketch.nearest(query, k)
    agreements = agreement(query, rows)
    assert len(set(found.tolist())) == len(found) == min(k, count)
    assert np.allclose(sorted(agreements[found - 1]), sorted(agreements)[count - len(found) :])


@pytest.mark.parametrize("dim", [384, 96, 200])  # six words, one and a half, three and a byte
def test_of_many_rows_only_those_with_the_fewest_differing_signs_are_looked_at(
    dim: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("scrubjay.profiles.search.meaning.sketch.FIRST_STEP", 3)
    rows, query = vectors(1000, dim=dim), vectors(1, 99, dim=dim)[0]
    sketch = Sketch(dim)
    sketch.add(list(enumerate(sketches(rows), 1)))
    found = sketch.nearest(query, 10)
    first = np.argsort(differing(query, rows), kind="stable")[:30]
    best = first[np.argsort(-agreement(query, rows[first]))[:10]]
    assert sorted(found - 1) == sorted(best)


def test_a_mask_acts_before_the_cut():
    rows = vectors(600)
    query = rows[0]
    sketch = Sketch(DIM)
    sketch.add(list(enumerate(sketches(rows), 1)))
    far = 1 + int(np.argsort(differing(query, rows))[550])
    mask = sketch.ids == far
    assert sketch.nearest(query, 10, mask).tolist() == [far]


STEPS = st.lists(st.tuples(st.integers(1, 30), st.booleans()), max_size=60)


@given(STEPS)
def test_any_history_of_additions_and_removals_keeps_the_right_rows(steps: list[tuple[int, bool]]):
    rows = vectors(31)
    sketch = Sketch(DIM, capacity=2)
    there: set[int] = set()
    for row, add in steps:
        if add:
            sketch.add([(row, sketches(rows[row : row + 1])[0])])
            there.add(row)
        else:
            sketch.remove([row, 999])
            there.discard(row)
    assert sorted(sketch.ids.tolist()) == sorted(there)
    for row in there:
        assert sketch.nearest(rows[row], 1).tolist() == [row]


def test_the_memory_of_rows_that_went_is_given_back_and_the_others_are_found_as_before():
    rows = vectors(10_000)
    sketch = Sketch(DIM)
    sketch.add(list(enumerate(sketches(rows), 1)))
    sketch.release_memory()
    before = sketch.nbytes
    sketch.remove(range(2_000, 10_001))
    found = [sketch.nearest(query, 10).tolist() for query in rows[:50]]
    sketch.release_memory()
    assert sketch.nbytes < before / 2
    assert [sketch.nearest(query, 10).tolist() for query in rows[:50]] == found
    sketch.add([(10_001, sketches(rows[5_000:5_001])[0])])
    assert sketch.nearest(rows[5_000], 1).tolist() == [10_001]


def test_a_sketch_of_another_dimension_is_refused():
    with pytest.raises(ValueError, match="12 bytes"):
        Sketch(DIM).add([(1, b"short")])


def test_of_sketches_put_together_none_may_be_short():
    with pytest.raises(ValueError, match="24 bytes"):
        Sketch(DIM).add_joined(np.array([1, 2]), bytes(23))
