"""`make bench-team VAULT=path`: a team's profile on a server of this machine, beside a file of the same passages.

How fast it is written, how searches grow with its size, and twenty people who search at once. Databases stay in
`--folder` and are used again; sizes above the first hundred thousand are copies, see `team_copies.py`.
"""

import argparse
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import psutil
from psycopg import sql

from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.team.team_schema import create_profile, prepare
from tests.bench.million import fill, measure
from tests.bench.queries import queries_of
from tests.bench.running import print_figures
from tests.bench.team_clients import Asking, Where, asked_at_once
from tests.bench.team_copies import multiply
from tests.bench.team_writing import written_in_turn
from tests.helpers.team_server import PROFILE_NAME, TeamDatabase, TeamServer, empty_database, running_server

SETTINGS = """
shared_buffers = 1GB          # postings and the vectors' index of a million passages are read from here
maintenance_work_mem = 3GB    # an HNSW index that fits is built in a quarter of the time
max_wal_size = 8GB            # fewer checkpoints while much is written
checkpoint_timeout = 15min
random_page_cost = 1.1        # of a disk without heads
jit = off                     # searches are short, and compiling a statement takes longer than running it
max_connections = 200         # six of each member
"""
"""As a server's operator would have it; what is confirmed is on the disk (fsync)."""
_FIRST = 100_000
COMMON_WORDS = "the of and"
_PEOPLE = 20


class _Bench:
    """A server, its databases by size, and a file of the same passages for each size that was written."""

    def __init__(self, server: TeamServer, vault: Path, folder: Path) -> None:
        self._server, self._vault, self._folder = server, vault, folder

    def server_seconds(self) -> float:
        """Processor time of the server's processes that are there or have ended."""
        postmaster = psutil.Process(self._server.handle.get_pid())
        family = [postmaster, *postmaster.children()]
        ended = postmaster.cpu_times()
        return ended.children_user + ended.children_system + sum(sum(each.cpu_times()[:2]) for each in family)

    def where(self, name: str) -> Where:
        """How another process opens a database."""
        database = TeamDatabase(self._server, name)
        return Where(self._folder / name, database.owner, database.owner_password)

    def fresh(self, name: str) -> Store:
        """A store in a database that has nothing yet."""
        with self._server.as_operator() as operator:
            operator.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
        empty_database(self._server, name)
        with TeamDatabase(self._server, name).as_owner() as owner:
            prepare(owner)
            create_profile(owner, PROFILE_NAME)
        return self.where(name).opened()

    def team(self, passages: int) -> Store:
        """A profile of so many passages, made where it is missing, with its index."""
        name = f"passages_{passages}"
        if not self._has(name):
            if passages <= _FIRST:
                made = self.fresh(name)
                fill(made, self._vault, passages)
                made.close()
            else:
                self.team(_FIRST).close()
                self._copy(f"passages_{_FIRST}", name)
                with self._server.as_operator(name) as operator:
                    multiply(operator, 1, passages // _FIRST)
        store = self.where(name).opened()
        store.index_vectors(BUNDLED.fingerprint, lambda left: print(f"{left:,} to index", end="\r") is None)
        return store

    def file(self, passages: int) -> Store:
        """A file of so many passages."""
        path = self._folder / f"file_{passages}" / "index.sqlite3"
        path.parent.mkdir(parents=True, exist_ok=True)
        store = FileStore.open(path)
        fill(store, self._vault, passages)
        return store

    def _has(self, name: str) -> bool:
        with self._server.as_operator() as operator:
            return operator.execute("SELECT FROM pg_database WHERE datname = %s", (name,)).rowcount > 0

    def _copy(self, name: str, to: str) -> None:
        with self._server.as_operator() as operator:
            operator.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(to), sql.Identifier(name)))


def write(bench: _Bench, vault: Path, folder: Path, passages: int) -> None:
    """Writing beside a file."""
    path = folder / "written" / "index.sqlite3"
    path.parent.mkdir(parents=True, exist_ok=True)
    for old in path.parent.iterdir():
        old.unlink()
    stores = {"file": FileStore.open(path), "team": bench.fresh("written")}
    print_figures("writing", written_in_turn(stores, vault, passages, bench.server_seconds))
    for store in stores.values():
        store.close()


def search(bench: _Bench, sizes: Sequence[int], count: int) -> None:
    """Searching at each size; beside the file, where that is quickly written."""
    for size in sizes:
        stores = {"team": bench.team(size)} | ({"file": bench.file(size)} if size <= _FIRST else {})
        queries = queries_of(stores["team"], count + 10)
        for name, store in stores.items():
            before = psutil.Process().memory_info().rss
            store.load_arrays()
            loaded = (psutil.Process().memory_info().rss - before) / 1e6
            used = bench.server_seconds()
            figures = measure(store, queries)
            figures["on the server, processor ms a search"] = _each(bench.server_seconds() - used, 3 * count + 30)
            figures["the commonest words"] = measure(store, [COMMON_WORDS] * 20)["lexical"]
            figures["memory for search, MB"] = round(loaded)
            figures["load"] = round(os.getloadavg()[0], 1)
            print_figures(f"{name}, {size:,} passages", figures)
            store.close()


def clients(bench: _Bench, folder: Path, size: int, asking: Asking) -> None:
    """Twenty people at once, of a server and of files."""
    team = bench.team(size)
    queries = queries_of(team, 300)
    team.close()
    bench.file(size).close()
    for name, where in (
        ("server", bench.where(f"passages_{size}")),
        ("file", Where(folder / f"file_{size}" / "index.sqlite3")),
    ):
        print_figures(f"{_PEOPLE} people, {name}", asked_at_once(where, queries, asking, bench.server_seconds))


def _each(seconds: float, searches: int) -> float:
    return round(1000 * seconds / searches, 1)


def main() -> None:
    """Run the parts that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vault", type=Path, required=True, help="whose text to take")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "scrubjay-team")
    parser.add_argument("--only", choices=("write", "search", "clients"))
    parser.add_argument("--passages", type=int, default=20_000, help="to write")
    parser.add_argument("--sizes", type=int, nargs="*", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=300.0, help="of twenty people")
    parser.add_argument("--every", type=float, default=2.0, help="seconds from one search of a person to the next")
    arguments = parser.parse_args()
    vault, folder = arguments.vault.resolve(), arguments.folder.resolve()
    with running_server(settings=SETTINGS, kept=folder / "server") as server:
        bench = _Bench(server, vault, folder)
        if arguments.only in (None, "write"):
            write(bench, vault, folder, arguments.passages)
        if arguments.only in (None, "search"):
            search(bench, arguments.sizes, arguments.queries)
        if arguments.only in (None, "clients"):
            clients(bench, folder, _FIRST, Asking(_PEOPLE, arguments.every, arguments.seconds))


if __name__ == "__main__":
    main()
