"""The graph of an open store follows the store."""

import pytest

from scrubjay.daemon.links import link_graph as graph_keeper
from scrubjay.daemon.links.link_graph import CachedGraph, FrozenGraph, GraphCache, read_graph
from scrubjay.profiles.store.store import Store
from tests.integration.links.conftest import Put


@pytest.fixture(autouse=True)
def _no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_keeper, "PATIENCE", 0)


def shape(graph: FrozenGraph) -> tuple[list[int], list[int], list[int], list[str], list[str]]:
    tags = [f"{row} {graph.tag_names[tag]}" for row, tag in zip(graph.tags.rows, graph.tags.columns, strict=True)]
    links = graph.out.starts.tolist(), graph.out.columns.tolist()
    return graph.ids.tolist(), *links, [name.path for name in graph.names], sorted(tags)


def test_every_change_of_the_store_reaches_the_graph(store: Store, put: Put) -> None:
    keeper = GraphCache()
    ids = [put(f"{name}.md", f"text {name}", links=("A",)) for name in "ABCDEFGH"]
    assert shape(keeper.current(store)) == shape(read_graph(store))
    put("A.md", "another text", links=("B", "New"))
    assert shape(keeper.current(store)) == shape(read_graph(store))
    put("New.md", "new")
    with store.writing() as writer:
        writer.forget_notes([ids[2]])
    graph = keeper.current(store)
    assert shape(graph) == shape(read_graph(store))
    assert keeper.current(store) is graph


def test_a_small_change_is_taken_in_without_reading_all_notes_again(
    store: Store, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(20):
        put(f"{number}.md", f"text {number}", links=("0",))
    kept = CachedGraph()
    kept.current(store)
    loads: list[Store] = []
    monkeypatch.setattr(graph_keeper, "load_graph", loads.append)
    put("7.md", "changed", links=("1",))
    assert shape(kept.current(store)) == shape(read_graph(store))
    assert loads == []


def test_embedding_changes_no_link_and_leaves_the_graph_as_it_is(store: Store, put: Put) -> None:
    put("A.md", "one", links=("B",))
    kept = CachedGraph()
    before = kept.current(store)
    store.set_meta("anything", "changed")
    assert kept.current(store) is before


def test_what_takes_in_changes_goes_when_it_is_unused_and_the_graph_stays(store: Store, put: Put) -> None:
    for number in range(20):
        put(f"{number}.md", f"text {number}", links=("0",))
    keeper = GraphCache()
    before = keeper.current(store)
    assert not keeper.let_go(3_600)
    assert keeper.let_go(0)
    assert not keeper.let_go(0)  # there is no more
    assert keeper.current(store) is before
    put("7.md", "changed", links=("1",))
    assert shape(keeper.current(store)) == shape(read_graph(store))


def test_a_link_to_an_alias_leads_to_the_note_that_has_it(store: Store, put: Put) -> None:
    put("A.md", "one", links=("Ghost",))
    put("B.md", "two", aliases=("Ghost",))
    assert shape(read_graph(store))[1:3] == ([0, 1, 1], [1])


def test_a_graph_that_is_only_read_is_the_one_that_changes_are_taken_into(store: Store, put: Put) -> None:
    put("Ideas/A.md", "one", links=("B#part", "b", "Nowhere", "A", "#here"), tags=("Project/Atlas", "été"))
    put("B.md", "two", aliases=("Ghost",), properties={"up": "[[A]]", "see": ("[[Ghost]]", "no link"), "n": "[[C]]"})
    put("C.md", "three", links=("ghost", "./Ideas/A"), properties={"up": "[[B]]"}, tags=("project",))
    put("D.md", "four", properties={"up": "[[Nowhere]]"})
    assert shape(read_graph(store)) == shape(GraphCache().current(store))
    assert read_graph(store).out.degrees.tolist() == [1, 2, 2, 0]
