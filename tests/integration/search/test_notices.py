"""Words that no note has are named, mended ones are told, and neither makes an answer look better than it is."""

import pytest

from scrubjay.profiles.search.searcher import Circumstances, Searcher
from scrubjay.profiles.search.types import (
    FormSaid,
    Mode,
    SearchRequest,
    SearchResponse,
    Unanswered,
    UnreadNotes,
    WordsSaid,
)
from tests.helpers.hash_encoder import HashEncoder
from tests.integration.search.conftest import MakeStore, Over, note

NOTES = (
    *(note(f"Custom {number}.md", f"A custom domain for site {number}, to publish it.") for number in range(12)),
    note("Costumes.md", "Costumes for the theatre."),
    note("Invoices.md", "The invoice of the carpenter was paid in March."),
    note("Dialogs.md", "All dialogs have a button."),
    note("Code.md", "def zebrafy(read, write): return read(write) # stripes"),
)


@pytest.fixture
def searcher(over: Over) -> Searcher:
    return over(*NOTES)


def ask(searcher: Searcher, query: str, **options: object) -> SearchResponse:
    return searcher.search(SearchRequest(query, **{"mode": "lexical", **options}))  # type: ignore[arg-type]


def codes(answer: SearchResponse) -> list[str]:
    return [notice.code for notice in answer.notices]


def test_what_no_note_says_and_what_was_mended_is_told(searcher: Searcher) -> None:
    told = {
        "narwhal invoice of the Quokka": {"absent-words": ("narwhal", "Quokka")},
        "invioce": {"mended": ("invioce",)},
        "pad invoice": {"absent-words": ("pad",)},
        "hive invoice": {"absent-words": ("hive",)},
        "custmo quokka": {"mended": ("custmo",), "absent-words": ("quokka",)},
    }
    nothing = ("invoice carpenter", "the invoice", "invoices", "costum domain", "costume", "dialog", "tag:none")
    for query in (*told, *nothing, "quokka profile:nope", '"quokka"'):
        found = {notice.code: notice.words for notice in ask(searcher, query).notices}
        assert found == told.get(query, {}), query


def test_while_typing_an_unfinished_word_is_not_said_to_be_absent(searcher: Searcher) -> None:
    assert codes(ask(searcher, "invoice quok", typing=True)) == []
    assert [notice.words for notice in ask(searcher, "quokka inv", typing=True).notices] == [("quokka",)]


def test_a_mended_query_is_spelt_as_notes_do_and_can_be_undone(searcher: Searcher) -> None:
    answer = ask(searcher, "publsh a custmo domian -theatre")
    [notice] = answer.notices
    assert (notice.query, notice.text) == (
        "publish a custom domain -theatre",
        'You typed "publsh", "custmo" and "domian": showing results for publish a custom domain -theatre.',
    )
    assert answer.results[0].path.startswith("Custom")
    assert answer.relevance != "low"
    asked = ask(searcher, "costum")
    assert ([result.path for result in asked.results], asked.notices) == (["Costumes.md"], ())
    assert ask(searcher, "custmo", mend=False).results == ()


@pytest.mark.parametrize(("query", "named"), [("Häusr", "häuser"), ("Bäumr", "bäume"), ("Wäldr", "wälder")])
def test_the_word_that_is_named_is_one_that_notes_write(over: Over, query: str, named: str) -> None:
    searcher = over(note("Markt.md", "Die alten Häuser stehen am Markt, hinter ihnen Bäume und Wälder."))
    assert [(notice.code, notice.query) for notice in ask(searcher, query).notices] == [("mended", named)]


@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
@pytest.mark.parametrize(
    ("query", "named", "other"),
    [
        ("tailwnd", "tailwind", "thailand"),
        ("recieving", "receiving", "reviving"),
        ("pyhton", "python", "photon"),
        ("рестаран", "ресторан", "реставра"),
    ],
)
def test_notes_with_the_word_that_is_named_come_before_those_with_other_near_words(
    over: Over, query: str, named: str, other: str, mode: Mode
) -> None:
    searcher = over(
        note("Long.md", f"What we said of {named} was little, and it stood among many words of quite other matters."),
        note(f"{other}.md", f"{other}, {other} and {other} once more: {other}.", tags=(other,)),
        *(note(f"{number}.md", f"The {named} of the ferry at {number}.") for number in range(3)),
        *(note(f"Filler {number}.md", f"The ferry left at {number}.") for number in range(9)),
    )
    answer = ask(searcher, query, mode=mode)
    assert [notice.query for notice in answer.notices] == [named]
    with_words = [result.path for result in answer.results if result.found_by == "words"]
    assert set(with_words[:4]) == {"Long.md", "0.md", "1.md", "2.md"}


@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
def test_what_is_said_to_be_searched_is_searched(searcher: Searcher, mode: Mode) -> None:
    mended = ask(searcher, "invioce of the carpentr", mode=mode)
    [notice] = mended.notices
    right = ask(searcher, notice.query, mode=mode)
    scores = {result.path: pytest.approx(result.score, abs=0.01) for result in right.results}
    assert {result.path: result.score for result in mended.results} == scores


RIGHT = (
    note("Trash.md", "The trash is emptied. Put it in the trash, all trash."),
    note("Crashes.md", "Crashing twice a day, said the log."),
    note("Andere.md", "Eine andere Wohnung ist besser als diese andere, sagte er auf dem Weg zur anderen.", lang="de"),
    note("Immer.md", "Immer wieder hat der Nachbar das Fenster offen, und immer regnet es dann hinein.", lang="de"),
    note("Wanderung.md", "Die Wanderung im Karwendel war lang, aber wir haben viele Tiere gesehen.", lang="de"),
)


@pytest.mark.parametrize("typing", [False, True])
@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("crash log", "Crashes.md"),
        ("Wanderungen", "Wanderung.md"),
        ("brash", None),
        ("Zimmer", None),
        ("σπίτι", None),
    ],
)
def test_a_word_that_is_spelt_right_is_never_replaced(over: Over, query: str, first: str | None, typing: bool) -> None:
    answer = ask(over(*RIGHT), query, typing=typing)
    assert [result.path for result in answer.results][:1] == ([] if first is None else [first])
    assert "mended" not in codes(answer)


def test_a_near_word_is_offered_for_one_that_is_spelt_right(over: Over) -> None:
    assert [(notice.code, notice.text, notice.query) for notice in ask(over(*RIGHT), "thrash log").notices] == [
        ("absent-words", 'No note says "thrash".', ""),
        ("offered", "Did you mean trash log?", "trash log"),
    ]


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
    over: Over, query: str, text: str, told: str
) -> None:
    answer = ask(over(note("One.md", text)), query)
    assert [(notice.words, notice.query) for notice in answer.notices] == [((query,), told)]
    assert len(answer.results) == 1


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("прошлый месяц смета", "В прошлым смету приняли, смета готова."),
        ("Vorgestern Umzug", "Umzug: vorgstern gepackt."),
    ],
)
def test_words_that_name_a_time_are_neither_mended_nor_is_another_offered(over: Over, query: str, text: str) -> None:
    answer = ask(over(note("One.md", text)), query)
    assert set(codes(answer)) <= {"absent-words"}
    assert answer.warnings[0].code == "date-in-words"


def test_an_identifier_is_not_replaced_by_itself(over: Over) -> None:
    searcher = over(note("Dumps.md", "Run pg_dump or pgdumps nightly."), note("Code.md", "A pg pool; dump it."))
    answer = ask(searcher, "pg_dump")
    assert (answer.notices, answer.results[0].path) == ((), "Dumps.md")


@pytest.mark.parametrize(
    ("query", "is_high"),
    [("invoice carpenter", True), ("quokka invoice", False), ("invoice zebrafy giraffe", False)],
)
def test_a_tier_counts_the_words_that_no_note_has(searcher: Searcher, query: str, is_high: bool) -> None:
    assert (ask(searcher, query).relevance == "high") is is_high


def test_who_keeps_the_profiles_open_has_its_say_in_the_answer_itself(make_store: MakeStore) -> None:
    known = Circumstances(
        about=lambda profile, _vault, path: f"{profile}: {path}",
        unread=lambda ids: UnreadNotes(1_200 if "id" in ids else 0),
        unanswered=lambda name: Unanswered(name, "It is locked.", "locked"),
    )
    store = make_store(*NOTES)
    searcher = Searcher(lambda: {"p": store}, HashEncoder(), circumstances=known)
    answer = ask(searcher, "carpenter quokka", profiles=("p", "q"), limit=1, ids=("id", "other"))
    searcher.close()
    assert [found.about for found in answer.results] == ["p: Invoices.md"]
    assert [(notice.code, notice.text) for notice in answer.notices] == [
        ("unread", "1,200 of your notes have not been read yet, so there may be more.")
    ]
    assert answer.unanswered == (Unanswered("q", "It is locked.", "locked"),)


def test_no_word_is_called_absent_while_notes_wait_to_be_read(make_store: MakeStore) -> None:
    store = make_store(*NOTES)
    for unread, code in (
        (UnreadNotes(), "absent-words"),
        (UnreadNotes(1), "unread"),
        (UnreadNotes(0, ("p",)), "unread"),
    ):
        known = Circumstances(unread=lambda _ids, unread=unread: unread)
        searcher = Searcher(lambda: {"p": store}, HashEncoder(), circumstances=known)
        assert codes(ask(searcher, "invoice quokka")) == [code], unread
        searcher.close()


STEMS = (
    note("Quick.md", "A fast web framework: fast to learn, fast to run, fast to ship."),
    note("Eating.md", "Ketosis begins after a day without food."),
    note("Boat.md", "The boat was painted in spring."),
)


def test_a_stem_is_told_from_the_word_and_makes_nothing_high(over: Over) -> None:
    [stem] = ask(over(*STEMS), "fasting", explain=True).results
    assert (stem.path, stem.relevance) == ("Quick.md", "medium")
    assert stem.words == WordsSaid((), (), (FormSaid("fasting", "fast"),))
    [word] = ask(over(*STEMS), "boats", explain=True).results
    assert (word.relevance, word.words) == ("high", WordsSaid(("boats",), (), places=("title",)))


def test_of_notes_that_say_the_same_none_is_high(over: Over) -> None:
    alike = [note(f"Note {number}.md", f"The ferry left at {number}.") for number in range(5)]
    assert {result.relevance for result in ask(over(*alike, *STEMS), "ferry").results} == {"medium"}


@pytest.mark.parametrize("query", ["ελέφαντας", "quokka", "слон", "हाथी"])
def test_a_word_that_no_note_has_makes_nothing_high(searcher: Searcher, query: str) -> None:
    assert "high" not in {result.relevance for result in ask(searcher, query, mode="hybrid").results}


LATE = f"{'Much was said of quite other matters that day. ' * 30} The ferry left at noon."


@pytest.mark.parametrize("others", [2, 8])
@pytest.mark.parametrize(
    ("query", "text", "lang"),
    [
        ("lärobok", "Hyllan är full, sade hon, för i lådan under fönstret låg också läroböckerna från i fjol.", "sv"),
        ("luokka", "Koulun uudessa rakennuksessa on nyt ensimmäistä kertaa myös toisen luokan oppilaita.", "fi"),
        ("ferry", LATE, "en"),
        ('"ferry left"', LATE, "en"),
        ("ferry noon", LATE, "en"),
    ],
)
def test_what_says_all_that_was_asked_is_not_called_unlikely_however_long_it_is(
    over: Over, query: str, text: str, lang: str, others: int
) -> None:
    answer = ask(
        over(note("Said.md", text, lang=lang), *(note(f"{n}.md", f"Bread {n}.") for n in range(others))), query
    )
    assert [result.path for result in answer.results] == ["Said.md"]
    assert answer.relevance != "low"


@pytest.mark.parametrize("query", ["", " ", "tag:", "((((", "OR tag:", "-", '"'])
def test_where_nothing_is_asked_for_it_says_what_may_be(searcher: Searcher, query: str) -> None:
    answer = ask(searcher, query)
    assert (codes(answer), answer.results) == (["nothing-asked"], ())


@pytest.mark.parametrize(
    ("query", "expected", "relevance"),
    [
        ("-theatre", ["only-excluded"], "medium"),
        ("profile:p", [], "medium"),
        ("sort:-modified", [], "medium"),
        ("path:Custom -theatre", [], "high"),
    ],
)
def test_a_list_is_of_what_passes_its_filters_and_is_not_high_where_nothing_was_asked_for(
    searcher: Searcher, query: str, expected: list[str], relevance: str
) -> None:
    answer = ask(searcher, query, limit=50)
    assert codes(answer) == expected
    assert {answer.relevance, *(result.relevance for result in answer.results)} == {relevance}
    assert {result.found_by for result in answer.results} == {"filters"}
    assert answer.total_notes == len(answer.results)
