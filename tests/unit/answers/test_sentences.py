"""Sentences of an answer in JSON, each as soon as it is whole."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.answers.model_reply import MOST_CHARACTERS, Quoted, SentenceReader, WrittenSentence

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.text('"\\{}[],', max_size=12)
SENTENCES = st.lists(
    st.builds(
        WrittenSentence,
        text=TEXTS,
        quotes=st.lists(st.builds(Quoted, passage=TEXTS, quote=TEXTS), max_size=2).map(tuple),
    ),
    max_size=4,
)


def written(sentences: list[WrittenSentence], *, ascii_only: bool = False) -> str:
    said = [
        {"quotes": [{"passage": each.passage, "quote": each.quote} for each in one.quotes], "text": one.text}
        for one in sentences
    ]
    return json.dumps({"sentences": said}, ensure_ascii=ascii_only)


def read(*pieces: str) -> tuple[list[WrittenSentence], SentenceReader]:
    reader = SentenceReader()
    return [said for piece in pieces for said in reader.feed(piece)], reader


@given(sentences=SENTENCES, size=st.integers(1, 40), ascii_only=st.booleans())
def test_an_answer_says_the_same_in_whatever_pieces_it_comes(
    sentences: list[WrittenSentence], size: int, ascii_only: bool
) -> None:
    answer = written(sentences, ascii_only=ascii_only)
    found, reader = read(*(answer[start : start + size] for start in range(0, len(answer), size)))
    assert found == sentences
    assert reader.complete
    assert not reader.odd


def test_a_sentence_is_read_before_the_next_has_come() -> None:
    answer = written([WrittenSentence("One."), WrittenSentence("Two.")])
    found, reader = read(answer[: answer.index("Two")])
    assert [said.text for said in found] == ["One."]
    assert not reader.complete


@pytest.mark.parametrize(
    ("around", "count"),
    [
        pytest.param("<think>Perhaps {} of ‘sentences’: [?</think>\n{}", 1, id="thinking-before"),
        pytest.param("```json\n{}\n```", 1, id="fenced"),
        pytest.param("Here you are: {} I hope that helps.", 1, id="words-around"),
        pytest.param("<think>{}", 0, id="only-thought"),
    ],
)
def test_what_stands_around_the_answer_is_passed_over(around: str, count: int) -> None:
    before, _, after = around.rpartition("{}")
    found, _ = read(before.replace("{}", "two") + written([WrittenSentence("One.")]) + after)
    assert len(found) == count


@pytest.mark.parametrize(
    "value",
    ["7", "null", '"text"', "[[]]", "{}", '{"text": 5}', '{"text": "x", "quotes": [{"passage": 1, "quote": "x"}]}'],
)
def test_a_value_that_is_no_sentence_is_odd_and_the_next_one_is_read(value: str) -> None:
    found, reader = read('{"sentences": [' + value + ', {"text": "One.", "quotes": []}]}')
    assert [said.text for said in found] == ["One."]
    assert reader.odd


def test_what_is_no_answer_is_never_complete() -> None:
    for answer in ("", "[]", '{"answer": "One."}', '{"sentences": "One."}', '{"sentences": [{]}'):
        found, reader = read(answer)
        assert (found, reader.complete) == ([], False), answer


@pytest.mark.parametrize("start", ["", '{"sentences": [', '{"sentences": [{"text": "', '{"sentences": ' + "[" * 5_000])
def test_an_answer_without_an_end_is_read_no_further(start: str) -> None:
    _, reader = read(start, *["} and on [ "] * (MOST_CHARACTERS // 10))
    assert reader.complete
    assert reader.odd


def test_half_characters_are_replaced_since_no_reply_can_hold_them() -> None:
    (said,), _ = read('{"sentences": [{"text": "x\\ud800y", "quotes": []}]}')
    assert said.text.encode() == b"x?y"


@given(st.lists(st.text('{}[]",:\\ sentencxt0<>/hik', max_size=20), max_size=20))
def test_nothing_breaks_it(pieces: list[str]) -> None:
    read('{"sentences": [', *pieces)
