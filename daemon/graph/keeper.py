"""The link graphs of open stores, kept in memory and brought up to date note by note.

A renewal compares the stamps of all notes with those it has, and reads the links of those that changed. A request about
a note waits for it; a search never does: it gets the last graph, and a thread renews it.
"""

import logging
import queue
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from scrubjay.daemon.graph.centrality import Weights, eigenvector_centrality, pagerank
from scrubjay.daemon.graph.csr import FrozenGraph
from scrubjay.daemon.graph.link_graph import LinkGraph, NoteLinks, property_links
from scrubjay.daemon.graph.resolve import NoteName
from scrubjay.daemon.workers.loops import Conditions, Loop
from scrubjay.profiles.database.rows import NoteView
from scrubjay.profiles.errors import ProfileError
from scrubjay.profiles.store.store import Store

PATIENCE = 20
"""A graph serves for this many times what its last renewal took, so that renewing takes a twentieth of the time."""
_REBUILD_SHARE = 0.2  # share of changed notes from which building anew is cheaper

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MeasuredGraph:
    """A graph with what its links make of each note: `pageranks` and `centralities` have a value for each row."""

    graph: FrozenGraph
    pageranks: Weights  # sum to 1
    centralities: Weights  # 0 to 1

    @classmethod
    def of(cls, graph: FrozenGraph) -> "MeasuredGraph":
        """Measure a graph."""
        return cls(graph, pagerank(graph.out), eigenvector_centrality(graph.both))


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
        self._measured: MeasuredGraph | None = None

    @property
    def measured(self) -> MeasuredGraph | None:
        """The graph as it was last measured; None before `measure`. Never waits."""
        return self._measured

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

    def measure(self, store: Store) -> None:
        """Renew, and measure again if the graph changed. Slow: for a background thread."""
        graph = self.renewed(store)
        if self._measured is None or self._measured.graph is not graph:
            self._measured = MeasuredGraph.of(graph)

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
    """The graphs of all stores that were queried, cached for as long as these are open."""

    def __init__(self, conditions: Conditions | None = None) -> None:
        self._lock = threading.Lock()  # guards the two below
        self._cached: WeakKeyDictionary[Store, CachedGraph] = WeakKeyDictionary()
        self._renewing: set[CachedGraph] = set()
        self._waiting: queue.SimpleQueue[tuple[CachedGraph, Store] | None] = queue.SimpleQueue()
        self._loop = Loop("graph", "Measuring the graph of links", self._renew_next, conditions or Conditions())
        self._loop.start()

    def current(self, store: Store) -> FrozenGraph:
        """The graph of a store's notes; built now if it is not cached."""
        return self._of(store).renewed(store)

    def latest(self, store: Store) -> MeasuredGraph | None:
        """A store's graph as it was last measured, None where that is still being done. Never waits."""
        cached = self._of(store)
        with self._lock:
            if cached not in self._renewing and (cached.measured is None or cached.is_stale(store)):
                self._renewing.add(cached)
                self._waiting.put((cached, store))
        return cached.measured

    def close(self) -> None:
        """Finish the current measurement and end the thread."""
        self._loop.stopping.set()
        self._waiting.put(None)
        self._loop.stop()

    def _of(self, store: Store) -> CachedGraph:
        with self._lock:
            return self._cached.setdefault(store, CachedGraph())

    def _renew_next(self) -> None:
        waiting = self._waiting.get()
        if waiting is None or self._loop.stopping.is_set():
            return
        cached, store = waiting
        try:
            cached.measure(store)
        except ProfileError as error:  # locked or removed meanwhile: the next search says so
            _log.info("a graph was not renewed", extra={"code": error.code})
        finally:
            with self._lock:
                self._renewing.discard(cached)
