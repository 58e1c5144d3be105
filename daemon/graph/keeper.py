"""The link graphs of open stores, kept in memory and brought up to date note by note.

A renewal compares the stamps of all notes with those it has, and reads the links of those that changed.
"""

import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from weakref import WeakKeyDictionary

from scrubjay.daemon.graph.csr import FrozenGraph
from scrubjay.daemon.graph.link_graph import LinkGraph, NoteLinks, property_links
from scrubjay.daemon.graph.resolve import NoteName
from scrubjay.profiles.database.rows import NoteView
from scrubjay.profiles.store.store import Store

PATIENCE = 20
"""A graph serves for this many times what its last renewal took, so that renewing takes a twentieth of the time."""
_REBUILD_SHARE = 0.2  # share of changed notes from which building anew is cheaper


def note_links(notes: Iterable[NoteView], targets: Mapping[int, Sequence[str]]) -> Iterator[NoteLinks]:
    """The input of the graph for each note: its names, its tags, the links in its text and its frontmatter."""
    for note in notes:
        links = (*targets.get(note.note_id, ()), *property_links(note.properties))
        yield NoteLinks(NoteName(note.note_id, note.vault, note.path, note.aliases), links, note.tags)


def load_graph(store: Store) -> LinkGraph:
    """The graph of all notes of a store."""
    return LinkGraph(note_links(store.recent(), store.link_targets()))


class CachedGraph:
    """The graph of one store. Thread-safe; one renewal at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._graph = LinkGraph()
        self._stamps: dict[int, int] = {}  # as the store gave them at the last renewal
        self._generation: int | None = None  # of the store at the last renewal
        self._serves_until = 0.0  # time.monotonic()

    def is_stale(self, store: Store) -> bool:
        """Whether the store has changed, and it is time to look."""
        return time.monotonic() > self._serves_until and store.generation() != self._generation

    def renewed(self, store: Store) -> FrozenGraph:
        """The graph of the store's notes, a moment old at most."""
        with self._lock:
            if self.is_stale(store):
                began, generation = time.monotonic(), store.generation()
                self._take_in(store)
                self._generation = generation
                self._serves_until = (1 + PATIENCE) * time.monotonic() - PATIENCE * began
            return self._graph.frozen()

    def _take_in(self, store: Store) -> None:
        stamps = store.stamps()
        changed = [note_id for note_id, stamp in stamps.items() if self._stamps.get(note_id) != stamp]
        if len(changed) > _REBUILD_SHARE * len(stamps):
            self._graph = load_graph(store)
        else:
            self._graph.forget(self._stamps.keys() - stamps.keys())
            for note in note_links(store.notes(changed).values(), store.link_targets(changed)):
                self._graph.put(note)
        self._stamps = stamps


class GraphCache:
    """The graphs of all stores that were asked about, cached for as long as these are open."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # guards what is below
        self._cached: WeakKeyDictionary[Store, CachedGraph] = WeakKeyDictionary()

    def current(self, store: Store) -> FrozenGraph:
        """The graph of a store's notes; built now if it is not cached."""
        with self._lock:
            cached = self._cached.setdefault(store, CachedGraph())
        return cached.renewed(store)
