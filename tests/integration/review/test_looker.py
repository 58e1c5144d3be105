"""A large store is looked at in a process of its own: what it finds is the same, and it ends with the look."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from scrubjay.daemon.links.link_graph import GraphCache
from scrubjay.daemon.processes.worker_process import worker_command
from scrubjay.daemon.review import looker as looker_
from scrubjay.daemon.review.looker import Looker
from scrubjay.daemon.review.proposal import Proposal
from scrubjay.daemon.review.proposals_found import ComparedNotes, Reviews
from scrubjay.daemon.review.queue import ProposalFilter, Queue
from scrubjay.daemon.review.steps import Vaults
from scrubjay.profiles.errors import StoreClosed, StoreError
from scrubjay.profiles.store import near_copies
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.store import Store, StoreFile
from tests.helpers.indexed_vault import VAULT_ID, index_vault
from tests.helpers.waiting import until
from tests.integration.server.house import open_house

NAMES = {VAULT_ID: "Notes"}
VAULTS = Vaults(NAMES, {})
KEY = bytes(range(32))
TEXT = "The heron stands at the weir below the old mill where eels come up at dusk and the water runs shallow in winter"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    for number in range(8):
        text = f"{TEXT} {number}" if number < 2 else ""
        body = f"By [[old/Heron {number + 1}]] and Heron {number // 2} it rained.\n\n{text}"
        (folder / f"Heron {number}.md").write_text(body, encoding="utf-8")
    return folder


@pytest.fixture
def looker() -> Iterator[Looker]:
    with closing(Looker(GraphCache())) as made:
        yield made


@pytest.fixture
def store(vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FileStore]:
    """Of the vault's notes; it is looked at in a process, as if it were large."""
    monkeypatch.setattr(looker_, "SMALL", 0)
    with closing(FileStore.open(tmp_path / "index.sqlite3")) as opened:
        index_vault(opened, vault)
        yield opened


def listed(store: Store, looker: Looker) -> list[Proposal]:
    with closing(Reviews(looker)) as reviews:
        assert reviews.look(store, VAULTS, seconds=None) == 0
    found = Queue(store, "work", NAMES)
    shown = found.shown([each.key for each in found.listing(ProposalFilter(), 1_000).first])
    return sorted(shown.values(), key=lambda each: each.key)


def processes() -> list[psutil.Process]:
    """Those that look at a store now."""
    children = psutil.Process(os.getpid()).children()
    return [each for each in children if each.cmdline()[-1:] == ["scrubjay.daemon.review.review_worker"]]


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
def test_a_process_finds_what_would_be_found_here(
    vault: Path, tmp_path: Path, key: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    lists: list[list[Proposal]] = []
    commands: list[list[str]] = []

    def command(module: str, argument: str) -> list[str]:
        commands.append(worker_command(module, argument))
        return commands[-1]

    monkeypatch.setattr(looker_, "worker_command", command)
    for most in (1_000, 0):
        monkeypatch.setattr(looker_, "SMALL", most)
        with closing(FileStore.open(tmp_path / f"{most}.sqlite3", key=key)) as store:
            index_vault(store, vault)
            lists.append(listed(store, Looker(GraphCache())))
    assert len(commands) == 1
    assert processes() == []
    here, there = lists
    assert {each.kind for each in here} >= {"broken-link", "missing-link", "near-copy"}
    assert here == there


def test_notes_are_compared_there_too(store: FileStore, looker: Looker) -> None:
    ComparedNotes(lambda: (store,), lambda: True, looker).look()
    assert len(near_copies.near_copies(store)) == 1
    assert processes() == []


def close(looker: Looker, _store: Store) -> None:
    looker.close()


@pytest.mark.parametrize("end", [Looker.leave, close])
def test_a_process_is_ended_whatever_it_does(
    store: FileStore, looker: Looker, end: Callable[[Looker, Store], None]
) -> None:
    with looker.look(store, VAULTS, 0) as steps:
        next(steps)
        [process] = processes()
        end(looker, store)
        assert not process.is_running()
        with pytest.raises(StoreClosed):
            steps.send(True)
    assert looker.scheduler.conditions.sentences() == ()


def test_no_process_is_started_for_a_store_that_was_closed(store: FileStore, looker: Looker) -> None:
    store.close()
    with pytest.raises(StoreClosed), looker.look(store, VAULTS, 0):
        pass
    assert processes() == []


def test_a_process_that_is_killed_is_told_of_and_the_next_look_finds_all(store: FileStore, looker: Looker) -> None:
    def kill() -> None:
        until(lambda: processes() != [])
        for each in processes():
            each.kill()

    with closing(Reviews(looker)) as reviews:
        thread = threading.Thread(target=kill)
        thread.start()
        assert reviews.look(store, VAULTS, seconds=None) > 0
        thread.join()
        until(lambda: any("WorkerDied" in each for each in looker.scheduler.conditions.sentences()))
        assert reviews.look(store, VAULTS, seconds=None) == 0
        until(lambda: looker.scheduler.conditions.sentences() == ())


def test_who_reads_beside_another_process_writes_nothing(store: FileStore) -> None:
    with closing(FileStore.beside(StoreFile(store.path, None))) as beside:
        assert beside.counts().notes == 8
        with pytest.raises(StoreError):
            beside.set_meta("anything", "written")


def test_damage_that_the_process_comes_upon_is_known_here(store: FileStore, looker: Looker) -> None:
    with store.writing() as writer:
        writer.connection.execute("UPDATE chunk SET packed = x'00'")
    with looker.look(store, VAULTS, 0) as steps, pytest.raises(StoreError, match="can't be read any more"):
        next(steps)
        while True:
            steps.send(True)
    assert store.suspect


def test_a_profile_that_is_closed_ends_the_process_that_looks_at_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looker_, "SMALL", 0)
    with open_house(tmp_path) as house:
        house.add_profile("work", {"A.md": "The heron stands at the weir."})
        [opened] = house.engine.open_profiles.open()
        with house.engine.looker.look(opened.store, VAULTS, 0) as steps:
            next(steps)
            [process] = processes()
            house.engine.profile_sync.close()
            assert not process.is_running()
