"""Passages that say the same thing with another number or date: which of them are called older."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.answers.newest import LOOKED_AT, newest_first
from scrubjay.daemon.answers.quotable_passages import QuotablePassage
from scrubjay.daemon.links.asked_terms import AskedTerms
from scrubjay.profiles.search.words import analysis

FIRST = datetime(2026, 3, 4, 12, tzinfo=UTC)


def asked(question: str) -> AskedTerms:
    return AskedTerms(dict.fromkeys(analysis.query_terms(question), 1.0))


def passage(number: int, text: str, title: str = "", days: int | None = None) -> QuotablePassage:
    """A passage of a note that was changed so many days after the first, else as many as its number says."""
    changed = FIRST + timedelta(days=number if days is None else days)
    return QuotablePassage(f"{number:012x}", "work", f"N{number}.md", title, (), 1, text, modified=changed)


def older(question: str, *passages: QuotablePassage) -> dict[str, str]:
    """What is called older, and than what."""
    return {source.text: source.newer for _, source in newest_first(passages, asked(question)) if source.newer}


@pytest.mark.parametrize(
    ("question", "old", "new"),
    [
        ("When does Kestrel launch?", "Kestrel launches on 1 September.", "Kestrel launches on 2026-10-15."),
        ("When does Kestrel launch?", "We launch Kestrel on 1 May 2026.", "Kestrel will launch May 3rd, 2026."),
        ("Wann startet Kestrel?", "Kestrel startet am 1. März 2026.", "Kestrel startet am 15. Oktober 2026."),
        ("price of a seat", "The price of a seat is $29.", "The price of a seat is $34."),
        ("standup time", "The standup time is 09:15.", "The standup time is 9:45."),
        ("research share", "The research share is 12 %.", "The research share is 18 %."),
        ("deploy script Python", "The deploy script needs Python 3.10.", "The deploy script needs Python 3.12."),
        ("support team people", "The support team has 7 people.", "The support team has 11 people."),
    ],
)
def test_of_two_that_give_another_value_the_newer_stands_first(question: str, old: str, new: str) -> None:
    found = newest_first([passage(1, old), passage(2, new)], asked(question))
    assert [(number, source.newer) for number, source in found] == [(1, ""), (0, f"{2:012x}")]


def test_what_does_not_disagree_keeps_its_place() -> None:
    alike = {
        "the same date": ("The launch is on 1 May 2026.", "The launch is on May 1."),
        "another kind of value": ("The launch is on 1 May.", "The launch costs $300."),
        "about something else": ("The launch date is 1 May.", "On 3 June we met."),
        "no value": ("The launch is on 1 May.", "The launch is near."),
    }
    for kind, (old, new) in alike.items():
        assert older("launch date", passage(1, old), passage(2, new)) == {}, kind
    less = passage(1, "Kestrel's price in March: $5."), passage(2, "Kestrel's price in April: $7.")
    assert older("Kestrel price in March", *less) == {}
    named = (
        passage(1, "The launch is on 1 May.", "Kestrel launch"),
        passage(2, "The launch is on 3 June.", "Osprey launch"),
    )
    assert older("launch date", *named) == {}


def test_a_note_that_says_an_older_date_but_was_changed_later_is_not_called_older() -> None:
    living = passage(2, "The launch is on 3 June.", days=90)
    begun_long_ago = replace(living, dated=date(2024, 1, 1))
    assert older("launch", begun_long_ago, passage(1, "The launch is on 1 May.")) == {}


@pytest.mark.parametrize(("changed", "is_older"), [(9, False), (10, True)])
def test_a_note_s_own_day_is_not_older_than_a_file_that_was_copied_with_it(changed: int, is_older: bool) -> None:
    own = passage(1, "The launch is on 3 June.", days=9)
    dated = replace(own, dated=date(2026, 3, 5))
    assert bool(older("launch", passage(2, "The launch is on 1 May.", days=changed), dated)) is is_older


def test_of_three_each_older_one_names_the_newest() -> None:
    texts = ("The launch is on 1 May.", "The launch is on 3 June.", "The launch is on 9 July.")
    said = older("launch", *(passage(number, text) for number, text in enumerate(texts)))
    assert said == {texts[0]: f"{2:012x}", texts[1]: f"{2:012x}"}


@given(
    st.lists(
        st.builds(
            passage,
            st.integers(0, 40),
            st.text("launch 0123456789.:-€% May\n|", max_size=60) | st.text(max_size=60),
            st.sampled_from(["", "Kestrel", "Osprey launch"]),
        ),
        max_size=LOOKED_AT + 5,
    )
)
def test_no_passage_is_lost_or_told_twice_and_each_newer_one_stands_before(passages: list[QuotablePassage]) -> None:
    found = newest_first(passages, asked("when is the launch"))
    assert sorted(number for number, _ in found) == list(range(len(passages)))
    for place, (number, source) in enumerate(found):
        assert (source.id, source.text) == (passages[number].id, passages[number].text)
        if source.newer:
            assert source.newer in {each.id for _, each in found[:place]}
