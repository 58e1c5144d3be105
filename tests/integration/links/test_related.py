"""Which notes are related in a real store, and why."""

from itertools import islice
from math import log2

import pytest

from scrubjay.daemon.links.link_graph import read_graph
from scrubjay.daemon.links.related import LikenessTo, RelatedNote, mean_vector, related_notes
from scrubjay.daemon.links.traverse import traverse
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.store import Store
from tests.helpers.counted import lines_run
from tests.integration.links.conftest import MODEL, Put

MEANT = {"Bread.md": [1, 0.1], "Birds.md": [0.1, 1], "Both.md": [1, 1]}


def ask(store: Store, note_id: int, limit: int = 10) -> tuple[RelatedNote, ...]:
    return related_notes(store, read_graph(store), MODEL, note_id, limit=limit)


def signals(related: RelatedNote) -> list[str]:
    return [reason.signal for reason in related.reasons]


def test_notes_that_mean_alike_are_related_nearest_first(store: Store, put: Put) -> None:
    eels = put("Eels.md", "young ones in the weir", [1, 0, 0])
    opposite = put("Invoices.md", "net thirty days", [-1, 0.1, 0])
    far = put("Moths.md", "light trap", [0.4, 1, 0])
    near = put("Elvers.md", "glass eels", [1, 0.2, 0])
    found = ask(store, eels)
    assert [note.note_id for note in found] == [near, far]
    assert opposite not in {note.note_id for note in found}
    assert [signals(note) for note in found] == [["meaning"], ["meaning"]]
    assert found[0].reasons[0].likeness == pytest.approx(1 / 1.04**0.5, abs=1e-3)
    assert store.read(reads.chunks, [found[0].chunk_id or 0]).popitem()[1].path == "Elvers.md"


def test_with_a_line_the_section_it_is_in_decides(store: Store, put: Put) -> None:
    sections = (("Baking", 4, [1, 0]), ("Watching", 20, [0, 1]))
    diary = put("Diary.md", "today", [1, 1], sections=sections)
    names = {put(path, path, meaning): path for path, meaning in MEANT.items()}
    graph = read_graph(store)
    wanted = {None: "Both.md", 1: "Both.md", 4: "Bread.md", 19: "Bread.md", 20: "Birds.md", 999: "Birds.md"}
    first = {line: related_notes(store, graph, MODEL, diary, line=line)[0] for line in wanted}
    assert {line: names[found.note_id] for line, found in first.items()} == wanted


def test_notes_cited_together_are_related_though_neither_has_a_vector(store: Store, put: Put) -> None:
    put("Weekly.md", "what to read", links=("Eels", "Curlew", "Peat"))
    put("Map.md", "all of it", links=("Eels", "Curlew", "Peat", "Moths", "Voles", "Boats"))
    eels, curlew = put("Eels.md", "elvers"), put("Curlew.md", "calls at dusk")
    moths = put("Moths.md", "light trap")
    peat = put("Peat.md", "depth")
    found = [note for note in ask(store, eels) if not note.linked]
    assert [note.note_id for note in found] == [curlew, peat, moths]
    assert found[0].reasons[0].shared == ("Weekly.md", "Map.md")
    in_common = 1 / log2(1 + 3) ** 2 + 1 / log2(1 + 4) ** 2  # linked with three notes and with four
    assert found[0].reasons[0].likeness == pytest.approx(in_common / (1 + in_common))
    assert found[2].reasons[0].shared == ("Map.md",)


def test_notes_that_cite_the_same_are_related(store: Store, put: Put) -> None:
    put("Smith 2019.md", "a paper")
    one = put("One.md", "first", links=("Smith 2019",))
    two = put("Two.md", "second", properties={"source": "[[Smith 2019]]"})
    found = {note.note_id: note for note in ask(store, one)}
    assert signals(found[two]) == ["shared-links"]
    assert found[two].reasons[0].shared == ("Smith 2019.md",)


def test_rare_tags_say_more_than_common_ones(store: Store, put: Put) -> None:
    asked = put("A.md", "one", tags=("seed", "eel/migration"))
    rare = put("B.md", "two", tags=("Eel/Migration",))
    for number in range(6):
        put(f"Other {number}.md", f"text {number}", tags=("seed",))
    first, *others = ask(store, asked)
    assert (first.note_id, first.reasons[0].shared) == (rare, ("eel", "eel/migration"))
    assert {other.reasons[0].shared for other in others} == {("seed",)}


def test_links_both_ways_are_reasons_and_suggest_nothing(store: Store, put: Put) -> None:
    asked = put("A.md", "about eels", [1, 0], links=("B",))
    put("B.md", "eels again", [1, 0.1], links=("A",))
    (found,) = ask(store, asked)
    assert set(signals(found)) == {"meaning", "links-to", "linked-from"}
    assert (found.linked, found.suggested) == (True, False)


def test_a_note_that_is_named_but_not_linked_is_suggested(store: Store, put: Put) -> None:
    asked = put("Log.md", "Walked the ponds with ada lovelace, then counted newts.", [1, 0])
    named = put("People/Ada Lovelace.md", "a friend", [1, 1])
    put("Newt.md", "counting them", [1, 1.1], aliases=("Ada",))
    found = {note.note_id: note for note in ask(store, asked)}
    assert "mentions" in signals(found[named])
    assert found[named].suggested
    assert [note for note in found.values() if "mentions" in signals(note)] == [found[named]]


def test_points_of_the_reasons_sum_to_the_score_and_the_limit_holds(store: Store, put: Put) -> None:
    asked = put("A.md", "eels", [1, 0], links=("B",), tags=("t",))
    for number in range(12):
        put(f"{number}.md", f"text {number}", [1, number / 10], links=("B",), tags=("t",))
    put("B.md", "peat", [0, 1])
    found = ask(store, asked, limit=5)
    assert len(found) == 5
    assert [note.score for note in found] == sorted((note.score for note in found), reverse=True)
    assert all(note.score == pytest.approx(sum(reason.points for reason in note.reasons)) for note in found)


def test_equal_scores_are_in_the_order_of_the_ids(store: Store, put: Put) -> None:
    asked = put("A.md", "one", tags=("t",))
    others = [put(f"{name}.md", name, tags=("t",)) for name in "zyx"]
    assert [note.note_id for note in ask(store, asked)] == others
    assert ask(store, 999) == ()


def test_a_walk_measures_notes_by_their_nearest_chunk(store: Store, put: Put) -> None:
    asked = put("A.md", "eels", [1, 0], links=("B", "C", "D"))
    near, far, unread = put("B.md", "elvers", [1, 0.1]), put("C.md", "invoices", [0, 1]), put("D.md", "not embedded")
    graph = read_graph(store)
    centre = mean_vector(store, store.read(reads.note_chunks, asked))
    assert centre is not None
    found = traverse(graph, [asked], LikenessTo(store, graph, centre))
    assert {step.note_id: step.fate for step in found.steps} == {
        asked: "kept",
        near: "kept",
        far: "below-floor",
        unread: "not-embedded",
    }
    assert found.steps[1].likeness == pytest.approx(1 / 1.01**0.5, abs=1e-3)


def test_four_times_the_notes_make_a_graph_with_four_times_the_work(store: Store, put: Put) -> None:
    numbers = iter(range(200))

    def work(more: int) -> int:
        for number in islice(numbers, more):
            put(f"Note {number}.md", "eels", links=(f"Note {number + 1}", f"Gone {number}", "Note 0"))
        return lines_run(lambda: read_graph(store))

    one, two, four = map(work, (25, 25, 50))
    assert two < 2.2 * one
    assert four < 4.4 * one
