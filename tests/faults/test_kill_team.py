"""Machines of a team, and its server, that are killed at any moment leave one sound index of what is on the disks."""

import random
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from scrubjay.profiles.store import reads
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.integrity_check import check
from scrubjay.profiles.store.store import Store
from tests.faults.team_worker import CONTEXT, VAULT, MachineSettings, bring_in, digest, work
from tests.helpers.forked import forked
from tests.helpers.team_server import fresh_database, prepare_template, running_server

_NAMES = ("anna", "ben")
_SERVER_EVERY = 10  # kills, one is of the server


def kill_at_random_moments(folder: Path, times: int) -> None:
    rng = random.Random(times)
    with running_server() as server:
        prepare_template(server)
        with fresh_database(server) as database:
            roots = {name: folder / name for name in _NAMES}
            for root in roots.values():
                root.mkdir()
            own = (database.owner, database.owner_password, database.profile)
            machines = [
                MachineSettings(name, str(root), tuple(str(other) for other in roots.values() if other != root), *own)
                for name, root in roots.items()
            ]
            running = {each.name: forked(work, each, 0, daemon=True) for each in machines}
            for number in range(1, times + 1):
                time.sleep(rng.uniform(0.0, 0.6))
                if number % _SERVER_EVERY == 0:
                    server.stop("immediate")
                    server.start()
                    continue
                machine = rng.choice(machines)
                running[machine.name].kill()
                running[machine.name].join()
                running[machine.name] = forked(work, machine, number, daemon=True)
            time.sleep(2)
            assert all(process.is_alive() for process in running.values())
            for process in running.values():
                process.kill()
                process.join()
            stores = [machine.open() for machine in machines]
            for store, machine in zip(stores, machines, strict=True):  # as it is: sound, whatever was cut short
                assert check(store, digest=digest, fingerprint=CONTEXT.fingerprint) == ()
                bring_in(store, machine.root)
            _agree_once_folders_do(database_stores=stores, roots=list(roots.values()), fresh=folder / "fresh.sqlite3")
            for store in stores:
                store.close()


def _agree_once_folders_do(database_stores: Sequence[Store], roots: Sequence[Path], fresh: Path) -> None:
    """One folder's notes are copied over the other's, as by a program that keeps them in step."""
    source, target = roots
    shutil.rmtree(target)
    shutil.copytree(source, target, copy_function=shutil.copy2)
    for _ in range(2):
        for store, root in zip(database_stores, roots, strict=True):
            bring_in(store, root, forget_missing=True)
    alone = FileStore.open(fresh)
    bring_in(alone, source)
    for store in database_stores:
        assert check(store, digest=digest, fingerprint=CONTEXT.fingerprint) == ()
        assert _contents(store) == _contents(alone)
    alone.close()


def _contents(store: Store) -> dict[str, list[tuple[bytes, tuple[str, ...], str]]]:
    known = store.read(reads.known_notes, VAULT)
    return {
        path: [(view.digest, view.headings, view.text) for view in store.read(reads.note_chunks, note.id)]
        for path, note in known.items()
    }


@pytest.mark.slow
def test_machines_and_servers_killed_many_times_leave_one_sound_index(tmp_path: Path) -> None:
    kill_at_random_moments(tmp_path, 60)
