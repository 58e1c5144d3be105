"""PgBouncer before a team's server, in the modes that the documentation allows."""

import os
import shutil
import subprocess
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.helpers.team_server import TeamDatabase

POOLER_PROGRAM = shutil.which("pgbouncer")
POOLER_PORT = 6432


@contextmanager
def pooler(database: TeamDatabase, mode: str, members: Sequence[str], *, settings: str = "") -> Generator[Path]:
    """PgBouncer before a database, which lets in these members; the folder of its socket. settings: more of its own."""
    direct = database.server.address(members[0], database.name)
    system_user = database.server.handle.system_user if os.geteuid() == 0 else None
    with TemporaryDirectory(prefix="sj-pgb-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        users, written = folder / "users.txt", folder / "pgbouncer.ini"
        users.write_text("".join(f'"{each}" "{database.server.passwords[each]}"\n' for each in members))
        written.write_text(
            f"[databases]\n* = host={direct.host} port={direct.port}\n[pgbouncer]\npool_mode = {mode}\n"
            f"listen_port = {POOLER_PORT}\nunix_socket_dir = {folder}\n"
            f"auth_type = scram-sha-256\nauth_file = {users}\n{settings}"
            + (f"user = {system_user}\n" if system_user else "")
        )
        if system_user:
            for path in (folder, users, written):
                shutil.chown(path, system_user)
        process = subprocess.Popen([str(POOLER_PROGRAM), "-q", str(written)], stderr=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + 30
            while not (folder / f".s.PGSQL.{POOLER_PORT}").exists():
                assert process.poll() is None and time.monotonic() < deadline
                time.sleep(0.05)
            yield folder
        finally:
            process.terminate()
            process.wait(30)
