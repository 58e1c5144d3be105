"""Asking every query of a collection in several modes."""

import time
from collections.abc import Mapping, Sequence
from typing import cast

from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import Mode, SearchRequest
from tests.quality.beir import Collection, LabelledQuery
from tests.quality.index import Index
from tests.quality.report import Ranking, Run, Scored, score

MODES = ("lexical", "semantic", "rrf", "hybrid")
"""The modes of a search; `rrf` is hybrid with the legs fused by rank."""
_DEPTH = 100


def run_modes(collection: Collection, index: Index, embedder: Embedder, modes: Sequence[str]) -> list[Run]:
    """One run a mode. Query text is put as typed, but for what the query language would read as an operator."""
    indexes = {"quality": index}
    searcher = Searcher(lambda: {"quality": index.store}, embedder)
    scored: dict[str, list[Scored]] = {mode: [] for mode in modes}
    for query in collection.queries:
        for mode in modes:
            began = time.perf_counter()
            ranked = ranking(searcher, indexes, query, mode)
            scored[mode].append(score(query, ranked, (time.perf_counter() - began) * 1000))
    searcher.close()
    return [Run(collection.name, mode, tuple(found)) for mode, found in scored.items()]


def ask_all(
    collection: Collection,
    indexes: Mapping[str, Index],
    searcher: Searcher,
    name: str,
    depth: int = _DEPTH,
    mode: str = "hybrid",
) -> Run:
    """A run over several indexes by profile name, as if they were one. Raises where one did not answer.

    mode: one of MODES.
    """
    scored: list[Scored] = []
    for query in collection.queries:
        began = time.perf_counter()
        ranked = ranking(searcher, indexes, query, mode, depth)
        scored.append(score(query, ranked, (time.perf_counter() - began) * 1000))
    return Run(collection.name, name, tuple(scored))


def ranking(
    searcher: Searcher, indexes: Mapping[str, Index], query: LabelledQuery, mode: str, depth: int = _DEPTH
) -> Ranking:
    """Of the documents of `depth` results, and of what is folded into them; without `query.within`."""
    legs, fusion = ("hybrid", "rrf") if mode == "rrf" else (cast("Mode", mode), "convex")
    response = searcher.search(SearchRequest(_plain(query.text), limit=depth, mode=legs, fusion=fusion, places=depth))
    if response.unanswered:
        raise RuntimeError(f"{', '.join(each.profile for each in response.unanswered)} did not answer")
    found: list[str] = []
    high = tuple(indexes[each.profile].document_of[each.path] for each in response.results if each.relevance == "high")
    for result in response.results:
        found.append(indexes[result.profile].document_of[result.path])
        found.extend(indexes[place.profile].document_of[place.path] for place in result.also_in)
    return Ranking([document for document in found if document != query.within], high)


def _plain(text: str) -> str:
    return text.replace('"', " ").replace("(", " ").replace(")", " ").replace(" -", " ")
