"""`python -m tests.quality.priors [--sets ...]`: what each prior is worth, against none, through the real pipeline.

Only what a collection's data can say is tried on it:

- vault-obsidian-hub: the links of the vault itself (folder `obsidian-hub` of $SCRUBJAY_EVAL). The documents are as they
  are scored elsewhere, without the words of links and aliases, since these are the questions.
- locomo: each turn of a conversation is linked with the one it answers, dated with its session, written by its speaker.

No collection has an `importance`, and the vaults have no dates but those of a download: nothing can be proven there.
"""

import argparse
import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from platformdirs import user_cache_path
from rich.console import Console
from rich.table import Table

from scrubjay.daemon.embedding.in_process_embedder import InProcessEmbedder
from scrubjay.daemon.embedding.model import BUNDLED
from scrubjay.daemon.embedding.protocol import Awaited, Embedder, EmbeddingModel
from scrubjay.daemon.search.rank.personal import Personal
from scrubjay.daemon.search.rank.priors import ProfilePriors
from scrubjay.daemon.search.searcher import Searcher
from scrubjay.profiles.database.rows import Vectors
from scrubjay.profiles.registry.registry import PriorSettings
from tests.quality.beir import Collection, load
from tests.quality.index import build
from tests.quality.prior_evidence import Evidence, conversations, linked_vault
from tests.quality.report import Run, difference, save
from tests.quality.running import ask_all

_DEPTH = 20

LINKS = {
    "PageRank .05": PriorSettings(pagerank=0.05),
    "PageRank .1": PriorSettings(pagerank=0.1),
    "PageRank .2": PriorSettings(pagerank=0.2),
    "centrality .05": PriorSettings(centrality=0.05),
    "centrality .1": PriorSettings(centrality=0.1),
    "PageRank .05, centrality .05": PriorSettings(pagerank=0.05, centrality=0.05),
    "PageRank .1, centrality .1": PriorSettings(pagerank=0.1, centrality=0.1),
    "links .05": PriorSettings(links=0.05),
    "links .1": PriorSettings(links=0.1),
    "links .2": PriorSettings(links=0.2),
    "links .4": PriorSettings(links=0.4),
}
DATES = {
    "recency, 30 days": PriorSettings(recency_days=30),
    "recency, 180 days": PriorSettings(recency_days=180),
    "recency, 1,000 days": PriorSettings(recency_days=1_000),
    "ladder by author": PriorSettings(ladder="author"),
}
TRIED: Mapping[str, Mapping[str, PriorSettings]] = {"vault-obsidian-hub": LINKS, "locomo": LINKS | DATES}
STRATA = ("type=", "category=")


class _Remembering:
    """An embedder that reads each query once, however many settings ask it."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.embed_query = lru_cache(maxsize=None)(embedder.embed_query)

    @property
    def spec(self) -> EmbeddingModel:
        return self._embedder.spec

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._embedder.embed_passages(texts)

    def send_query(self, text: str) -> Awaited:
        return lambda _seconds: self.embed_query(text)

    def warm(self) -> None:
        self._embedder.warm()

    def close(self) -> None:
        self._embedder.close()


def main() -> None:
    """Score and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.priors", description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("SCRUBJAY_EVAL"))
    parser.add_argument("--sets", default=",".join(TRIED))
    parser.add_argument("--limit-queries", type=int)
    parser.add_argument("--cache", type=Path, default=user_cache_path("scrubjay-quality"))
    parser.add_argument("--out", type=Path, help="write the runs here as JSON")
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("set SCRUBJAY_EVAL or give --data")
    embedder = _Remembering(InProcessEmbedder(BUNDLED))
    console = Console(width=140)
    runs: list[Run] = []
    for name in arguments.sets.split(","):
        collection = load(Path(arguments.data) / name, limit_queries=arguments.limit_queries)
        evidence = _evidence(collection, arguments.cache, embedder)
        found = _runs(collection, evidence, embedder, TRIED[name])
        evidence.index.store.close()
        _print(found, console)
        runs += found
    embedder.close()
    if arguments.out:
        save(arguments.out, runs)


def _evidence(collection: Collection, cache: Path, embedder: Embedder) -> Evidence:
    index = build(collection, cache, embedder)
    if collection.name == "locomo":
        return conversations(collection, index)
    return linked_vault(index, collection.folder.with_name(collection.name.removeprefix("vault-")))


def _runs(
    collection: Collection, evidence: Evidence, embedder: Embedder, tried: Mapping[str, PriorSettings]
) -> list[Run]:
    """The run without priors, then one for each of `tried`."""
    runs: list[Run] = []
    for name, settings in {"none": PriorSettings(), **tried}.items():
        wants = ProfilePriors(settings, evidence.graph)
        searcher = Searcher(
            lambda: {"quality": evidence.index.store},
            embedder,
            clock=lambda: evidence.asked_at,
            personal=Personal(priors=lambda _profile, _store, wants=wants: wants),
        )
        runs.append(ask_all(collection, {"quality": evidence.index}, searcher, name, _DEPTH))
        searcher.close()
    return runs


def _print(runs: Sequence[Run], console: Console) -> None:
    """A line a prior: all queries, then each stratum, against none."""
    table = Table("collection", "stratum", "queries", "prior", "nDCG@10", "MRR@10", "difference", "95 % interval", "p")
    none = runs[0]
    strata = [name for name in none.strata() if name.startswith(STRATA)]
    for stratum in (None, *strata):
        base = none.of(stratum)
        for run in (each.of(stratum) for each in runs):
            found = difference(base, run)
            table.add_row(
                run.collection,
                stratum or "all",
                str(len(run.queries)),
                run.mode,
                f"{run.mean('ndcg10'):.4f}",
                f"{run.mean('mrr10'):.4f}",
                f"{found.mean:+.4f}{'*' if found.significant else ''}",
                f"[{found.low:+.4f}, {found.high:+.4f}]",
                f"{found.p:.3f}",
            )
        table.add_section()
    console.print(table)


if __name__ == "__main__":
    main()
