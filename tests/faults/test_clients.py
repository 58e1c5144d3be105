"""Clients and keys survive other processes and kills: no token is lost, none comes back, no key is half there."""

import random
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import pytest

from scrubjay.daemon.server.access.client_registry import ClientRegistry
from tests.faults.killing import killed

FOR_EVER = 10**9


@dataclass
class Said:
    """What workers have said so far."""

    alive: set[str] = field(default_factory=set[str])
    dead: set[str] = field(default_factory=set[str])
    keys: set[str] = field(default_factory=set[str])
    wrong: list[str] = field(default_factory=list[str])

    def hear(self, lines: Iterable[str]) -> None:
        for line in lines:
            kind, _, what = line.partition(" ")
            if kind == "+":
                self.alive.add(what)
            elif kind == "?":
                self.alive.discard(what)  # a kill may come before or after the change
            elif kind == "-":
                self.dead.add(what)
            elif kind == "=":
                self.keys.add(what)
            elif kind == "!":
                self.wrong.append(what)

    def check(self, folder: Path) -> None:
        clients = ClientRegistry(folder / "clients.json")
        assert self.wrong == []
        assert [token for token in self.alive if clients.authenticate(token) is None] == [], "a token was lost"
        assert [token for token in self.dead if clients.authenticate(token) is not None] == [], "a dead token opens"
        assert {len(key) for key in self.keys} <= {64}
        assert len(self.keys) <= 1
        clients.close()


def worker(folder: Path, seed: int, rounds: int, output: IO[str] | int = subprocess.PIPE) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-m", "tests.faults.clients_worker", str(folder), str(seed), str(rounds)]
    return subprocess.Popen(arguments, stdout=output, text=True)


def race(folder: Path, rounds: int) -> None:
    """Two processes change one file at once, each `rounds` times."""
    said = Said()
    workers = [worker(folder, seed, rounds) for seed in (1, 2)]
    for each in workers:
        out, _ = each.communicate(timeout=3_000)
        assert each.returncode == 0
        said.hear(out.splitlines())
    said.check(folder)


def kill_at_random_moments(folder: Path, times: int) -> None:
    """A process that changes the file is killed, again and again; another one changes it all the while."""
    said = Said()
    with (folder / "said by the other").open("w+") as output:
        other = worker(folder, 0, FOR_EVER, output)
        try:
            kill_others(folder, times, said)
        finally:
            other.kill()
            other.wait()
        output.seek(0)
        said.hear(line.removesuffix("\n") for line in output if line.endswith("\n"))
    said.check(folder)


def kill_others(folder: Path, times: int, said: Said) -> None:
    rng = random.Random(times)
    for seed in range(1, times + 1):
        said.hear(killed("clients_worker", folder, seed, FOR_EVER, after=rng.uniform(0.0, 0.2)))
        forget_those_of_the_dead(folder, said)


def forget_those_of_the_dead(folder: Path, said: Said) -> None:
    """There may be two hundred clients: before there are too many, revoke those whose process is gone."""
    clients = ClientRegistry(folder / "clients.json")
    assert [token for token in said.alive if clients.authenticate(token) is None] == [], "a token was lost"
    for client in clients.list():
        if client.name != "worker 0":
            clients.revoke(client.id)
    said.dead |= said.alive
    said.alive.clear()
    clients.close()


@pytest.mark.parametrize("rounds", [150, pytest.param(1_000, marks=pytest.mark.slow)])
def test_two_processes_lose_and_revive_no_token(tmp_path: Path, rounds: int) -> None:
    race(tmp_path, rounds)


@pytest.mark.parametrize("times", [3, pytest.param(60, marks=pytest.mark.slow)])
def test_a_killed_process_loses_and_revives_no_token(tmp_path: Path, times: int) -> None:
    kill_at_random_moments(tmp_path, times)
