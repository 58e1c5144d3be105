"""A store whose process is killed at any moment is sound when it is opened again, and nothing acknowledged is lost."""

import random
from pathlib import Path

import pytest

from scrubjay.profiles.journal.entries import Journal
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.integrity_check import check
from tests.faults.killing import killed
from tests.integration.profiles.notes import digest

KEY = bytes(range(32))


def kill_at_random_moments(path: Path, times: int, key: bytes | None) -> None:
    rng = random.Random(times)
    acknowledged: set[str] = set()
    for seed in range(times):
        arguments = (path, seed, key.hex()) if key else (path, seed)
        acknowledged.update(killed("store_worker", *arguments, after=rng.uniform(0.0, 0.4)))
        store = FileStore.open(path, key=key)
        assert check(store, digest=digest) == ()
        assert acknowledged <= {entry.key for entry in Journal(store).log(100_000)}
        store.close()
        if key is not None:
            assert all(b"walrus" not in file.read_bytes() for file in path.parent.iterdir())


@pytest.mark.parametrize("times", [2, pytest.param(40, marks=pytest.mark.slow)])
@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
def test_a_killed_writer_leaves_a_sound_store(tmp_path: Path, key: bytes | None, times: int) -> None:
    """`test_disk` ends each kind of operation by itself: a few moments that nobody chose are enough here."""
    kill_at_random_moments(tmp_path / "index.sqlite3", times, key)
