"""The quotations of an answer and their sources; what a quotation that is none was made of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.answers.answer_quotes import cited_only, claims_of, sources_of
from scrubjay.daemon.answers.quotation import nearest, verify_quote

ONE, TWO = "a1b2c3d4e5f6", "0011223344aa"


@pytest.mark.parametrize(
    ("answer", "claims"),
    [
        (f'It is "one file" [#{ONE}].', [("one file", (ONE,))]),
        (f"It is “one file” [#{ONE}] and „two“ [#{TWO}].", [("one file", (ONE,)), ("two", (TWO,))]),
        (f"«un fichier» [#{ONE}][#{TWO}]", [("un fichier", (ONE, TWO))]),
        (f"「一つのファイル」[#{ONE}]", [("一つのファイル", (ONE,))]),
        (f"See [#{ONE}]: ‘one’s file’.", [("one’s file", (ONE,))]),
        (f"[#{ONE} line 3] work: a.md\n> one file\n> of two", [("one file\nof two", (ONE,))]),
        (f"“…” [#{ONE}]", []),
        (f"> one file\n\nSo says [#{ONE}].", [("one file", (ONE,))]),
        (f"As [#{ONE}] says:\n\n> one file", [("one file", (ONE,))]),
        ('No source: "one file".', [("one file", ())]),
        (f'```\nprint("x")  # [#{ONE}]\n```\nNothing.', []),
    ],
)
def test_quotations_of_all_languages_are_found_with_the_sources_beside_them(
    answer: str, claims: list[tuple[str, tuple[str, ...]]]
) -> None:
    assert [(claim.quote, claim.ids) for claim in claims_of(answer)] == claims


def test_every_cited_id_is_named_once_and_none_of_code() -> None:
    assert sources_of(f"[#{ONE}] [#{TWO.upper()}] [#{ONE}]\n~~~\n[#ffffff]\n~~~") == (ONE, TWO)


@pytest.mark.parametrize(
    ("quote", "text", "drops"),
    [
        ("everything can be moved by a number", "Not everything can be moved by a number.", True),
        ("we will ship the release", "In May we will ship the release.", False),
        ("We will … ship the release in May", "We will not ship the release in May.", True),
        ("We will … ship the release in May", "We will, if it rains, ship the release in May.", False),
        ("So the counts are never merged", "It is wrong when we did not. So the counts are never merged.", False),
        ("knot everything can be moved", "A knot everything can be moved.", False),
    ],
)
def test_a_negation_left_out_at_the_edge_or_by_an_ellipsis_is_told(quote: str, text: str, drops: bool) -> None:
    assert verify_quote(quote, text).verdict == ("altered" if drops else "verified")


def test_the_nearest_words_are_those_of_the_sentence_that_was_altered() -> None:
    text = "The weir is old. We marked **48 newts** at the dipping pond. Nobody came."
    near = nearest("We marked 49 newts at the dipping pond", text)
    assert near is not None
    assert text[near.start : near.end] == "We marked **48 newts** at the dipping pond"
    assert nearest("Quite another subject is spoken of here", text) is None


@given(st.text('"“”«»‘’> \n[#a1b2c3]x`', max_size=120))
def test_whatever_an_answer_looks_like_its_quotations_stand_in_it(answer: str) -> None:
    for claim in claims_of(answer):
        assert 0 <= claim.start < len(answer)


@pytest.mark.parametrize(
    ("answer", "quotes"),
    [
        (f"It says 'it isn't open on Sundays' [#{ONE}].", ["it isn't open on Sundays"]),
        (f"The boards' rule [#{ONE}] and the members' loss.", []),
        (f"*open on every Sunday* [#{ONE}] and the *most important day of all*.", ["open on every Sunday"]),
        (f"[#{ONE}]: `open on every Sunday`", ["open on every Sunday"]),
        (f"```\nopen on every Sunday\n```\n[#{ONE}]", ["open on every Sunday"]),
        (f"See [#{ONE}].\n```sh\nscrubjay index --wait now\n```", []),
    ],
)
def test_other_marks_quote_where_they_are_meant_to(answer: str, quotes: list[str]) -> None:
    assert [claim.quote for claim in claims_of(answer)] == quotes


@pytest.mark.parametrize(
    ("answer", "unquoted"),
    [
        (f'The sale was approved [#{ONE}]. And "one file" [#{ONE}].', [ONE]),
        (f'"one file" [#{ONE}]\n\nThe sale was approved [#{TWO}].', [TWO]),
        (f'- The sale was approved [#{TWO}]\n- "one file" [#{ONE}]', [TWO]),
        (f'As [#{ONE}] says, "one file".', []),
        (f'"one file" [#{ONE}][#{TWO}]', []),
    ],
)
def test_a_source_of_which_nothing_is_quoted_is_told(answer: str, unquoted: list[str]) -> None:
    assert [each.id for each in cited_only(answer, claims_of(answer))] == unquoted
