"""A process that is killed while it brings an old database up to date leaves one that the next start completes."""

import gzip
import random
from pathlib import Path

import pytest

from scrubjay.profiles.store import encryption, reads
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.integrity_check import check
from scrubjay.profiles.store.migrations import scripts
from tests.faults.killing import killed
from tests.integration.profiles.make_stored import MODEL, NOTES
from tests.integration.profiles.notes import digest
from tests.integration.profiles.test_migrations import STORED, number_of, version_of

KEY = bytes(range(32))
WORD = b"scrub-jay hides"


def old_database(folder: Path, stored: Path, key: bytes | None) -> Path:
    path = folder / "old.sqlite3"
    path.write_bytes(gzip.decompress(stored.read_bytes()))
    if key is not None:
        encryption.encrypt(path, key)
    return path


def killed_at_random(old: Path, folder: Path, key: bytes | None, seconds: float) -> Path:
    """The database that the worker was at when it was killed."""
    folder.mkdir()
    killed("migration_worker", old, folder, *([key.hex()] if key else []), after=seconds)
    begun = [int(path.name) for path in folder.iterdir() if path.name.isdigit()]
    return folder / str(max(begun, default=0))


def is_completed(path: Path, key: bytes | None) -> None:
    if key is not None:
        assert all(WORD not in file.read_bytes() for file in path.parent.iterdir())
    store = FileStore.open(path, key=key)
    assert check(store, digest=digest) == ()
    assert {note.path for note in store.read(reads.recent, 10)} == set(NOTES)
    assert (store.counts().embeddings, store.pending_count(MODEL)) == (3, 2)
    store.close()
    assert version_of(path, key) == len(scripts())


def kill_while_migrating(folder: Path, stored: Path, key: bytes | None, times: int) -> None:
    old, rng = old_database(folder, stored, key), random.Random(times)
    for number in range(times):
        path = killed_at_random(old, folder / f"run-{number}", key, rng.uniform(0.0, 0.2))
        if path.exists():  # it had begun with one
            assert version_of(path, key) in (number_of(stored), len(scripts()))
            is_completed(path, key)


@pytest.mark.parametrize(("stored", "key"), [(STORED[0], None), (STORED[-1], KEY)], ids=["oldest", "newest, encrypted"])
def test_a_process_killed_while_it_migrates_loses_nothing(tmp_path: Path, stored: Path, key: bytes | None) -> None:
    kill_while_migrating(tmp_path, stored, key, 2)


@pytest.mark.slow
@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
@pytest.mark.parametrize("stored", STORED, ids=lambda path: path.name.split(".")[0])
def test_a_process_killed_often_while_it_migrates_loses_nothing(
    tmp_path: Path, stored: Path, key: bytes | None
) -> None:
    kill_while_migrating(tmp_path, stored, key, 8)
