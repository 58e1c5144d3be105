"""However an import, a restore, a copy or an uninstallation ends, what stays is whole, and it can be done again."""

import json
import random
import shutil
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from scrubjay.daemon.home import Home
from scrubjay.daemon.setup import removal
from scrubjay.profiles.journal.entries import Journal
from scrubjay.profiles.registry import export
from scrubjay.profiles.registry.keys import Custody, OsKeyring, Protection
from scrubjay.profiles.registry.registry import Profile, Registry
from scrubjay.profiles.registry.work_lock import work_lock
from scrubjay.profiles.store import backup
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.integrity_check import check
from tests.faults.killing import killed
from tests.faults.profile_worker import uninstall
from tests.faults.store_worker import work
from tests.faults.test_key_change import WORD, made
from tests.integration.profiles.notes import digest

OFTEN = 15


def entries(path: Path, key: bytes | None) -> int:
    """How many journal entries a database has, which is whole."""
    with closing(FileStore.open(path, key=key)) as store:
        assert check(store, digest=digest) == ()
        return len(Journal(store).log(10))


def registry_of(folder: Path) -> Registry:
    return Registry(Home.below(folder / "home").make().profiles)


def is_cared_for(registry: Registry, profile: Profile) -> bytes | None:
    """What the next start does before it opens a profile; the key."""
    custody = Custody(registry, OsKeyring())
    with work_lock(registry.folder_of(profile)):
        custody.finish_change(profile)
    return custody.key(profile)


def kill_imports(folder: Path, times: int) -> None:
    registry, rng = registry_of(folder), random.Random(times)
    kept = made(registry, OsKeyring(), "none")
    file = folder / "kept.parcel"
    export.pack(kept, registry.store_path(kept), None, file, None)
    for _ in range(times):
        killed("profile_worker", "import", folder, after=rng.uniform(0.0, 0.3))
        assert registry.survey().unreadable == ()
        assert entries(registry.store_path(kept), None) == 2
        copies = [profile for profile in registry.list() if profile.id != kept.id]
        assert [profile.name for profile in copies] == sorted(f"copy {number}" for number in range(len(copies)))
        for copy in copies:
            assert not copy.federate
            assert entries(registry.store_path(copy), is_cared_for(registry, copy)) == 2
        custody = Custody(registry, OsKeyring())
        copies.append(export.unpack(file, None, registry, custody, name=f"copy {len(copies)}").profile)
        for copy in copies:
            with work_lock(registry.folder_of(copy)):
                custody.remove(copy)
        assert not (registry.folder / ".incoming").exists()


def kill_restores(folder: Path, times: int, protection: Protection) -> None:
    registry, rng = registry_of(folder), random.Random(times)
    profile = made(registry, OsKeyring(), "none")
    path = registry.store_path(profile)
    backup.backup(path, None, folder / "first.bak")
    with closing(FileStore.open(path)) as store:
        work(store, rng)
    backup.backup(path, None, folder / "second.bak")
    if protection != "none":
        with work_lock(registry.folder_of(profile)):
            profile = Custody(registry, OsKeyring()).protect(profile, protection)
    for _ in range(times):
        killed("profile_worker", "restore", folder, after=rng.uniform(0.0, 0.3))
        key = is_cared_for(registry, profile)
        assert entries(path, key) in (2, 3)
        asides = sorted(path.parent.glob(f"{path.name}.{backup.BEFORE_RESTORE}-*"))
        for aside in asides:
            assert entries(aside, key) in (2, 3)
        if protection != "none":
            assert all(WORD not in file.read_bytes() for file in path.parent.iterdir())
        backup.forget_aside(path)


def kill_copies(folder: Path, times: int) -> None:
    registry, rng = registry_of(folder), random.Random(times)
    profile = made(registry, OsKeyring(), "none")
    copies = folder / "copies"
    for _ in range(times):
        copies.mkdir()
        killed("profile_worker", "copy", folder, after=rng.uniform(0.0, 0.1))
        for file in copies.glob("*.db"):
            assert entries(file, None) == 2
        for file in copies.glob("*.parcel"):
            with zipfile.ZipFile(file) as parcelled:
                assert parcelled.testzip() is None
                assert "scrubjay.json" in parcelled.namelist()
        assert entries(registry.store_path(profile), None) == 2
        last = max((int(file.stem) for file in copies.iterdir() if not file.name.startswith(".")), default=0)
        for number in (last, last + 1):  # those that were under way, made again under the same names
            if not (copies / f"{number}.db").exists():
                backup.backup(registry.store_path(profile), None, copies / f"{number}.db")
            if not (copies / f"{number}.parcel").exists():
                export.pack(profile, registry.store_path(profile), None, copies / f"{number}.parcel", None)
        assert [file.name for file in copies.iterdir() if file.suffix not in (".db", ".parcel")] == []
        shutil.rmtree(copies)


def kill_uninstallations(folder: Path, times: int, keyring_file: Path) -> None:
    rng, home = random.Random(times), Home.below(folder / "home")
    vault = folder / "vault"
    notes = {f"{name}.md": f"# {name}\n".encode() for name in ("Heron", "Otter")}
    for number in range(times):
        registry = registry_of(folder)
        for protection in ("none", "keyring"):
            custody = Custody(registry, OsKeyring())
            profile = made(registry, OsKeyring(), "none")
            registry.rename("kept", protection)
            if protection == "keyring":
                with work_lock(registry.folder_of(profile)):
                    custody.protect(registry.current(profile), protection)
        home.machine.write_bytes(bytes(16))
        home.evaluations.mkdir()
        plugin = vault / ".obsidian" / "plugins" / removal.PLUGIN_ID
        plugin.mkdir(parents=True, exist_ok=True)
        for name in ("main.js", "manifest.json", "styles.css"):
            (plugin / name).write_text("{}")
        enabled = vault / ".obsidian" / "community-plugins.json"
        enabled.write_text(json.dumps(["dataview", removal.PLUGIN_ID]))
        for name, content in notes.items():
            (vault / name).write_bytes(content)
        killed("profile_worker", "uninstall", folder, after=rng.uniform(0.0, 0.12))
        assert {note.name: note.read_bytes() for note in vault.glob("*.md")} == notes, number
        assert "dataview" in json.loads(enabled.read_text())
        uninstall(folder)  # as a person does when it was broken off
        assert json.loads(enabled.read_text()) == ["dataview"], number
        assert not plugin.exists()
        assert not (folder / "home").exists()
        assert json.loads(keyring_file.read_text()) == {}, number


RUNS: dict[str, Callable[[Path, int, Path], None]] = {
    "import": lambda folder, times, _: kill_imports(folder, times),
    "restore": lambda folder, times, _: kill_restores(folder, times, "none"),
    "restore, encrypted": lambda folder, times, _: kill_restores(folder, times, "keyring"),
    "copy": lambda folder, times, _: kill_copies(folder, times),
    "uninstall": kill_uninstallations,
}


@pytest.mark.parametrize("run", ["restore, encrypted"])
def test_a_profile_command_that_is_killed_loses_nothing(tmp_path: Path, keyring_file: Path, run: str) -> None:
    RUNS[run](tmp_path, 2, keyring_file)


@pytest.mark.slow
@pytest.mark.parametrize("run", RUNS)
def test_profile_commands_that_are_killed_often_lose_nothing(tmp_path: Path, keyring_file: Path, run: str) -> None:
    RUNS[run](tmp_path, OFTEN, keyring_file)
