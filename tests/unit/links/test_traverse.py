"""Walks outward from a note, gates closed and open."""

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.links import traverse as module
from scrubjay.daemon.links.link_graph import FrozenGraph, LinkGraph, NoteLinks, Rows, Weights
from scrubjay.daemon.links.link_resolver import NoteName
from scrubjay.daemon.links.traverse import Walk, WalkLimits, traverse


def graph_of(links: Mapping[str, str]) -> FrozenGraph:
    """Notes named by one letter, ids 1, 2, … in the order of the letters, and the letters they link to."""
    names = sorted({*links, *"".join(links.values())})
    return LinkGraph(
        NoteLinks(NoteName(number, "v", f"{name}.md"), tuple(links.get(name, "")))
        for number, name in enumerate(names, 1)
    ).frozen()


def walk(
    links: Mapping[str, str], likeness: Mapping[str, float], hops: int = 2, limits: WalkLimits | None = None
) -> Walk:
    graph = graph_of(links)

    def measure(rows: Rows) -> Weights:
        return np.array([likeness.get(graph.names[int(row)].path[0], np.nan) for row in rows])

    return traverse(graph, [1], measure, hops=hops, limits=limits)


def told(found: Walk) -> list[tuple[str, int, str | None, str]]:
    letters = " abcdefghijk"
    return [(letters[s.note_id], s.hop, letters[s.via] if s.via else None, s.fate) for s in found.steps]


CHAIN = {"a": "b", "b": "c", "c": "d", "d": "e"}
ALIKE = dict.fromkeys("abcdef", 0.9)


def test_links_are_followed_both_ways_as_far_as_the_hops_go() -> None:
    found = walk({"a": "b", "c": "a", "d": "c", "e": "d"}, ALIKE)
    assert told(found) == [("a", 0, None, "kept"), ("b", 1, "a", "kept"), ("c", 1, "a", "kept"), ("d", 2, "c", "kept")]
    assert found.ending == "hops"


@pytest.mark.parametrize(
    ("links", "likeness", "hops", "limits", "ending", "kept"),
    [
        pytest.param(CHAIN, ALIKE, 9, WalkLimits(), "nothing-further", "abcde", id="to the end of the links"),
        pytest.param(CHAIN, ALIKE, 1, WalkLimits(), "hops", "ab", id="no farther than asked"),
        pytest.param(CHAIN, ALIKE | {"b": 0.2}, 3, WalkLimits(), "low-quality", "a", id="nothing above the floor"),
        pytest.param(
            CHAIN,
            ALIKE | {"c": 0.42, "d": 0.42},
            5,
            WalkLimits(rise=0.15),
            "low-quality",
            "ab",
            id="floor rises with each hop",
        ),
        pytest.param(
            CHAIN, ALIKE | {"c": 0.36}, 5, WalkLimits(average=0.4), "low-quality", "abc", id="average too low to go on"
        ),
        pytest.param({"a": "bcde"}, ALIKE, 1, WalkLimits(beam=2), "hops", "abc", id="only the best of a hop"),
        pytest.param(
            {"a": "bc", "b": "d", "c": "e"}, ALIKE, 2, WalkLimits(beam=1), "hops", "abd", id="and on from these only"
        ),
        pytest.param(CHAIN, {"a": 0.9}, 3, WalkLimits(), "low-quality", "a", id="notes that are not embedded"),
        pytest.param(CHAIN, {}, 3, None, "hops", "abcd", id="open gates keep what is not embedded"),
        pytest.param(
            CHAIN, dict.fromkeys("abcde", -1.0), 9, None, "nothing-further", "abcde", id="and what is not alike"
        ),
    ],
)
def test_gates_decide_what_is_kept_and_when_to_stop(
    links: dict[str, str], likeness: dict[str, float], hops: int, limits: WalkLimits | None, ending: str, kept: str
) -> None:
    found = walk(links, likeness, hops, limits)
    assert (found.ending, "".join(name for name, _, _, fate in told(found) if fate == "kept")) == (ending, kept)


def test_what_was_dropped_says_why_after_what_was_kept() -> None:
    likeness = {"a": 1.0, "b": 0.1, "c": 0.5, "d": 0.8, "e": 0.6}
    found = walk({"a": "bcdef"}, likeness, 1, WalkLimits(beam=2))
    assert told(found)[1:] == [
        ("d", 1, "a", "kept"),
        ("e", 1, "a", "kept"),
        ("c", 1, "a", "outside-beam"),
        ("b", 1, "a", "below-floor"),
        ("f", 1, "a", "not-embedded"),
    ]
    assert [step.likeness for step in found.steps] == [1.0, 0.8, 0.6, 0.5, 0.1, None]


def test_notes_beyond_the_limit_are_named_and_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_NOTES", 3)
    found = walk({"a": "bc", "b": "defg"}, ALIKE, 5)
    assert [fate for *_, fate in told(found)] == ["kept"] * 4 + ["beyond-limit"] * 3
    assert found.ending == "limit"


def test_unknown_starts_lead_nowhere() -> None:
    found = traverse(graph_of(CHAIN), [99], lambda rows: np.ones(len(rows)))
    assert found == Walk((), "nothing-further")


EDGES = st.dictionaries(st.sampled_from("abcdefgh"), st.text("abcdefgh", max_size=4), min_size=1)
VALUES = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(-1, 1))


@given(
    EDGES, VALUES, st.integers(0, 4), st.sampled_from([None, WalkLimits(), WalkLimits(beam=1, floor=0.0, average=-1.0)])
)
def test_every_note_is_told_once_and_reached_from_a_kept_one(
    links: dict[str, str], likeness: dict[str, float], hops: int, limits: WalkLimits | None
) -> None:
    found = walk(links, likeness, hops, limits)
    ids = [step.note_id for step in found.steps]
    kept = {step.note_id: step.hop for step in found.steps if step.fate == "kept"}
    assert len(set(ids)) == len(ids)
    assert all(step.via is None or kept[step.via] == step.hop - 1 for step in found.steps)
    assert limits is not None or len(kept) == len(ids)
