"""Several profiles in one search: who is late, locked or of another model, and what the others answer meanwhile."""

import threading
from collections.abc import Callable, Iterator
from typing import Concatenate, ParamSpec, TypeVar

import pytest

from scrubjay.profiles.errors import StoreError
from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.search.rank import legs
from scrubjay.profiles.search.rank.retrieval import TimeLimits
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest, Unanswered
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
from tests.helpers.waiting import until
from tests.integration.search.conftest import MakeStore, note

P = ParamSpec("P")
T = TypeVar("T")

DEADLINE = 0.2


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


def other(make_store: MakeStore, kind: type[FileStore]) -> Store:
    store = make_store(note("Boats.md", "a heron on a boat"))
    store.__class__ = kind
    return store


@pytest.fixture
def hanging(make_store: MakeStore, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hanging]:
    store = other(make_store, Hanging)
    assert isinstance(store, Hanging)
    store.let_go, store.clock, store.asked = threading.Event(), StoppedClock(), 0
    monkeypatch.setattr(legs, "monotonic", store.clock)  # a busy machine makes no other store late
    yield store
    store.let_go.set()


@pytest.mark.parametrize("store_kind", ["file"])  # of which there is such a one
def test_a_profile_that_hangs_is_named_and_the_others_answer(birds: Store, hanging: Hanging) -> None:
    searcher = Searcher(lambda: {"birds": birds, "boats": hanging}, HashEncoder(), limits=TimeLimits(DEADLINE))
    answer = searcher.search(SearchRequest("heron"))
    assert ({hit.profile for hit in answer.results}, answer.unanswered) == ({"birds"}, (Unanswered("boats"),))
    searcher.close()


@pytest.mark.parametrize("store_kind", ["file"])  # of which there is such a one
def test_a_profile_that_still_hangs_is_not_asked_again(birds: Store, hanging: Hanging) -> None:
    searcher = Searcher(lambda: {"birds": birds, "boats": hanging}, HashEncoder(), limits=TimeLimits(DEADLINE))
    for _ in range(12):  # more than there are threads
        assert searcher.search(SearchRequest("heron")).unanswered == (Unanswered("boats"),)
    assert hanging.asked == 1
    hanging.let_go.set()
    until(lambda: not searcher.search(SearchRequest("heron")).unanswered)
    searcher.close()


@pytest.mark.parametrize("store_kind", ["file"])  # of which there is such a one
def test_a_profile_that_is_closed_while_it_is_searched_is_named(birds: Store, make_store: MakeStore) -> None:
    going = other(make_store, ClosedMeanwhile)
    opened = {"birds": birds, "boats": going}

    def stores() -> dict[str, Store]:
        return {name: store for name, store in opened.items() if name == "birds" or not is_closed(going)}

    searcher = Searcher(stores, HashEncoder())
    answer = searcher.search(SearchRequest("heron"))
    assert ({hit.profile for hit in answer.results}, answer.unanswered) == ({"birds"}, (Unanswered("boats"),))
    searcher.close()


def is_closed(store: Store) -> bool:
    try:
        store.read(generation_of)
    except StoreError:
        return True
    return False


def test_a_profile_in_scope_that_is_not_open_is_named(birds: Store) -> None:
    searcher = Searcher(lambda: {"birds": birds}, HashEncoder())
    assert searcher.search(SearchRequest("heron", profiles=("birds", "boats"))).unanswered == (Unanswered("boats"),)
    assert searcher.search(SearchRequest("heron profile:birds", profiles=("birds", "boats"))).unanswered == ()
    searcher.close()


def test_profiles_of_different_models_are_fused_by_rank(birds: Store, make_store: MakeStore) -> None:
    small = HashEncoder(32)
    boats = make_store(note("Boats.md", "a heron on a boat"), note("Rope.md", "rope and sail"), embedded=False)
    pending = boats.pending_embeddings(small.spec.fingerprint, 10)
    with boats.writing() as writer:
        vectors = small.embed_passages([chunk.text for chunk in pending])
        writer.put_embeddings(small.spec.fingerprint, [chunk.digest for chunk in pending], vectors)
    large = HashEncoder()

    def embedder_of(profile: str) -> Embedder:
        return small if profile == "boats" else large

    searcher = Searcher(lambda: {"birds": birds, "boats": boats}, large, embedder_of=embedder_of)
    answer = searcher.search(SearchRequest("heron", mode="semantic", explain=True))
    assert {hit.path for hit in answer.results[:2]} == {"Heron.md", "Boats.md"}
    assert answer.results[0].score == answer.results[1].score  # each the best of its own model
    assert (answer.pending_embeddings, answer.unanswered) == (0, ())
    hybrid = searcher.search(SearchRequest("heron boat"))
    assert hybrid.results[0].path == "Boats.md"
    searcher.close()
