"""Killed at any moment, a restart finishes the work and `scrubjay check` finds nothing wrong."""

import random
import time
from pathlib import Path

from daemon.api.endpoints.search import SEARCH, SearchAsk
from daemon.api.endpoints.status import STATUS
from tests.helpers.installation import Installation, wait_until_indexed

NOTES = 400
KILLS = 6
WORDS = [
    "heron",
    "weir",
    "eel",
    "reed",
    "otter",
    "willow",
    "mill",
    "ford",
    "bridge",
    "lock",
    "barge",
    "heath",
    "fen",
    "dyke",
    "sluice",
    "punt",
    "pike",
]


def note(number: int) -> str:
    rng = random.Random(number)
    body = "\n\n".join(" ".join(rng.choices(WORDS, k=60)) for _ in range(4))
    return f"# Note {number}\n\n{body}\n\nSee [[Note {(number + 1) % NOTES}]].\n"


def test_kills_while_indexing_lose_nothing(tmp_path: Path) -> None:
    installation = Installation(tmp_path)
    installation.write({f"Note {number}.md": note(number) for number in range(NOTES)})
    installation.create_profile()
    rng = random.Random(7)
    for _ in range(KILLS):
        process = installation.start()
        time.sleep(rng.uniform(0.0, 1.5))
        process.kill()
        process.communicate()
    with installation.daemon() as client:
        wait_until_indexed(client)
        [profile] = client.ask(STATUS).profiles
        assert profile.notes == NOTES
        assert profile.pending_embeddings == 0
        assert {hit.path for hit in client.ask(SEARCH, SearchAsk(query='file:"Note 7.md"')).results} == {"Note 7.md"}
    assert installation.run("check").returncode == 0
