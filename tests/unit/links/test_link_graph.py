"""The graph after any history is the graph that would be built anew."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.links import link_resolver
from scrubjay.daemon.links.link_graph import Csr, FrozenGraph, LinkGraph, NoteLinks, property_links
from scrubjay.daemon.links.link_resolver import NoteName


def note(
    note_id: int, path: str, *links: str, tags: tuple[str, ...] = (), aliases: tuple[str, ...] = (), vault: str = "v"
) -> NoteLinks:
    return NoteLinks(NoteName(note_id, vault, path, aliases), links, tags)


def edges(graph: FrozenGraph, csr: Csr | None = None) -> set[tuple[int, int]]:
    csr = csr or graph.out
    return set(zip(graph.ids[csr.rows].tolist(), graph.ids[csr.columns].tolist(), strict=True))


def tags_of(graph: FrozenGraph) -> set[tuple[int, str]]:
    rows, tags = graph.tags.rows.tolist(), graph.tags.columns.tolist()
    return {(int(graph.ids[row]), graph.tag_names[tag]) for row, tag in zip(rows, tags, strict=True)}


def test_links_become_edges_in_both_directions() -> None:
    graph = LinkGraph(
        [note(3, "A.md", "B", "B#x", "A", "Nobody"), note(7, "B.md", "dir/C"), note(9, "dir/C.md")]
    ).frozen()
    assert edges(graph) == {(3, 7), (7, 9)}
    assert edges(graph, graph.into) == {(7, 3), (9, 7)}
    assert edges(graph, graph.both) == {(3, 7), (7, 3), (7, 9), (9, 7)}
    assert [graph.row_of[note_id] for note_id in (3, 7, 9)] == [0, 1, 2]
    assert graph.both.of(1).tolist() == [0, 2]
    assert graph.both.degrees.tolist() == [1, 2, 1]


def test_edges_of_several_rows_name_the_row_they_belong_to() -> None:
    graph = LinkGraph([note(1, "A.md", "B", "C"), note(2, "B.md"), note(3, "C.md", "A")]).frozen()
    owner, columns = graph.out.of_all(np.array([2, 1, 0]))
    assert list(zip(owner.tolist(), columns.tolist(), strict=True)) == [(0, 0), (2, 1), (2, 2)]


def test_nested_tags_count_as_the_tags_they_are_nested_in() -> None:
    graph = LinkGraph([note(1, "A.md", tags=("Project/Atlas", "été")), note(2, "B.md", tags=("project",))]).frozen()
    assert tags_of(graph) == {(1, "project"), (1, "project/atlas"), (1, "ete"), (2, "project")}


def test_unresolved_links_say_who_uses_them() -> None:
    graph = LinkGraph(
        [note(1, "A.md", "Ghost#x", "B"), note(2, "B.md", "ghost", "GHOST|g"), note(3, "C.md", "x/y.png")]
    )
    assert graph.unresolved() == {"ghost": (1, 2), "x/y.png": (3,)}


def test_the_frozen_graph_stays_as_it_was() -> None:
    graph = LinkGraph([note(1, "A.md", "B"), note(2, "B.md")])
    before = graph.frozen()
    assert graph.frozen() is before
    graph.put(note(2, "B.md"))  # as it is known
    assert graph.frozen() is before
    graph.forget([2])
    assert (edges(before), edges(graph.frozen())) == ({(1, 2)}, set[tuple[int, int]]())


# What is put into a graph that knows A -> B -> a/C, or forgotten, and what edges are there afterwards.
STEPS: dict[str, tuple[list[NoteLinks | int], set[tuple[int, int]]]] = {
    "a rename loses the links to the old name": ([note(2, "Z.md", "C")], {(2, 3)}),
    "an alias with the old name keeps them": ([note(2, "Z.md", "C", aliases=("b",))], {(1, 2), (2, 3)}),
    "a new note at the root draws links to its name": ([note(4, "C.md")], {(1, 2), (2, 4)}),
    "a new note far below does not": ([note(4, "x/y/C.md")], {(1, 2), (2, 3)}),
    "a new note of another vault does not": ([note(4, "C.md", "B", vault="w")], {(1, 2), (2, 3)}),
    "a forgotten note gives its name to the next": ([note(4, "x/y/C.md"), 3], {(1, 2), (2, 4)}),
    "what a changed note says now counts": ([note(1, "A.md", "C")], {(1, 3), (2, 3)}),
    "moving the source can move the link": ([note(4, "long/C.md"), note(2, "long/B.md", "C")], {(1, 2), (2, 4)}),
    "unknown ids are passed over": ([99], {(1, 2), (2, 3)}),
}


@pytest.mark.parametrize("step", STEPS)
def test_a_change_moves_the_links_it_decides(step: str) -> None:
    graph = LinkGraph([note(1, "A.md", "B"), note(2, "B.md", "C"), note(3, "a/C.md")])
    for changed in STEPS[step][0]:
        graph.forget([changed]) if isinstance(changed, int) else graph.put(changed)
    assert edges(graph.frozen()) == STEPS[step][1]


NAMES = st.sampled_from(["a", "A", "b", "x/a", "x/b", "x/y/a", "c.d"])
LINKS = st.lists(
    st.one_of(NAMES, st.sampled_from(["./a", "../b", "/a", "y/a", "", "#h", "alias", "a.md#h"])), max_size=4
)
ALIASES: list[tuple[str, ...]] = [(), ("alias",), ("b", "y/a")]
TAGS: list[tuple[str, ...]] = [(), ("t",), ("t/u", "v")]


@st.composite
def notes(draw: st.DrawFn) -> NoteLinks:
    path = f"{draw(NAMES)}.md"
    aliases, tags = draw(st.sampled_from(ALIASES)), draw(st.sampled_from(TAGS))
    vault = draw(st.sampled_from(["v", "v", "w"]))
    return note(draw(st.integers(0, 5)), path, *draw(LINKS), aliases=aliases, tags=tags, vault=vault)


@pytest.mark.parametrize("crowd", [1, link_resolver.NAMESAKES_FROM])
@given(history=st.lists(st.one_of(notes(), st.sets(st.integers(0, 6), max_size=2)), max_size=25))
def test_any_history_ends_where_building_anew_would(crowd: int, history: list[NoteLinks | set[int]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(link_resolver, "NAMESAKES_FROM", crowd)
        check(history)


def check(history: list[NoteLinks | set[int]]) -> None:
    graph = LinkGraph()
    final: dict[int, NoteLinks] = {}
    for step in history:
        if isinstance(step, NoteLinks):
            graph.put(step)
            final[step.name.id] = step
        else:
            graph.forget(step)
            final = {note_id: kept for note_id, kept in final.items() if note_id not in step}
    anew = LinkGraph(final.values())
    assert edges(graph.frozen()) == edges(anew.frozen())
    assert tags_of(graph.frozen()) == tags_of(anew.frozen())
    assert graph.unresolved() == anew.unresolved()
    assert len(graph) == len(final)


def test_a_property_links_if_it_is_nothing_but_a_link() -> None:
    links = {
        " [[dir/Ada#Life|her]] ": ("dir/Ada#Life",),
        ("[[Ada]]", "plain", "[[Zoë]]"): ("Ada", "Zoë"),
        "see [[Ada]]": (),
        "[[Ada]], [[Zoë]]": (),
        "[[]]": (),
    }
    assert {value: property_links({"related": value}) for value in links} == links
