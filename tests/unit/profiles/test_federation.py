from hypothesis import given
from hypothesis import strategies as st

from profiles.federation import combined_stats, merge_lexical, merge_semantic
from profiles.rows import LexicalHit, SemanticHit, TermStats


def lexical(digest: str, score: float, chunk: int = 1) -> LexicalHit:
    return LexicalHit(chunk, chunk, digest.encode(), score)


def test_a_profile_whose_best_is_weak_does_not_push_in_front():
    legs = {"strong": [lexical("a", 9), lexical("b", 8)], "weak": [lexical("c", 1)]}
    assert [group.digest for group in merge_lexical(legs, 10)] == [b"a", b"b", b"c"]


def test_a_text_in_two_profiles_is_one_result_with_two_places():
    legs = {"home": [lexical("a", 2)], "work": [lexical("a", 3), lexical("b", 1)]}
    merged = merge_lexical(legs, 10)
    assert [(group.digest, [place.profile for place in group.places]) for group in merged] == [
        (b"a", ["work", "home"]),
        (b"b", ["work"]),
    ]


def test_the_limit_counts_texts_and_keeps_all_their_places():
    legs = {"home": [lexical("a", 1)], "work": [lexical("a", 3), lexical("b", 2)]}
    [group] = merge_lexical(legs, 1)
    assert [place.profile for place in group.places] == ["work", "home"]


def test_nearer_comes_first():
    legs = {"a": [SemanticHit(1, 1, b"far", 0.9)], "b": [SemanticHit(1, 1, b"near", 0.1)]}
    assert [group.digest for group in merge_semantic(legs, 10)] == [b"near", b"far"]


HITS = st.lists(st.builds(lexical, st.sampled_from("abcdef"), st.sampled_from([0.5, 1.0, 2.0]), st.integers(1, 9)))


@given(st.dictionaries(st.sampled_from(["p", "q", "r"]), HITS), st.integers(0, 8))
def test_a_merge_is_ordered_and_unique_whatever_the_order_of_profiles(legs: dict[str, list[LexicalHit]], limit: int):
    merged = merge_lexical(legs, limit)
    assert merged == merge_lexical(dict(reversed(legs.items())), limit)
    best = [group.places[0].hit.score for group in merged]
    assert best == sorted(best, reverse=True)
    digests = [group.digest for group in merged]
    distinct = {hit.digest for hits in legs.values() for hit in hits}
    assert len(set(digests)) == len(digests) == min(limit, len(distinct))
    for group in merged:
        there = sum(hit.digest == group.digest for hits in legs.values() for hit in hits)
        assert len(group.places) == there


def test_statistics_add_up():
    one = TermStats(10, 100, {"a": 1, "b": 2})
    other = TermStats(5, 50, {"a": 3})
    assert combined_stats([one, other]) == TermStats(15, 150, {"a": 4, "b": 2})
    assert combined_stats([]) == TermStats(0, 0, {})
