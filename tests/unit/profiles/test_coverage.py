import numpy as np
import pytest

from scrubjay.profiles.search.words.bm25f import ScoredPart, coverage
from scrubjay.profiles.search.words.postings import Field, Postings
from scrubjay.profiles.store.columns import Columns

# Two notes: chunks 1 and 2 are of note 1, whose title has two words, chunk 3 is of note 2, whose title has four.
COLUMNS = Columns(
    generation=1,
    note_of=np.array([0, 1, 1, 2], np.int32),
    tokens=np.array([0, 10, 10, 10], np.int32),
    digests=np.zeros((4, 16), np.uint8),
    first_chunk=np.array([0, 1, 3], np.int32),
    title_tokens=np.array([0, 2, 4], np.int32),
)


def word(weight: float = 1.0, *, is_word: bool = True, **fields: list[int]) -> ScoredPart:
    """A part of a query: the documents that hold it, by the name of the field."""
    evidence = {
        Field[name.upper()]: [Postings(np.array(ids, np.int64), np.ones(len(ids), np.float32))]
        for name, ids in fields.items()
    }
    return ScoredPart(evidence, weight, is_word)


def test_a_passage_holds_what_stands_in_it_or_in_the_header_of_its_note() -> None:
    found = coverage([1, 2, 3], [word(3.0, body=[1, 3]), word(1.0, headings=[2], anchors=[1])], COLUMNS)
    assert found.query_share.tolist() == [1.0, 0.25, 0.75]


def test_chunks_keep_the_order_in_which_they_were_asked_about() -> None:
    assert coverage([3, 1], [word(body=[1]), word(body=[1])], COLUMNS).query_share.tolist() == [0.0, 1.0]


def test_a_single_word_is_held_whole_by_whatever_holds_it_and_so_tells_nothing() -> None:
    assert coverage([1, 2], [word(body=[1])], COLUMNS).query_share.tolist() == [0.0, 0.0]


def test_pairs_of_characters_count_as_not_held() -> None:
    pairs = [word(1.0, is_word=False, body=[1]), word(1.0, is_word=False, body=[1])]
    assert coverage([1], pairs, COLUMNS).query_share.tolist() == [0.0]
    assert coverage([1], [*pairs, word(body=[1]), word(body=[1])], COLUMNS).query_share.tolist() == [0.5]


@pytest.mark.parametrize(
    ("sought", "likeness"),
    [
        pytest.param([word(title=[1]), word(title=[1])], [1.0, 0.0], id="all of one title"),
        pytest.param([word(title=[1]), word(aliases=[1])], [1.0, 0.0], id="an alias counts as the title"),
        pytest.param([word(title=[1, 2])], [2 / 3, 0.4], id="a word of each: half of two, a quarter of four"),
        pytest.param([word(title=[1]), word(body=[1])], [0.5, 0.0], id="half of the query, half of the title"),
        pytest.param([word(3.0, title=[1]), word(1.0, body=[1])], [0.6, 0.0], id="the telling half of the query"),
        pytest.param([word(is_word=False, title=[1]), word(is_word=False, title=[1])], [1.0, 0.0], id="unspaced"),
        pytest.param([word(title=[1]), word(title=[1]), word(aliases=[1])], [1.0, 0.0], id="never above 1"),
    ],
)
def test_a_title_is_alike_as_far_as_it_and_the_query_say_the_same(
    sought: list[ScoredPart], likeness: list[float]
) -> None:
    assert coverage([1, 3], sought, COLUMNS).title == pytest.approx(likeness)


def test_a_query_that_no_chunk_holds_covers_nothing() -> None:
    found = coverage([1, 2], [], COLUMNS)
    assert (found.query_share.tolist(), found.title.tolist()) == ([0.0, 0.0], [0.0, 0.0])


def test_of_no_chunks_nothing_is_known() -> None:
    assert len(coverage([], [word(body=[1]), word(body=[2])], COLUMNS).query_share) == 0


def test_postings_newer_than_the_columns_are_passed_over() -> None:
    found = coverage([1], [word(body=[1, 99]), word(title=[1, 99])], COLUMNS)
    assert found.query_share.tolist() == [1.0]


def test_one_word_leaves_no_trace_in_the_next() -> None:
    assert coverage([1, 2], [word(body=[1]), word(body=[2])], COLUMNS).query_share.tolist() == [0.5, 0.5]
