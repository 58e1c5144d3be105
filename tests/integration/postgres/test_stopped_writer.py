"""A member's program that stops in the middle of writing keeps nobody else from writing for long."""

import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from scrubjay.profiles.errors import StoreBusy
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.integrity_check import check
from scrubjay.profiles.team.connection import ProfileConnection
from scrubjay.profiles.team.team_store import TeamStore
from tests.faults.team_worker import bring_in, digest
from tests.helpers.stores import team_store
from tests.helpers.team_server import TeamDatabase
from tests.helpers.waiting import PATIENCE_SECONDS, until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no SIGSTOP")


def start(database: TeamDatabase, folder: Path, stop_at: int) -> subprocess.Popen[str]:
    """The program of a member that stops before so many statements; see `stopped_writer`."""
    folder.mkdir()
    (folder / "Theirs.md").write_text("A kittiwake.")
    address = database.server.address("eve", database.name)
    arguments = [address.host, database.name, "eve", str(database.profile), str(folder), str(stop_at)]
    started = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.stopped_writer", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # that its session was ended
        text=True,
    )
    assert started.stdin
    started.stdin.write(f"{database.server.passwords['eve']}\n")
    started.stdin.flush()
    return started


def is_stopped(process: subprocess.Popen[str]) -> bool:
    assert process.poll() is None
    return psutil.Process(process.pid).status() == psutil.STATUS_STOPPED


def test_who_writes_for_long_is_named(team_database: TeamDatabase, tmp_path: Path) -> None:
    store = team_store(tmp_path / "anna.sqlite3", team_database)
    team_database.add_member("eve", team_database.profile)
    with team_database.as_member("eve") as eve, eve.transaction():
        eve.execute("SELECT FROM meta WHERE name = 'generation' FOR UPDATE")
        eve.execute("SELECT set_config('application_name', 'psql', FALSE)")  # whose user may take the time
        with pytest.raises(StoreBusy, match="eve has been writing"), store.writing():
            pass
    store.close()


def test_who_has_just_ended_is_in_nobodys_way(
    team_database: TeamDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = team_store(tmp_path / "anna.sqlite3", team_database)
    team_database.add_member("eve", team_database.profile)
    with team_database.as_member("eve") as eve:
        eve.execute("BEGIN")
        eve.execute("SELECT FROM meta WHERE name = 'generation' FOR UPDATE")
        end_stopped = TeamStore._end_stopped  # pyright: ignore[reportPrivateUsage]

        def late(self: TeamStore, connection: ProfileConnection) -> None:
            eve.execute("COMMIT")
            end_stopped(self, connection)

        monkeypatch.setattr(TeamStore, "_end_stopped", late)
        with store.writing() as writer:
            assert writer.connection.execute("SELECT 1").get == 1
    store.close()


@pytest.mark.parametrize(
    "stop_at", [3, *(pytest.param(number, marks=pytest.mark.slow) for number in (*range(1, 3), *range(4, 25)))]
)
def test_others_write_while_a_program_has_stopped(team_database: TeamDatabase, tmp_path: Path, stop_at: int) -> None:
    team_database.add_member("eve", team_database.profile)
    eve = start(team_database, tmp_path / "eve", stop_at)
    try:
        until(lambda: is_stopped(eve))
        mine = tmp_path / "anna"
        mine.mkdir()
        (mine / "Mine.md").write_text("A gannet.")
        store = team_store(tmp_path / "anna.sqlite3", team_database)
        bring_in(store, mine)  # raises StoreBusy where the other is in the way
        assert [note.path for note in store.read(reads.recent)] == ["Mine.md"]
        eve.send_signal(signal.SIGCONT)
        eve.communicate(timeout=PATIENCE_SECONDS)
        assert "Mine.md" in [note.path for note in store.read(reads.recent)]
        assert check(store, digest=digest) == ()
        store.close()
    finally:
        eve.kill()
        eve.communicate()
