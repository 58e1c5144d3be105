"""A profile's aliases and link texts change what its own queries mean, and nothing else."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scrubjay.daemon.engine import query_matrices, tuning
from scrubjay.daemon.engine.query_matrices import QueryMatrices, Tunable
from scrubjay.daemon.engine.tuning import usable_names
from scrubjay.daemon.links.link_graph import GraphCache
from scrubjay.daemon.review import learning, looker
from scrubjay.daemon.review.looker import Looker
from scrubjay.profiles.search.meaning.query_matrix import Learned, QueryMatrix
from scrubjay.profiles.search.rank.retrieval import Personal
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import ScorePart, SearchRequest, SearchResponse
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.query_matrices import (
    distinct_names,
    learned_of,
    matrix_of,
    names_of,
    put_learned,
)
from scrubjay.profiles.store.rows import LinkRow, NoteBundle, Vectors
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.waiting import PATIENCE_SECONDS
from tests.integration.search.conftest import MakeStore, encoder, make_store, note

__all__ = ["encoder", "make_store"]

LEARNED = Learned(pairs=1_200, ridge=100.0, before=0.5, gain=0.1, low=0.05, high=0.15, shift=0.0)
Ask = Callable[..., SearchResponse]


def called(bundle: NoteBundle, *aliases: str) -> NoteBundle:
    return replace(bundle, note=replace(bundle.note, aliases=aliases))


def linking(bundle: NoteBundle, *links: tuple[str, str]) -> NoteBundle:
    return replace(bundle, links=tuple(LinkRow(target, "wiki", 1, text=text) for target, text in links))


def swapping(encoder: HashEncoder, asked: str, meant: str, *, shift: float = 0.0) -> QueryMatrix:
    """A matrix that reads a word as another."""
    said, wanted = encoder.embed_query(asked), encoder.embed_query(meant)
    matrix = np.eye(encoder.spec.dim, dtype=np.float32) + np.outer(said, wanted - said).astype(np.float32)
    return QueryMatrix(matrix, shift)


@pytest.fixture
def ask(encoder: HashEncoder) -> Iterator[Ask]:
    """ask(query, stores, {profile: matrix}, **request)."""
    made: list[Searcher] = []

    def asked(
        query: str, stores: dict[str, Store], matrices: dict[str, QueryMatrix], **options: object
    ) -> SearchResponse:
        personal = Personal(matrices=lambda name, _store, _model: matrices.get(name))
        made.append(Searcher(lambda: stores, encoder, personal=personal))
        return made[-1].search(SearchRequest(query, explain=True, **options))  # type: ignore[arg-type]

    yield asked
    for searcher in made:
        searcher.close()


def paths(response: SearchResponse) -> list[str]:
    return [result.path for result in response.results]


def test_names_are_aliases_and_link_texts_of_other_notes(make_store: MakeStore) -> None:
    store = make_store(
        called(note("Grey heron.md", "tall bird"), "Ardea", "the waiter"),
        called(note("Weir.md", "water"), "the waiter"),
        linking(
            note("Log.md", "today"), ("Grey heron", "our fisher"), ("Weir", ""), ("Nowhere", "lost"), ("Log", "me")
        ),
        linking(note("Other.md", "again"), ("Grey heron", "Our Fisher"), ("Weir", "[REDACTED:api-key] place")),
    )
    known = {
        store.read(reads.notes, [name.note_id])[name.note_id].path: name.text
        for name in distinct_names(names_of(store), 10)
        if "[" not in name.text
    }
    assert sorted(name.text for name in usable_names(store)) == ["Ardea", "Our Fisher"]
    assert set(known) == {"Grey heron.md"}


def test_one_profiles_matrix_moves_no_other_profiles_notes(
    make_store: MakeStore, encoder: HashEncoder, ask: Ask
) -> None:
    mine = make_store(note("Weir.md", "sluice gate water level"), note("Tally.md", "contraption list"))
    theirs = make_store(note("Lock.md", "sluice gate of the lock"), note("Pump.md", "a contraption that pumps"))
    stores = {"mine": mine, "theirs": theirs}
    before = {r.path: r.explain for r in ask("contraption", stores, {}, mode="semantic").results}
    matrix = swapping(encoder, "contraption", "sluice")
    after = {r.path: r.explain for r in ask("contraption", stores, {"mine": matrix}, mode="semantic").results}
    alone = ask("contraption", {"mine": mine}, {"mine": matrix}, mode="semantic").results
    assert (alone[0].path, raw(alone[0].explain) < raw(before["Weir.md"])) == ("Weir.md", True)
    assert raw(after["Pump.md"]) == raw(before["Pump.md"])
    assert raw(after["Weir.md"]) < raw(before["Weir.md"])


def test_the_shift_brings_a_profile_to_the_others_scale_and_changes_no_order_in_it(
    make_store: MakeStore, encoder: HashEncoder, ask: Ask
) -> None:
    """Else every note of a profile with a matrix would stand above those of one without."""
    mine, theirs = make_store(note("Weir.md", "sluice gate")), make_store(note("Lock.md", "sluice gates"))
    identity = np.eye(encoder.spec.dim, dtype=np.float32)
    stores = {"mine": mine, "theirs": theirs}
    plain = {r.path: raw(r.explain) for r in ask("sluice", stores, {}).results}
    shifted = {r.path: raw(r.explain) for r in ask("sluice", stores, {"mine": QueryMatrix(identity, 0.2)}).results}
    assert shifted["Weir.md"] == pytest.approx(plain["Weir.md"] + 0.2, abs=1e-4)
    assert shifted["Lock.md"] == plain["Lock.md"]
    words = ["sluice", "gate", "water", "level", "weir", "heron", "boat", "hull", "keel"]
    many = make_store(*(note(f"{n}.md", " ".join(words[n % 4 : n % 4 + 3 + n % 3]), f"sluice {n}") for n in range(20)))
    for mode in ("hybrid", "semantic"):
        first, second = (
            ask("sluice gate water", {"p": many}, {"p": QueryMatrix(identity, shift)}, mode=mode)
            for shift in (0.0, 0.05)
        )
        assert paths(first)[:5] == paths(second)[:5]


def raw(parts: Sequence[ScorePart] | None) -> float:
    found = [part.raw for part in parts or () if part.signal == "semantic"]
    assert found[0] is not None
    return found[0]


# Kept in the profile's store, for one model, and learned again when there is more to learn.


def test_what_was_learned_is_kept_in_the_store_and_goes_with_its_model(make_store: MakeStore) -> None:
    store = make_store(note("Weir.md", "water"))
    matrix = np.eye(4, dtype=np.float32) * 2
    put_learned(store, "model-a", LEARNED, matrix)
    put_learned(store, "model-b", replace(LEARNED, gain=0.01), None)
    assert learned_of(store, "model-a") == (LEARNED, True)
    found = matrix_of(store, "model-a")
    assert found is not None
    assert np.array_equal(found.matrix, matrix)
    assert learned_of(store, "model-b") == (replace(LEARNED, gain=0.01), False)
    assert (matrix_of(store, "model-b"), matrix_of(store, "model-c"), learned_of(store, "model-c")) == (None,) * 3
    with store.writing() as writer:
        writer.use_model("model-b")
        writer.forget_other_models("model-b")
    assert learned_of(store, "model-a") is None


class Household:
    """Stores with names, looked at by `QueryMatrices` as the daemon does."""

    def __init__(self, store: Store, encoder: HashEncoder) -> None:
        self.idle, self.allowed, self.open = True, True, True
        self.store, self.model = store, encoder.spec.fingerprint
        self.matrices = QueryMatrices(
            lambda: [Tunable(store, encoder, self.allowed)][: self.open], lambda: self.idle, Looker(GraphCache())
        )

    def pairs(self) -> int | None:
        self.matrices.look()
        found = learned_of(self.store, self.model)
        return None if found is None else found[0].pairs


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> int:
    """Ten names are enough for these tests; the gate itself is tested elsewhere."""
    monkeypatch.setattr(query_matrices, "LEAST_PAIRS", 10)
    return 10


def named_notes(first: int, last: int) -> list[NoteBundle]:
    return [called(note(f"{n}.md", f"note number {n}"), f"nickname {n}") for n in range(first, last)]


def put(store: Store, encoder: HashEncoder, *bundles: NoteBundle) -> None:
    with store.writing() as writer:
        for bundle in bundles:
            writer.put_note(bundle)
    pending = store.pending_embeddings(encoder.spec.fingerprint, 100)
    with store.writing() as writer:
        digests = [chunk.digest for chunk in pending]
        writer.put_embeddings(encoder.spec.fingerprint, digests, encoder.embed_passages([c.text for c in pending]))


@pytest.mark.usefixtures("few")
def test_names_are_learned_again_when_a_fifth_more_have_come(make_store: MakeStore, encoder: HashEncoder) -> None:
    store = make_store(*named_notes(0, 9))
    house = Household(store, encoder)
    assert house.pairs() is None
    put(store, encoder, *named_notes(9, 10))
    assert house.pairs() == 10
    put(store, encoder, *named_notes(10, 12))
    assert house.pairs() == 10
    put(store, encoder, *named_notes(12, 13))
    assert house.pairs() == 13
    with store.writing() as writer:
        writer.forget_notes([found.note_id for found in store.read(reads.recent)][:5])
    assert house.pairs() == 8


@pytest.mark.usefixtures("few")
def test_it_waits_until_all_is_embedded_nothing_else_is_to_be_done_and_its_owner_allows_it(
    make_store: MakeStore, encoder: HashEncoder
) -> None:
    assert Household(make_store(*named_notes(0, 12), embedded=False), encoder).pairs() is None
    house = Household(make_store(*named_notes(0, 12)), encoder)
    house.idle = False
    assert house.pairs() is None
    house.idle, house.allowed = True, False
    assert house.pairs() is None
    house.allowed = True
    assert house.pairs() == 12


Stopped = Callable[..., tuple[Household, list[str]]]


@pytest.fixture
def stopped(make_store: MakeStore, encoder: HashEncoder, monkeypatch: pytest.MonkeyPatch, few: int) -> Stopped:
    """stopped(closes=False): a household of twelve names of which ten are embedded when somebody searches, or closes
    the profile; and the names that are embedded, then and later.
    """
    monkeypatch.setattr(tuning, "LEAST_PAIRS", few)
    monkeypatch.setattr(tuning, "_BATCH", 5)
    house, embedded = Household(make_store(*named_notes(0, 12)), encoder), list[str]()

    def stop(*, closes: bool = False) -> tuple[Household, list[str]]:
        def embed(texts: Sequence[str]) -> Vectors:
            embedded.extend(texts)
            house.idle = len(embedded) != 10
            house.open = house.idle or not closes
            return HashEncoder.embed_passages(encoder, texts)

        monkeypatch.setattr(encoder, "embed_passages", embed)
        assert (house.pairs(), len(embedded)) == (None, 10)
        return house, embedded

    return stop


def test_what_was_embedded_before_it_was_stopped_is_not_embedded_again(stopped: Stopped) -> None:
    """Else somebody who writes all day would have it begun all day, and never done."""
    house, embedded = stopped()
    put(house.store, HashEncoder(), *named_notes(12, 13))
    house.idle = True
    assert house.pairs() == 13
    assert sorted(embedded) == sorted(f"nickname {n}" for n in range(13))


@pytest.mark.parametrize("closes", ["before it is stopped", "afterwards", "never, but may not be tuned"])
def test_of_names_of_a_closed_profile_nothing_is_kept(stopped: Stopped, closes: str) -> None:
    house, embedded = stopped(closes=closes == "before it is stopped")
    house.idle, house.open = True, True
    if closes == "afterwards":
        house.matrices.forget(house.store)
    elif closes != "before it is stopped":
        house.allowed = False
        assert house.pairs() is None
        house.allowed = True
    assert (house.pairs(), len(embedded)) == (12, 22)


def test_who_closes_a_profile_waits_until_no_name_of_it_is_embedded(
    make_store: MakeStore, encoder: HashEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(query_matrices, "LEAST_PAIRS", 10)
    monkeypatch.setattr(tuning, "LEAST_PAIRS", 10)
    begun, may_go, order = threading.Event(), threading.Event(), list[str]()

    def embed(texts: Sequence[str]) -> Vectors:
        begun.set()
        assert may_go.wait(PATIENCE_SECONDS)
        order.append("embedded")
        return HashEncoder.embed_passages(encoder, texts)

    house = Household(make_store(*named_notes(0, 12)), encoder)
    monkeypatch.setattr(encoder, "embed_passages", embed)
    learning, closing = (
        threading.Thread(target=house.pairs),
        threading.Thread(target=lambda: (house.matrices.forget(house.store), order.append("forgotten"))),
    )
    learning.start()
    assert begun.wait(PATIENCE_SECONDS)
    closing.start()
    closing.join(0.2)
    may_go.set()
    learning.join()
    closing.join()
    assert order == ["embedded", "forgotten"]


def test_names_of_a_large_file_are_learned_from_in_a_process(
    tmp_path: Path, encoder: HashEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuning, "LEAST_PAIRS", 10)
    monkeypatch.setattr(looker, "SMALL", 0)
    monkeypatch.delattr(learning, "learn")  # here, not there
    nothing = Learned(12, 0.0, 0.0, 0.0, 0.0, 0.0)
    with closing(FileStore.open(tmp_path / "index.sqlite3")) as store:
        put(store, encoder, *named_notes(0, 12))
        assert tuning.tune(Looker(GraphCache()), store, encoder, usable_names(store), {}) == (nothing, None)
        assert learned_of(store, encoder.spec.fingerprint) == (nothing, False)
