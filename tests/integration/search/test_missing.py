"""What became of a note that a search did not show, and how to find it."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay.profiles.errors import NotFound
from scrubjay.profiles.search.results import explain
from scrubjay.profiles.search.searcher import Circumstances, Searcher
from scrubjay.profiles.search.types import Mode, SearchRequest, Unanswered
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.rows import FailureRow
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.stores import NewStore
from tests.integration.search.conftest import NAMED, NOW, VAULT, MakeStore, Over, fill, note


@pytest.fixture(scope="module")
def searcher(new_module_store: NewStore) -> Iterator[Searcher]:
    store = fill(
        new_module_store(),
        [
            *(note(f"{number}.md", f"gold {'and silver ' * number}ore", tags=("metal",)) for number in range(5)),
            note("Pit/copy.md", "gold ore", title="0", day=2),
            note("Pit/Tin lode.md", "clay", title="Tin lode", tags=("metal",), day=3),
        ],
        HashEncoder(),
        embedded=False,
    )
    with store.writing() as writer:
        writer.put_failure(FailureRow(VAULT, "scan.md", "not-utf8", "It is not UTF-8 text."))
    made = Searcher(lambda: {"home": store}, HashEncoder(), circumstances=NAMED, clock=lambda: NOW)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("query", "path", "stage"),
    [
        ("gold ore", "0.md", "shown"),
        ("gold ore", "Pit/copy.md", "folded"),
        ("gold ore", "4.md", "outranked"),
        ("gold ore", "Pit/Tin lode.md", "not-found"),
        ('"gold and silver"', "0.md", "filtered"),
        ("gold -profile:home", "0.md", "filtered"),
        ("", "0.md", "not-found"),
        ("tag:metal", "Pit/Tin lode.md", "shown"),
        ("tag:metal", "4.md", "outranked"),
        ("gold", "scan.md", "unreadable"),
        ("gold", "nowhere.md", "not-indexed"),
    ],
)
def test_what_became_of_a_note_is_told(searcher: Searcher, query: str, path: str, stage: str) -> None:
    found = searcher.explain(SearchRequest(query, limit=3), path)
    assert (found.stage, bool(found.message), bool(found.remedy)) == (stage, True, stage != "shown")


@pytest.mark.parametrize(
    ("query", "path", "named", "remedy"),
    [
        ("gold tag:metal tag:stone", "0.md", "`tag:stone`", "Search for `gold tag:metal`: it is then result 1."),
        ("gold ore -gold", "0.md", "`-gold`", "Search for `gold ore`: it is then result 1."),
        ('ore "gold and ore"', "0.md", '`"gold and ore"`', "Search for `ore`"),
        ("gold modified:<2020 lang:de", "0.md", "`modified:<2020` and `lang:de`", "Search for `gold`"),
        ("gold (path:Work OR tag:stone)", "0.md", "`(path:Work OR tag:stone)`", "Search for `gold`"),
        ("tag:stone", "0.md", "`tag:stone`", "Search for `file:0.md`"),
        ("gold =ores", "0.md", "`=ores`", "Search for `gold`"),
        ("gold line:(gold clay)", "0.md", "`line:(gold clay)`", "Search for `gold`"),
        ("gold profile:work", "0.md", "profile home, which `profile:work`", "Search for `gold`"),
        ("clay vault:Other", "Pit/Tin lode.md", "`vault:Other`", "Search for `clay`"),
    ],
)
def test_the_parts_of_the_query_that_drop_a_note_are_named_and_a_query_that_shows_it(
    searcher: Searcher, query: str, path: str, named: str, remedy: str
) -> None:
    found = searcher.explain(SearchRequest(query, limit=3), path)
    assert (found.stage, found.remedy[: len(remedy)]) == ("filtered", remedy)
    assert named in found.message


def test_a_note_that_is_ranked_has_its_place_and_its_points(searcher: Searcher) -> None:
    found = searcher.explain(SearchRequest("gold ore", limit=1), "3.md")
    assert found.rank is not None
    assert found.rank > 1
    assert found.parts
    assert found.remedy.startswith(f"Ask for {found.rank} results. Search for `gold ore 3`: it is then result 1.")


def test_of_filters_alone_the_place_by_date_is_told_also_where_very_many_pass(searcher: Searcher, over: Over) -> None:
    found = searcher.explain(SearchRequest("tag:metal", limit=1), "0.md")
    assert (found.stage, found.rank, "newest first" in found.message) == ("outranked", 2, True)
    many = over(
        *(note(f"{number:03}.md", f"gold {number}", tags=("metal",), day=1 + number % 2) for number in range(700)),
        embedded=False,
    )
    places = [many.explain(SearchRequest("tag:metal"), path) for path in ("698.md", "699.md")]
    assert [(each.stage, each.rank) for each in places] == [("outranked", 700), ("outranked", 350)]


def test_a_note_that_has_nothing_of_the_query_says_so(searcher: Searcher) -> None:
    found = searcher.explain(SearchRequest("silver"), "Pit/Tin lode.md")
    assert (found.stage, found.remedy) == ("not-found", "Search for `silver Tin lode`: it is then result 1.")
    assert "none of the query's words" in found.message
    assert "found by words only for now" in found.message


def test_a_note_that_one_way_of_searching_misses_is_found_by_both(over: Over) -> None:
    searcher = over(note("a.md", "clay pit"), note("b.md", "gold pit"))
    found = searcher.explain(SearchRequest("gold", mode="lexical"), "a.md")
    assert (found.stage, found.remedy) == (
        "not-found",
        "Search by words and meaning together: it is then result 2.",
    )


def test_a_note_that_words_find_has_a_place_however_far_down_and_narrowing_brings_it_back(
    over: Over, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = [note(f"{number}.md", f"gold gold gold number {number}") for number in range(120)]
    searcher = over(*many, note("Mine/a.md", "some gold in a long tale of clay", title="gold"))
    # Its title is in the query already, so that only its folder is left to try.
    found = searcher.explain(SearchRequest("gold number 7 tale -x", limit=2, mode="semantic"), "Mine/a.md")
    assert found.stage in {"cut", "outranked"}
    found = searcher.explain(SearchRequest("number gold gold", limit=2), "Mine/a.md")
    assert (found.stage, (found.rank or 0) > 100) == ("outranked", True)
    monkeypatch.setattr(explain, "DEPTH", 100)
    found = searcher.explain(SearchRequest("number gold gold", limit=2), "Mine/a.md")
    assert found.stage == "cut"
    assert "too many other passages fit better" in found.message
    assert {part.signal for part in found.parts if part.raw is not None} == {"lexical", "semantic"}
    assert found.remedy == "Search for `path:Mine/ number gold gold`: it is then result 1."


def test_a_note_is_found_by_what_people_call_it(searcher: Searcher, over: Over) -> None:
    for path in ("Tin lode", "tin lode.md", "pit\\Tin lode", "/Pit/Tin lode.md", "./Pit/Tin lode.md"):
        found = searcher.explain(SearchRequest("clay"), path)
        assert (found.stage, found.message[:17]) == ("shown", "Pit/Tin lode.md: "), path
    twins = over(note("a/x.md", "gold"), note("b/x.md", "gold two"))
    named = [twins.explain(SearchRequest("gold"), path).stage for path in ("x.md", "b/x.md")]
    assert named == ["not-indexed", "shown"]
    with pytest.raises(NotFound):
        searcher.explain(SearchRequest("gold"), "0.md", vault="Nowhere")


def test_a_note_that_only_a_closed_profile_could_hold_names_the_profile_and_why_it_is_closed(
    make_store: MakeStore,
) -> None:
    why = {"diary": "`scrubjay unlock diary` opens it.", "team": "Its server can't be reached."}
    known = Circumstances(unanswered=lambda name: Unanswered(name, why[name]))
    store = make_store(note("0.md", "gold"))
    searcher = Searcher(lambda: {"home": store}, HashEncoder(), circumstances=known)
    found = searcher.explain(SearchRequest("gold", profiles=("home", "diary", "team")), "nowhere.md")
    searcher.close()
    assert (found.stage, found.message[-12:]) == ("locked", "diary, team.")
    assert found.remedy == "diary: `scrubjay unlock diary` opens it. team: Its server can't be reached."


WORDS = ("amber", "basalt", "cobalt", "dolomite", "emerald")
QUERIES = st.lists(
    st.sampled_from([*WORDS, "-amber", "OR", "tag:even", "-tag:even", '"amber basalt"', "path:a/", "zinc", "(", ")"]),
    min_size=1,
    max_size=5,
).map(" ".join)


@pytest.fixture(scope="module")
def minerals(new_module_store: NewStore) -> Store:
    texts = [" ".join(WORDS[i % (1 + n % 5)] for i in range(1 + n % 7)) + f" entry {n // 2}" for n in range(14)]
    notes = (
        note(
            f"{'a/' if number % 3 else ''}{number}.md",
            text,
            title=f"t{number // 2}",
            tags=("even",) if number % 2 == 0 else (),
            day=1 + number,
        )
        for number, text in enumerate(texts)
    )
    return fill(new_module_store(), list(notes), HashEncoder())


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(query=QUERIES, limit=st.integers(1, 20), mode=st.sampled_from(["hybrid", "lexical", "semantic"]))
def test_an_explanation_agrees_with_the_search(minerals: Store, query: str, limit: int, mode: Mode) -> None:
    searcher = Searcher(lambda: {"home": minerals}, HashEncoder(), circumstances=NAMED, clock=lambda: NOW)
    request = SearchRequest(query, limit=limit, mode=mode)
    results = searcher.search(request).results
    shown = {result.path: rank for rank, result in enumerate(results, start=1)}
    copies = {place.path for result in results for place in result.also_in}
    for path in minerals.read(reads.known_notes, VAULT):
        found = searcher.explain(request, path)
        if path in shown:
            assert (found.stage, found.rank) == ("shown", shown[path])
        elif path in copies:
            assert found.stage == "folded"
        else:
            assert found.stage in {"outranked", "folded", "filtered", "cut", "not-found"}
            assert found.stage != "outranked" or (found.rank or 0) > limit
    searcher.close()
