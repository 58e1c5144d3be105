"""`python -m tests.bench.floor --store PATH`: what a hybrid search could not go without, and what is Python around it.

The statements of each search are run again by themselves, in the same order on the same connections; of the arrays'
work, choosing candidates by their signs and scoring postings are timed where they happen. In process, the query's
vector at hand; milliseconds of processor time, the mean of all queries.
"""

import argparse
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from scrubjay.profiles.search.meaning.sketch import Sketch
from scrubjay.profiles.search.meaning.vectors import StoredVectors
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.search.words import lexical_leg
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.sqlite import SqliteConnection
from scrubjay.profiles.store.statements import Connection
from tests.bench.queries import queries_of
from tests.bench.running import print_figures
from tests.bench.turn_taker import GivenVector

_KERNELS: dict[str, tuple[object, str]] = {
    "choosing candidates by their signs": (Sketch, "nearest"),
    "distances of their vectors": (StoredVectors, "distances"),
    "scoring postings": (lexical_leg, "_scored"),
}
_WARM_UP = 20


def main() -> None:
    """Search, run the statements again, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--queries", type=int, default=200)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = FileStore.open(Path(shutil.copy(arguments.store, Path(folder) / "index.sqlite3")))
        store.load_arrays()
        figures, chunks = _figures(store, queries_of(store, arguments.queries)), store.counts().chunks
        store.close()
    print_figures(f"a hybrid search of {chunks:,} passages: ms of processor time", figures)


def _figures(store: FileStore, queries: list[str]) -> dict[str, object]:
    rng = np.random.default_rng(1)
    given = GivenVector()
    searcher = Searcher(lambda: {"p": store}, given)  # type: ignore[arg-type]  # it embeds no passage here

    def search(query: str) -> None:
        vector = rng.standard_normal(given.spec.dim, dtype=np.float32)
        vector /= np.linalg.norm(vector)
        given.vector = vector
        searcher.search(SearchRequest(query))

    for query in queries[:_WARM_UP]:
        search(query)
    whole = sum(_used(lambda query=query: search(query)) for query in queries)
    kernels = _timed_kernels(lambda: [search(query) for query in queries])
    statements = sum(_statements_alone(lambda query=query: search(query)) for query in queries)
    named = {"the statements alone": statements, **kernels}
    named["Python around them"] = whole - sum(named.values())
    figures: dict[str, object] = {"all of it": round(whole / len(queries), 2)}
    figures |= {name: f"{each / len(queries):.2f}, {each / whole:.0%}" for name, each in named.items()}
    return figures


def _used(act: Callable[[], object]) -> float:
    began = time.process_time()
    act()
    return 1000 * (time.process_time() - began)


def _timed_kernels(act: Callable[[], object]) -> dict[str, float]:
    taken: dict[str, float] = defaultdict(float)
    before = {name: getattr(owner, attribute) for name, (owner, attribute) in _KERNELS.items()}

    def timed(name: str) -> Callable[..., Any]:
        def run(*arguments: Any, **options: Any) -> Any:
            began = time.process_time()
            try:
                return before[name](*arguments, **options)
            finally:
                taken[name] += 1000 * (time.process_time() - began)

        return run

    for name, (owner, attribute) in _KERNELS.items():
        setattr(owner, attribute, timed(name))
    try:
        act()
    finally:
        for name, (owner, attribute) in _KERNELS.items():
            setattr(owner, attribute, before[name])
    return dict(taken)


def _statements_alone(act: Callable[[], object]) -> float:
    """What the statements of `act` take when they are run again, all their rows fetched."""
    run: list[tuple[Connection, tuple[Any, ...]]] = []
    execute: Callable[..., Any] = getattr(SqliteConnection, "execute")  # noqa: B009 (apsw types it in part)

    def noted(connection: Connection, *arguments: Any) -> Any:
        run.append((connection, arguments))
        return execute(connection, *arguments)

    SqliteConnection.execute = noted  # type: ignore[method-assign]
    try:
        act()
    finally:
        del SqliteConnection.execute
    return _used(lambda: [connection.execute(*arguments).fetchall() for connection, arguments in run])


if __name__ == "__main__":
    main()
