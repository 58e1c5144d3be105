"""What a search over real stores finds, in which order, and what it tells of its results."""

import threading
from typing import get_args

import pytest

from scrubjay.profiles.cancellation import Abandoned, ending_with
from scrubjay.profiles.search.meaning.embedder import Awaited, EmbedderFailed
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import MOST_PLACES, Fusion, Mode, SearchRequest, WordPlace, WordsSaid
from scrubjay.profiles.store.rows import Vector
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder
from tests.integration.search.conftest import NOW, MakeStore, Over, note, paths

CURLEW, HERON, BUDGET, PLAN = FILES = ("Field/Curlew.md", "Field/Heron.md", "Work/Budget.md", "Work/Plan.md")
BIRDS = (
    note(CURLEW, "The curlew nests on wet moorland.", "Its call is a rising whistle.", tags=("bird",), day=3),
    note(HERON, "A heron stands in shallow water.", tags=("bird/water",), day=2),
    note(BUDGET, "The budget for the moorland survey is tight.", tags=("work",), day=5),
    note(PLAN, "Nothing about animals here.", day=4),
)


@pytest.fixture
def birds(over: Over) -> Searcher:
    return over(home=BIRDS)


@pytest.mark.parametrize("mode", ["hybrid", "lexical", "semantic"])
def test_every_mode_finds_the_note(birds: Searcher, mode: Mode) -> None:
    assert paths(birds, "curlew nest", mode=mode)[0] == CURLEW


@pytest.mark.parametrize(
    ("expected", "queries"),
    [
        ((CURLEW, BUDGET), ("moorland", "moorland vault:notes", "moorlnad", "the")),
        ((BUDGET,), ("moorland path:Work", "moorland modified:>=2026-03-05")),
        ((CURLEW,), ("moorland -budget", '"wet moorland"', "moorland tag:bird", "the curlew")),
        ((HERON,), ("standnig",)),
        ((), ("moorland vault:other", "")),
    ],
)
def test_the_query_language_reaches_the_words(
    birds: Searcher, expected: tuple[str, ...], queries: tuple[str, ...]
) -> None:
    assert [(query, *sorted(paths(birds, query, mode="lexical"))) for query in queries] == [
        (query, *expected) for query in queries
    ]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("tag:work OR the heron", [HERON, BUDGET]),
        ('"wet moorland" OR "shallow water"', [CURLEW, HERON]),
        ("heron OR -moorland", [HERON, PLAN]),
        ("-(moorland budget) -heron", [CURLEW, PLAN]),
        ("-(moorland OR heron)", [PLAN]),
        ("-(tag:bird path:Field) -work", []),
        ("moorland (path:Field OR heron) -(-tag:bird)", [CURLEW, HERON]),
    ],
)
def test_or_and_groups_mean_what_they_say_in_every_mode(birds: Searcher, query: str, expected: list[str]) -> None:
    assert sorted(paths(birds, query)) == expected
    assert set(paths(birds, query, mode="lexical")) <= set(expected)


def test_filters_alone_list_the_newest_first_and_those_of_one_moment_by_path(birds: Searcher, over: Over) -> None:
    assert [paths(birds, query) for query in ("tag:bird", "-tag:bird")] == [[CURLEW, HERON], [BUDGET, PLAN]]
    alike = over(*(note(f"{name}.md", f"gold {name}", tags=("metal",)) for name in "dbeac"))
    for limit in (1, 2, 5):  # however many are asked for
        assert paths(alike, "tag:metal", limit=limit) == [f"{name}.md" for name in "abcde"[:limit]]


def test_half_a_character_in_a_query_is_no_damage(birds: Searcher) -> None:
    for asked in ("{}", "heron {}x", "path:{}", '"heron {}"', "line:(heron {})", "#{} heron", "[p:{}]"):
        assert birds.search(SearchRequest(asked.format("\ud800"))).unanswered == ()
    assert birds.search(SearchRequest("heron")).results


def test_a_note_that_says_one_of_two_alternatives_is_what_was_meant(birds: Searcher) -> None:
    found = birds.search(SearchRequest("curlew OR heron", mode="lexical")).results
    assert {result.path: result.relevance for result in found} == {CURLEW: "medium", HERON: "medium"}  # either may be
    [alone] = birds.search(SearchRequest("curlew OR quokka", mode="lexical")).results
    assert (alone.path, alone.relevance) == (CURLEW, "high")


def test_conditions_hold_for_meaning_too(birds: Searcher) -> None:
    assert sorted(paths(birds, "whistle of the curlew -moorland", mode="semantic")) == [HERON, PLAN]


@pytest.mark.parametrize("query", ["metal", "Smithy", "archive"])
def test_a_word_of_tags_titles_or_folders_alone_counts_as_one_that_is_known(over: Over, query: str) -> None:
    searcher = over(
        note("Archive/1.md", "An anvil, petals and archers.", title="Smithy", tags=("metal",)),
        note("2.md", "Meals for smiths in arches, petal by petal."),
    )
    [found] = searcher.search(SearchRequest(query, mode="lexical")).results
    assert (found.path, found.score > 0) == ("Archive/1.md", True)


def test_while_typing_the_last_word_may_be_unfinished(birds: Searcher, over: Over) -> None:
    assert paths(birds, "curl", mode="lexical", typing=True) == [CURLEW]
    assert paths(birds, "curl", mode="lexical") == []
    assert paths(birds, "curl heron", mode="lexical", typing=True) == [HERON]
    walk = over(note("Walk.md", f"{'along the river and back ' * 20} a kingfisher"), note("Home.md", "tea"))
    assert walk.search(SearchRequest("kingf", mode="lexical", typing=True)).relevance == "medium"


@pytest.mark.parametrize("word", ["complications", "polygon", "running", "library", "happiness", "getUserName"])
def test_no_keystroke_loses_the_note_that_the_word_leads_to(over: Over, word: str) -> None:
    searcher = over(note("a.md", f"One {word} here."), note("b.md", "Policies and complaints."))
    for end in range(4 if word == "polygon" else 3, len(word) + 1):
        found = searcher.search(SearchRequest(f"see {word[:end]}", mode="lexical", typing=True)).results
        assert [bool(result.highlights) for result in found if result.path == "a.md"] == [True], word[:end]


def test_a_result_says_what_and_where_it_is(birds: Searcher) -> None:
    response = birds.search(SearchRequest("rising whistle"))
    result = response.results[0]
    assert (result.profile, result.vault, result.path, result.title) == ("home", "Notes", CURLEW, "Curlew")
    assert (result.line, result.modified.date().isoformat(), len(result.id)) == (2, "2026-03-03", 12)
    assert [result.snippet[start:end] for start, end in result.highlights] == ["rising", "whistle"]
    assert (response.semantic, response.pending_embeddings, result.words) == ("used", 0, None)


def test_the_parts_of_a_score_sum_to_it(birds: Searcher) -> None:
    for result in birds.search(SearchRequest("moorland curlew", explain=True)).results:
        assert sum(part.points for part in result.explain or ()) == pytest.approx(result.score)


@pytest.mark.parametrize(
    ("query", "places", "lacks"),
    [
        pytest.param("moorland curlew", {"moorland": "text", "curlew": "title"}, (), id="in another passage"),
        pytest.param("curlew xylophone", {"curlew": "title"}, (), id="a word that no note has"),
        pytest.param("the curlews of a moorland", {"curlews": "title", "moorland": "text"}, (), id="endings"),
        pytest.param("curlew wader field", {"curlew": "title", "field": "path"}, ("wader",), id="in the path"),
    ],
)
def test_an_explained_result_tells_which_words_its_note_says_and_where(
    birds: Searcher, query: str, places: dict[str, WordPlace], lacks: tuple[str, ...]
) -> None:
    found = {result.path: result for result in birds.search(SearchRequest(query, explain=True)).results}
    assert found[CURLEW].words == WordsSaid(tuple(places), lacks, places=tuple(places.values()))


def test_group_chunk_gives_passages(birds: Searcher) -> None:
    response = birds.search(SearchRequest("curlew call whistle moorland", group="chunk"))
    assert {result.line for result in response.results if result.path == CURLEW} == {1, 2}


def test_equal_answers_come_in_the_same_order(over: Over) -> None:
    notes = [note(f"{name}.md", f"gold number {name}") for name in "abcdefgh"]
    assert paths(over(*notes), "gold") == paths(over(*reversed(notes)), "gold")


class _Broken(HashEncoder):
    def embed_query(self, text: str) -> Vector:
        raise EmbedderFailed("The model does not answer.")


class _Loading(HashEncoder):
    """Answers whoever waits a second."""

    def send_query(self, text: str) -> Awaited:
        def wait(seconds: float) -> Vector:
            if seconds < 1:
                raise TimeoutError
            return self.embed_query(text)

        return wait


class _Counted(HashEncoder):
    warmed = 0
    asked = 0

    def warm(self) -> None:
        self.warmed += 1

    def send_query(self, text: str) -> Awaited:
        self.asked += 1
        return super().send_query(text)


@pytest.fixture
def store(make_store: MakeStore) -> Store:
    return make_store(*BIRDS)


@pytest.mark.parametrize(
    ("kind", "seconds", "semantic"),
    [
        (_Loading, 0.25, "unavailable"),
        (_Loading, None, "used"),
        (_Loading, 60.0, "used"),
        (_Broken, None, "unavailable"),
    ],
)
def test_words_answer_who_has_no_model_or_does_not_wait_for_one_that_is_still_loaded(
    store: Store, kind: type[HashEncoder], seconds: float | None, semantic: str
) -> None:
    searcher = Searcher(lambda: {"p": store}, kind(), clock=lambda: NOW)
    response = searcher.search(SearchRequest("curlew", meaning_seconds=seconds))
    searcher.close()
    assert (response.results[0].path, response.semantic) == (CURLEW, semantic)


def test_without_vectors_words_answer_and_the_wait_is_told(over: Over) -> None:
    response = over(*BIRDS, embedded=False).search(SearchRequest("curlew"))
    assert ([result.path for result in response.results], response.pending_embeddings) == ([CURLEW], 5)


def test_typing_words_loads_the_model_for_the_search_by_meaning_that_follows(store: Store) -> None:
    asked: list[tuple[Mode, bool, int]] = [("lexical", True, 1), ("lexical", False, 0), ("hybrid", True, 0)]
    for mode, typing, warmed in asked:
        encoder = _Counted()
        searcher = Searcher(lambda: {"p": store, "q": store}, encoder, clock=lambda: NOW)
        searcher.search(SearchRequest("curl", mode=mode, typing=typing))
        searcher.close()
        assert encoder.warmed == warmed, (mode, typing)


def test_of_a_search_that_nobody_waits_for_no_model_is_asked(store: Store) -> None:
    encoder, given_up = _Counted(), threading.Event()
    given_up.set()
    searcher = Searcher(lambda: {"p": store}, encoder, clock=lambda: NOW)
    with ending_with(given_up), pytest.raises(Abandoned):
        searcher.search(SearchRequest("curlew"))
    assert encoder.asked == 0
    searcher.search(SearchRequest("curlew"))
    searcher.close()
    assert encoder.asked == 1


def test_one_text_in_two_profiles_is_one_result_with_two_places(over: Over) -> None:
    shared = "shared words of gold"
    searcher = over(home=[note("a.md", shared)], work=[note("b.md", shared), note("c.md", "gold alone")])
    first, _ = searcher.search(SearchRequest("shared gold")).results
    places = {(first.profile, first.path), *((place.profile, place.path) for place in first.also_in)}
    assert places == {("home", "a.md"), ("work", "b.md")}


def test_of_many_notes_with_one_text_some_are_named_and_all_are_counted(over: Over) -> None:
    searcher = over(*(note(f"{number:03d}/Heron.md", "shared words of gold") for number in range(60)))
    (result,) = searcher.search(SearchRequest("gold", mode="lexical")).results
    assert (len(result.also_in), result.also_in_count) == (MOST_PLACES, 59)
    (result,) = searcher.search(SearchRequest("gold", mode="lexical", places=100)).results
    assert len({result.path, *(place.path for place in result.also_in)}) == 60
    for path in ("007/Heron.md", "059/Heron.md"):
        told = searcher.explain(SearchRequest("gold", mode="lexical"), path)
        assert told.stage == ("shown" if path == result.path else "folded")


def test_notes_that_share_a_template_are_not_folded(over: Over) -> None:
    notes = [note(f"{day}.md", "gold template line", f"what happened on {day}") for day in ("monday", "tuesday")]
    assert sorted(paths(over(*notes), "gold template")) == ["monday.md", "tuesday.md"]


def test_a_profile_is_searched_only_if_request_and_query_name_it(over: Over) -> None:
    searcher = over(home=[note("a.md", "gold")], work=[note("b.md", "gold two")])
    assert sorted(paths(searcher, "gold")) == ["a.md", "b.md"]
    assert paths(searcher, "gold", profiles=("Work",)) == ["b.md"]
    assert paths(searcher, "gold profile:home") == ["a.md"]
    assert paths(searcher, "gold -profile:home") == ["b.md"]
    assert paths(searcher, "gold profile:home", profiles=("work",)) == []


def test_a_forbidden_and_an_unknown_profile_give_the_same_answer(over: Over) -> None:
    searcher = over(home=[note("a.md", "gold")], work=[note("b.md", "gold two")])
    forbidden = searcher.search(SearchRequest("gold profile:work", profiles=("home",)))
    unknown = searcher.search(SearchRequest("gold profile:none", profiles=("home",)))
    assert (forbidden.results, forbidden.warnings) == (unknown.results, unknown.warnings) == ((), forbidden.warnings)
    assert [(each.code, each.start, each.end) for each in forbidden.warnings] == [("unknown-profile", 5, 17)]


@pytest.mark.parametrize("fusion", get_args(Fusion))
def test_profiles_split_or_merged_rank_alike(over: Over, fusion: Fusion) -> None:
    words = ["amber", "basalt", "cobalt", "dolomite", "emerald", "feldspar", "garnet"]
    notes = [note(f"{i}.md", " ".join(words[: 1 + i % 7]) + f" entry {i}") for i in range(40)]
    merged, split = over(one=notes), over(a=notes[::2], b=notes[1::2])
    for query in ("amber basalt", "garnet emerald entry", "dolomite cobalt"):
        assert paths(split, query, fusion=fusion) == paths(merged, query, fusion=fusion)


def test_a_result_comes_with_the_passages_around_it(birds: Searcher, over: Over) -> None:
    texts = (
        "A lake in the hills.",
        "Reeds grow along the north shore.",
        "Otters fish there.",
        "The ferry runs on Sundays.",
    )
    searcher = over(note("Lake.md", *texts), note("Sea.md", "A seal."))
    for context, before, after in ((1, texts[1:2], texts[3:]), (5, texts[:2], texts[3:])):
        around = searcher.search(SearchRequest("otters fish", context=context)).results[0].context
        assert around is not None
        assert (around.before, around.after) == (before, after)
    assert searcher.search(SearchRequest("otters fish")).results[0].context is None
    alone = birds.search(SearchRequest("heron", context=2)).results[0].context
    assert alone is not None
    assert (alone.before, alone.after) == ((), ())
