"""`python -m tests.quality [--sets cranfield,med] [--modes lexical,hybrid] [--model NAME] [--compare a.json b.json]`.

Scores collections in the BEIR layout below $SCRUBJAY_EVAL (or --data) through the real pipeline, with the bundled model
or with one that is on this machine.
Built indexes are kept in --cache. `rrf` is hybrid with `fusion = "rrf"`: weighted RRF, .6 semantic and .4 lexical, of
the passages that the two legs found. `--federated 3,5` divides each collection among so many profiles, by topic and at
random, and compares the federated ranking with the merged one, hybrid and rrf. `--linked obsidian-hub` scores what
stands around the links of such a vault as well, see `linked.py`.
"""

import argparse
import os
from pathlib import Path

from platformdirs import user_cache_path
from rich.console import Console

from scrubjay.daemon.home import Home
from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.models.installed import BUNDLED_NAME, resolve
from tests.quality.beir import available, load
from tests.quality.card import store_of
from tests.quality.federated import Division, compare, print_divisions
from tests.quality.index import build
from tests.quality.linked import linked
from tests.quality.report import Run, print_comparison, print_runs, print_strata, read, save
from tests.quality.running import MODES, run_modes


def main() -> None:
    """Score and print, or compare two files of results."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality", description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("SCRUBJAY_EVAL"))
    parser.add_argument("--sets", help="comma-separated; default: all")
    parser.add_argument("--linked", metavar="VAULT,VAULT", default="", help="vaults whose links are labels")
    parser.add_argument("--modes", default=",".join(MODES))
    parser.add_argument("--model", default=BUNDLED_NAME, help="as `scrubjay model list` names it")
    parser.add_argument("--limit-queries", type=int)
    parser.add_argument("--cache", type=Path, default=user_cache_path("scrubjay-quality"))
    parser.add_argument("--out", type=Path, help="write the runs here as JSON")
    parser.add_argument("--strata", action="store_true")
    parser.add_argument("--federated", metavar="N,N", help="numbers of profiles to divide each collection among")
    parser.add_argument("--compare", nargs=2, type=Path, metavar=("A", "B"))
    arguments = parser.parse_args()
    console = Console(width=160)
    if arguments.compare:
        print_comparison(_paired(read(arguments.compare[0]), read(arguments.compare[1])), console)
        return
    if arguments.data is None:
        parser.error("set SCRUBJAY_EVAL or give --data")
    if arguments.federated:
        _federate(Path(arguments.data), arguments, console)
        return
    runs = _score(Path(arguments.data), arguments, console)
    print_runs(runs, console)
    if arguments.strata:
        print_strata(runs, console)
    print_comparison(_against_hybrid(runs), console)
    if arguments.out:
        save(arguments.out, runs)


def _score(data: Path, arguments: argparse.Namespace, console: Console) -> list[Run]:
    names = available(data) if arguments.sets is None else _listed(arguments.sets)
    embedder = InProcessEmbedder(resolve(arguments.model, Home.find().models))
    modes = arguments.modes.split(",")
    runs: list[Run] = []
    for name in names:
        console.print(f"[dim]{name}[/dim]")
        collection = load(data / name, limit_queries=arguments.limit_queries)
        index = build(collection, arguments.cache, embedder)
        runs.extend(run_modes(collection, index, embedder, modes))
        index.store.close()
    for vault in _listed(arguments.linked):
        console.print(f"[dim]{vault}, links[/dim]")
        store = store_of(vault, arguments.cache, embedder)
        runs.extend(run_modes(*linked(vault, store), embedder, modes))
        store.close()
    embedder.close()
    return runs


def _listed(given: str) -> list[str]:
    return [name for name in given.split(",") if name]


def _federate(data: Path, arguments: argparse.Namespace, console: Console) -> None:
    names = arguments.sets.split(",") if arguments.sets else available(data)
    parts = [int(count) for count in arguments.federated.split(",")]
    embedder = InProcessEmbedder(resolve(arguments.model, Home.find().models))
    found: list[tuple[Run, list[Division]]] = []
    for name in names:
        console.print(f"[dim]{name}[/dim]")
        collection = load(data / name, limit_queries=arguments.limit_queries)
        index = build(collection, arguments.cache, embedder)
        found += [compare(collection, index, arguments.cache, embedder, parts, mode) for mode in ("hybrid", "rrf")]
        index.store.close()
    embedder.close()
    print_divisions(found, console)


def _paired(a: list[Run], b: list[Run]) -> list[tuple[Run, Run]]:
    others = {(run.collection, run.mode): run for run in b}
    return [(run, others[run.collection, run.mode]) for run in a if (run.collection, run.mode) in others]


def _against_hybrid(runs: list[Run]) -> list[tuple[Run, Run]]:
    hybrids = {run.collection: run for run in runs if run.mode == "hybrid"}
    return [(run, hybrids[run.collection]) for run in runs if run.mode != "hybrid" and run.collection in hybrids]


if __name__ == "__main__":
    main()
