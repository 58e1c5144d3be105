"""Makes, rotates and revokes clients on a file that other processes change too, and makes a key, over and over.

Usage: python -m tests.faults.clients_worker FOLDER SEED ROUNDS. Prints "ready", then a line for each thing done:
`+ TOKEN` once it opens, `? TOKEN` before it is to die, `- TOKEN` once it is dead, `= KEY` for the key that was read,
`! …` for what must never be. The clock jumps, so that many a look writes when clients were last seen.
"""

import contextlib
import random
import secrets
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from scrubjay.daemon.server.access.client_registry import ClientRegistry
from scrubjay.profiles.private_files import stored_key

_MOST = 40  # clients of one worker at a time


class Worker:
    """One process's share of the work."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._rng = random.Random(seed)
        self._time = datetime(2026, 1, 1, tzinfo=UTC)
        self._name = f"worker {seed}"
        self._key = folder / "a.key"
        self._clients = ClientRegistry(folder / "clients.json", self._now)
        self._own: dict[str, str] = {}  # client id to token

    def round(self) -> None:
        """One change, and a look at one of this worker's clients."""
        act = self._rng.choice(("create", "rotate", "revoke"))
        if act == "create" and len(self._own) < _MOST:
            new = self._clients.create(self._name)
            self._own[new.client.id] = new.token
            say("+", new.token)
        elif self._own:
            client_id, old = self._rng.choice(tuple(self._own.items()))
            say("?", old)
            del self._own[client_id]
            if act == "rotate":
                self._own[client_id] = self._clients.rotate(client_id).token
                say("+", self._own[client_id])
            else:
                self._clients.revoke(client_id)
            say("-", old)
            if self._clients.authenticate(old) is not None:
                say("!", "a dead token opens")
        if self._own and self._clients.authenticate(self._rng.choice(tuple(self._own.values()))) is None:
            say("!", "a token was lost")

    def look_at_key(self) -> None:
        """Read the key, and make it where it is missing."""
        say("=", stored_key(self._key, lambda: secrets.token_bytes(32)).hex())

    def close(self) -> None:
        """Write what is left."""
        self._clients.close()

    def _now(self) -> datetime:
        self._time += timedelta(minutes=1)
        return self._time


def say(kind: str, what: str) -> None:
    """A line that the parent has read even if this process is killed right after."""
    print(kind, what, flush=True)


def main() -> None:
    folder, seed, rounds = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    with contextlib.closing(Worker(folder, seed)) as worker:
        print("ready", flush=True)
        for _ in range(rounds):
            worker.look_at_key()
            worker.round()


if __name__ == "__main__":
    main()
