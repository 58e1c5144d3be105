"""Federated against merged: the same collection as one profile, and divided among several."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.search.rank.retrieval import TimeLimits
from scrubjay.profiles.search.searcher import Searcher
from tests.quality.beir import Collection
from tests.quality.index import Index, build
from tests.quality.report import Run, difference
from tests.quality.running import ask_all
from tests.quality.splitting import Way, sizes, split

WAYS: tuple[Way, ...] = ("topic", "random")
_PATIENCE_SECONDS = 600  # ranking is measured here, on a machine however busy


@dataclass(frozen=True, slots=True)
class Division:
    """One way of dividing a collection, and how it ranks."""

    run: Run
    parts: int
    way: Way
    sizes: str


def compare(
    collection: Collection, merged: Index, cache: Path, embedder: Embedder, parts: Sequence[int], mode: str
) -> tuple[Run, list[Division]]:
    """The run over one index, and those over every division of it. mode: one of `running.MODES`."""
    searcher = Searcher(lambda: {"merged": merged.store}, embedder)
    whole = ask_all(collection, {"merged": merged}, searcher, "merged", mode=mode)
    searcher.close()
    return whole, [_divided(collection, merged, cache, embedder, count, way, mode) for count in parts for way in WAYS]


def _divided(
    collection: Collection, merged: Index, cache: Path, embedder: Embedder, count: int, way: Way, mode: str
) -> Division:
    divided = split(collection, merged, count, way)
    indexes = {part.name: build(part, cache, embedder) for part in divided}
    stores = {name: index.store for name, index in indexes.items()}
    searcher = Searcher(lambda: stores, embedder, limits=TimeLimits(_PATIENCE_SECONDS))
    name = f"{mode}, {count} {'by topic' if way == 'topic' else 'at random'}"
    run = ask_all(collection, indexes, searcher, name, mode=mode)
    searcher.close()
    for store in stores.values():
        store.close()
    return Division(run, count, way, sizes(divided))


def print_divisions(found: Sequence[tuple[Run, list[Division]]], console: Console) -> None:
    """nDCG@10 of every division against the merged index, and how much longer the median query takes."""
    table = Table("collection", "profiles", "documents", "merged", "federated", "change", "95 % interval", "p50 ratio")
    for whole, divisions in found:
        for division in divisions:
            before, after = whole.mean("ndcg10"), division.run.mean("ndcg10")
            apart = difference(whole, division.run)
            table.add_row(
                whole.collection,
                division.run.mode,
                division.sizes,
                f"{before:.4f}",
                f"{after:.4f}",
                f"{(after - before) / before:+.2%}",
                f"[{apart.low:+.4f}, {apart.high:+.4f}]",
                f"{_median(division.run) / _median(whole):.2f}",
            )
    console.print(table)


def _median(run: Run) -> float:
    return float(np.median([query.took_ms for query in run.queries]))
