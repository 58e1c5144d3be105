"""Words that no note has are named, mended ones are told, and neither makes an answer look better than it is."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from scrubjay.profiles.search.searcher import Circumstances, Searcher
from scrubjay.profiles.search.types import FormSaid, Mode, SearchRequest, Unanswered, UnreadNotes, WordsSaid
from scrubjay.profiles.store.rows import NoteBundle
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
        ("costum domain", {}),
        ("costume", {}),
        ("dialog", {}),
        ("pad invoice", {"absent-words": ("pad",)}),
        ("hive invoice", {"absent-words": ("hive",)}),
        ("custmo quokka", {"mended": ("custmo",), "absent-words": ("quokka",)}),
        ("thatre quokka", {"mended": ("thatre",), "absent-words": ("quokka",)}),
        ("tag:none", {}),
        ("quokka profile:nope", {}),
        ('"quokka"', {}),
    ],
)
def test_what_no_note_says_and_what_was_mended_is_told(
    searcher: Searcher, query: str, expected: dict[str, tuple[str, ...]]
) -> None:
    assert said(searcher, query) == expected


def test_a_mended_query_is_spelt_as_notes_do_and_can_be_undone(searcher: Searcher) -> None:
    answer = searcher.search(SearchRequest("publsh a custmo domian -theatre", mode="lexical"))
    [notice] = answer.notices
    assert notice.text == (
        'You typed "publsh", "custmo" and "domian": showing results for publish a custom domain -theatre.'
    )
    assert notice.query == "publish a custom domain -theatre"
    assert answer.results[0].path.startswith("Custom")
    asked = searcher.search(SearchRequest("costum", mode="lexical"))
    assert [result.path for result in asked.results] == ["Costumes.md"]
    assert asked.notices == ()
    assert searcher.search(SearchRequest("custmo", mode="lexical", mend=False)).results == ()


@pytest.mark.parametrize(("query", "named"), [("Häusr", "häuser"), ("Bäumr", "bäume"), ("Wäldr", "wälder")])
def test_the_word_that_is_named_is_one_that_notes_write(
    make_store: MakeStore, searcher_over: MakeSearcher, query: str, named: str
) -> None:
    text = "Die alten Häuser stehen am Markt, hinter ihnen Bäume und Wälder."
    answer = searcher_over(p=make_store(note("Markt.md", text))).search(SearchRequest(query, mode="lexical"))
    assert [(notice.code, notice.query) for notice in answer.notices] == [("mended", named)]


@pytest.mark.parametrize(
    ("query", "named", "other"),
    [
        ("tailwnd", "tailwind", "thailand"),
        ("calender", "calendar", "lavender"),
        ("recieving", "receiving", "reviving"),
        ("pyhton", "python", "photon"),
        ("dokcer", "docker", "rocker"),
        ("рестаран", "ресторан", "реставра"),
    ],
)
@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
def test_notes_with_the_word_that_is_named_come_before_those_with_other_near_words(
    make_store: MakeStore, searcher_over: MakeSearcher, query: str, named: str, other: str, mode: Mode
) -> None:
    notes = (
        note("Long.md", f"What we said of {named} was little, and it stood among many words of quite other matters."),
        note(f"{other}.md", f"{other}, {other} and {other} once more: {other}.", tags=(other,)),
        *(note(f"{number}.md", f"The {named} of the ferry at {number}.") for number in range(3)),
        *(note(f"Filler {number}.md", f"The ferry left at {number}.") for number in range(9)),
    )
    answer = searcher_over(p=make_store(*notes)).search(SearchRequest(query, mode=mode))
    assert [notice.query for notice in answer.notices] == [named]
    with_words = [result.path for result in answer.results if result.found_by == "words"]
    assert set(with_words[:4]) == {"Long.md", "0.md", "1.md", "2.md"}


@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
def test_what_is_said_to_be_searched_is_searched(searcher: Searcher, mode: Mode) -> None:
    mended = searcher.search(SearchRequest("invioce of the carpentr", mode=mode))
    [notice] = mended.notices
    right = searcher.search(SearchRequest(notice.query, mode=mode))
    scores = {result.path: pytest.approx(result.score, abs=0.01) for result in right.results}
    assert {result.path: result.score for result in mended.results} == scores


def german(path: str, text: str) -> NoteBundle:
    bundle = note(path, text)
    return replace(bundle, note=replace(bundle.note, lang="de"))


RIGHT = (
    note("Trash.md", "The trash is emptied. Put it in the trash, all trash."),
    note("Crashes.md", "Crashing twice a day, said the log."),
    german("Andere.md", "Eine andere Wohnung ist besser als diese andere, sagte der Makler auf dem Weg zur anderen."),
    german("Immer.md", "Immer wieder hat der Nachbar das Fenster offen, und immer regnet es dann in das Treppenhaus."),
    german("Wanderung.md", "Die Wanderung im Karwendel war lang, aber wir haben unterwegs viele Tiere gesehen."),
)


@pytest.mark.parametrize("typing", [False, True])
@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("crash", "Crashes.md"),
        ("crash log", "Crashes.md"),
        ("Wanderungen", "Wanderung.md"),
        ("brash", None),
        ("Zimmer", None),
        ("σπίτι", None),
    ],
)
def test_a_word_that_is_spelt_right_is_never_replaced(
    make_store: MakeStore, searcher_over: MakeSearcher, query: str, first: str | None, typing: bool
) -> None:
    searcher = searcher_over(p=make_store(*RIGHT))
    answer = searcher.search(SearchRequest(query, mode="lexical", typing=typing))
    assert [result.path for result in answer.results][:1] == ([] if first is None else [first])
    assert "mended" not in {notice.code for notice in answer.notices}


def test_a_near_word_is_offered_for_one_that_is_spelt_right(make_store: MakeStore, searcher_over: MakeSearcher) -> None:
    answer = searcher_over(p=make_store(*RIGHT)).search(SearchRequest("thrash log", mode="lexical"))
    assert [(notice.code, notice.text) for notice in answer.notices] == [
        ("absent-words", 'No note says "thrash".'),
        ("offered", "Did you mean trash log?"),
    ]
    assert answer.notices[1].query == "trash log"


@pytest.mark.parametrize(
    ("query", "text", "told"),
    [
        ("Достаевский", "Роман написал Достоевский, а не кто другой.", "достоевский"),
        ("ελεφαντσς", "Ο ελέφαντας ήπιε νερό, και ο ελέφαντας έφυγε.", "ελέφαντας"),
        ("devlopment", "The development of a vault; a developer wrote it.", "development"),
        ("kawłaek", "Kawałek chleba leży na stole.", "kawałek"),
    ],
)
def test_a_mistake_is_told_as_typed_with_what_was_searched_as_written(
    make_store: MakeStore, searcher_over: MakeSearcher, query: str, text: str, told: str
) -> None:
    answer = searcher_over(p=make_store(note("One.md", text))).search(SearchRequest(query, mode="lexical"))
    assert [(notice.words, notice.query) for notice in answer.notices] == [((query,), told)]
    assert len(answer.results) == 1


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("прошлый месяц смета", "В прошлым смету приняли, смета готова."),
        ("Vorgestern Umzug", "Umzug: vorgstern gepackt."),
        ("letzter Monat", "Der letzte Monate, der Montag."),
    ],
)
def test_words_that_name_a_time_are_neither_mended_nor_is_another_offered(
    make_store: MakeStore, searcher_over: MakeSearcher, query: str, text: str
) -> None:
    answer = searcher_over(p=make_store(note("One.md", text))).search(SearchRequest(query, mode="lexical"))
    assert {notice.code for notice in answer.notices} <= {"absent-words"}
    assert answer.warnings[0].code == "date-in-words"


def test_an_identifier_is_not_replaced_by_itself(make_store: MakeStore, searcher_over: MakeSearcher) -> None:
    store = make_store(note("Dumps.md", "Run pg_dump or pgdumps nightly."), note("Code.md", "A pg pool; dump it."))
    answer = searcher_over(p=store).search(SearchRequest("pg_dump", mode="lexical"))
    assert answer.notices == ()
    assert answer.results[0].path == "Dumps.md"


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


STEMS = (
    note("Quick.md", "A fast web framework: fast to learn, fast to run, fast to ship."),
    note("Eating.md", "Ketosis begins after a day without food."),
    note("Boat.md", "The boat was painted in spring."),
)


def test_a_stem_is_told_from_the_word_and_makes_nothing_high(
    make_store: MakeStore, searcher_over: MakeSearcher
) -> None:
    searcher = searcher_over(p=make_store(*STEMS))
    [stem] = searcher.search(SearchRequest("fasting", mode="lexical", explain=True)).results
    assert (stem.path, stem.relevance) == ("Quick.md", "medium")
    assert stem.words == WordsSaid((), (), (FormSaid("fasting", "fast"),))
    [word] = searcher.search(SearchRequest("boats", mode="lexical", explain=True)).results
    assert (word.relevance, word.words) == ("high", WordsSaid(("boats",), (), places=("title",)))


def test_of_notes_that_say_the_same_none_is_high(make_store: MakeStore, searcher_over: MakeSearcher) -> None:
    alike = [note(f"Note {number}.md", f"The ferry left at {number}.") for number in range(5)]
    answer = searcher_over(p=make_store(*alike, *STEMS)).search(SearchRequest("ferry", mode="lexical"))
    assert {result.relevance for result in answer.results} == {"medium"}


@pytest.mark.parametrize("query", ["ελέφαντας", "quokka", "слон", "हाथी"])
def test_a_word_that_no_note_has_makes_nothing_high(
    make_store: MakeStore, searcher_over: MakeSearcher, query: str
) -> None:
    answer = searcher_over(p=make_store(*NOTES)).search(SearchRequest(query))
    assert "high" not in {result.relevance for result in answer.results}


@pytest.mark.parametrize(
    ("query", "text", "lang"),
    [
        ("lärobok", "Hyllan är full, sade hon, för i lådan under fönstret låg också läroböckerna från i fjol.", "sv"),
        ("luokka", "Koulun uudessa rakennuksessa on nyt ensimmäistä kertaa myös toisen luokan oppilaita.", "fi"),
        ("ferry", f"{'Much was said of quite other matters that day. ' * 30} The ferry left at noon.", "en"),
        ('"ferry left"', f"{'Much was said of quite other matters that day. ' * 30} The ferry left at noon.", "en"),
        ("ferry noon", f"{'Much was said of quite other matters that day. ' * 30} The ferry left at noon.", "en"),
    ],
)
@pytest.mark.parametrize("others", [2, 3, 8])
def test_what_says_all_that_was_asked_is_not_called_unlikely_however_long_it_is(
    make_store: MakeStore, searcher_over: MakeSearcher, query: str, text: str, lang: str, others: int
) -> None:
    said = note("Said.md", text)
    short = (note(f"{number}.md", f"Bread {number}.") for number in range(others))
    store = make_store(replace(said, note=replace(said.note, lang=lang)), *short)
    answer = searcher_over(p=store).search(SearchRequest(query, mode="lexical"))
    assert [result.path for result in answer.results] == ["Said.md"]
    assert answer.relevance != "low"


@pytest.mark.parametrize("query", ["", " ", "tag:", "((((", "OR tag:", "-", '"'])
def test_where_nothing_is_asked_for_it_says_what_may_be(searcher: Searcher, query: str) -> None:
    answer = searcher.search(SearchRequest(query, mode="lexical"))
    assert ([notice.code for notice in answer.notices], answer.results) == (["nothing-asked"], ())


@pytest.mark.parametrize(
    ("query", "codes", "relevance"),
    [
        ("-theatre", ["only-excluded"], "medium"),
        ("path:Custom", [], "high"),
        ("profile:p", [], "medium"),
        ("sort:-modified", [], "medium"),
        ("path:Custom -theatre", [], "high"),
    ],
)
def test_a_list_is_of_what_passes_its_filters_and_is_not_high_where_nothing_was_asked_for(
    searcher: Searcher, query: str, codes: list[str], relevance: str
) -> None:
    answer = searcher.search(SearchRequest(query, mode="lexical", limit=50))
    assert [notice.code for notice in answer.notices] == codes
    assert {answer.relevance, *(result.relevance for result in answer.results)} == {relevance}
    assert answer.results
    assert {result.found_by for result in answer.results} == {"filters"}
    assert answer.total_notes == len(answer.results)
