"""Kills a process that writes a private file, again and again, and looks at what is left.

Usage: python -m tests.faults.private_worker FOLDER TIMES. Prints how often it killed around which file; exit status 1
when a file was lost or half there, or a session was lost or came back.
"""

import itertools
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from scrubjay.daemon.home import Home
from scrubjay.daemon.server.access.client_registry import ClientRegistry
from scrubjay.daemon.server.access.own_token import own_token, rotate_own_token
from scrubjay.daemon.server.access.sessions import Sessions
from tests.faults.private_files import FILES, Private

_LONGEST_SECONDS = 0.03  # before a kill; a write takes a tenth of it
_PORT = 8642
_MOST_SESSIONS = 30


def killed(work: Callable[[int], None], seconds: float) -> list[str]:
    """Do the work in a process of its own and kill it; the whole lines that it wrote to the descriptor it is given."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            os.close(reading)
            work(writing)
        finally:
            os._exit(1)  # it ends by being killed, or not well
    os.close(writing)
    time.sleep(seconds)
    os.kill(process, signal.SIGKILL)
    with os.fdopen(reading) as said:
        lines = [line.removesuffix("\n") for line in said if line.endswith("\n")]
    _, status = os.waitpid(process, 0)
    assert os.WIFSIGNALED(status), "it ended by itself"
    return lines


def kill_around_key(file: Private, folder: Path, seconds: float) -> None:
    """A key is made over and over, each time in a home of its own: where there is none, and where there is half."""

    def homes() -> Iterable[Home]:
        return (Home.below(folder / str(number)) for number in itertools.count())

    def work(_: int) -> None:
        for number, home in enumerate(homes()):
            home.make()
            if number % 2:
                file.path(home).write_bytes(b"half")
            file.write(home)

    killed(work, seconds)
    made = list(itertools.takewhile(lambda home: home.data.exists(), homes()))
    for home in made[:-1]:
        assert file.is_whole(home)
    for home in made[-1:]:
        path = file.path(home)
        assert not path.exists() or path.read_bytes() in (b"", b"half") or file.is_whole(home)
        file.write(home.make())
        assert file.is_whole(home)


def kill_around_file(file: Private, folder: Path, seconds: float) -> None:
    """A file is there, and is replaced over and over."""
    home = Home.below(folder).make()
    file.write(home)

    def work(_: int) -> None:
        while True:
            file.write(home)

    killed(work, seconds)
    assert file.path(home).exists()
    assert file.is_whole(home)


def kill_around_sessions(folder: Path, seconds: float, rng: random.Random) -> None:
    """Browsers are let in and shut out: who was let in still is, and nobody comes back."""
    home = Home.below(folder).make()
    seed = rng.random()

    def work(output: int) -> None:
        sessions, there, chance = Sessions(home.state, "one"), dict[str, str](), random.Random(seed)
        while True:
            if len(there) < _MOST_SESSIONS and chance.random() < 0.6:
                opened = sessions.redeem(sessions.mint_ticket("abcd1234"), _PORT)
                there[opened.session.id] = opened.cookie
                os.write(output, f"+ {opened.cookie}\n".encode())
            elif there:
                session_id, cookie = there.popitem()
                os.write(output, f"? {cookie}\n".encode())
                sessions.end(session_id)
                os.write(output, f"- {cookie}\n".encode())

    alive, dead = set[str](), set[str]()
    for line in killed(work, seconds):
        kind, _, cookie = line.partition(" ")
        alive.discard(cookie)
        if kind != "?":
            (alive if kind == "+" else dead).add(cookie)
    after = Sessions(home.state, "two")
    assert [cookie for cookie in alive if after.find(cookie, _PORT) is None] == [], "a session was lost"
    assert [cookie for cookie in dead if after.find(cookie, _PORT) is not None] == [], "a session came back"


def kill_around_own_token(folder: Path, seconds: float) -> None:
    """One's own token is renewed over and over: there is one that works, and those before it don't."""
    home = Home.below(folder).make()

    def work(output: int) -> None:
        clients = ClientRegistry(home.clients)
        while True:
            os.write(output, f"{rotate_own_token(clients, home.state).token}\n".encode())

    before = killed(work, seconds)
    clients = ClientRegistry(home.clients)
    own = own_token(clients, home.state)
    assert clients.authenticate(own.token) is not None
    assert [old for old in before if old != own.token and clients.authenticate(old) is not None] == []
    clients.close()


def main() -> None:
    folder, times = Path(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(times)
    for name, file in FILES.items():
        for number in range(times):
            place, seconds = folder / f"{name} {number}", rng.uniform(0.0, _LONGEST_SECONDS)
            (kill_around_key if file.is_key else kill_around_file)(file, place, seconds)
        print(f"{name}: {times} kills", flush=True)
    for number in range(times):
        kill_around_sessions(folder / f"sessions {number}", rng.uniform(0.0, _LONGEST_SECONDS), rng)
        kill_around_own_token(folder / f"own token {number}", rng.uniform(0.0, 2 * _LONGEST_SECONDS))
    print(f"sessions and one's own token: {2 * times} kills", flush=True)


if __name__ == "__main__":
    main()
