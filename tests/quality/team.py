"""`python -m tests.quality.team [--sets cranfield,med] [--data …] [--cache …]`: a team's store against a file.

Each collection below $SCRUBJAY_EVAL goes into a file and, on an embedded server, into a team's profile, whose
candidates by meaning are then chosen by comparing all vectors, and again by the index that large profiles have. Printed
are nDCG@10 of each mode, how far the server's are from the file's, and how much of the exact top 10 the index finds.
"""

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from platformdirs import user_cache_path
from psycopg import sql
from rich.console import Console
from rich.table import Table

from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.profiles.search.meaning import vectors
from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.team.team_store import TeamStore
from tests.helpers.stores import team_store
from tests.helpers.team_server import TeamDatabase, TeamServer, fresh_database, prepare_template, running_server
from tests.quality.beir import Collection, available, load
from tests.quality.index import Index, build, fill
from tests.quality.running import run_modes

MODES = ("lexical", "semantic", "hybrid")
EXACT_BOUND, INDEXED_BOUND, RECALL_BOUND = 0.002, 0.005, 0.98


@dataclass(frozen=True, slots=True)
class Compared:
    """What was found of one collection, nDCG@10 by mode."""

    collection: str
    file: dict[str, float]
    exact: dict[str, float]
    indexed: dict[str, float]
    recall: float  # of the exact top 10, by the index

    @property
    def is_within(self) -> bool:
        """Whether the server is as good as the file."""
        return (
            all(abs(self.exact[mode] - self.file[mode]) <= EXACT_BOUND for mode in MODES)
            and all(abs(self.indexed[mode] - self.file[mode]) <= INDEXED_BOUND for mode in MODES)
            and self.recall >= RECALL_BOUND
        )


def main() -> None:
    """Compare, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.team", description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("SCRUBJAY_EVAL"))
    parser.add_argument("--sets", help="comma-separated; default: all")
    parser.add_argument("--limit-queries", type=int)
    parser.add_argument("--cache", type=Path, default=user_cache_path("scrubjay-quality"))
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("set SCRUBJAY_EVAL or give --data")
    data = Path(arguments.data)
    console = Console(width=160)
    embedder = InProcessEmbedder(BUNDLED)
    with running_server() as server:
        prepare_template(server)
        for name in arguments.sets.split(",") if arguments.sets else available(data):
            collection = load(data / name, limit_queries=arguments.limit_queries)
            console.print(_table([_compare(collection, arguments.cache, embedder, server)]))
    embedder.close()


def _compare(collection: Collection, cache: Path, embedder: Embedder, server: TeamServer) -> Compared:
    file = build(collection, cache, embedder)
    of_file = _ndcg(collection, file, embedder)
    with TemporaryDirectory() as folder, fresh_database(server) as database:
        store = team_store(Path(folder) / "index.sqlite3", database)
        team = fill(store, collection, cache, embedder)
        exact = _ndcg(collection, team, embedder)
        store.close()
        _build_index(database, embedder)
        store = team_store(Path(folder) / "index.sqlite3", database)
        indexed = _ndcg(collection, Index(store, team.document_of), embedder)
        found = _recall(collection, file.store, store, embedder)
        _check_used(database, len(collection.queries))
        store.close()
    file.store.close()
    return Compared(collection.name, of_file, exact, indexed, found)


def _ndcg(collection: Collection, index: Index, embedder: Embedder) -> dict[str, float]:
    return {run.mode: run.mean("ndcg10") for run in run_modes(collection, index, embedder, MODES)}


def _build_index(database: TeamDatabase, embedder: Embedder) -> None:
    """As for a large profile; that it is used for a small one, too, the planner must be told."""
    with database.as_owner(database.profile) as owner:
        build_index = "SELECT scrubjay.build_vector_index(%s, (SELECT id FROM model WHERE fingerprint = %s), %s)"
        owner.execute(build_index, (database.profile, embedder.spec.fingerprint, embedder.spec.dim))
    with database.as_operator() as operator:
        operator.execute("ANALYZE")
        for planned in ("enable_seqscan", "enable_sort"):
            name = sql.Identifier(database.name)
            operator.execute(sql.SQL("ALTER DATABASE {} SET {} = off").format(name, sql.Identifier(planned)))


def _check_used(database: TeamDatabase, least: int) -> None:
    with database.as_operator() as operator:
        scans = "SELECT pg_stat_force_next_flush(), sum(idx_scan) FROM pg_stat_user_indexes WHERE indexrelname LIKE %s"
        row = operator.execute(scans, ("embedding_near_%",)).fetchone()
    if row is None or int(row[1] or 0) < least:
        raise RuntimeError("the index was not used: what is printed for it would be of the exact search")


def _recall(collection: Collection, file: Store, team: TeamStore, embedder: Embedder) -> float:
    model = embedder.spec.fingerprint
    with file.reading() as connection:
        assert vectors.is_current(connection, model)
    shares: list[float] = []
    for query in collection.queries:
        vector = embedder.embed_query(query.text)
        wanted = {hit.digest for hit in file.scan(model, vector, where=None, limit=10)}
        found = {hit.digest for hit in team.semantic(model, vector, where=None, limit=10)}
        shares.append(len(wanted & found) / max(len(wanted), 1))
    return sum(shares) / len(shares)


def _table(rows: Sequence[Compared]) -> Table:
    table = Table(title="nDCG@10 of a file, and of a team's profile beside it")
    for heading in ("collection", *(f"{mode}: file, exact, index" for mode in MODES), "recall@10 of the index", ""):
        table.add_column(heading)
    for row in rows:
        cells = (
            f"{row.file[mode]:.4f} {row.exact[mode] - row.file[mode]:+.4f} {row.indexed[mode] - row.file[mode]:+.4f}"
            for mode in MODES
        )
        table.add_row(row.collection, *cells, f"{row.recall:.3f}", "" if row.is_within else "beyond the bounds")
    return table


if __name__ == "__main__":
    main()
