"""Whatever a disk does in the middle of work, the store is sound when it is opened again.

Every fault of `tests/faults/disk.py`, at operations spread over whole pieces of work: indexing, bringing an old
database up to date, changing a key.
"""

import gzip
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import apsw
import pytest

from scrubjay.profiles.errors import StoreError
from scrubjay.profiles.journal.entries import Journal
from scrubjay.profiles.store import encryption
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.integrity_check import check
from scrubjay.profiles.store.sqlite import is_encrypted
from scrubjay.profiles.store.store import Store
from tests.faults.disk import FAULTS, Disk, Fault
from tests.faults.store_worker import work
from tests.integration.profiles.notes import digest

KEY, OTHER = bytes(range(32)), bytes(range(1, 33))
WORD = b"walrus"
STORED = Path(__file__).parents[1] / "integration" / "profiles" / "stored" / "version-1.sqlite3.gz"

Task = Callable[[Path, list[str]], None]  # a database, and where to note the keys of journal entries that are saved


@dataclass(frozen=True, slots=True)
class Job:
    """Something to do to a database, and the keys that may open it afterwards."""

    before: Callable[[Path], None]
    task: Task
    keys: tuple[bytes | None, ...]


def nothing(path: Path) -> None:
    """The database does not exist yet."""


def indexing(key: bytes | None) -> Task:
    def task(path: Path, saved: list[str]) -> None:
        store = FileStore.open(path, key=key)
        try:
            rng = random.Random(1)
            for _ in range(5):
                work(store, rng, saved.append)
        finally:
            with suppress(apsw.Error):
                store.close()

    return task


def migrating(path: Path, saved: list[str]) -> None:
    store = FileStore.open(path)
    with suppress(apsw.Error):
        store.close()


def filled(key: bytes | None) -> Callable[[Path], None]:
    return lambda path: indexing(key)(path, [])


def stored(path: Path) -> None:
    path.write_bytes(gzip.decompress(STORED.read_bytes()))


def change(old: bytes | None, new: bytes | None) -> Task:
    return lambda path, _: encryption.change_key(path, old, new)


JOBS = {
    "indexing": Job(nothing, indexing(None), (None,)),
    "indexing-encrypted": Job(nothing, indexing(KEY), (KEY,)),
    "migrating": Job(stored, migrating, (None,)),
    "encrypting": Job(filled(None), change(None, KEY), (None, KEY)),
    "rekeying": Job(filled(KEY), change(KEY, OTHER), (KEY, OTHER)),
    "decrypting": Job(filled(KEY), change(KEY, None), (KEY, None)),
}


@pytest.fixture(autouse=True)
def small_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log is copied home often, so that the work holds many points at which that can go wrong."""
    monkeypatch.setattr("scrubjay.profiles.store.sqlite.WAL_PAGES", 8)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Path]]:
    """The database that a job begins with, made once."""

    @cache
    def prepare(name: str) -> Path:
        path = tmp_path_factory.mktemp(name) / "index.sqlite3"
        JOBS[name].before(path)
        return path

    yield prepare


def begin(job: str, prepared: Callable[[str], Path], folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    path = folder / "index.sqlite3"
    if prepared(job).exists():
        shutil.copyfile(prepared(job), path)
    return path


def operations_of(job: str, prepared: Callable[[str], Path], folder: Path) -> int:
    path = begin(job, prepared, folder)
    with Disk().mounted() as disk:
        JOBS[job].task(path, [])
    return disk.operations


def fail_once(job: str, prepared: Callable[[str], Path], folder: Path, disk: Disk) -> None:
    path = begin(job, prepared, folder)
    saved: list[str] = []
    with disk.mounted(), suppress(StoreError, apsw.Error):
        JOBS[job].task(path, saved)
    disk.restart()
    encryption.sweep(path)
    store = open_with_any(path, JOBS[job].keys)
    where = f"{disk.fault} at operation {disk.operations}"
    assert check(store, digest=digest) == (), where
    assert set(saved) <= {entry.key for entry in Journal(store).log(1000)}, where
    store.close()
    if None not in JOBS[job].keys:
        assert all(WORD not in file.read_bytes() for file in folder.iterdir()), where


def open_with_any(path: Path, keys: tuple[bytes | None, ...]) -> Store:
    is_there = path.exists() and path.stat().st_size > 0
    fitting = [key for key in keys if not is_there or (key is not None) == is_encrypted(path)]
    for key in fitting[:-1]:
        with suppress(StoreError):
            return FileStore.open(path, key=key)
    return FileStore.open(path, key=fitting[-1])


def spread(count: int, points: int) -> list[int]:
    """So many numbers from 1 to `count`, the first and the last among them."""
    return sorted({1 + round(step * (count - 1) / max(1, points - 1)) for step in range(points)})


@pytest.mark.parametrize("points", [3, pytest.param(16, marks=pytest.mark.slow)])
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("job", JOBS)
def test_a_disk_that_fails_leaves_a_sound_store(
    job: str, fault: Fault, prepared: Callable[[str], Path], tmp_path: Path, points: int
) -> None:
    """A piece of work is a few hundred operations, most of them like their neighbours."""
    count = operations_of(job, prepared, tmp_path / "store")
    for at in spread(count, points)[1:]:
        fail_once(job, prepared, tmp_path / "store", Disk(fault, at, seed=at))


@pytest.mark.parametrize("points", [5, pytest.param(40, marks=pytest.mark.slow)])
def test_a_saved_journal_entry_survives_a_power_cut(
    prepared: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, points: int
) -> None:
    """With the log as long as it really is, so that no copying home makes the entries safe by the way."""
    monkeypatch.setattr("scrubjay.profiles.store.sqlite.WAL_PAGES", 1000)
    count = operations_of("indexing", prepared, tmp_path / "store")
    for at in spread(count, points):
        fail_once("indexing", prepared, tmp_path / "store", Disk("power-cut", at, seed=at))


def test_the_faults_do_happen(prepared: Callable[[str], Path], tmp_path: Path) -> None:
    """Else the tests above would prove nothing."""
    half = operations_of("indexing", prepared, tmp_path / "store") // 2
    for fault in FAULTS:
        disk = Disk(fault, half)
        with disk.mounted(), suppress(StoreError, apsw.Error):
            JOBS["indexing"].task(begin("indexing", prepared, tmp_path / "store"), [])
        assert disk.happened
        disk.restart()
