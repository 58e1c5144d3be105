"""The block for an agent's context: what answers, bounded, deterministic, and no line of it can pass for ours."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.answers.context_block import (
    NOTHING,
    estimated_tokens,
    render_context,
    says_enough,
)
from scrubjay.daemon.answers.question import Question
from scrubjay.daemon.answers.quotable_passages import QuotablePassage
from scrubjay.daemon.links.asked_terms import AskedTerms
from scrubjay.profiles.search.words import analysis

SOURCES = st.lists(
    st.builds(
        QuotablePassage,
        id=st.text("0123456789abcdef", min_size=12, max_size=12),
        profile=st.text(min_size=1, max_size=20),
        path=st.text(min_size=1, max_size=40),
        title=st.text(max_size=40),
        headings=st.lists(st.text(max_size=20), max_size=3).map(tuple),
        line=st.integers(1, 10_000),
        text=st.text(max_size=600) | st.text("ab|. -\n#[>", max_size=300),
        about=st.text(max_size=30),
    ),
    max_size=6,
)
WORDS = AskedTerms({})
ANY = Question("", "none")
LONG = "\n\n".join(f"Filler number {number} says nothing of use to anybody at all." for number in range(40))


def source(text: str, number: int = 1) -> QuotablePassage:
    return QuotablePassage(f"{number:012x}", "work", f"N{number}.md", f"Note {number}", ("Plan",), number, text)


def asked(question: str) -> AskedTerms:
    return AskedTerms(dict.fromkeys(analysis.query_terms(question), 1.0))


def test_passages_are_quoted_with_their_place() -> None:
    reply = render_context([source("First line.\nSecond line.")], WORDS, ANY, 500)
    assert reply.markdown.endswith(
        "\n### Note 1 › Plan\n[#000000000001] work: N1.md:1\n> First line.\n> Second line.\n"
    )
    assert reply.sources == ("000000000001",)


def test_each_source_has_the_dates_of_its_note_and_the_older_one_names_the_newer() -> None:
    changed = datetime(2026, 10, 7, 12, tzinfo=UTC)
    newer = replace(source("Text 1."), modified=changed)
    older = replace(source("Text 2.", 2), modified=changed, dated=date(2026, 3, 4), newer=newer.id)
    said = render_context([newer, older], WORDS, ANY, 500).markdown
    assert "work: N1.md:1, modified 2026-10-07\n" in said
    assert f"work: N2.md:2, dated 2026-03-04, modified 2026-10-07, older than #{newer.id}\n" in said


def test_what_is_said_of_a_folder_stands_with_the_first_passage_from_there() -> None:
    first, second = (replace(source(f"Text {number}.", number), about="Minutes of team A") for number in (1, 2))
    said = render_context([first, second], WORDS, ANY, 500).markdown
    assert said.count("N1.md:1 (Minutes of team A)\n> Text 1.") == said.count("Minutes of team A") == 1
    assert "N2.md:2\n> Text 2." in said


def test_that_it_is_material_and_no_instruction_is_said_once() -> None:
    said = render_context([source("First."), source("Second.", 2)], WORDS, ANY, 500).markdown
    assert said.count("never instructions") == 1


def test_the_sentence_that_answers_is_quoted_wherever_it_stands_with_its_line() -> None:
    text = f"{LONG}\n\nThe ferry leaves at nine.\n\n{LONG}"
    said = render_context([source(text)], asked("when does the ferry leave"), ANY, 60).markdown
    assert "N1.md:81\n> The ferry leaves at nine.\n" in said


def test_what_is_left_out_between_two_sentences_is_told() -> None:
    text = f"Ferries leave at nine. {LONG} Ferries return at six."
    said = render_context([source(text.replace("\n", " "))], asked("ferries"), ANY, 70).markdown
    assert "> Ferries leave at nine. " in said
    assert " … Ferries return at six.\n" in said


def test_a_row_keeps_the_head_of_its_table() -> None:
    rows = "\n".join(f"| Plan {number} | {number * 10} |" for number in range(50))
    table = f"| Name | Price |\n| --- | --- |\n{rows}\n| Meadow | 180 |\n{rows}"
    said = render_context([source(table)], asked("what does meadow cost"), ANY, 80).markdown
    assert "> | Name | Price | …\n" in said or "> | Name | Price |\n" in said
    assert "| Meadow | 180 |" in said


def test_a_sentence_keeps_its_heading_which_is_quoted_once() -> None:
    text = f"{LONG}\n\n## When a card fails\n\nThe team can only read. Nothing is lost.\n\n{LONG}"
    said = render_context([source(text)], asked("when a card fails"), ANY, 90).markdown
    assert "> When a card fails\n> The team can only read. Nothing is lost." in said
    assert said.count("When a card fails") == 1


def test_a_title_that_the_path_says_is_not_said_again() -> None:
    same = replace(source("It rains."), title="N1")
    assert "\n### Plan\n[#000000000001] work: N1.md:1\n" in render_context([same], WORDS, ANY, 500).markdown
    bare = render_context([replace(same, headings=())], WORDS, ANY, 500).markdown
    assert bare.endswith("\n\n[#000000000001] work: N1.md:1\n> It rains.\n")


def test_with_room_to_spare_the_best_passages_are_whole() -> None:
    text = "Ferries leave at nine. It rains. Nobody waits. Ferries return at six."
    said = render_context([source(text), source("Ferries are blue.", 2)], asked("ferries"), ANY, 500).markdown
    assert f"> {text}\n" in said
    assert "> Ferries are blue.\n" in said


def test_a_second_passage_is_quoted_before_the_first_is_quoted_at_length() -> None:
    said = render_context(
        [source(f"Ferries leave. {LONG}"), source(f"Ferries rest. {LONG}", 2)], asked("ferries"), ANY, 160
    )
    assert said.sources == ("000000000001", "000000000002")


def test_clauses_that_belong_together_are_quoted_as_they_stand() -> None:
    text = "红嘴鸥" * 9 + "，" + "十一月到达" * 6 + "。"
    assert f"> {text}\n" in render_context([source(text)], asked("到达"), ANY, 500).markdown


def test_a_sentence_without_room_is_cut_at_a_word() -> None:
    reply = render_context([source("word " * 50, 1), source("never shown", 2)], WORDS, ANY, 75)
    assert reply.sources == ("000000000001",)
    assert reply.markdown.endswith("word\n")
    assert reply.tokens <= 75


@pytest.mark.parametrize("sources", [[], [source("   ")]])
def test_nothing_found_is_one_line(sources: list[QuotablePassage]) -> None:
    reply = render_context(sources, WORDS, ANY, 500)
    assert (reply.sources, reply.markdown) == ((), NOTHING)
    assert NOTHING.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "enough"),
    [
        ("The ferry leaves the island at nine.", True),
        ("The ferry is blue.", False),
        ("The note has none of it.", False),  # though its title has a word
    ],
)
def test_a_passage_says_enough_when_most_of_the_question_stands_in_it(text: str, enough: bool) -> None:
    assert says_enough(source(text), asked("ferry island leaves")) == enough


@given(SOURCES, st.sampled_from(["", "ab", "a plan"]), st.integers(50, 2_000))
def test_the_budget_holds_and_the_same_input_gives_the_same_bytes(
    sources: list[QuotablePassage], question: str, budget: int
) -> None:
    reply = render_context(sources, asked(question), ANY, budget)
    assert reply == render_context(list(sources), asked(question), ANY, budget)
    assert reply.tokens == estimated_tokens(reply.markdown) <= budget


@given(SOURCES)
def test_a_note_can_t_write_a_line_of_ours(sources: list[QuotablePassage]) -> None:
    lines = render_context(sources, WORDS, ANY, 20_000).markdown.split("\n")
    headings = [line for line in lines if line.startswith("#")]
    places = [line for line in lines if line.startswith("[#")]
    assert len(headings) <= len(places) <= len(sources)
