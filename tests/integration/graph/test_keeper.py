"""The graph of an open store follows the store, and no search waits for it."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scrubjay.daemon.graph import keeper as graph_keeper
from scrubjay.daemon.graph.csr import FrozenGraph
from scrubjay.daemon.graph.keeper import CachedGraph, GraphCache, load_graph
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.store import Store
from tests.integration.graph.conftest import Put

LIMIT = 60.0  # seconds that a busy machine may take


@pytest.fixture
def keeper() -> Iterator[GraphCache]:
    made = GraphCache()
    yield made
    made.close()


@pytest.fixture(autouse=True)
def _no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_keeper, "PATIENCE", 0)


def shape(graph: FrozenGraph) -> tuple[list[int], list[int], list[int], list[str]]:
    return (graph.ids.tolist(), graph.out.starts.tolist(), graph.out.columns.tolist(), [n.path for n in graph.names])


def eventually(true: Callable[[], bool]) -> bool:
    until = time.monotonic() + LIMIT
    while not true():
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


def test_every_change_of_the_store_reaches_the_graph(store: Store, put: Put, keeper: GraphCache) -> None:
    ids = [put(f"{name}.md", f"text {name}", links=("A",)) for name in "ABCDEFGH"]
    assert shape(keeper.current(store)) == shape(load_graph(store).frozen())
    put("A.md", "another text", links=("B", "New"))
    assert shape(keeper.current(store)) == shape(load_graph(store).frozen())
    put("New.md", "new")
    with store.writing() as writer:
        writer.forget_notes([ids[2]])
    graph = keeper.current(store)
    assert shape(graph) == shape(load_graph(store).frozen())
    assert keeper.current(store) is graph


def test_a_small_change_is_taken_in_without_reading_all_notes_again(
    store: Store, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(20):
        put(f"{number}.md", f"text {number}", links=("0",))
    kept = CachedGraph()
    kept.renewed(store)
    loads: list[Store] = []
    monkeypatch.setattr(graph_keeper, "load_graph", loads.append)
    put("7.md", "changed", links=("1",))
    assert shape(kept.renewed(store)) == shape(load_graph(store).frozen())
    assert loads == []


def test_embedding_changes_no_link_and_leaves_the_graph_as_it_is(store: Store, put: Put) -> None:
    put("A.md", "one", links=("B",))
    kept = CachedGraph()
    before = kept.renewed(store)
    store.set_meta("anything", "changed")
    assert kept.renewed(store) is before


def test_a_search_gets_what_is_at_hand_and_has_it_renewed(store: Store, put: Put, keeper: GraphCache) -> None:
    put("A.md", "one", links=("B",))
    keeper.latest(store)
    assert eventually(lambda: keeper.latest(store) is not None)
    put("B.md", "two")

    def ranks() -> list[float]:
        found = keeper.latest(store)
        return [] if found is None else found.pageranks.tolist()

    assert eventually(lambda: len(ranks()) == 2)
    assert ranks()[1] > ranks()[0]


def test_a_store_that_closes_meanwhile_keeps_no_other_from_being_renewed(
    store: Store, put: Put, keeper: GraphCache, tmp_path: Path
) -> None:
    put("A.md", "one")
    closed = FileStore.open(tmp_path / "closed.sqlite3")
    closed.close()
    assert keeper.latest(closed) is None
    keeper.latest(store)
    assert eventually(lambda: keeper.latest(store) is not None)
