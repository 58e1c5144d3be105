"""Words that no note has are named, mended ones are told, and neither makes an answer look better than it is."""

from collections.abc import Callable

import pytest

from scrubjay.profiles.search.searcher import Circumstances, Searcher
from scrubjay.profiles.search.types import SearchRequest, Unanswered, UnreadNotes
from tests.helpers.hash_encoder import HashEncoder
from tests.integration.search.conftest import MakeStore, note

MakeSearcher = Callable[..., Searcher]

NOTES = (
    *(note(f"Custom {number}.md", f"A custom domain for site {number}, to publish it.") for number in range(12)),
    note("Costumes.md", "Costumes for the theatre."),
    note("Invoices.md", "The invoice of the carpenter was paid in March."),
    note("Dialogs.md", "All dialogs have a button."),
    note("Code.md", "def zebrafy(read, write): return read(write) # stripes"),
)


@pytest.fixture
def searcher(make_store: MakeStore, searcher_over: MakeSearcher) -> Searcher:
    return searcher_over(p=make_store(*NOTES))


def said(searcher: Searcher, query: str, **options: bool) -> dict[str, tuple[str, ...]]:
    answer = searcher.search(SearchRequest(query, mode="lexical", **options))  # type: ignore[arg-type]
    return {notice.code: notice.words for notice in answer.notices}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("quokka invoice", {"absent-words": ("quokka",)}),
        ("invoice of the Quokka", {"absent-words": ("Quokka",)}),
        ("narwhal quokka", {"absent-words": ("narwhal", "quokka")}),
        ("invoice carpenter", {}),
        ("the invoice", {}),
        ("invoices", {}),
        ("invioce", {"mended": ("invioce",)}),
        ("costum domain", {"mended": ("costum",)}),
        ("costume", {}),
        ("dialog", {}),
        ("pad invoice", {"absent-words": ("pad",)}),
        ("hive invoice", {"absent-words": ("hive",)}),
        ("costum quokka", {"mended": ("costum",), "absent-words": ("quokka",)}),
        ("tag:none", {}),
        ('"quokka"', {}),
    ],
)
def test_what_no_note_says_and_what_was_mended_is_told(
    searcher: Searcher, query: str, expected: dict[str, tuple[str, ...]]
) -> None:
    assert said(searcher, query) == expected


def test_a_mended_query_is_spelt_as_notes_do_and_can_be_undone(searcher: Searcher) -> None:
    answer = searcher.search(SearchRequest("publsh a costum domian -theatre", mode="lexical"))
    [notice] = answer.notices
    assert notice.text == "Showing results for publish a custom domain -theatre."
    assert notice.query == "publish a custom domain -theatre"
    assert answer.results[0].path.startswith("Custom")
    asked = searcher.search(SearchRequest("costum", mode="lexical", mend=False))
    assert [result.path for result in asked.results] == ["Costumes.md"]
    assert asked.notices == ()


def test_while_typing_an_unfinished_word_is_not_said_to_be_absent(searcher: Searcher) -> None:
    assert said(searcher, "invoice quok", typing=True) == {}
    assert said(searcher, "quokka inv", typing=True) == {"absent-words": ("quokka",)}


@pytest.mark.parametrize(
    ("query", "is_high"),
    [
        ("invoice carpenter", True),
        ("invoice", True),
        ("quokka invoice", False),
        ("narwhal quokka invoice carpenter", False),
        ("invoice zebrafy giraffe", False),
    ],
)
def test_a_tier_counts_the_words_that_no_note_has(searcher: Searcher, query: str, is_high: bool) -> None:
    assert (searcher.search(SearchRequest(query, mode="lexical")).relevance == "high") is is_high


def test_a_mended_query_that_is_answered_is_not_called_unlikely(searcher: Searcher) -> None:
    assert searcher.search(SearchRequest("publsh costum domian", mode="lexical")).relevance != "low"


def test_who_keeps_the_profiles_open_has_its_say_in_the_answer_itself(make_store: MakeStore) -> None:
    known = Circumstances(
        about=lambda profile, _vault, path: f"{profile}: {path}",
        unread=lambda ids: UnreadNotes(1_200 if "id" in ids else 0),
        unanswered=lambda name: Unanswered(name, "It is locked.", "locked"),
    )
    store = make_store(*NOTES)
    searcher = Searcher(lambda: {"p": store}, HashEncoder(), circumstances=known)
    answer = searcher.search(
        SearchRequest("carpenter quokka", ("p", "q"), mode="lexical", limit=1, ids=("id", "other"))
    )
    assert [found.about for found in answer.results] == ["p: Invoices.md"]
    assert [(notice.code, notice.text) for notice in answer.notices] == [
        ("unread", "1,200 of your notes have not been read yet, so there may be more.")
    ]
    assert answer.unanswered == (Unanswered("q", "It is locked.", "locked"),)
    searcher.close()


@pytest.mark.parametrize(
    ("unread", "codes"),
    [(UnreadNotes(), ["absent-words"]), (UnreadNotes(1), ["unread"]), (UnreadNotes(0, ("p",)), ["unread"])],
)
def test_no_word_is_called_absent_while_notes_wait_to_be_read(
    make_store: MakeStore, unread: UnreadNotes, codes: list[str]
) -> None:
    known = Circumstances(unread=lambda _ids: unread)
    store = make_store(*NOTES)
    searcher = Searcher(lambda: {"p": store}, HashEncoder(), circumstances=known)
    answer = searcher.search(SearchRequest("invoice quokka", mode="lexical"))
    assert [notice.code for notice in answer.notices] == codes
    searcher.close()
