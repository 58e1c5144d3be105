"""Related notes, from link graphs that are made when first asked for and kept while they are true enough."""

import threading
import time
from dataclasses import dataclass

from daemon.graph.csr import FrozenGraph
from daemon.graph.loading import load_graph
from daemon.graph.related import RelatedNote, related_notes
from daemon.graph.traverse import Walk
from daemon.graph.walking import walk_from
from daemon.runtime.engine import Engine
from profiles.registry import Profile
from profiles.store import Store

_PATIENCE = 20  # a stale graph serves for this many times the time that making it took


@dataclass(frozen=True, slots=True)
class _Kept:
    graph: FrozenGraph
    generation: str | None  # of the store when the graph was made
    serves_until: float  # time.monotonic(); until then it serves even if the store has changed


class RelatingService:
    """Answers which notes are related to a note."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()  # held while a graph is made: asking twice must not make it twice
        self._kept: dict[str, _Kept] = {}

    def related(self, profile: Profile, note_id: int, limit: int, line: int | None = None) -> tuple[RelatedNote, ...]:
        """Best first; none for a note that is not known. line: as in `related_notes`."""
        opened = self._engine.opened(profile.name)
        graph = self._graph(profile.id, opened.store)
        model = opened.model.embedder.spec.fingerprint
        return related_notes(opened.store, graph, model, note_id, limit=limit, line=line)

    def walk(self, profile: Profile, note_id: int, query: str | None, *, hops: int, deep: bool) -> Walk:
        """A walk along links from a note, about the query or about the note itself."""
        opened = self._engine.opened(profile.name)
        vector = None if query is None else opened.model.embedder.embed_query(query)
        graph = self._graph(profile.id, opened.store)
        return walk_from(opened.store, graph, note_id, vector, hops=hops, deep=deep)

    def _graph(self, profile_id: str, store: Store) -> FrozenGraph:
        with self._lock:
            kept, generation = self._kept.get(profile_id), store.meta("generation")
            start = time.monotonic()
            if kept is None or (kept.generation != generation and start > kept.serves_until):
                graph = load_graph(store).frozen()
                now = time.monotonic()
                kept = self._kept[profile_id] = _Kept(graph, generation, now + _PATIENCE * (now - start))
            return kept.graph
