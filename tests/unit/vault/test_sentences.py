"""Where sentences begin and end."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.search.results.plain_text import LONGEST, Sentence, sentence_bounds, sentences

TEXT = """\
# Eel pass

The pass was fitted in April. It cost £1,200, of which the trust paid half! Did it help?
- Elvers climbed it in the first week.
- We counted elvers by night, e.g. with red light.
> Moths are another matter. Nightjars too.
潮が満ちるとウナギが上る。夜に数える。
"""


def texts(found: tuple[Sentence, ...]) -> list[str]:
    return [sentence.text for sentence in found]


def test_sentences_and_lines_without_their_marks() -> None:
    assert texts(sentences(TEXT)) == [
        "Eel pass",
        "The pass was fitted in April.",
        "It cost £1,200, of which the trust paid half!",
        "Did it help?",
        "Elvers climbed it in the first week.",
        "We counted elvers by night, e.g. with red light.",
        "Moths are another matter.",
        "Nightjars too.",
        "潮が満ちるとウナギが上る。",
        "夜に数える。",
    ]


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=900))
def test_sentences_stand_where_they_say_and_in_order(text: str) -> None:
    found = sentences(text)
    assert all(text[one.start : one.start + len(one.text)] == one.text for one in found)
    assert all(one.start + len(one.text) <= other.start for one, other in pairwise(found))
    assert all(0 < len(one.text) <= LONGEST for one in found)


def test_a_long_sentence_is_cut_between_words() -> None:
    first, second = sentences("eel " * 100)
    assert (len(first.text), len(second.text)) == (299, 99)
    assert texts(sentences("x" * 700)) == ["x" * 300, "x" * 300, "x" * 100]


def test_what_is_shown_ends_at_every_stop_and_what_is_quoted_where_no_sentence_goes_on() -> None:
    text = "It takes approx. ten days. Then it is done."
    shown = [text[start:end] for start, end in sentence_bounds(text)]
    assert shown == ["It takes approx.", "ten days.", "Then it is done."]
    assert texts(sentences(text)) == ["It takes approx. ten days.", "Then it is done."]
