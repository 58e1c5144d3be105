"""Prompts that nobody put to the notes: when these speak up, and why not."""

import pytest

from scrubjay.daemon.answers.quotable_passages import QuotablePassage
from scrubjay.daemon.answers.unasked import why_silent
from scrubjay.daemon.links.asked_terms import AskedTerms
from scrubjay.profiles.search.words import analysis

FERRY = QuotablePassage("1" * 12, "work", "Ferry.md", "Ferry", (), 1, "The ferry to the island leaves at nine.")


def asked(prompt: str) -> AskedTerms:
    return AskedTerms(dict.fromkeys(analysis.query_terms(prompt), 1.0))


@pytest.mark.parametrize(
    ("prompt", "silent"),
    [
        ("When does the ferry leave the island harbour?", ""),
        ("wann fährt die Ferry zur Island?", ""),
        ("the ferry to the island leaves", ""),
        ("yes", "too few words"),
        ("what is 17 * 23", "too few words"),
        ("ferry", "too few words"),
        ("rename the ferry class and commit it to the island branch", "are needed"),
        ("why does this ferry test of the harbour module fail?", "are needed"),
    ],
)
def test_a_question_needs_less_than_an_order_and_a_word_or_two_are_none(prompt: str, silent: str) -> None:
    said = why_silent(prompt, is_likely=True, sources=[FERRY], asked=asked(prompt))
    assert silent in said
    assert bool(said) == bool(silent)


def test_what_is_hardly_likely_is_not_said() -> None:
    prompt = "When does the ferry leave?"
    assert "No note" in why_silent(prompt, is_likely=False, sources=[FERRY], asked=asked(prompt))
    assert "No note" in why_silent(prompt, is_likely=True, sources=[], asked=asked(prompt))
