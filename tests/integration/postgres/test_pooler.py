"""A pooler before the server: PgBouncer in session mode, which the documentation allows."""

import os
import shutil
import subprocess
import time
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from scrubjay.profiles.server_address import ServerAddress
from scrubjay.profiles.store import reads
from scrubjay.profiles.team.server import connect
from scrubjay.profiles.team.team_store import TeamStore
from tests.faults.team_worker import bring_in
from tests.helpers.team_server import TeamDatabase

PROGRAM = shutil.which("pgbouncer")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(PROGRAM is None, reason="PgBouncer is not installed")]


@pytest.fixture
def pooled(team_database: TeamDatabase) -> Generator[ServerAddress]:
    """The address of the database as Anna, through the pooler."""
    team_database.add_member("anna", team_database.profile)
    direct = team_database.server.address("anna", team_database.name)
    system_user = team_database.server.handle.system_user if os.geteuid() == 0 else None
    with TemporaryDirectory(prefix="sj-pgb-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        users, settings = folder / "users.txt", folder / "pgbouncer.ini"
        users.write_text(f'"anna" "{team_database.server.passwords["anna"]}"\n')
        settings.write_text(
            f"[databases]\n* = host={direct.host} port={direct.port}\n[pgbouncer]\npool_mode = session\n"
            f"listen_port = 6432\nunix_socket_dir = {folder}\nauth_type = scram-sha-256\nauth_file = {users}\n"
            + (f"user = {system_user}\n" if system_user else "")
        )
        if system_user:
            for path in (folder, users, settings):
                shutil.chown(path, system_user)
        process = subprocess.Popen([str(PROGRAM), "-q", str(settings)], stderr=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + 30
            while not (folder / ".s.PGSQL.6432").exists():
                assert process.poll() is None and time.monotonic() < deadline
                time.sleep(0.05)
            yield replace(direct, host=str(folder), port=6432)
        finally:
            process.terminate()
            process.wait(30)


def test_through_a_pooler_in_session_mode_notes_are_written_and_read(
    team_database: TeamDatabase, pooled: ServerAddress, tmp_path: Path
) -> None:
    (tmp_path / "Birds.md").write_text("A kittiwake.")
    store = TeamStore.open(tmp_path / "x", pooled, team_database.server.passwords["anna"], team_database.profile)
    bring_in(store, tmp_path)
    assert [note.path for note in store.read(reads.recent)] == ["Birds.md"]
    store.close()
    # The server's session is another client's now, and for no profile before it says which.
    with connect(pooled, team_database.server.passwords["anna"], profile=None, timeout=30) as other:
        assert other.execute("SELECT coalesce(current_setting('scrubjay.profile', TRUE), '')").fetchall() == [("",)]
        assert other.execute("SELECT count(*) FROM scrubjay_p1.note").fetchall() == [(0,)]
