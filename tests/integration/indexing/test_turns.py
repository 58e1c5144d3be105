"""Profiles that are to be read at the same time have turns: none waits until a larger one is whole."""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pytest

from scrubjay.credential_filter import BUILT_IN
from scrubjay.daemon.indexing import pipeline
from scrubjay.daemon.indexing.indexer import Indexer
from scrubjay.daemon.indexing.prepare import PrepareContext, Skipped, prepare_many
from scrubjay.daemon.indexing.progress import Progress
from scrubjay.daemon.indexing.supervisor import SupervisedProfile, Supervisor
from scrubjay.daemon.vault.read import RawNote, ReadLimits
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.rows import NoteBundle
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.stopped_clock import StoppedClock
from tests.helpers.waiting import PATIENCE_SECONDS, until

CONTEXT = PrepareContext(b"k" * 32, BUILT_IN, lambda texts: [len(text.split()) for text in texts], 100)
VAULT = "0a1b2c3d"
BATCH_SECONDS = 3.0
LARGE = 100


@dataclass(slots=True)
class Turns:
    """What is read of whom, batch after batch: each takes some seconds of a clock that stands still else."""

    clock: StoppedClock = field(default_factory=StoppedClock)
    begin: threading.Event = field(default_factory=threading.Event)  # nothing is prepared before it is set
    read: list[str] = field(default_factory=list[str])  # whose batch was prepared
    meanwhile: dict[int, Callable[[], None]] = field(default_factory=dict[int, Callable[[], None]])  # by batch

    def preparing(self, name: str) -> Callable[[Sequence[RawNote], PrepareContext], list[NoteBundle | Skipped]]:
        def prepare(notes: Sequence[RawNote], context: PrepareContext) -> list[NoteBundle | Skipped]:
            assert self.begin.wait(PATIENCE_SECONDS)
            self.clock.seconds += BATCH_SECONDS
            self.meanwhile.get(len(self.read), lambda: None)()
            self.read.append(name)
            return prepare_many(notes, context)

        return prepare


@dataclass(slots=True)
class House:
    """A supervisor that has begun to read a large profile, which can't go on before `turns.begin`."""

    folder: Path
    supervisor: Supervisor
    turns: Turns
    stores: dict[str, Store] = field(default_factory=dict[str, Store])

    def add(self, name: str, notes: int) -> None:
        """A profile with so many notes; it is read next."""
        root = self.folder / name
        root.mkdir()
        for number in range(notes):
            (root / f"{number}.md").write_text(f"A heron stood at weir {number}.", encoding="utf-8")
        store = self.stores[name] = FileStore.open(self.folder / f"{name}.db")
        vault = VaultFolder(id=VAULT, root=str(root), name="v", allow=(".",))
        progress = Progress()
        indexer = Indexer([vault], store, CONTEXT, progress, ReadLimits(), self.turns.preparing(name))
        self.supervisor.add(name, SupervisedProfile(store, indexer, HashEncoder(32), progress))

    def notes(self, name: str) -> int:
        return self.stores[name].read(reads.note_count)


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setattr(pipeline, "_FIRST_NOTES", 8)
    monkeypatch.setattr(pipeline, "_BATCH_NOTES", 32)
    turns = Turns()
    made = House(tmp_path, Supervisor(900, turns.clock), turns)
    made.supervisor.start()
    made.add("large", LARGE)  # batches of 8, 16, 32, 32 and 12
    until(lambda: made.supervisor.state("large") == "reading")
    yield made
    turns.begin.set()
    made.supervisor.stop()
    for store in made.stores.values():
        store.close()


def test_a_small_profile_is_whole_before_a_large_one_that_came_first(house: House) -> None:
    house.add("small", 12)  # 8 and 4
    house.turns.begin.set()
    assert house.supervisor.wait_until_idle(PATIENCE_SECONDS, embedded=False)
    assert house.turns.read[:4] == ["large", "small", "small", "large"]
    assert (house.notes("large"), house.notes("small")) == (LARGE, 12)


def test_a_large_profile_has_a_turn_now_and_then_while_smaller_ones_are_read(house: House) -> None:
    for name in ("one", "two", "three"):
        house.add(name, 38)  # 8, 16 and 14
    house.turns.begin.set()
    assert house.supervisor.wait_until_idle(PATIENCE_SECONDS, embedded=False)
    read = house.turns.read
    others = [sum(each != "large" for each in read[: at + 1]) for at, name in enumerate(read) if name == "large"]
    assert max(after - before for before, after in pairwise(others)) <= 6
    assert others[1] < 9, "the large one stood still until all others were whole"


def test_an_edit_in_another_profile_does_not_wait_for_a_first_reading(house: House) -> None:
    def edit() -> None:
        (house.folder / "small" / "0.md").write_text("A kingfisher.", encoding="utf-8")
        house.supervisor.paths_changed("small", VAULT, ["0.md"])

    house.add("small", 2)
    house.turns.meanwhile[2] = edit  # while the large one's second batch is prepared
    house.turns.begin.set()
    assert house.supervisor.wait_until_idle(PATIENCE_SECONDS, embedded=False)
    assert house.turns.read[:5] == ["large", "small", "large", "small", "large"]


def test_a_profile_in_the_middle_of_its_reading_can_be_halted_and_goes_on_later(house: House) -> None:
    house.add("small", 38)
    house.turns.begin.set()
    until(lambda: "small" in house.turns.read)
    house.supervisor.halt("large")
    before = house.notes("large")
    assert house.supervisor.wait_until_idle(PATIENCE_SECONDS, embedded=False)
    assert (house.notes("small"), house.notes("large")) == (38, before)


def test_stopping_ends_all_that_has_begun(house: House) -> None:
    house.add("small", 38)
    house.turns.begin.set()
    until(lambda: "small" in house.turns.read)
    house.supervisor.stop()
    read = len(house.turns.read)
    assert [thread.name for thread in threading.enumerate() if thread.name.startswith("note-")] == []
    assert len(house.turns.read) == read
