"""The graph of a real vault: what resolves, and that changing it note by note ends where building it does."""

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.daemon.links.link_graph import FrozenGraph, LinkGraph, NoteLinks, property_links
from scrubjay.daemon.links.link_resolver import NoteName
from scrubjay.daemon.vault.parse import parse_note

DATA = os.environ.get("SCRUBJAY_EVAL") or None
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(DATA is None, reason="SCRUBJAY_EVAL does not name the evaluation data"),
]


@pytest.fixture(scope="module")
def notes() -> tuple[NoteLinks, ...]:
    return tuple(read_vault(Path(DATA or "") / "obsidian-hub"))


def read_vault(root: Path) -> Iterator[NoteLinks]:
    for number, file in enumerate(sorted(root.rglob("*.md")), start=1):
        path = file.relative_to(root).as_posix()
        parsed = parse_note(file.read_text("utf-8", "replace"), path)
        targets = (*(link.target for link in parsed.links), *property_links(parsed.properties))
        yield NoteLinks(NoteName(number, "hub", path, parsed.aliases), targets, parsed.tags)


def arrays(graph: FrozenGraph) -> list[list[int]]:
    return [graph.ids.tolist(), graph.out.starts.tolist(), graph.out.columns.tolist()]


def test_nearly_all_links_of_a_tended_vault_resolve(notes: tuple[NoteLinks, ...]) -> None:
    graph = LinkGraph(notes)
    unresolved = sum(map(len, graph.unresolved().values()))
    edges = len(graph.frozen().out.columns)
    assert edges > 20_000
    assert unresolved < 0.02 * (edges + unresolved)


def test_notes_taken_away_renamed_and_put_back_leave_the_graph_as_it_was(notes: tuple[NoteLinks, ...]) -> None:
    graph = LinkGraph(notes)
    before = arrays(graph.frozen())
    chosen = random.Random(9).sample(notes, 300)
    graph.forget([note.name.id for note in chosen[:100]])
    for note in chosen[100:]:
        graph.put(NoteLinks(NoteName(note.name.id, "hub", f"elsewhere/{note.name.id}.md"), note.links, note.tags))
    assert arrays(graph.frozen()) != before
    for note in chosen:
        graph.put(note)
    assert arrays(graph.frozen()) == before
