"""Which of the passages that a search found may be quoted in answer to a prompt."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from scrubjay.daemon.api.quoting.context import Source, says_enough
from scrubjay.daemon.search.types import SearchResponse, SearchResult
from scrubjay.profiles.database.rows import ChunkView
from scrubjay.profiles.errors import StoreError
from scrubjay.profiles.store.store import Store

MOST_SOURCES = 40
_WHATEVER_TIER = 3  # the first so many passages may be quoted although a better tier is further down


def quotable(
    found: SearchResponse, stores: Mapping[str, Store], weights: Mapping[str, float]
) -> Iterator[tuple[SearchResult, Source]]:
    """What may be quoted, best first; read from the stores as far as it is taken. stores: of the profiles, by name.

    What the search gives a low tier is quoted only where the words of the prompt stand together in a passage.
    weights: of these words.
    """
    sources: Iterable[tuple[SearchResult, Source]] = (
        (result, _source(result, stores.get(result.profile)))
        for place, result in enumerate(found.results)
        if place < _WHATEVER_TIER or result.relevance != "low"
    )
    if found.relevance == "low":
        first = tuple(islice(sources, _WHATEVER_TIER))
        sources = first if any(says_enough(source, weights) for _, source in first) else ()
    yield from sources


def passage_now(store: Store | None, chunk_id: str) -> ChunkView | None:
    """A passage as the store has it at this moment; None where it was replaced, or its profile closed."""
    with contextlib.suppress(StoreError):
        return next(iter(store.chunks_by_digest(bytes.fromhex(chunk_id), 1)), None) if store else None
    return None


def _source(result: SearchResult, store: Store | None) -> Source:
    """The passage in full; where it has just been replaced, or its profile closed, what the search saw of it."""
    now = passage_now(store, result.id)
    return Source(
        id=result.id,
        profile=result.profile,
        path=result.path,
        title=result.title,
        headings=result.headings,
        line=result.line,
        text=now.text if now else result.snippet,
        about=result.about,
        kind=result.kind,
        place=result.place,
    )
