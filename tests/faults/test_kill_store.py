"""A store whose process is killed at any moment is sound when it is opened again, and nothing acknowledged is lost."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scrubjay.profiles.journal.entries import Journal
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.integrity_check import check
from tests.integration.profiles.notes import digest

KEY = bytes(range(32))


def kill_at_random_moments(path: Path, times: int, key: bytes | None) -> None:
    rng = random.Random(times)
    acknowledged: set[str] = set()
    for seed in range(times):
        arguments = [sys.executable, "-m", "tests.faults.store_worker", str(path), str(seed)]
        with subprocess.Popen(arguments + ([key.hex()] if key else []), stdout=subprocess.PIPE) as worker:
            assert worker.stdout is not None
            assert worker.stdout.readline() == b"ready\n"
            time.sleep(rng.uniform(0.0, 0.4))
            worker.kill()
            acknowledged |= {line.strip().decode() for line in worker.stdout if line.endswith(b"\n")}
        store = FileStore.open(path, key=key)
        assert check(store, digest=digest) == ()
        assert acknowledged <= {entry.key for entry in Journal(store).log(100_000)}
        store.close()
        if key is not None:
            assert all(b"walrus" not in file.read_bytes() for file in path.parent.iterdir())


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
def test_a_killed_writer_leaves_a_sound_store(tmp_path: Path, key: bytes | None):
    kill_at_random_moments(tmp_path / "index.sqlite3", 2, key)


@pytest.mark.slow
@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
def test_a_writer_killed_many_times_leaves_a_sound_store(tmp_path: Path, key: bytes | None):
    kill_at_random_moments(tmp_path / "index.sqlite3", 250, key)
