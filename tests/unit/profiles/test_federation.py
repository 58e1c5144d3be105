from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.search.rank.legs import combined_stats, merge_lexical, merge_semantic
from scrubjay.profiles.search.words.lexical_leg import stats_of
from scrubjay.profiles.search.words.postings import Field
from scrubjay.profiles.store.rows import LexicalHit, SemanticHit


def counts(**fields: int) -> tuple[int, ...]:
    """In how many documents a word is, by field."""
    return tuple(fields.get(field.name.lower(), 0) for field in Field)


def lexical(digest: str, score: float, chunk: int = 1) -> LexicalHit:
    return LexicalHit(chunk, chunk, digest.encode(), score)


def test_a_text_in_two_profiles_is_one_result_with_two_places():
    legs = {"home": [lexical("a", 2)], "work": [lexical("a", 3), lexical("b", 1)]}
    merged = merge_lexical(legs, 10)
    assert [(group.digest, [place.profile for place in group.places]) for group in merged] == [
        (b"a", ["work", "home"]),
        (b"b", ["work"]),
    ]


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
    one = stats_of(10, 100, {"a": counts(body=1), "b": counts(body=2)})
    other = stats_of(5, 50, {"a": counts(body=3)})
    assert combined_stats([one, other]) == stats_of(15, 150, {"a": counts(body=4), "b": counts(body=2)})
    assert combined_stats([]) == stats_of(0, 0, {})


def test_a_word_of_passages_here_and_of_paths_there_is_as_frequent_as_in_one_index():
    here, there = stats_of(10, 100, {"a": counts(body=2, path=3)}), stats_of(10, 100, {"a": counts(path=7)})
    assert (here.frequencies, there.frequencies) == ({"a": 2}, {"a": 7})
    assert combined_stats([here, there]).frequencies == {"a": 2}


def test_the_more_frequent_field_is_that_of_all_stores_together():
    stats = [stats_of(10, 100, {"a": counts(body=3, headings=1)}), stats_of(10, 100, {"a": counts(headings=4)})]
    assert combined_stats(stats).frequencies == {"a": 5}
