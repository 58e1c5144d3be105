"""Several profiles in one search: who is late, locked or of another model, and what the others answer meanwhile."""

import threading
from collections.abc import Callable, Iterator
from typing import Concatenate, ParamSpec, TypeVar

import pytest

from scrubjay.profiles.errors import StoreError
from scrubjay.profiles.search.rank import legs
from scrubjay.profiles.search.rank.retrieval import TimeLimits
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest, SearchResponse, Unanswered
from scrubjay.profiles.search.words.evidence import LexicalQuery
from scrubjay.profiles.search.words.lexical_leg import LexicalCandidates
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.filters import NoteFilter
from scrubjay.profiles.store.rows import TermStats
from scrubjay.profiles.store.statements import Connection, generation_of
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.stopped_clock import StoppedClock
from tests.helpers.stores import NewStore
from tests.helpers.waiting import until
from tests.integration.search.conftest import MakeStore, Over, fill, note

P = ParamSpec("P")
T = TypeVar("T")

DEADLINE = 0.2
FILES = pytest.mark.parametrize("store_kind", ["file"])  # of which there is such a one
BIRDS_ALONE = ({"birds"}, (Unanswered("boats"),))


class Hanging(FileStore):
    """A store whose word searches hang until they are let go, and take longer than any deadline by the clock."""

    let_go: threading.Event
    clock: StoppedClock
    asked: int

    def lexical(
        self, query: LexicalQuery, *, where: NoteFilter | None, limit: int, stats: TermStats | None = None
    ) -> LexicalCandidates:
        self.asked += 1
        if not self.let_go.is_set():
            self.clock.seconds += DEADLINE
        assert self.let_go.wait(60)
        return super().lexical(query, where=where, limit=limit, stats=stats)


class ClosedMeanwhile(FileStore):
    """A store that is closed after its passages were found and before they are read."""

    def read(self, function: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        if function is reads.chunks:
            self.close()
        return super().read(function, *args, **kwargs)


@pytest.fixture
def birds(make_store: MakeStore) -> Store:
    return make_store(note("Heron.md", "the heron waits at the weir"), note("Kingfisher.md", "kingfishers dive"))


@pytest.fixture
def boats(make_store: MakeStore) -> Store:
    return make_store(note("Boats.md", "a heron on a boat"))


@pytest.fixture
def hanging(boats: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hanging]:
    boats.__class__ = Hanging
    assert isinstance(boats, Hanging)
    boats.let_go, boats.clock, boats.asked = threading.Event(), StoppedClock(), 0
    monkeypatch.setattr(legs, "monotonic", boats.clock)  # a busy machine makes no other store late
    yield boats
    boats.let_go.set()


def told(answer: SearchResponse) -> tuple[set[str], tuple[Unanswered, ...]]:
    return {hit.profile for hit in answer.results}, answer.unanswered


@FILES
def test_a_profile_that_hangs_is_named_and_not_asked_again_and_the_others_answer(
    birds: Store, hanging: Hanging
) -> None:
    searcher = Searcher(lambda: {"birds": birds, "boats": hanging}, HashEncoder(), limits=TimeLimits(DEADLINE))
    for _ in range(12):  # more than there are threads
        assert told(searcher.search(SearchRequest("heron"))) == BIRDS_ALONE
    assert hanging.asked == 1
    hanging.let_go.set()
    until(lambda: not searcher.search(SearchRequest("heron")).unanswered)
    searcher.close()


@FILES
def test_a_profile_that_is_closed_while_it_is_searched_is_named(birds: Store, boats: Store) -> None:
    boats.__class__ = ClosedMeanwhile
    opened = {"birds": birds, "boats": boats}
    searcher = Searcher(lambda: {name: store for name, store in opened.items() if not is_closed(store)}, HashEncoder())
    assert told(searcher.search(SearchRequest("heron"))) == BIRDS_ALONE
    searcher.close()


def is_closed(store: Store) -> bool:
    try:
        store.read(generation_of)
    except StoreError:
        return True
    return False


def test_a_profile_in_scope_that_is_not_open_is_named(birds: Store, searcher_over: Over) -> None:
    searcher = searcher_over(birds=birds)
    for query, unanswered in (("heron", (Unanswered("boats"),)), ("heron profile:birds", ())):
        assert searcher.search(SearchRequest(query, profiles=("birds", "boats"))).unanswered == unanswered


def test_profiles_of_different_models_are_fused_by_rank(birds: Store, new_store: NewStore) -> None:
    small, large = HashEncoder(32), HashEncoder()
    boats = fill(new_store(), [note("Boats.md", "a heron on a boat"), note("Rope.md", "rope and sail")], small)
    searcher = Searcher(
        lambda: {"birds": birds, "boats": boats},
        large,
        embedder_of=lambda profile: small if profile == "boats" else large,
    )
    answer = searcher.search(SearchRequest("heron", mode="semantic", explain=True))
    assert {hit.path for hit in answer.results[:2]} == {"Heron.md", "Boats.md"}
    assert answer.results[0].score == answer.results[1].score  # each the best of its own model
    assert (answer.pending_embeddings, answer.unanswered) == (0, ())
    assert searcher.search(SearchRequest("heron boat")).results[0].path == "Boats.md"
    searcher.close()
