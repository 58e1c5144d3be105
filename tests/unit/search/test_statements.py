import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.search.rank.completeness import PAIR_WEIGHT, SENTENCE_WEIGHT, completeness
from scrubjay.profiles.search.rank.highlights import Highlighter
from scrubjay.profiles.search.rank.lexical_query import QueryTerm
from scrubjay.profiles.search.words.analysis import query_terms
from scrubjay.profiles.store.rows import ChunkView


def passage(text: str, *, title: str = "", headings: tuple[str, ...] = ()) -> ChunkView:
    return ChunkView(1, 1, b"", text, headings, 1, 9, 0, "v", "n.md", title, (), (), 0, 0)


def earned(text: str, query: str, share: float = 1.0, *, title: str = "", headings: tuple[str, ...] = ()) -> float:
    highlighter = Highlighter([QueryTerm(term) for term in query_terms(query)])
    return completeness(share, passage(text, title=title, headings=headings), highlighter)


ONE_ITEM = "- red apples\n- a ladder leans on the wall of the barn\n- blue pears"
SCATTERED = "- a ladder of soap\n- the wall of death\n- a barn dance"
IN_ONE_ROW = "| what | where |\n| --- | --- |\n| ladder | wall of the barn |\n| soap | shelf |"
IN_THREE_ROWS = "| what | where |\n| --- | --- |\n| ladder | shelf |\n| wall | street |\n| barn | field |"
ONE_SENTENCE = "A ladder leans on the wall of the barn. It is old. So am I."
TWO_SENTENCES = "A ladder leans on the wall. It is that of the barn. So am I."
FAR_APART = "There is a ladder. I like it. The wall is old. I like that too. So is the barn."
AFTER_THE_LIST = "- soap\n- death\n\nA ladder leans here. I like it. The wall is old. I like that. So is the barn."


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (ONE_ITEM, SCATTERED),
        (IN_ONE_ROW, IN_THREE_ROWS),
        (ONE_SENTENCE, TWO_SENTENCES),
        (TWO_SENTENCES, FAR_APART),
        (FAR_APART, SCATTERED),
        (SCATTERED.replace("- ", ""), SCATTERED),
        (SCATTERED.replace("- ", "1. ").replace(" of soap", " on the wall"), SCATTERED.replace("- ", "1. ")),
        (AFTER_THE_LIST, SCATTERED),
    ],
)
def test_a_passage_that_says_the_query_in_one_place_earns_more(better: str, worse: str) -> None:
    assert earned(better, "ladder wall barn") > earned(worse, "ladder wall barn")


def test_words_of_the_title_and_the_headings_stand_beside_each_item() -> None:
    assert earned("- a ladder\n- a wall", "ladder barn", title="Barn") > earned("- a ladder\n- a barn", "ladder barn")
    assert earned("- a ladder\n- a wall", "ladder barn", headings=("Barn",)) == pytest.approx(
        1 + SENTENCE_WEIGHT + PAIR_WEIGHT
    )


@pytest.mark.parametrize("text", ["", "A ladder and a wall.", "soap"])
def test_what_stands_in_one_place_or_above_the_text_alone_earns_all_of_its_share(text: str) -> None:
    whole = 0.5**2 + (SENTENCE_WEIGHT + PAIR_WEIGHT) * 0.5**4
    assert earned(text, "ladder wall", 0.5) == pytest.approx(whole)


@given(st.lists(st.sampled_from(["ladder", "wall", "barn", "soap", ".", "\n", "\n\n", "\n- ", "\n| "]), max_size=30))
def test_what_is_earned_lies_between_nothing_and_the_whole(parts: list[str]) -> None:
    assert 0.0 <= earned(" ".join(parts), "ladder wall barn", 0.8) <= 0.64 + (SENTENCE_WEIGHT + PAIR_WEIGHT) * 0.8**4


@given(st.permutations(["a ladder", "a wall", "a barn", "soap and a ladder", "death"]))
def test_the_order_of_a_list_changes_nothing_between_its_items(items: list[str]) -> None:
    separate = "\n\n".join(f"- {item}\n\nAnd so on." for item in items)
    again = "\n\n".join(f"- {item}\n\nAnd so on." for item in sorted(items))
    assert earned(separate, "ladder wall barn") == pytest.approx(earned(again, "ladder wall barn"))
