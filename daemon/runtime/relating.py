"""Related notes and walks along links, of the profiles that are open."""

from daemon.graph.excerpt import Excerpt, excerpt
from daemon.graph.related import RelatedNote, related_notes
from daemon.graph.traverse import Walk, walk_from
from daemon.runtime.engine import Engine
from profiles.registry import Profile


class RelatingService:
    """Answers which notes are related to a note."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def related(self, profile: Profile, note_id: int, limit: int, line: int | None = None) -> tuple[RelatedNote, ...]:
        """Best first; none for a note that is not known. line: as in `related_notes`."""
        opened = self._engine.opened_as(profile)
        graph = self._engine.graphs.current(opened.store)
        model = opened.model.embedder.spec.fingerprint
        return related_notes(opened.store, graph, model, note_id, limit=limit, line=line)

    def walk(self, profile: Profile, note_id: int, query: str | None, *, hops: int, deep: bool) -> Walk:
        """A walk along links from a note, about the query or about the note itself."""
        opened = self._engine.opened_as(profile)
        vector = None if query is None else opened.model.embedder.embed_query(query)
        graph = self._engine.graphs.current(opened.store)
        return walk_from(opened.store, graph, note_id, vector, hops=hops, deep=deep)

    def excerpt(self, profile: Profile, text: str, query: str) -> Excerpt:
        """The best sentences of a passage of this profile for a query."""
        opened = self._engine.opened_as(profile)
        return excerpt(opened.store, opened.model.embedder, text, query)
