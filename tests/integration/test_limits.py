"""Every limit in settings.toml bites where it should, and says what it is."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.home import Home
from scrubjay.daemon.settings import Limits, Settings
from scrubjay.profiles.registry.keys import MemoryKeys
from scrubjay.profiles.registry.registry import vault_folder
from scrubjay.profiles.store import reads
from tests.helpers.hash_encoder import HashEncoder
from tests.integration.server.house import open_house

TIGHT = Limits(
    query_characters=16,
    results=10,
    body_bytes=1_024,
    note_bytes=20_000,
    notes_per_profile=3,
    chunks_per_note=2,
    concurrent_searches=1,
)


def test_a_search_or_a_body_beyond_a_limit_is_refused(tmp_path: Path) -> None:
    with open_house(tmp_path, TIGHT) as house:
        house.add_profile("notes", {"Heron.md": "The heron waits at the weir."})
        with house.client(house.clients.create("reader", profiles="all").token) as http:
            for body, status, says in (
                (b'{"query": "%s"}' % (b"h" * 16), 200, ""),
                (b'{"query": "%s"}' % (b"h" * 17), 400, "at most 16 characters"),
                (b'{"query": "heron", "limit": 11}', 200, ""),  # more results are cut
                (b'{"query": "heron"}'.ljust(1_024), 200, ""),
                (b'{"query": "heron"}'.ljust(1_025), 413, "at most 1,024 bytes"),
            ):
                reply = http.post("/v1/search", content=body, headers={"Content-Type": "application/json"})
                assert (reply.status_code, says in reply.json().get("detail", "")) == (status, True), body


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "vault").mkdir()
    return tmp_path / "vault"


@pytest.fixture
def engine(tmp_path: Path, vault: Path) -> Iterator[Engine]:
    made = Engine(Home.below(tmp_path / "home"), Settings(limits=TIGHT), lambda _: HashEncoder(), keys=MemoryKeys())
    made.registry.create("notes", vaults=(vault_folder(vault, allow=(".",)),))
    made.profile_sync.sync()
    yield made
    made.close()


def indexed(engine: Engine) -> tuple[set[str], dict[str, str]]:
    """What is in the index, and what was left out, by code."""
    opened = engine.open_profiles.named("notes")
    engine.preparation.indexer(opened).reconcile(threading.Event())
    return {note.path for note in opened.store.read(reads.recent, 100)}, {
        row.code: row.reason for row in opened.store.read(reads.failures)
    }


def test_a_note_that_is_too_large_is_left_out(engine: Engine, vault: Path) -> None:
    (vault / "Small.md").write_text("x" * 20_000)
    (vault / "Large.md").write_text("x" * 20_001)
    notes, left_out = indexed(engine)
    assert notes == {"Small.md"}
    assert "0.02 MB" in left_out["too-large"]


def test_a_profile_takes_the_newest_notes_until_it_is_full(engine: Engine, vault: Path) -> None:
    for number in range(5):
        path = vault / f"{number}.md"
        path.write_text(f"note {number}")
        stamp = (1_700_000_000 + number) * 10**9
        os.utime(path, ns=(stamp, stamp))
    notes, left_out = indexed(engine)
    assert notes == {"2.md", "3.md", "4.md"}
    assert "2 notes were left out: a profile holds at most 3" in left_out["too-many-notes"]
    (vault / "4.md").unlink()
    (vault / "0.md").unlink()
    notes, left_out = indexed(engine)
    assert (notes, left_out) == ({"1.md", "2.md", "3.md"}, {})


def test_of_a_note_with_too_many_passages_the_first_are_kept(engine: Engine, vault: Path) -> None:
    (vault / "Long.md").write_text("".join(f"## Heading {n}\n\n{f'matter {n} ' * 150}\n\n" for n in range(5)))
    notes, left_out = indexed(engine)
    assert notes == {"Long.md"}
    assert "first 2 of its" in left_out["too-many-passages"]
    assert engine.open_profiles.named("notes").store.counts().chunks == 2
