"""From a store's rows to the graph's."""

from collections.abc import Iterable, Iterator

from daemon.graph.link_graph import LinkGraph, NoteLinks, property_links
from daemon.graph.resolve import NoteName
from profiles.rows import LinkRow, NoteView
from profiles.store import Store

_ALL = 2**31


def note_links(note: NoteView, links: Iterable[LinkRow]) -> NoteLinks:
    """What the graph knows of a note: its names, its tags, the links in its text and its frontmatter."""
    targets = (*(link.target for link in links), *property_links(note.properties))
    return NoteLinks(NoteName(note.note_id, note.vault, note.path, note.aliases), targets, note.tags)


def load_graph(store: Store) -> LinkGraph:
    """The graph of all that a store holds."""
    return LinkGraph(_all_notes(store))


def _all_notes(store: Store) -> Iterator[NoteLinks]:
    for note in store.recent(_ALL):
        yield note_links(note, store.links_of(note.note_id))
