from dataclasses import replace

import pytest

from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.daemon.models.suggestion import (
    DOWNLOADED,
    PACKAGED,
    doubtful,
    share_of_tokens,
    suggest,
    tokens_a_word,
    words_alone,
)

POLYGLOT = replace(BUNDLED, name="polyglot", reads_unspaced=True)


@pytest.mark.parametrize(
    ("passages", "languages"),
    [
        ({"en": 95, "de": 5}, ("de",)),  # a twentieth
        ({"en": 96, "de": 4}, None),
        ({"en": 80, "de": 2, "ru": 3, "zh": 15}, ("zh", "ru", "de")),
        ({"": 50, "en": 50}, None),  # unknown ones may be English
        ({"eo": 90, "en": 10}, None),  # nothing better is known
        ({}, None),
    ],
)
def test_another_model_is_named_where_much_is_in_languages_that_the_model_reads_badly(
    passages: dict[str, int], languages: tuple[str, ...] | None
) -> None:
    found = suggest(BUNDLED, passages, {}, None)
    assert (found.languages if found else None) == languages


def test_it_says_how_much_and_how_long() -> None:
    found = suggest(BUNDLED, {"de": 300, "en": 700}, {}, rate=100.0)
    assert found is not None
    assert found.share == pytest.approx(0.3)
    assert found.seconds == pytest.approx(10 * DOWNLOADED.work)


def test_a_model_that_spells_words_out_makes_more_tokens_of_them_which_the_other_need_not_read() -> None:
    letters, pieces = ["письмо" * 10], ["Brief" * 10]
    assert share_of_tokens("ru", letters, [60]) == pytest.approx(0.17)
    assert share_of_tokens("de", pieces, [10]) == pytest.approx(0.85)
    assert share_of_tokens("zh", ["信" * 100], [100]) == pytest.approx(0.25)
    found = suggest(BUNDLED, {"ru": 1000}, {}, 100.0, 0.43)
    assert found is not None
    assert found.seconds == pytest.approx(10 * 0.43 * DOWNLOADED.work)


def test_a_model_that_spells_words_out_reads_them_badly_whatever_it_says_of_itself() -> None:
    assert suggest(POLYGLOT, {"ru": 100}, {"ru": 1.6}, None) is None
    assert suggest(POLYGLOT, {"ru": 100}, {"ru": 5.5}, None) is not None
    assert suggest(replace(POLYGLOT, name=DOWNLOADED.name), {"ru": 100}, {"ru": 5.5}, None) is None, "who has it"


def test_a_model_that_is_on_this_machine_is_named_before_one_to_download() -> None:
    here = {PACKAGED.name, "another"}
    found = suggest(BUNDLED, {"de": 300}, {}, 100.0, here=here)
    assert found is not None
    assert (found.model, found.is_here, found.seconds) == (PACKAGED, True, pytest.approx(3 * PACKAGED.work))
    to_download = suggest(BUNDLED, {"de": 300}, {}, 100.0, here={"another"})
    assert to_download is not None
    assert (to_download.model, to_download.is_here) == (DOWNLOADED, False)
    assert suggest(replace(POLYGLOT, name=PACKAGED.name), {"ru": 100}, {"ru": 5.5}, None, here=here) is None


def test_tokens_are_counted_by_the_word_and_addresses_and_code_are_no_words() -> None:
    assert (tokens_a_word(["one two", "three"], [4, 2]), tokens_a_word([], [])) == (2, 0)
    text = "- [Ferry times](https://harbour.example/ferry?day=2) call open_gate(3) at nine, foo.bar"
    assert words_alone(text).split() == ["Ferry", "call", "at", "nine"]


def test_a_language_that_a_model_was_trained_on_is_read_well_whatever_its_notes_are_like() -> None:
    assert suggest(BUNDLED, {"en": 100}, {"en": 9.0}, None) is None  # lists of links


def test_words_of_a_few_passages_in_another_language_are_not_counted() -> None:
    assert doubtful(BUNDLED, {"en": 90, "de": 2, "ru": 3, "": 5}) == {"de", "ru"}
    assert doubtful(BUNDLED, {"en": 96, "de": 2, "ru": 2}) == doubtful(BUNDLED, {}) == set()
