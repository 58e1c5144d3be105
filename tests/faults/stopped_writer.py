"""A member's program that stops in the middle of writing a note, as Ctrl-Z or a debugger stops it.

Usage: python -m tests.faults.stopped_writer SOCKET DATABASE MEMBER PROFILE FOLDER N; the password comes by stdin. It
stops before its N-th statement that writes (0: never), and prints how many there were.
"""

import os
import signal
import sys
from pathlib import Path
from typing import Any

from scrubjay.profiles.server_address import ServerAddress
from scrubjay.profiles.team.connection import ProfileConnection
from scrubjay.profiles.team.team_store import TeamStore
from tests.faults.team_worker import bring_in


class Stopping:
    """Counts the statements of transactions that write."""

    def __init__(self, at: int) -> None:
        self.count, self._at = 0, at

    def install(self) -> None:
        for name in ("execute", "executemany", "insert"):
            self._wrap(name)

    def _wrap(self, name: str) -> None:
        original = getattr(ProfileConnection, name)

        def counted(connection: ProfileConnection, *arguments: Any) -> Any:
            if connection.in_transaction and connection.counted is None:
                self.count += 1
                if self.count == self._at:
                    os.kill(os.getpid(), signal.SIGSTOP)
            return original(connection, *arguments)

        setattr(ProfileConnection, name, counted)


def main() -> None:
    """Write the folder's notes."""
    socket, database, member, profile, folder, at = sys.argv[1:]
    stopping = Stopping(int(at))
    address = ServerAddress(socket, 5432, database, member)
    store = TeamStore.open(Path(folder) / "x.sqlite3", address, sys.stdin.readline().strip(), int(profile), "stopped")
    stopping.install()
    try:
        bring_in(store, folder)
    finally:
        print(stopping.count)
        store.close()


if __name__ == "__main__":
    main()
