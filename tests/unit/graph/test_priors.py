"""What moves a score, how far, and what leaves it alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.graph.link_graph import LinkGraph, NoteLinks
from scrubjay.daemon.graph.prior_scores import (
    MIN_EDGES,
    GraphWeights,
    decay_ladder,
    edges_among,
    graph_leg,
    importance,
    with_graph,
    with_recency,
)
from scrubjay.daemon.graph.resolve import NoteName

EVEN = GraphWeights(0.5, 0.3, 0.2)
SCORES = st.lists(st.floats(0, 100), min_size=1, max_size=20).map(np.array)


def arr(*values: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array(values, dtype=np.float64)


def note(note_id: int, path: str, *links: str) -> NoteLinks:
    return NoteLinks(NoteName(note_id, "v", path), links)


@pytest.mark.parametrize(
    ("pageranks", "centralities", "edges", "mixed"),
    [
        pytest.param(
            arr(0.1, 0.2), arr(1, 0), MIN_EDGES, [2 * (0.5 + 0.15 + 0.2), 2 * (0.25 + 0.3)], id="all measures"
        ),
        pytest.param(arr(0.1, 0.2), arr(1, 0), MIN_EDGES - 1, [2, 1], id="too few links to say anything"),
        pytest.param(arr(0.1, 0.2), arr(0, 0), MIN_EDGES, [2 * (0.7 + 0.15), 2 * (0.35 + 0.3)], id="no centrality"),
        pytest.param(arr(0, 0), arr(0, 0), MIN_EDGES, [2, 1], id="neither"),
    ],
)
def test_links_take_their_share_and_give_back_what_they_can_not_say(
    pageranks: np.ndarray[tuple[int], np.dtype[np.float64]],
    centralities: np.ndarray[tuple[int], np.dtype[np.float64]],
    edges: int,
    mixed: list[float],
) -> None:
    assert with_graph(arr(2, 1), pageranks, centralities, edges, EVEN).tolist() == pytest.approx(mixed)


def test_nothing_found_stays_nothing() -> None:
    assert with_graph(arr(), arr(), arr(), 99, EVEN).tolist() == []
    assert with_graph(arr(0, 0), arr(1, 1), arr(1, 1), 99, EVEN).tolist() == [0, 0]


def test_edges_among_candidates_are_counted_and_no_others() -> None:
    graph = LinkGraph([note(1, "A.md", "B", "C"), note(2, "B.md", "A"), note(3, "C.md", "D"), note(4, "D.md")]).frozen()
    assert edges_among(graph.out, np.array([0, 1])) == 2
    assert edges_among(graph.out, np.array([0, 1, 2])) == 3
    assert edges_among(graph.out, np.array([], dtype=np.int64)) == 0


def test_recency_halves_what_it_may_take_with_each_half_life() -> None:
    ages = arr(0, 30, 60, 1e9, -5, np.nan)
    assert with_recency(np.ones(6), ages, 30, least=0.6).tolist() == pytest.approx([1, 0.8, 0.7, 0.6, 1, 1])


@pytest.mark.parametrize("half_life", [0, -1])
def test_a_half_life_must_be_above_zero(half_life: float) -> None:
    with pytest.raises(ValueError, match="half-life"):
        with_recency(arr(1), arr(1), half_life)


def test_the_ladder_compares_notes_of_one_group_only() -> None:
    groups, times = ["ada", "ada", "ada", "zoe", "ada"], [30, 10, 20, 1, 20]
    assert decay_ladder(groups, times).tolist() == pytest.approx([1.0, 0.9, 0.95, 1.0, 0.95])
    assert decay_ladder(["x"] * 9, range(9), step=0.1, least=0.75)[0] == 0.75


@pytest.mark.parametrize(
    ("properties", "factor"),
    [
        ({}, 1.0),
        ({"importance": "High"}, 1.05),
        ({"Importance": "5"}, 1.1),
        ({"importance": "1"}, 0.9),
        ({"importance": "6"}, 1.0),
        ({"importance": "1.5"}, 1.0),
        ({"priority": "low"}, 0.95),
        ({"priority": "1"}, 1.0),  # some mean the first, some the least
        ({"importance": "unclear", "priority": "critical"}, 1.1),
        ({"importance": ("high", "low")}, 1.0),
    ],
)
def test_importance_is_what_the_frontmatter_says(properties: dict[str, str | tuple[str, ...]], factor: float) -> None:
    assert importance(properties) == pytest.approx(factor)


def test_the_graph_leg_brings_in_what_the_seeds_lead_to() -> None:
    notes = [note(1, "A.md", "C"), note(2, "B.md", "C"), note(3, "C.md", "D"), note(4, "D.md"), note(5, "E.md")]
    found = graph_leg(LinkGraph(notes).frozen(), {1: 1.0, 2: 1.0, 99: 5.0}, 10)
    assert [note_id for note_id, _ in found] == [3, 1, 2, 4]  # what both lead to comes before either
    assert [value for _, value in found] == sorted((value for _, value in found), reverse=True)
    assert found[0][1] == 1
    assert graph_leg(LinkGraph(notes).frozen(), {1: 1.0, 2: 1.0}, 2) == found[:2]
    assert graph_leg(LinkGraph(notes).frozen(), {99: 1.0}, 10) == ()


@given(SCORES, st.floats(0.1, 1000), st.floats(0, 1))
def test_recency_never_raises_a_score_and_never_takes_all(
    scores: np.ndarray[tuple[int], np.dtype[np.float64]], half_life: float, least: float
):
    aged = with_recency(scores, np.arange(len(scores), dtype=np.float64) * 7, half_life, least)
    assert (aged <= scores * (1 + 1e-12)).all()
    assert (aged >= least * scores * (1 - 1e-12)).all()


@given(SCORES)
def test_a_candidate_that_is_best_in_everything_stays_first(
    scores: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> None:
    order = np.argsort(np.argsort(scores)).astype(np.float64) + 1
    mixed = with_graph(scores, order, order, MIN_EDGES, GraphWeights())
    assert mixed[np.argmax(order)] == mixed.max()
