"""However a change of key ends, the database and its key stay together, and an encrypted one has no plain byte left."""

import os
import random
import shutil
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from scrubjay.profiles.errors import StoreLocked
from scrubjay.profiles.journal.entries import Journal
from scrubjay.profiles.registry import keys as custody_module
from scrubjay.profiles.registry.keys import Custody, KeyStore, MemoryKeys, OsKeyring, Protection, protection_of
from scrubjay.profiles.registry.registry import PassphraseSettings, Profile, Registry
from scrubjay.profiles.registry.work_lock import work_lock
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.integrity_check import check
from scrubjay.profiles.store.sqlite import is_encrypted
from tests.faults.killing import killed
from tests.faults.store_worker import work
from tests.integration.profiles.notes import digest

WORD = b"walrus"
OLD, NEW = "correct horse battery", "staple of another kind"
CHANGES: tuple[tuple[Protection, Protection], ...] = (
    ("none", "keyring"),
    ("none", "passphrase"),
    ("keyring", "keyring"),
    ("keyring", "passphrase"),
    ("keyring", "none"),
    ("passphrase", "passphrase"),
    ("passphrase", "keyring"),
    ("passphrase", "none"),
)


QUICK = (("passphrase", "none"),)  # the others take a minute more


class Crash(BaseException):
    """The process ends here."""


@dataclass
class Steps:
    """Counts steps that change something outside the process, and ends it at one of them, for good."""

    crash_at: int | None = None
    taken: int = 0

    def before(self) -> None:
        self.taken += 1
        if self.crash_at is not None and self.taken >= self.crash_at:
            raise Crash

    def counted(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def step(*arguments: Any, **named: Any) -> Any:
            self.before()
            return call(*arguments, **named)

        return step


@dataclass
class CountedKeyring:
    """A keyring whose changes are steps."""

    steps: Steps
    kept: MemoryKeys = field(default_factory=MemoryKeys)
    names: set[str] = field(default_factory=set[str])

    def get(self, key_id: str) -> bytes | None:
        return self.kept.get(key_id)

    def put(self, key_id: str, key: bytes) -> None:
        self.steps.before()
        self.kept.put(key_id, key)
        self.names.add(key_id)

    def delete(self, key_id: str) -> None:
        self.steps.before()
        self.kept.delete(key_id)
        self.names.discard(key_id)


@contextmanager
def steps_of_the_file_system(steps: Steps) -> Generator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for owner, name in (
            (Path, "replace"),
            (Path, "unlink"),
            (Path, "hardlink_to"),
            (Path, "touch"),
            (os, "fsync"),
            (shutil, "copyfile"),
        ):
            patch.setattr(owner, name, steps.counted(getattr(owner, name)))
        yield


@pytest.fixture(autouse=True)
def quick_passphrases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deriving a key takes half a second on purpose; here it is done hundreds of times."""
    numbers = iter(range(1_000_000))

    def settings() -> PassphraseSettings:
        return PassphraseSettings(salt=f"{next(numbers):032x}", memory_kib=64, passes=1, lanes=1)

    monkeypatch.setattr(custody_module, "new_passphrase_settings", settings)


def made(registry: Registry, keys: KeyStore, before: Protection) -> Profile:
    """A profile with a filled database, protected in this way."""
    profile = registry.create("kept")
    store = FileStore.open(registry.store_path(profile))
    rng = random.Random(1)
    for _ in range(2):
        work(store, rng)
    store.close()
    if before == "none":
        return profile
    with work_lock(registry.folder_of(profile)):
        return Custody(registry, keys).protect(profile, before, OLD)


def changed_with_crash(folder: Path, before: Protection, wanted: Protection, crash_at: int | None) -> int:
    """Change the protection, crash at a step, come back, and look. How many steps there were."""
    shutil.rmtree(folder, ignore_errors=True)
    registry, steps = Registry(folder), Steps()
    keys = CountedKeyring(steps)
    profile = made(registry, keys, before)
    keys.steps.crash_at, keys.steps.taken = crash_at, 0
    custody = Custody(registry, keys)
    if before == "passphrase":
        custody.unlock(profile, OLD)
    with suppress(Crash), steps_of_the_file_system(steps), work_lock(registry.folder_of(profile)):
        custody.protect(profile, wanted, NEW)
    taken, keys.steps.crash_at = steps.taken, None
    come_back(registry, keys, profile.name, {before, wanted})
    return taken


def come_back(registry: Registry, keys: CountedKeyring, name: str, expected: set[Protection]) -> None:
    """A new process finds the profile in one of the two states, whole, with its key and no other."""
    custody = Custody(registry, keys)
    profile = registry.get(name)
    path = registry.store_path(profile)
    with work_lock(registry.folder_of(profile)):
        profile = custody.finish_change(profile)
    assert protection_of(profile) in expected
    if profile.passphrase is not None:
        try:
            custody.unlock(profile, OLD)
        except StoreLocked:
            custody.unlock(profile, NEW)
    store = FileStore.open(path, key=custody.key(profile))
    assert check(store, digest=digest) == ()
    assert len(Journal(store).log(10)) == 2
    store.close()
    assert is_encrypted(path) == profile.encrypted
    assert len(keys.names) == (protection_of(profile) == "keyring")
    left = {file.name for file in path.parent.iterdir() if not file.name.startswith(".")}
    assert left <= {"profile.toml", "work.lock", path.name}
    if profile.encrypted:
        assert all(WORD not in file.read_bytes() for file in path.parent.iterdir())


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        pytest.param(*change, id="-to-".join(change), marks=() if change in QUICK else (pytest.mark.slow,))
        for change in CHANGES
    ],
)
def test_a_crash_at_any_step_parts_no_database_from_its_key(
    tmp_path: Path, before: Protection, wanted: Protection
) -> None:
    steps = changed_with_crash(tmp_path / "profiles", before, wanted, None)
    assert steps > 10
    for at in range(1, steps + 1):
        changed_with_crash(tmp_path / "profiles", before, wanted, at)


def kill_while_changing_keys(folder: Path, times: int) -> None:
    rng = random.Random(times)
    registry = Registry(folder)
    made(registry, OsKeyring(), "none")
    for seed in range(times):
        killed("key_worker", folder, "kept", seed, after=rng.uniform(0.0, 0.3))
        custody = Custody(registry, OsKeyring())
        profile = registry.get("kept")
        path = registry.store_path(profile)
        with work_lock(registry.folder_of(profile)):
            profile = custody.finish_change(profile)
        store = FileStore.open(path, key=custody.key(profile))
        assert check(store, digest=digest) == ()
        assert len(Journal(store).log(10)) == 2
        store.close()
        if profile.encrypted:
            assert all(WORD not in file.read_bytes() for file in path.parent.iterdir())


@pytest.mark.parametrize("times", [2, pytest.param(40, marks=pytest.mark.slow)])
def test_a_process_killed_while_it_changes_keys_loses_nothing(tmp_path: Path, keyring_file: Path, times: int) -> None:
    """Each step has a crash of its own above; these come between them."""
    kill_while_changing_keys(tmp_path / "profiles", times)
