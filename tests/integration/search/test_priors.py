"""What a profile's links, dates and frontmatter do to its results, in real stores."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import pytest

from scrubjay.daemon.graph.keeper import MeasuredGraph, load_graph
from scrubjay.daemon.search.rank.fusion import SIGNALS
from scrubjay.daemon.search.rank.personal import Personal
from scrubjay.daemon.search.rank.priors import ProfilePriors
from scrubjay.daemon.search.searcher import Searcher
from scrubjay.daemon.search.types import SearchRequest, SearchResult
from scrubjay.profiles.database.rows import LinkRow, NoteBundle
from scrubjay.profiles.registry.registry import PriorSettings
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder
from tests.integration.search.conftest import NOW, VAULT, MakeStore, note

Ask = Callable[..., list[SearchResult]]


def linking(bundle: NoteBundle, *targets: str, **properties: str) -> NoteBundle:
    links = tuple(LinkRow(target, "wiki", 1) for target in targets)
    return replace(bundle, note=replace(bundle.note, properties=properties), links=links)


@pytest.fixture
def ask(encoder: HashEncoder) -> Iterator[Ask]:
    """ask(query, {profile: (store, settings)}, **request) gives the results, explained."""
    made: list[Searcher] = []

    def asked(query: str, profiles: Mapping[str, tuple[Store, PriorSettings]], **options: object) -> list[SearchResult]:
        def priors(name: str, store: Store) -> ProfilePriors | None:
            settings = profiles[name][1]
            graph = MeasuredGraph.of(load_graph(store).frozen())
            return None if settings == PriorSettings() else ProfilePriors(settings, graph)

        stores = {name: store for name, (store, _) in profiles.items()}
        searcher = Searcher(
            lambda: stores,
            encoder,
            vaults=lambda _: {VAULT: "Notes"},
            clock=lambda: NOW,
            personal=Personal(priors=priors),
        )
        made.append(searcher)
        response = searcher.search(SearchRequest(query, explain=True, **options))  # type: ignore[arg-type]
        return list(response.results)

    yield asked
    for searcher in made:
        searcher.close()


def paths(results: list[SearchResult]) -> list[str]:
    return [result.path for result in results]


def points(result: SearchResult) -> dict[str, float]:
    return {part.signal: part.points for part in result.explain or ()}


# Alike but for what each prior looks at; the tiebreak is the digest's.
TWINS = [note(f"{name}.md", f"curlew count {name}", day=day) for name, day in (("old", 1), ("new", 17))]


@pytest.mark.parametrize(
    ("settings", "moved"),
    [
        pytest.param(PriorSettings(recency_days=7), {"recency"}, id="recency"),
        pytest.param(PriorSettings(ladder="folder"), {"ladder"}, id="ladder by folder"),
        pytest.param(PriorSettings(ladder="author"), {"ladder"}, id="ladder by author"),
    ],
)
def test_newer_notes_rise_where_a_profile_wants_that(
    make_store: MakeStore, ask: Ask, settings: PriorSettings, moved: set[str]
) -> None:
    store = make_store(*(linking(bundle, author="Ada") for bundle in TWINS))
    old, new = sorted(ask("curlew count", {"p": (store, settings)}), key=lambda result: result.path == "new.md")
    assert points(old).keys() - set(SIGNALS) == moved
    assert points(old)[next(iter(moved))] < points(new).get(next(iter(moved)), 0.0) <= 0


def test_the_writers_own_word_counts_where_a_profile_wants_that(make_store: MakeStore, ask: Ask) -> None:
    store = make_store(linking(TWINS[0], importance="high"), linking(TWINS[1], importance="low"))
    found = {result.path: points(result) for result in ask("curlew", {"p": (store, PriorSettings(importance=True))})}
    assert found["old.md"]["importance"] > 0 > found["new.md"]["importance"]


def test_links_among_the_results_lift_what_they_point_to(make_store: MakeStore, ask: Ask) -> None:
    hub = note("Hub.md", "curlew survey overview")
    others = [linking(note(f"{n}.md", f"curlew survey {n}"), "Hub") for n in range(12)]
    store = make_store(hub, *others)
    found = ask("curlew survey", {"p": (store, PriorSettings(pagerank=0.3))}, limit=20)
    assert found[0].path == "Hub.md"
    assert points(found[0])["graph"] > max(points(result).get("graph", 0.0) for result in found[1:])
    few = make_store(hub, *others[:5])  # too few links to say anything
    assert all("graph" not in points(result) for result in ask("curlew", {"p": (few, PriorSettings(pagerank=0.3))}))


LINKED = (
    linking(note("Log.md", "curlew seen at dawn"), "Telescope"),
    linking(note("Diary.md", "curlew heard at dusk"), "Telescope"),
    note("Telescope.md", "focal length and aperture", "cleaning the lens", tags=("kit",)),
    note("Boats.md", "moorings"),
)


def test_what_links_lead_to_enters_the_results_and_says_so(make_store: MakeStore, ask: Ask) -> None:
    store = make_store(*LINKED)
    plain = ask("curlew", {"p": (store, PriorSettings())}, mode="lexical")
    assert sorted(paths(plain)) == ["Diary.md", "Log.md"]
    found = ask("curlew", {"p": (store, PriorSettings(links=0.4))}, mode="lexical")
    assert sorted(paths(found)) == ["Diary.md", "Log.md", "Telescope.md"]
    brought = next(result for result in found if result.path == "Telescope.md")
    assert points(brought)["links"] == pytest.approx(brought.score)


@pytest.mark.parametrize("query", ["curlew -tag:kit", "curlew file:g", "curlew curl path:Log"])
def test_links_bring_in_nothing_that_a_filter_keeps_out(make_store: MakeStore, ask: Ask, query: str) -> None:
    found = ask(query, {"p": (make_store(*LINKED), PriorSettings(links=0.5))})
    assert "Telescope.md" not in paths(found)


def test_the_passage_that_links_bring_is_the_one_nearest_to_the_query(make_store: MakeStore, ask: Ask) -> None:
    store = make_store(*LINKED, *(note(f"{n}.md", f"curlew lens cleaning {n}") for n in range(3)))
    found = ask("curlew lens cleaning", {"p": (store, PriorSettings(links=0.5))}, limit=20)
    brought = next(result for result in found if result.path == "Telescope.md")
    assert brought.line == 2


def test_points_still_sum_to_the_score(make_store: MakeStore, ask: Ask) -> None:
    every = PriorSettings(pagerank=0.1, centrality=0.1, links=0.3, recency_days=10, ladder="folder", importance=True)
    others = [linking(note(f"{n}.md", f"curlew survey {n}", day=n + 1), "Log", importance="5") for n in range(12)]
    found = ask("curlew", {"p": (make_store(*LINKED, *others), every)}, limit=30)
    assert {"links", "graph", "recency", "ladder", "importance"} <= set().union(*(points(each) for each in found))
    for result in found:
        assert sum(points(result).values()) == pytest.approx(result.score)
    assert [result.score for result in found] == sorted((result.score for result in found), reverse=True)


def test_one_profiles_wish_moves_no_other_profiles_notes(make_store: MakeStore, ask: Ask) -> None:
    mine, theirs = make_store(*LINKED), make_store(*TWINS)
    wish = PriorSettings(links=0.4, recency_days=3, ladder="folder")
    before = ask("curlew", {"mine": (mine, PriorSettings()), "theirs": (theirs, PriorSettings())})
    after = ask("curlew", {"mine": (mine, wish), "theirs": (theirs, PriorSettings())})
    unmoved = [(result.path, points(result)) for result in before if result.profile == "theirs"]
    assert [(result.path, points(result)) for result in after if result.profile == "theirs"] == unmoved
    assert all(points(result).keys() <= set(SIGNALS) for result in before)
