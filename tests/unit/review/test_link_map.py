"""Clusters and bridges of a graph of links."""

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.links.link_graph import Csr, LinkGraph, NoteLinks, from_edges
from scrubjay.daemon.links.link_resolver import NoteName
from scrubjay.daemon.review.link_map import articulations, communities, link_map

Edges = Sequence[tuple[int, int]]


def both_ways(count: int, edges: Edges) -> Csr:
    one = np.array([a for a, b in edges if a != b], dtype=np.int64)
    other = np.array([b for a, b in edges if a != b], dtype=np.int64)
    return from_edges(np.concatenate((one, other)), np.concatenate((other, one)), count, count)


def components(count: int, edges: Edges, without: int = -1) -> int:
    """How many pieces the graph falls into, by a way that has nothing in common with Tarjan's."""
    label = list(range(count))
    for _ in range(count):
        for a, b in edges:
            if without not in (a, b):
                label[a] = label[b] = min(label[a], label[b])
    return len({label[row] for row in range(count) if row != without})


EDGES = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=16)


@given(EDGES)
def test_a_node_is_an_articulation_where_the_graph_falls_apart_without_it(edges: Edges) -> None:
    whole = components(9, edges)
    told = {each.row: each.parts for each in articulations(both_ways(9, edges))}
    parts = {row: components(9, edges, row) - whole + 1 for row in range(9)}
    assert told == {row: count for row, count in parts.items() if count > 1}


@given(EDGES)
def test_communities_are_numbered_by_size_and_cross_no_gap(edges: Edges) -> None:
    label = communities(both_ways(9, edges))
    sizes = np.bincount(label)
    assert sizes.sum() == 9
    assert list(sizes) == sorted(sizes, reverse=True)
    for number in range(len(sizes)):
        members = np.flatnonzero(label == number).tolist()
        inner = [(a, b) for a, b in edges if label[a] == label[b] == number]
        assert components(9, inner) - (9 - len(members)) == 1
    assert np.array_equal(label, communities(both_ways(9, edges)))


def test_cliques_that_hang_together_by_one_link_are_told_apart() -> None:
    cliques = [[(c * 6 + a, c * 6 + b) for a in range(6) for b in range(a)] for c in range(5)]
    edges = [edge for clique in cliques for edge in clique] + [(c * 6, c * 6 + 6) for c in range(4)]
    label = communities(both_ways(30, edges)).tolist()
    assert [len(set(label[c * 6 : c * 6 + 6])) for c in range(5)] == [1] * 5
    assert len(set(label)) == 5


def test_a_long_path_needs_no_deep_stack() -> None:
    edges = [(row, row + 1) for row in range(50_000)]
    assert len(articulations(both_ways(50_001, edges))) == 49_999


def test_the_map_names_clusters_counts_links_and_shows_bridges() -> None:
    def notes(folder: str, first: int, tag: str) -> list[NoteLinks]:
        names = [f"{folder}{n}" for n in range(5)]
        return [
            NoteLinks(NoteName(first + n, "v", f"{folder}/{name}.md"), tuple(names), (tag,))
            for n, name in enumerate(names)
        ]

    birds, boats = notes("birds", 10, "nature"), notes("boats", 20, "travel")
    ferry = NoteLinks(NoteName(1, "v", "Ferry.md"), ("birds0", "boats0", "boats1", "boats2", "boats3"))
    graph = LinkGraph(
        [*birds, *boats, ferry, NoteLinks(NoteName(2, "v", "Alone.md")), NoteLinks(NoteName(3, "v", "x.png"))]
    )
    frozen = graph.frozen()
    titles = {name.id: name.path for name in frozen.names if name.id != 3}
    found = link_map(frozen, titles, 10)
    assert {cluster.name for cluster in found.clusters} == {"birds", "boats"}
    assert sum(cluster.size for cluster in found.clusters) == 11
    assert found.links == ((0, 1, 1),)
    assert found.unlinked == 1
    assert {titles[bridge.note.note_id] for bridge in found.bridges} == {"Ferry.md", "birds/birds0.md"}
    assert {(note.vault, note.path == note.title, note.note_id > 9) for note in found.clusters[1].notes} == {
        ("v", True, True)
    }
    assert all(bridge.parts == 2 for bridge in found.bridges)
    assert found.bridges[0].joins == (0, 1)
    assert link_map(frozen, titles, 1).links == ()
    assert link_map(LinkGraph().frozen(), {}, 5).clusters == ()


@given(st.permutations(range(40)))
def test_a_map_does_not_depend_on_the_order_in_which_notes_came(ids: Sequence[int]) -> None:
    links = [tuple(f"n{(n * step) % 40}" for step in (3, 7, 11)) for n in range(40)]

    def of(numbers: Sequence[int]) -> object:
        notes = [NoteLinks(NoteName(number, "v", f"n{n}.md"), links[n]) for n, number in enumerate(numbers)]
        found = link_map(LinkGraph(notes).frozen(), {number: f"n{n}" for n, number in enumerate(numbers)}, 10)
        clusters = [(each.name, each.size, [note.path for note in each.notes]) for each in found.clusters]
        return clusters, found.links, [(each.note.path, each.parts, each.joins) for each in found.bridges]

    assert of(ids) == of(range(40))
