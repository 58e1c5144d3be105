"""Quotations against the text that they cite."""

import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scrubjay.daemon.answers.quotation import verify_quote

TEXT = """\
The eel pass at **Pont Hesg** was fitted on 8 April — a day late.
“We counted 1.5 million elvers,” said Hannah O’Brien; it’s the best year since 1987.

> Occupancy isn't detection: see `psi` and p_naïve (2 * 3 = 6).

The Straße is clo\u00adsed. Der Bericht nennt 3,200 Aale und ﬁnanziert den Pass.
夜间的鹭鸶在沼泽里捕鱼，天亮前离开。 ニホンウナギは絶滅危惧種です。
The pass was closed again in May. The pass was opened in June.

## What to read
- See [[Hesg#Log|the log]] of [[Hannah O'Brien]] first, then
- the [survey of 1987](https://example.org/a_(b).pdf "Survey") and `count(year, site)` in the code.
- [ ] Ask **[[Zoë]]** about the eels
1. Weirs are listed in 3. Weirs below
"""

VERIFIED = {
    "as-written": "on 8 April — a day late.",
    "emphasis-left-out": "eel pass at Pont Hesg was fitted",
    "emphasis-of-its-own": "the *eel pass* at __Pont Hesg__ was",
    "over-a-line-end": "a day late. We counted" and "best year since 1987. > Occupancy",
    "curly-for-straight": "“isn’t detection”",
    "other-marks": "«We counted 1.5 million elvers,» said",
    "double-dash": "8 April -- a day late",
    "dash-without-spaces": "8 April–a day late",
    "ligature": "finanziert den Pass",
    "decomposed": unicodedata.normalize("NFD", "psi and p_naïve"),
    "sharp-s": "the strasse is closed",
    "soft-hyphen": "is closed. Der Bericht",
    "code-marks": "see psi and p_naïve",
    "enclosed": '"the best year since 1987."',
    "wide-letters": "Ｈａｎｎａｈ Ｏ’Ｂｒｉｅｎ",
    "asterisk-that-means-times": "and p_naïve (2 * 3 = 6)",
    "chinese-in-mid-sentence": "鹭鸶在沼泽里捕鱼",
    "japanese": "ニホンウナギは絶滅危惧種です",
    "half-width-kana": "ﾆﾎﾝｳﾅｷﾞは絶滅",
    "ellipsis": "The eel pass … was fitted on 8 April",
    "two-ellipses": "eel pass...Occupancy isn't...opened in June",
    "ellipsis-at-the-ends": "… the best year since …",
    "earlier-and-later": "The pass was ... The pass was",
    "a-link-as-it-reads": "See the log of Hannah O'Brien first",
    "a-link-as-it-is-written": "See [[Hesg#Log|the log]] of [[Hannah O'Brien]] first",
    "a-markdown-link-as-it-reads": "the survey of 1987 and count(year, site) in the code",
    "a-markdown-link-as-it-is-written": 'the [survey of 1987](https://example.org/a_(b).pdf "Survey") and',
    "items-of-a-list-as-they-are-written": "Hannah O'Brien first, then\n- the survey of 1987",
    "items-of-a-list-on-one-line": "Hannah O'Brien first, then - the survey of 1987",
    "a-task-without-it": "in the code. Ask Zoë about the eels",
    "under-a-heading": "opened in June. What to read See the log",
    "a-number-at-the-beginning-of-a-line": "1. Weirs are listed in 3. Weirs below",
}

ABSENT = {
    "other-words": "The eel pass was never fitted",
    "a-word-changed": "the worst year since 1987",
    "part-of-a-word": "he eel pass at Pont",
    "end-in-a-word": "the best year sin",
    "part-of-a-number": "5 million elvers",
    "beginning-of-a-number": "late. “We counted 1",
    "beginning-of-a-grouped-number": "Der Bericht nennt 3",
    "accent-lost": "psi and p_naive",
    "where-a-link-leads": "the survey of 1987 https://example.org/a_(b).pdf",
    "the-note-behind-other-words": "See Hesg of Hannah O'Brien first",
    "without-the-operator": "psi and p_naïve (2 3 = 6)",
}
NOT_FOUND = {
    **{name: (quote, "These words are not in the text.") for name, quote in ABSENT.items()},
    "part-missing": ("The eel pass … was removed in June", "Part 2 of 2 is not in the text."),
    "wrong-order": ("opened in June … The eel pass", "Every part is in the text, but not in this order."),
    "said-once": ("best year since … best year since", "Every part is in the text, but not in this order."),
    "order-and-a-part-missing": (
        "opened in June … The eel pass … nowhere to be seen",
        "Part 2 of 3 is in the text only before the part that the quotation puts first.",
    ),
}

UNVERIFIABLE = ("", " \n\t", "“—…—”", "eel pass", "沼泽里", "The eel pass at Pont Hesg … is … late")


def test_what_the_text_says_is_verified() -> None:
    found = {name: verify_quote(quote, TEXT) for name, quote in VERIFIED.items()}
    assert {name: result for name, result in found.items() if result.verdict != "verified" or not result.spans} == {}
    text = "**By team, not by head.** If each pays"  # emphasis ends behind the stop
    assert verify_quote("By team, not by head. If each", text).verdict == "verified"


@pytest.mark.parametrize(("quote", "reason"), NOT_FOUND.values(), ids=NOT_FOUND.keys())
def test_what_it_does_not_say_is_not_found(quote: str, reason: str) -> None:
    result = verify_quote(quote, TEXT)
    assert (result.verdict, result.reason, result.spans) == ("not-found", reason, ())


def test_too_little_can_not_be_verified_nor_can_it_by_an_empty_text() -> None:
    assert {verify_quote(quote, TEXT).verdict for quote in UNVERIFIABLE} == {"unverifiable"}
    reasons = {verify_quote("a quotation that is long enough", text).reason for text in ("", " \n", "\u200b")}
    assert reasons == {"There is no text to compare with."}


@pytest.mark.parametrize(
    ("quote", "stands"),
    [
        ("eel pass at Pont Hesg was", ["eel pass at **Pont Hesg** was"]),
        ("finanziert DEN pass", ["ﬁnanziert den Pass"]),
        ("The strasse is closed", ["The Straße is clo\u00adsed"]),
        ("The pass was … The pass was", ["The pass was", "The pass was"]),
        ("8 April--a day late", ["8 April — a day late"]),
    ],
)
def test_spans_say_where_the_words_stand(quote: str, stands: list[str]) -> None:
    assert [TEXT[start:end] for start, end in verify_quote(quote, TEXT).spans] == stands


WORD = st.sampled_from(["eel", "pass", "water", "über", "naïve", "1987", "snow—melt", "it’s", "p_x", "沼泽"])
WORDS = st.lists(WORD, min_size=1)


@given(WORDS, WORDS, WORDS)
def test_words_out_of_a_text_are_verified(before: list[str], quoted: list[str], after: list[str]) -> None:
    quote = " ".join(quoted)
    result = verify_quote(quote, " ".join([*before, *quoted, *after]))
    assume(result.verdict != "unverifiable")
    assert result.verdict == "verified"


@given(st.text(min_size=1, max_size=80), st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]), st.text(max_size=20))
def test_any_text_verifies_itself_however_it_is_composed(text: str, form: str, around: str) -> None:
    quote = unicodedata.normalize(form, text)  # type: ignore[arg-type]
    result = verify_quote(quote.upper(), f"{around}\n\n{text.upper()}\n\n{around}")
    assert result.verdict in ("verified", "unverifiable")


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_input_gets_an_answer_whose_spans_are_in_order(quote: str, text: str) -> None:
    result = verify_quote(quote, text)
    assert bool(result.spans) is (result.verdict == "verified")
    places = [place for span in result.spans for place in span]
    assert places == sorted(places)
    assert all(0 <= place <= len(text) for place in places)


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        pytest.param("a" * 5_000, "a" * 100_000, id="one-long-word"),
        pytest.param("e" + "\u0301\u0316" * 5_000, "e" + "\u0316\u0301" * 50_000, id="a-hundred-thousand-accents"),
        pytest.param("… abcd " * 2_000, "abcd efg " * 10_000, id="two-thousand-parts"),
        pytest.param("*" * 5_000 + "a" * 20, "*_" * 50_000, id="nothing-but-marks"),
    ],
)
def test_hostile_input_is_answered(quote: str, text: str) -> None:
    assert verify_quote(quote, text).verdict in ("verified", "not-found", "unverifiable")
