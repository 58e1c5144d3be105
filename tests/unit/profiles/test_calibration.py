import numpy as np
import pytest
from numpy.typing import NDArray

from scrubjay.profiles.search.meaning.calibration import (
    MOST_STRETCHED,
    USUAL_LEVEL,
    Calibration,
    is_near,
    measured,
    scale_of,
    trust_of,
    without_mean,
)
from scrubjay.profiles.search.meaning.semantic_leg import AROUND_A_CENTRE, to_measure
from scrubjay.profiles.search.meaning.sketch import Sketch, sketches
from scrubjay.profiles.search.meaning.vectors import quantized, sketches_of
from scrubjay.profiles.store.rows import Vectors

DIM = 384
RNG = np.random.default_rng(7)
COMMON = RNG.choice((-1.0, 1.0), DIM) / DIM**0.5  # in every dimension as large, so that hardly a sign differs

SUBJECTS = np.linalg.qr(RNG.standard_normal((DIM, 20)))[0].T


def unit(vectors: NDArray[np.float64]) -> Vectors:
    return (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)


def passages_of(notes: int, passages: int, common: float, seed: int = 1) -> dict[int, Vectors]:
    """Vectors of passages that are like those of their note; the larger `common`, the more all point one way."""
    rng = np.random.default_rng(seed)
    abouts = rng.standard_normal((notes, 1, len(SUBJECTS))) @ SUBJECTS / len(SUBJECTS) ** 0.5
    own = 0.8 * rng.standard_normal((notes, passages, DIM)) / DIM**0.5
    return dict(enumerate(unit(abouts + own + common * COMMON), 1))


@pytest.mark.parametrize("common", [0.0, 1.0, 3.0])
def test_on_the_usual_scale_it_does_not_matter_how_much_all_vectors_point_one_way(common: float):
    asked, near = 1.28 * unit(RNG.standard_normal((2, 20)) @ SUBJECTS)  # as long as what passages say themselves

    def usual(common: float) -> float:
        query, passage = unit(asked + common * COMMON), unit(0.7 * (asked + near) + common * COMMON)
        similarities = np.array([float(query @ passage)])
        return scale_of([measured(passages_of(200, 3, common), 600)], query).usual(similarities)[0]

    assert usual(common) == pytest.approx(usual(0.0), rel=0.3)


def test_a_passage_like_any_other_has_the_usual_level():
    notes = passages_of(200, 3, 3.0)
    calibration = measured(notes, 600)
    query = unit(RNG.standard_normal(DIM) + 3 * COMMON)
    similarities = np.concatenate(list(notes.values())).astype(np.float64) @ query
    assert scale_of([calibration], query).usual(similarities).mean() == pytest.approx(USUAL_LEVEL, abs=0.01)


def test_the_scale_of_two_stores_is_that_of_one_with_all_their_notes():
    notes = passages_of(300, 3, 2.0)
    all_ = measured(notes, 900)
    first = measured({note: notes[note] for note in list(notes)[:100]}, 300)
    others = measured({note: notes[note] for note in list(notes)[100:]}, 600)
    query = unit(RNG.standard_normal(DIM) + 2 * COMMON)
    one, two = scale_of([all_], query), scale_of([first, others], query)
    assert (two.level, two.stretch) == pytest.approx((one.level, one.stretch), rel=0.02)


def test_a_model_that_tells_a_notes_passages_from_no_others_is_not_trusted():
    rng = np.random.default_rng(3)
    told = measured(passages_of(200, 3, 3.0), 600)
    nothing = measured(dict(enumerate(unit(rng.standard_normal((200, 3, DIM)) + 60 * COMMON))), 600)
    constant = measured(dict.fromkeys(range(200), unit(np.stack([COMMON] * 3))), 600)
    single = measured(passages_of(200, 1, 3.0), 200)
    assert [each.trust for each in (told, nothing, constant, single)] == [1.0, 0.0, 0.0, 1.0]
    assert trust_of([told, nothing]) == 0.5


def test_what_adding_up_in_another_order_makes_of_the_same_similarities_tells_nothing_apart():
    same = unit(np.random.default_rng(5).standard_normal((20, DIM)))
    found = [measured(dict.fromkeys(range(50), np.stack([vector] * 3)), 150) for vector in same]
    assert [each.trust for each in found] == [0.0] * 20


def test_no_similarities_are_stretched_until_they_are_noise():
    alike = measured(passages_of(100, 2, 60.0), 200)
    assert scale_of([alike], unit(COMMON)).stretch == pytest.approx(MOST_STRETCHED)


def test_of_a_few_notes_only_the_level_is_known():
    calibration = measured(passages_of(2, 2, 3.0), 4)
    scale = scale_of([calibration], unit(COMMON))
    assert (calibration.spread, scale.stretch) == (0.0, 1.0)
    assert scale.usual(np.array([0.95]))[0] < 0.2


def test_a_centre_that_hardly_moved_is_near_and_another_is_not():
    one, same = measured(passages_of(300, 3, 3.0, 1), 900), measured(passages_of(300, 3, 3.0, 2), 900)
    assert is_near(one, same)
    assert not is_near(one, measured(passages_of(300, 3, 0.0), 900))


def recall_of_ten(rows: Vectors, queries: Vectors, around: Calibration | None) -> float:
    """Of the exact ten nearest, the share among those that are measured around a centre."""
    stored = quantized(rows)
    sketch = Sketch(DIM, len(rows) + 1)
    sketch.add_joined(np.arange(1, len(rows) + 1), b"".join(sketches_of(stored, around)))
    found = 0
    for query in queries:
        exact = np.argsort(-(rows @ query))[:10] + 1
        seen = query if around is None else without_mean(query, around.mean)
        found += len(set(exact.tolist()) & set(sketch.nearest(seen, AROUND_A_CENTRE * to_measure(50, 1)).tolist()))
    return found / (10 * len(queries))


def test_of_an_anisotropic_model_the_nearest_are_measured_among_many():
    rng = np.random.default_rng(11)
    subjects = rng.standard_normal((400, 60)) @ rng.standard_normal((60, DIM)) / (60 * DIM) ** 0.5
    notes = 0.6 * np.repeat(subjects, 4, axis=0) + 0.5 * rng.standard_normal((1600, DIM)) / DIM**0.5
    rows = np.repeat(notes, 10, axis=0) + 0.7 * rng.standard_normal((16_000, DIM)) / DIM**0.5
    rows = np.concatenate([unit(some + 3 * COMMON) for some in np.array_split(rows, 20)])
    queries = unit(notes[::80] + 0.4 * rng.standard_normal((20, DIM)) / DIM**0.5 + 3 * COMMON)
    around = measured({at: rows[at : at + 1] for at in range(0, len(rows), 170)}, len(rows))
    assert recall_of_ten(rows, queries, around) >= 0.98
    assert recall_of_ten(rows, queries, None) < 0.8


def test_a_sketch_of_what_is_stored_is_that_of_the_vector_where_nothing_was_measured():
    rows = unit(np.random.default_rng(5).standard_normal((50, 96)))
    assert sketches_of(quantized(rows), None) == sketches(rows)
    assert sketches_of([], None) == []
