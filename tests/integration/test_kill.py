"""Killed at any moment, a restart finishes the work and `scrubjay check` finds nothing wrong."""

import random
import time
from pathlib import Path

import pytest

from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.status import STATUS
from tests.helpers.installation import Installation, wait_until_indexed

WORDS = ("heron", "weir", "eel", "reed", "otter", "willow", "mill", "ford", "bridge", "lock", "barge", "fen", "sluice")


def note(number: int, count: int) -> str:
    rng = random.Random(number)
    body = "\n\n".join(" ".join(rng.choices(WORDS, k=60)) for _ in range(4))
    return f"# Note {number}\n\n{body}\n\nSee [[Note {(number + 1) % count}]].\n"


@pytest.mark.parametrize(("notes", "kills"), [(30, 1), pytest.param(400, 8, marks=pytest.mark.slow)])
def test_kills_while_indexing_lose_nothing(tmp_path: Path, notes: int, kills: int) -> None:
    installation = Installation(tmp_path)
    installation.write({f"Note {number}.md": note(number, notes) for number in range(notes)})
    installation.create_profile()
    rng = random.Random(7)
    for _ in range(kills):
        process = installation.start()
        time.sleep(rng.uniform(0.0, 0.6))  # while notes are read, or embedded
        process.kill()
        process.communicate()
    with installation.daemon() as client:
        wait_until_indexed(client)
        [profile] = client.ask(STATUS).profiles
        assert profile.notes == notes
        assert profile.pending_embeddings == 0
        assert {hit.path for hit in client.ask(SEARCH, SearchAsk(query='file:"Note 7.md"')).results} == {"Note 7.md"}
    assert installation.run("check").returncode == 0
