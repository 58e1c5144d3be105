import threading
from collections.abc import Callable
from typing import get_args

import pytest

from scrubjay.profiles.cancellation import Abandoned, ending_with
from scrubjay.profiles.search.meaning.embedder import Awaited, EmbedderFailed
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import MOST_PLACES, Fusion, Mode, SearchRequest, WordPlace, WordsSaid
from scrubjay.profiles.store.rows import Vector
from tests.helpers.hash_encoder import HashEncoder
from tests.integration.search.conftest import NOW, MakeStore, note

MakeSearcher = Callable[..., Searcher]

BIRDS = (
    note(
        "Field/Curlew.md", "The curlew nests on wet moorland.", "Its call is a rising whistle.", tags=("bird",), day=3
    ),
    note("Field/Heron.md", "A heron stands in shallow water.", tags=("bird/water",), day=2),
    note("Work/Budget.md", "The budget for the moorland survey is tight.", tags=("work",), day=5),
    note("Work/Plan.md", "Nothing about animals here.", day=4),
)


def paths(searcher: Searcher, query: str, **options: object) -> list[str]:
    return [result.path for result in searcher.search(SearchRequest(query, **options)).results]  # type: ignore[arg-type]


@pytest.fixture
def birds(make_store: MakeStore, searcher_over: MakeSearcher) -> Searcher:
    return searcher_over(home=make_store(*BIRDS))


@pytest.mark.parametrize("mode", ["hybrid", "lexical", "semantic"])
def test_every_mode_finds_the_note(birds: Searcher, mode: Mode) -> None:
    assert paths(birds, "curlew nest", mode=mode)[0] == "Field/Curlew.md"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("moorland", ["Field/Curlew.md", "Work/Budget.md"]),
        ("moorland path:Work", ["Work/Budget.md"]),
        ("moorland -budget", ["Field/Curlew.md"]),
        ('"wet moorland"', ["Field/Curlew.md"]),
        ("moorland tag:bird", ["Field/Curlew.md"]),
        ("moorland modified:>=2026-03-05", ["Work/Budget.md"]),
        ("moorland vault:notes", ["Field/Curlew.md", "Work/Budget.md"]),
        ("moorland vault:other", []),
        ("moorlnad", ["Field/Curlew.md", "Work/Budget.md"]),
        ("standnig", ["Field/Heron.md"]),
        ("Animlas", ["Work/Plan.md"]),
        ("the curlew", ["Field/Curlew.md"]),
        ("the", ["Field/Curlew.md", "Work/Budget.md"]),
        ("", []),
    ],
)
def test_the_query_language_reaches_the_words(birds: Searcher, query: str, expected: list[str]) -> None:
    assert sorted(paths(birds, query, mode="lexical")) == sorted(expected)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("tag:work OR heron", ["Field/Heron.md", "Work/Budget.md"]),
        ("tag:work OR the heron", ["Field/Heron.md", "Work/Budget.md"]),
        ('"wet moorland" OR "shallow water"', ["Field/Curlew.md", "Field/Heron.md"]),
        ('"wet moorland" OR heron', ["Field/Curlew.md", "Field/Heron.md"]),
        ("heron OR -moorland", ["Field/Heron.md", "Work/Plan.md"]),
        ("-(moorland budget) -heron", ["Field/Curlew.md", "Work/Plan.md"]),
        ("-(moorland OR heron)", ["Work/Plan.md"]),
        ("-(tag:bird path:Field) -work", []),
        ("moorland (path:Field OR heron) -(-tag:bird)", ["Field/Curlew.md", "Field/Heron.md"]),
    ],
)
def test_or_and_groups_mean_what_they_say_in_every_mode(birds: Searcher, query: str, expected: list[str]) -> None:
    assert sorted(paths(birds, query)) == expected
    assert set(paths(birds, query, mode="lexical")) <= set(expected)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("tag:bird", ["Field/Curlew.md", "Field/Heron.md"]),
        ("path:Work", ["Work/Budget.md", "Work/Plan.md"]),
        ("-tag:bird", ["Work/Budget.md", "Work/Plan.md"]),
    ],
)
def test_filters_alone_list_the_newest_first(birds: Searcher, query: str, expected: list[str]) -> None:
    assert paths(birds, query) == expected


@pytest.mark.parametrize(
    "asked", ["{}", "heron {}x", "path:{}", '"heron {}"', "line:(heron {})", "#{} heron", "[p:{}]"]
)
def test_half_a_character_in_a_query_is_no_damage(birds: Searcher, asked: str) -> None:
    assert birds.search(SearchRequest(asked.format("\ud800"))).unanswered == ()
    assert birds.search(SearchRequest("heron")).results


def test_a_note_that_says_one_of_two_alternatives_is_what_was_meant(birds: Searcher) -> None:
    found = birds.search(SearchRequest("curlew OR heron", mode="lexical")).results
    assert {result.path: result.relevance for result in found} == {
        "Field/Curlew.md": "medium",  # either may be the one
        "Field/Heron.md": "medium",
    }
    [alone] = birds.search(SearchRequest("curlew OR quokka", mode="lexical")).results
    assert (alone.path, alone.relevance) == ("Field/Curlew.md", "high")


def test_notes_of_one_moment_are_listed_by_path_however_many_are_asked_for(
    make_store: MakeStore, searcher_over: MakeSearcher
) -> None:
    notes = [note(f"{name}.md", f"gold {name}", tags=("metal",)) for name in "dbeac"]
    searcher = searcher_over(home=make_store(*notes))
    for limit in range(1, 6):
        assert paths(searcher, "tag:metal", limit=limit) == [f"{name}.md" for name in "abcde"[:limit]]


def test_conditions_hold_for_meaning_too(birds: Searcher) -> None:
    found = paths(birds, "whistle of the curlew -moorland", mode="semantic")
    assert sorted(found) == ["Field/Heron.md", "Work/Plan.md"]


@pytest.mark.parametrize("query", ["metal", "Smithy", "archive"])
def test_a_word_of_tags_titles_or_folders_alone_counts_as_one_that_is_known(
    make_store: MakeStore, searcher_over: MakeSearcher, query: str
) -> None:
    searcher = searcher_over(
        home=make_store(
            note("Archive/1.md", "An anvil, petals and archers.", title="Smithy", tags=("metal",)),
            note("2.md", "Meals for smiths in arches, petal by petal."),
        )
    )
    found = searcher.search(SearchRequest(query, mode="lexical")).results
    assert [result.path for result in found] == ["Archive/1.md"]
    assert found[0].score > 0


def test_while_typing_the_last_word_may_be_unfinished(birds: Searcher) -> None:
    assert paths(birds, "curl", mode="lexical", typing=True) == ["Field/Curlew.md"]
    assert paths(birds, "curl", mode="lexical") == []
    assert paths(birds, "curl heron", mode="lexical", typing=True) == ["Field/Heron.md"]


def test_while_typing_what_an_unfinished_word_finds_is_not_called_unlikely(
    make_store: MakeStore, searcher_over: MakeSearcher
) -> None:
    walk = note("Walk.md", f"{'along the river and back ' * 20} a kingfisher")
    searcher = searcher_over(home=make_store(walk, note("Home.md", "tea")))
    assert searcher.search(SearchRequest("kingf", mode="lexical", typing=True)).relevance == "medium"


@pytest.mark.parametrize(
    "word", ["complications", "polygon", "isolated", "running", "library", "happiness", "getUserName"]
)
def test_no_keystroke_loses_the_note_that_the_word_leads_to(
    make_store: MakeStore, searcher_over: MakeSearcher, word: str
) -> None:
    searcher = searcher_over(
        home=make_store(note("a.md", f"One {word} here."), note("b.md", "Policies and complaints."))
    )
    for end in range(4 if word == "polygon" else 3, len(word) + 1):
        found = searcher.search(SearchRequest(f"see {word[:end]}", mode="lexical", typing=True)).results
        assert "a.md" in [result.path for result in found], word[:end]
        assert found[[result.path for result in found].index("a.md")].highlights, word[:end]


def test_a_result_says_what_and_where_it_is(birds: Searcher) -> None:
    response = birds.search(SearchRequest("rising whistle"))
    result = response.results[0]
    assert (result.profile, result.vault, result.path, result.title) == ("home", "Notes", "Field/Curlew.md", "Curlew")
    assert result.line == 2
    assert [result.snippet[start:end] for start, end in result.highlights] == ["rising", "whistle"]
    assert result.modified.date().isoformat() == "2026-03-03"
    assert len(result.id) == 12
    assert (response.semantic, response.pending_embeddings) == ("used", 0)


def test_the_parts_of_a_score_sum_to_it(birds: Searcher) -> None:
    for result in birds.search(SearchRequest("moorland curlew", explain=True)).results:
        assert result.explain is not None
        assert sum(part.points for part in result.explain) == pytest.approx(result.score)


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
    assert found["Field/Curlew.md"].words == WordsSaid(tuple(places), lacks, places=tuple(places.values()))
    assert birds.search(SearchRequest(query)).results[0].words is None


def test_group_chunk_gives_passages(birds: Searcher) -> None:
    response = birds.search(SearchRequest("curlew call whistle moorland", group="chunk"))
    assert {result.line for result in response.results if result.path == "Field/Curlew.md"} == {1, 2}


def test_equal_answers_come_in_the_same_order(make_store: MakeStore, searcher_over: MakeSearcher) -> None:
    notes = [note(f"{name}.md", f"gold number {name}") for name in "abcdefgh"]
    first = paths(searcher_over(p=make_store(*notes)), "gold")
    second = paths(searcher_over(p=make_store(*reversed(notes))), "gold")
    assert first == second


def test_without_vectors_words_answer_and_the_wait_is_told(make_store: MakeStore, searcher_over: MakeSearcher) -> None:
    searcher = searcher_over(p=make_store(*BIRDS, embedded=False))
    response = searcher.search(SearchRequest("curlew"))
    assert [result.path for result in response.results] == ["Field/Curlew.md"]
    assert response.pending_embeddings == 5


class _Broken(HashEncoder):
    def embed_query(self, text: str) -> Vector:
        raise EmbedderFailed("The model does not answer.")


def test_a_model_that_fails_leaves_the_words(make_store: MakeStore) -> None:
    store = make_store(*BIRDS)
    searcher = Searcher(lambda: {"p": store}, _Broken(), clock=lambda: NOW)
    response = searcher.search(SearchRequest("curlew"))
    searcher.close()
    assert [result.path for result in response.results] == ["Field/Curlew.md"]
    assert response.semantic == "unavailable"


class _Loading(HashEncoder):
    """Answers whoever waits a second."""

    def send_query(self, text: str) -> Awaited:
        def wait(seconds: float) -> Vector:
            if seconds < 1:
                raise TimeoutError
            return self.embed_query(text)

        return wait


@pytest.mark.parametrize(("seconds", "semantic"), [(0.25, "unavailable"), (None, "used"), (60.0, "used")])
def test_words_answer_who_does_not_wait_for_a_model_that_is_still_loaded(
    make_store: MakeStore, seconds: float | None, semantic: str
) -> None:
    store = make_store(*BIRDS)
    searcher = Searcher(lambda: {"p": store}, _Loading(), clock=lambda: NOW)
    response = searcher.search(SearchRequest("curlew", meaning_seconds=seconds))
    searcher.close()
    assert response.results[0].path == "Field/Curlew.md"
    assert response.semantic == semantic


class _Warmed(HashEncoder):
    warmed = 0

    def warm(self) -> None:
        self.warmed += 1


@pytest.mark.parametrize(
    ("mode", "typing", "warmed"), [("lexical", True, 1), ("lexical", False, 0), ("hybrid", True, 0)]
)
def test_typing_words_loads_the_model_for_the_search_by_meaning_that_follows(
    make_store: MakeStore, mode: Mode, typing: bool, warmed: int
) -> None:
    encoder, store = _Warmed(), make_store(*BIRDS)
    searcher = Searcher(lambda: {"p": store, "q": store}, encoder, clock=lambda: NOW)
    searcher.search(SearchRequest("curl", mode=mode, typing=typing))
    searcher.close()
    assert encoder.warmed == warmed


class _Asked(HashEncoder):
    asked = 0

    def send_query(self, text: str) -> Awaited:
        self.asked += 1
        return super().send_query(text)


def test_of_a_search_that_nobody_waits_for_no_model_is_asked(make_store: MakeStore) -> None:
    encoder, store, given_up = _Asked(), make_store(*BIRDS), threading.Event()
    given_up.set()
    searcher = Searcher(lambda: {"p": store}, encoder, clock=lambda: NOW)
    with ending_with(given_up), pytest.raises(Abandoned):
        searcher.search(SearchRequest("curlew"))
    assert encoder.asked == 0
    searcher.search(SearchRequest("curlew"))
    searcher.close()
    assert encoder.asked == 1


def test_one_text_in_two_profiles_is_one_result_with_two_places(
    make_store: MakeStore, searcher_over: MakeSearcher
) -> None:
    searcher = searcher_over(
        home=make_store(note("a.md", "shared words of gold")),
        work=make_store(note("b.md", "shared words of gold"), note("c.md", "gold alone")),
    )
    response = searcher.search(SearchRequest("shared gold"))
    assert len(response.results) == 2
    first = response.results[0]
    assert {(first.profile, first.path), *((place.profile, place.path) for place in first.also_in)} == {
        ("home", "a.md"),
        ("work", "b.md"),
    }


def test_of_many_notes_with_one_text_some_are_named_and_all_are_counted(
    make_store: MakeStore, searcher_over: MakeSearcher
) -> None:
    equal = [note(f"{number:03d}/Heron.md", "shared words of gold") for number in range(60)]
    searcher = searcher_over(home=make_store(*equal))
    (result,) = searcher.search(SearchRequest("gold", mode="lexical")).results
    assert (len(result.also_in), result.also_in_count) == (MOST_PLACES, 59)
    (result,) = searcher.search(SearchRequest("gold", mode="lexical", places=100)).results
    assert len({result.path, *(place.path for place in result.also_in)}) == 60
    for path in ("007/Heron.md", "059/Heron.md"):
        told = searcher.explain(SearchRequest("gold", mode="lexical"), path)
        assert told.stage == ("shown" if path == result.path else "folded")


def test_notes_that_share_a_template_are_not_folded(make_store: MakeStore, searcher_over: MakeSearcher) -> None:
    notes = [note(f"{day}.md", "gold template line", f"what happened on {day}") for day in ("monday", "tuesday")]
    assert sorted(paths(searcher_over(p=make_store(*notes)), "gold template")) == ["monday.md", "tuesday.md"]


def test_a_profile_is_searched_only_if_request_and_query_name_it(
    make_store: MakeStore, searcher_over: MakeSearcher
) -> None:
    searcher = searcher_over(home=make_store(note("a.md", "gold")), work=make_store(note("b.md", "gold two")))
    assert sorted(paths(searcher, "gold")) == ["a.md", "b.md"]
    assert paths(searcher, "gold", profiles=("Work",)) == ["b.md"]
    assert paths(searcher, "gold profile:home") == ["a.md"]
    assert paths(searcher, "gold -profile:home") == ["b.md"]
    assert paths(searcher, "gold profile:home", profiles=("work",)) == []


def test_a_forbidden_and_an_unknown_profile_give_the_same_answer(
    make_store: MakeStore, searcher_over: MakeSearcher
) -> None:
    searcher = searcher_over(home=make_store(note("a.md", "gold")), work=make_store(note("b.md", "gold")))
    forbidden = searcher.search(SearchRequest("gold profile:work", profiles=("home",)))
    unknown = searcher.search(SearchRequest("gold profile:none", profiles=("home",)))
    assert (forbidden.results, forbidden.warnings) == (unknown.results, unknown.warnings) == ((), forbidden.warnings)
    assert [(warning.code, warning.start, warning.end) for warning in forbidden.warnings] == [
        ("unknown-profile", 5, 17)
    ]


@pytest.mark.parametrize("fusion", get_args(Fusion))
def test_profiles_split_or_merged_rank_alike(
    make_store: MakeStore, searcher_over: MakeSearcher, fusion: Fusion
) -> None:
    words = ["amber", "basalt", "cobalt", "dolomite", "emerald", "feldspar", "garnet"]
    notes = [note(f"{i}.md", " ".join(words[: 1 + i % 7]) + f" entry {i}") for i in range(40)]
    merged = searcher_over(one=make_store(*notes))
    split = searcher_over(a=make_store(*notes[::2]), b=make_store(*notes[1::2]))
    for query in ("amber basalt", "garnet emerald entry", "dolomite cobalt"):
        assert paths(split, query, fusion=fusion) == paths(merged, query, fusion=fusion)


@pytest.mark.parametrize(
    ("context", "before", "after"),
    [
        (1, ("Reeds grow along the north shore.",), ("The ferry runs on Sundays.",)),
        (5, ("A lake in the hills.", "Reeds grow along the north shore."), ("The ferry runs on Sundays.",)),
    ],
)
def test_a_result_comes_with_the_passages_around_it(
    make_store: MakeStore, searcher_over: MakeSearcher, context: int, before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    texts = (
        "A lake in the hills.",
        "Reeds grow along the north shore.",
        "Otters fish there.",
        "The ferry runs on Sundays.",
    )
    searcher = searcher_over(home=make_store(note("Lake.md", *texts), note("Sea.md", "A seal.")))
    found = searcher.search(SearchRequest("otters fish", context=context)).results[0]
    assert found.context is not None
    assert (found.context.before, found.context.after) == (before, after)
    assert searcher.search(SearchRequest("otters fish")).results[0].context is None


def test_a_note_of_one_passage_has_nothing_around_it(birds: Searcher) -> None:
    found = birds.search(SearchRequest("heron", context=2)).results[0]
    assert found.context is not None
    assert (found.context.before, found.context.after) == ((), ())
