"""In which order the sentences and rows of a passage are worth quoting."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.answers.passage_parts import parts_of, worth_quoting
from scrubjay.daemon.answers.question import Question
from scrubjay.daemon.links.asked_terms import AskedTerms
from scrubjay.profiles.search.words import analysis

TABLE = "Prices.\n\n| Plan | A year |\n| --- | ---: |\n| Hedge | nothing. Really. |\n| Meadow | 180 |\n\nAsk Tomasz."


def texts(text: str) -> list[str]:
    return [text[part.start : part.end] for part in parts_of(text)]


def best(text: str, question: str, named: str = "") -> list[str]:
    asked = AskedTerms(dict.fromkeys(analysis.query_terms(question), 1.0))
    order = worth_quoting(text, parts_of(text), asked, Question.of(question), asked.said(named))
    return [texts(text)[number] for number in order]


def test_a_row_of_a_table_is_one_part_and_knows_its_head() -> None:
    assert texts(TABLE) == [
        "Prices.",
        "| Plan | A year |",
        "| Hedge | nothing. Really. |",
        "| Meadow | 180 |",
        "Ask Tomasz.",
    ]
    heads = [part.heads and TABLE[slice(*part.heads)] for part in parts_of(TABLE)]
    assert heads == [None, None, "| Plan | A year |", "| Plan | A year |", None]


def test_what_says_the_question_comes_first_and_what_follows_it_next() -> None:
    text = "The weir is old. Herons stand there. The eels pass at night. Then they rest. Nobody fishes."
    assert best(text, "when do eels pass the weir") == [
        "The eels pass at night.",
        "The weir is old.",
        "Herons stand there.",
        "Then they rest.",
        "Nobody fishes.",
    ]


def test_what_has_the_thing_asked_for_comes_before_what_only_says_the_words() -> None:
    text = "The weir is high, all agree, and old. Herons stand there. The weir is 1.4 m of concrete."
    assert best(text, "how high is the weir")[0] == "The weir is 1.4 m of concrete."


CARDS = "Cards are fine.\n\n## When a card fails\n\nThe team can only read. Nothing is lost.\n\n## Refunds\n\nIn full."


def test_what_stands_below_a_heading_says_it_too_and_the_heading_is_not_quoted_for_itself() -> None:
    assert best(CARDS, "what happens to the team when a card fails")[0] == "The team can only read."
    assert best(CARDS, "refunds")[0] == "In full."
    assert best("Cards are fine.\n\n## When a card fails", "when a card fails")[0] == "When a card fails"


def test_a_line_with_a_hash_in_a_fence_is_no_heading() -> None:
    text = "```sh\n# how ferries leave\nrun it\n```\n"
    assert {part.heading for part in parts_of(text)} == {None}


def test_what_stands_in_a_fence_is_code() -> None:
    text = "Before.\n\n```sh\nrun it\n```\n\nBetween.\n\n$$\na = b\n$$\n\nInline $$x$$ goes on.\n\n```\nopen"
    assert [text[part.start : part.end] for part in parts_of(text) if not part.is_code] == [
        "Before.",
        "Between.",
        "Inline $$x$$ goes on.",
    ]


def test_a_word_of_the_title_tells_little_of_a_sentence() -> None:
    text = "Focaccia is flat bread. Bake it at 230 degrees."
    assert best(text, "focaccia bread degrees")[0] == "Focaccia is flat bread."
    assert best(text, "focaccia bread degrees", named="Focaccia bread")[0] == "Bake it at 230 degrees."


def test_a_long_sentence_without_spaces_is_ranked_by_its_clauses() -> None:
    clauses = ["红嘴鸥" * 9 + "，", "十一月到达" * 6 + "，", "三月离开" * 6 + "。"]
    assert texts("".join(clauses)) == clauses
    assert texts("红嘴鸥，三月离开。") == ["红嘴鸥，三月离开。"]


@given(st.text("ab |.\n-", max_size=200), st.text("ab ", max_size=20))
def test_every_part_is_ranked_once_and_none_overlaps(text: str, question: str) -> None:
    parts = parts_of(text)
    assert all(one.end <= other.start for one, other in pairwise(parts))
    assert all(text[part.start : part.end].strip() for part in parts)
    asked = AskedTerms(dict.fromkeys(analysis.query_terms(question), 1.0))
    order = worth_quoting(text, parts, asked, Question.of(question))
    assert sorted(order) == list(range(len(parts)))
