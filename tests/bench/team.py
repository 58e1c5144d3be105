"""`make bench-team VAULT=path`: a team's profile on a server of this machine, beside a file of the same passages.

How fast it is written, how searches grow with its size, and people who search at once: `--only clients --people 40
--writers 8 --every 4 --seconds 600` for forty members and ten minutes. Databases stay in `--folder` and are used again;
sizes above the first hundred thousand are copies, see `team_copies.py`.
"""

import argparse
import os
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psutil
import yaml
from psycopg import sql

from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.team.members import set_password
from scrubjay.profiles.team.team_schema import create_profile, prepare
from tests.bench.million import fill, measure
from tests.bench.queries import queries_of
from tests.bench.running import print_figures
from tests.bench.team_clients import Asking, Where, asked_at_once
from tests.bench.team_copies import multiply
from tests.bench.team_writing import written_in_turn
from tests.helpers.pooler import POOLER_PORT, pooler
from tests.helpers.team_server import PROFILE_NAME, TeamDatabase, TeamServer, empty_database, running_server

_COMPOSED = Path(__file__).parents[2] / "packaging" / "team" / "compose.yaml"
_FIRST = 100_000
COMMON_WORDS = "the of and"


def advised() -> str:
    """The settings of PostgreSQL that docs/team-server.md advises for a million passages, as the compose file has them.

    Without those of TLS, which no socket has. What is confirmed is on the disk (fsync).
    """
    command = yaml.safe_load(_COMPOSED.read_text(encoding="utf-8"))["services"]["database"]["command"]
    flags = [each.removeprefix("--").partition("=") for each in command[1:]]
    return "".join(f"{name} = {value}\n" for name, _, value in flags if not name.startswith(("ssl", "hba_")))


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

    def bytes_by_table(self, name: str) -> dict[str, int]:
        """What each table of the profile in a database takes on the disk, its indexes included; the largest first."""
        query = (
            "SELECT relname, pg_total_relation_size(oid) AS bytes FROM pg_class"
            " WHERE relnamespace = 'scrubjay_p1'::regnamespace AND relkind = 'r' ORDER BY bytes DESC"
        )
        with self._server.as_operator(name) as operator:
            operator.execute("CHECKPOINT")
            return dict(operator.execute(query).fetchall())

    def where(self, name: str, member: str = "") -> Where:
        """How another process opens a database: as its owner, or as a member, who is let in."""
        database = TeamDatabase(self._server, name)
        if not member:
            return Where(self._folder / name, database.owner, database.owner_password)
        database.add_member(member, 1)
        password = self._server.passwords[member]
        with database.as_owner() as owner:
            set_password(owner, member, password)  # the role may be of a run before
        return Where(self._folder / f"{name}_{member}", self._server.address(member, name), password)

    @contextmanager
    def pooled(self, name: str, members: Sequence[Where], connections: int) -> Generator[list[Where]]:
        """The same members by PgBouncer, a connection for each transaction, of so many to the server."""
        people = [each.address.user for each in members if each.address is not None]
        settings = f"max_db_connections = {connections}\ndefault_pool_size = 2\nmax_client_conn = 1000\n"
        with pooler(TeamDatabase(self._server, name), "transaction", people, settings=settings) as folder:
            yield [
                replace(each, address=replace(each.address, host=str(folder), port=POOLER_PORT))
                for each in members
                if each.address is not None
            ]

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
        with TeamDatabase(self._server, name).as_owner() as owner:
            prepare(owner)  # it may have been made by a version before
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
    figures = written_in_turn(stores, vault, passages, bench.server_seconds)
    print_figures("writing", figures)
    for store in stores.values():
        store.close()
    written, by_table = int(str(figures["passages"])), bench.bytes_by_table("written")
    sizes = {"all": sum(by_table.values())} | dict(list(by_table.items())[:8])
    print_figures("kB a passage on the server", {name: round(size / written / 1000, 2) for name, size in sizes.items()})
    in_file = sum(each.stat().st_size for each in path.parent.iterdir())
    print_figures("kB a passage in a file", {"all": round(in_file / written / 1000, 2)})


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


def clients(bench: _Bench, folder: Path, size: int, people: int, asking: Asking, pooled: int) -> None:
    """People at once, of a server, where each has a role; where nobody writes, of files, too.

    pooled: by PgBouncer and so many connections, in place of that.
    """
    team = bench.team(size)
    queries = queries_of(team, 300)
    team.close()
    members = [bench.where(f"passages_{size}", f"person_{number}") for number in range(people)]
    if pooled:
        with bench.pooled(f"passages_{size}", members, pooled) as by_pooler:
            print_figures(
                f"people of a server by PgBouncer, {pooled} connections to it",
                asked_at_once(by_pooler, queries, asking, bench.server_seconds),
            )
        return
    print_figures("people of a server", asked_at_once(members, queries, asking, bench.server_seconds))
    if not asking.writers:
        bench.file(size).close()
        files = [Where(folder / f"file_{size}" / "index.sqlite3")] * people
        print_figures("people of files", asked_at_once(files, queries, asking, bench.server_seconds))


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
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--people-passages", type=int, default=_FIRST, help="that people search")
    parser.add_argument("--writers", type=int, default=0, help="of these people, who change a note every so often")
    parser.add_argument(
        "--pooled", type=int, default=0, help="connections of PgBouncer to the server, by which they come"
    )
    parser.add_argument("--seconds", type=float, default=300.0, help="of these people")
    parser.add_argument("--every", type=float, default=2.0, help="seconds from one search of a person to the next")
    arguments = parser.parse_args()
    vault, folder = arguments.vault.resolve(), arguments.folder.resolve()
    with running_server(settings=advised(), kept=folder / "server") as server:
        bench = _Bench(server, vault, folder)
        if arguments.only in (None, "write"):
            write(bench, vault, folder, arguments.passages)
        if arguments.only in (None, "search"):
            search(bench, arguments.sizes, arguments.queries)
        if arguments.only in (None, "clients"):
            asking = Asking(arguments.every, arguments.seconds, arguments.writers)
            clients(bench, folder, arguments.people_passages, arguments.people, asking, arguments.pooled)


if __name__ == "__main__":
    main()
