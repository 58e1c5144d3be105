"""What the age and the frontmatter of a profile's notes do to its results, in real stores."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from scrubjay.profiles.registry.registry import PriorSettings
from scrubjay.profiles.search.rank.fusion import SIGNALS
from scrubjay.profiles.search.rank.retrieval import Personal
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest, SearchResult
from scrubjay.profiles.store.rows import NoteBundle
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder
from tests.integration.search.conftest import NAMED, NOW, MakeStore, note

Ask = Callable[..., list[SearchResult]]


def saying(bundle: NoteBundle, **properties: str) -> NoteBundle:
    return replace(bundle, note=replace(bundle.note, properties=properties))


@pytest.fixture
def ask(encoder: HashEncoder) -> Ask:
    """ask(query, {profile: (store, settings)}, **request) gives the results, explained."""

    def asked(query: str, profiles: Mapping[str, tuple[Store, PriorSettings]], **options: object) -> list[SearchResult]:
        def priors(name: str) -> PriorSettings | None:
            settings = profiles[name][1]
            return None if settings == PriorSettings() else settings

        stores = {name: store for name, (store, _) in profiles.items()}
        searcher = Searcher(
            lambda: stores, encoder, circumstances=NAMED, clock=lambda: NOW, personal=Personal(priors=priors)
        )
        response = searcher.search(SearchRequest(query, explain=True, **options))  # type: ignore[arg-type]
        searcher.close()
        return list(response.results)

    return asked


def points(result: SearchResult) -> dict[str, float]:
    return {part.signal: part.points for part in result.explain or ()}


# Alike but for what each prior looks at; the tiebreak is the digest's.
TWINS = [note(f"{name}.md", f"curlew count {name}", day=day) for name, day in (("old", 1), ("new", 17))]


def test_newer_notes_rise_where_a_profile_wants_that(make_store: MakeStore, ask: Ask) -> None:
    found = {
        result.path: points(result)
        for result in ask("curlew", {"p": (make_store(*TWINS), PriorSettings(recency_days=7))})
    }
    assert found["old.md"].keys() - set(SIGNALS) == {"recency"}
    assert found["old.md"]["recency"] < found["new.md"]["recency"] <= 0


def test_the_writers_own_word_counts_where_a_profile_wants_that(make_store: MakeStore, ask: Ask) -> None:
    store = make_store(saying(TWINS[0], importance="high"), saying(TWINS[1], importance="low"))
    found = {result.path: points(result) for result in ask("curlew", {"p": (store, PriorSettings(importance=True))})}
    assert found["old.md"]["importance"] > 0 > found["new.md"]["importance"]


def test_points_still_sum_to_the_score(make_store: MakeStore, ask: Ask) -> None:
    every = PriorSettings(recency_days=10, importance=True)
    notes = [saying(note(f"{n}.md", f"curlew survey {n}", day=n + 1), importance="5") for n in range(12)]
    found = ask("curlew", {"p": (make_store(*notes), every)}, limit=30)
    assert {"recency", "importance"} <= set().union(*(points(each) for each in found))
    for result in found:
        assert sum(points(result).values()) == pytest.approx(result.score)
    assert [result.score for result in found] == sorted((result.score for result in found), reverse=True)


def test_one_profiles_wish_moves_no_other_profiles_notes(make_store: MakeStore, ask: Ask) -> None:
    mine = make_store(note("Log.md", "curlew seen at dawn"), note("Diary.md", "curlew heard at dusk"))
    theirs = make_store(*TWINS)
    before = ask("curlew", {"mine": (mine, PriorSettings()), "theirs": (theirs, PriorSettings())})
    after = ask("curlew", {"mine": (mine, PriorSettings(recency_days=3)), "theirs": (theirs, PriorSettings())})
    unmoved = [(result.path, points(result)) for result in before if result.profile == "theirs"]
    assert [(result.path, points(result)) for result in after if result.profile == "theirs"] == unmoved
    assert all(points(result).keys() <= set(SIGNALS) for result in before)
