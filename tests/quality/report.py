"""Runs, their measures, comparisons between them, and how they are printed."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
from rich.console import Console
from rich.table import Table

from scrubjay.profiles.search.evaluation import Difference, ndcg, paired_bootstrap, recall, reciprocal_rank
from tests.quality.beir import LabelledQuery

MEASURES = ("ndcg10", "mrr10", "hit1", "recall10", "recall100")


@dataclass(frozen=True, slots=True)
class Ranking:
    """What was found for a query: ids of documents, best first, and those of them that are of high relevance."""

    documents: Sequence[str]
    high: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Scored:
    """One query's measures."""

    query: str
    strata: tuple[str, ...]
    ndcg10: float
    mrr10: float
    hit1: float
    recall10: float
    recall100: float
    took_ms: float
    high: int = 0  # documents of high relevance
    high_relevant: int = 0  # of these, that are labelled relevant


@dataclass(frozen=True, slots=True)
class Run:
    """One mode over one collection."""

    collection: str
    mode: str
    queries: tuple[Scored, ...]

    def mean(self, measure: str, stratum: str | None = None) -> float:
        """Mean of a measure over all queries, or those of a stratum."""
        return float(np.mean([getattr(q, measure) for q in self.queries if stratum is None or stratum in q.strata]))

    def tiers(self) -> tuple[str, str]:
        """How many documents were of high relevance, and the share of these that are labelled relevant."""
        high, relevant = (sum(getattr(q, name) for q in self.queries) for name in ("high", "high_relevant"))
        return str(high), f"{relevant / high:.2f}" if high else ""

    def of(self, stratum: str | None) -> "Run":
        """The run over the queries of a stratum alone; None: over all."""
        return Run(self.collection, self.mode, tuple(q for q in self.queries if stratum is None or stratum in q.strata))

    def strata(self) -> dict[str, int]:
        """The strata of the queries, with how many there are of each."""
        names = [name for query in self.queries for name in query.strata]
        return {name: names.count(name) for name in sorted(set(names))}


def score(query: LabelledQuery, found: Ranking, took_ms: float) -> Scored:
    """Measure one ranking."""
    ranked = found.documents
    return Scored(
        query=query.id,
        strata=query.strata,
        ndcg10=ndcg(ranked, query.gains, 10),
        mrr10=reciprocal_rank(ranked, query.gains, 10),
        hit1=reciprocal_rank(ranked, query.gains, 1),
        recall10=recall(ranked, query.gains, 10),
        recall100=recall(ranked, query.gains, 100),
        took_ms=took_ms,
        high=len(found.high),
        high_relevant=sum(document in query.gains for document in found.high),
    )


def difference(a: Run, b: Run, measure: str = "ndcg10") -> Difference:
    """b - a over the same queries."""
    if [query.query for query in a.queries] != [query.query for query in b.queries]:
        raise ValueError(f"{a.collection}: the two runs are not over the same queries")
    return paired_bootstrap([getattr(q, measure) for q in a.queries], [getattr(q, measure) for q in b.queries])


def save(path: Path, runs: Iterable[Run]) -> None:
    """Write runs as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.encode(list(runs)))


def read(path: Path) -> list[Run]:
    """Read what `save` wrote."""
    return msgspec.json.decode(path.read_bytes(), type=list[Run])


def print_runs(runs: Sequence[Run], console: Console) -> None:
    """One line a run."""
    table = Table("collection", "mode", "queries", *MEASURES, "high", "relevant of these", "p50 ms", "p95 ms")
    for run in runs:
        took = np.percentile([query.took_ms for query in run.queries], [50, 95])
        table.add_row(
            run.collection,
            run.mode,
            str(len(run.queries)),
            *(f"{run.mean(measure):.4f}" for measure in MEASURES),
            *run.tiers(),
            *(f"{value:.1f}" for value in took),
        )
    console.print(table)


def print_strata(runs: Sequence[Run], console: Console) -> None:
    """nDCG@10 of each stratum, a column a mode."""
    modes = list(dict.fromkeys(run.mode for run in runs))
    table = Table("collection", "stratum", "queries", *modes)
    for collection in dict.fromkeys(run.collection for run in runs):
        of_collection = {run.mode: run for run in runs if run.collection == collection}
        first = next(iter(of_collection.values()))
        for stratum, count in first.strata().items():
            cells = [f"{of_collection[m].mean('ndcg10', stratum):.4f}" if m in of_collection else "" for m in modes]
            table.add_row(collection, stratum, str(count), *cells)
    console.print(table)


def print_comparison(pairs: Sequence[tuple[Run, Run]], console: Console) -> None:
    """nDCG@10 of b against a with 95 % intervals; a star marks what chance hardly explains."""
    table = Table("collection", "from", "to", "a", "b", "b - a", "95 % interval", "p")
    for a, b in pairs:
        found = difference(a, b)
        table.add_row(
            a.collection,
            a.mode,
            b.mode,
            f"{a.mean('ndcg10'):.4f}",
            f"{b.mean('ndcg10'):.4f}",
            f"{found.mean:+.4f}{'*' if found.significant else ''}",
            f"[{found.low:+.4f}, {found.high:+.4f}]",
            f"{found.p:.3f}",
        )
    console.print(table)
