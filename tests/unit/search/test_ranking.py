from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.search.rank.diversity import best_passage
from scrubjay.profiles.search.rank.fusion import (
    RRF_K,
    RRF_WEIGHTS,
    WEIGHT_RANGE,
    deepest,
    fuse,
    semantic_weight,
    with_neighbours,
)
from scrubjay.profiles.search.rank.legs import Candidates, Legs, lay_out
from scrubjay.profiles.search.rank.lexical_query import ScoredWords
from scrubjay.profiles.search.rank.tiers import relevance
from scrubjay.profiles.search.rank.typos import NearWord
from scrubjay.profiles.search.words.evidence import LexicalQuery, Term
from scrubjay.profiles.store.rows import LexicalHit, SemanticCandidates, SemanticHit, TermStats

NAN = float("nan")


def lexical(chunk: int, score: float, note: int = 0, *, query_share: float = 0.0, title: float = 0.0) -> LexicalHit:
    return LexicalHit(chunk, note or chunk, chunk.to_bytes(16, "big"), score, query_share, title)


def semantic(chunk: int, distance: float, note: int = 0) -> SemanticHit:
    return SemanticHit(chunk, note or chunk, chunk.to_bytes(16, "big"), distance)


def near(*hits: SemanticHit) -> SemanticCandidates:
    return SemanticCandidates(hits, {})


def test_legs_of_profiles_are_merged_before_the_cut() -> None:
    answers = [
        Legs("a", [lexical(1, 9.0), lexical(2, 1.0)], near(semantic(1, 0.2))),
        Legs("b", [lexical(3, 8.0)], near(semantic(4, 0.1))),
    ]
    found = lay_out(answers, lexical=2, semantic=2)
    assert found.keys == (("a", 1), ("b", 3), ("b", 4))
    assert found.scores[0] == pytest.approx([9.0, 8.0, NAN], nan_ok=True)
    assert found.scores[1] == pytest.approx([0.8, NAN, 0.9], nan_ok=True)


def test_the_parts_of_a_score_sum_to_it_and_tell_the_places() -> None:
    found = lay_out([Legs("a", [lexical(1, 3.0), lexical(2, 7.0)], near(semantic(1, 0.4)))], lexical=10, semantic=10)
    for fusion in ("convex", "rrf"):
        ranked = fuse(found, lexical_ceiling=10.0, fusion=fusion)
        parts = ranked.parts(0)
        assert sum(part.points for part in parts) == pytest.approx(float(ranked.scores[0]))
        assert (parts[0].rank, parts[0].raw, parts[1].rank) == (2, 3.0, 1)


scored = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(1, 20)),  # BM25
        st.one_of(st.none(), st.integers(1, 20)),  # likeness, in twentieths
    ),
    min_size=1,
    max_size=12,
)


def candidates_of(rows: Sequence[tuple[int | None, int | None]]) -> Candidates:
    """Passages with these scores in the two legs, None where a leg did not return one."""
    words = [lexical(i, float(row[0])) for i, row in enumerate(rows, 1) if row[0] is not None]
    alike = [semantic(i, 1 - row[1] / 20) for i, row in enumerate(rows, 1) if row[1] is not None]
    return lay_out([Legs("a", words, near(*alike))], lexical=20, semantic=20)


@given(scored, st.floats(0, 1))
def test_fused_by_rank_a_score_is_what_its_places_say(
    rows: Sequence[tuple[int | None, int | None]], trust: float
) -> None:
    ranked = fuse(candidates_of(rows), lexical_ceiling=20.0, fusion="rrf", trust=trust)
    for column, score in enumerate(ranked.scores):
        words, meaning = ranked.parts(column)[:2]
        shares = (1 - RRF_WEIGHTS[1] * trust, RRF_WEIGHTS[1] * trust)
        told = [(share, part.rank) for share, part in zip(shares, (words, meaning), strict=True)]
        assert score == pytest.approx(sum(share / (RRF_K + rank) for share, rank in told if rank is not None))


def test_places_are_those_among_the_passages_of_the_same_model() -> None:
    found = candidates_of([(None, 18), (None, 10), (None, 9)])
    ranked = fuse(found, lexical_ceiling=20.0, models=np.array([0, 1, 1]))
    assert [ranked.parts(column)[1].rank for column in range(3)] == [1, 1, 2]


def test_a_model_that_likes_many_passages_alike_weighs_less() -> None:
    others = [0.40] * 12
    decided, undecided = (semantic_weight(np.array([NAN, *others, best])) for best in (0.55, 0.42))
    assert WEIGHT_RANGE[0] <= undecided < decided <= WEIGHT_RANGE[1]
    assert semantic_weight(np.array([NAN, NAN])) == 0.0


def test_words_weigh_less_among_program_code() -> None:
    similarities = np.array([NAN, *[0.40] * 12, 0.50])
    weights = [semantic_weight(similarities, code) for code in (0.0, 0.5, 1.0)]
    assert weights == sorted(set(weights))
    assert weights[-1] <= WEIGHT_RANGE[1]


def test_a_leg_that_is_not_trusted_leaves_the_words_their_order() -> None:
    words = [lexical(1, 9.0), lexical(2, 5.0), lexical(3, 1.0)]
    found = lay_out(
        [Legs("a", words, near(semantic(3, 0.1), semantic(2, 0.5), semantic(1, 0.9)))], lexical=10, semantic=10
    )
    assert np.argmax(fuse(found, lexical_ceiling=10.0).scores) == 2
    assert np.argmax(fuse(found, lexical_ceiling=10.0, trust=0.1).scores) == 0


def test_a_passage_that_waits_for_its_vector_keeps_the_place_that_its_words_earn() -> None:
    words = [lexical(1, 9.0), lexical(2, 7.0), lexical(3, 5.0), lexical(4, 1.0)]
    embedded = near(semantic(2, 0.5), semantic(3, 0.6), semantic(4, 0.6), semantic(5, 0.55))
    ranked = fuse(lay_out([Legs("a", words, embedded)], lexical=10, semantic=10), lexical_ceiling=10.0)
    assert np.argsort(-ranked.scores).tolist()[:2] == [0, 1]
    assert ranked.parts(0)[1].raw is None, "a similarity that is assumed is not told as one"
    whole = lay_out([Legs("a", words, near(semantic(1, 0.9), *embedded.hits))], lexical=10, semantic=10)
    assert fuse(whole, lexical_ceiling=10.0).scores[0] < ranked.scores[0]


@pytest.mark.parametrize("legs", [Legs("a", [lexical(1, 9.0)]), Legs("a", [], near(semantic(1, 0.3)))])
def test_one_leg_alone_assumes_nothing_of_the_other(legs: Legs) -> None:
    ranked = fuse(lay_out([legs], lexical=10, semantic=10), lexical_ceiling=10.0)
    assert np.count_nonzero(ranked.points[:2]) == 1


def test_a_passage_that_holds_the_whole_query_passes_one_that_repeats_a_part_of_it() -> None:
    words = [lexical(1, 6.0, query_share=0.5), lexical(2, 5.0, query_share=1.0)]
    found = lay_out([Legs("a", words)], lexical=10, semantic=10)
    assert np.argmax(fuse(found, lexical_ceiling=10.0).scores) == 1
    assert np.argmax(fuse(found, lexical_ceiling=10.0, code=1.0).scores) == 0, "code says the same words all over"


def test_the_note_that_is_called_so_passes_one_that_says_so() -> None:
    words = [lexical(1, 6.0, title=0.2), lexical(2, 5.0, title=1.0)]
    found = lay_out([Legs("a", words)], lexical=10, semantic=10)
    assert np.argmax(fuse(found, lexical_ceiling=10.0).scores) == 1


def test_what_neighbours_share_is_not_that_one_of_them_holds_the_whole_query() -> None:
    query_share = [0.0, 1.0, 0.0]
    alike = np.tile(np.array([[0.8, 0.6]], np.float32), (3, 1)) + np.array([[0, 0], [0.01, 0], [0, 0.01]], np.float32)
    alike /= np.linalg.norm(alike, axis=1, keepdims=True)

    def moved(shares: list[float]) -> list[float]:
        words = [lexical(i, 5.0 - i, query_share=share) for i, share in enumerate(shares, 1)]
        ranked = fuse(lay_out([Legs("a", words)], lexical=10, semantic=10), lexical_ceiling=10.0)
        return with_neighbours(ranked, deepest(ranked), alike).points[2].tolist()

    assert moved(query_share) == moved([0.0, 0.0, 0.0])


def test_a_note_stands_where_its_best_passage_stands() -> None:
    assert best_passage(np.array([0.2, 0.9, 0.5, 0.8]), [1, 2, 1, 2]).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("similarity", "coverage", "adds_up", "tier"),
    [
        (0.7, 0.0, False, "high"),
        (None, 0.9, False, "high"),
        (0.5, 0.1, False, "medium"),
        (0.1, 0.51, False, "medium"),
        (0.1, 0.55, False, "high"),
        (0.35, 0.35, True, "high"),
        (0.35, 0.35, False, "low"),
        (0.3, 0.3, True, "low"),
        (-0.2, 0.6, True, "high"),
        (None, 0.45, True, "low"),
        (0.5, 0.1, True, "medium"),
    ],
)
def test_tiers_need_nearness_or_words_or_some_of_both_where_they_add_up(
    similarity: float | None, coverage: float, adds_up: bool, tier: str
) -> None:
    assert relevance(similarity, coverage, adds_up=adds_up) == tier


@pytest.mark.parametrize(
    ("frequencies", "absent", "instead", "expected"),
    [
        ({"peat": 5, "depth": 9, "lake": 3}, (), {}, True),
        ({"peat": 5, "depth": 9}, (), {}, False),
        ({"peat": 1, "depth": 1, "lake": 1}, (), {}, True),
        ({"peat": 5, "depth": 9, "lake": 3}, ("quokka", "narwhal"), {}, False),
        ({"peat": 5, "depth": 9, "lake": 3}, (), {"peet": NearWord("peat", "peat", 1, 5)}, False),
    ],
)
def test_nearness_and_words_add_up_for_a_question_whose_words_notes_have(
    frequencies: dict[str, int], absent: tuple[str, ...], instead: dict[str, NearWord], expected: bool
) -> None:
    query = LexicalQuery(tuple(Term(word, typed=word) for word in frequencies))
    words = ScoredWords(query, TermStats(100, 1000, {}, frequencies), instead, absent)
    assert words.adds_up is expected


def test_a_passage_that_was_looked_at_earns_what_it_says_in_one_place() -> None:
    hits = [lexical(1, 5.0, query_share=1.0), lexical(2, 4.9, query_share=1.0)]

    def first(completeness: dict[tuple[str, int], float]) -> int:
        found = lay_out([Legs("a", hits)], lexical=10, semantic=10, completeness=completeness)
        return found.keys[int(np.argmax(fuse(found, lexical_ceiling=10.0).scores))][1]

    assert first({}) == 1
    assert first({("a", 1): 0.3}) == 2
    assert first({("a", 2): 1.6}) == 2


def test_a_likeness_that_the_model_cannot_judge_makes_nothing_relevant() -> None:
    assert relevance(0.9, 0.1, trust=0.1) == "low"
    assert relevance(0.9, 0.7, trust=0.1) == "high"
