"""One simulation from its seed: a script of trouble, then rest, then judgement."""

import random
import shutil
import threading
import unicodedata
from collections.abc import Generator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest
from watchfiles import Change

from scrubjay.daemon.vault import watcher as watch_module
from scrubjay.daemon.vault.warning_codes import NOTES_MISSING
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.statements import generation_of
from tests.simulator import judging
from tests.simulator.machine import (
    Killed,
    Machine,
    allows,
    empty_database,
    inode_of,
    install,
    known_by_path,
    watcher_of,
)
from tests.simulator.memory_disk import ROOT, MemoryDisk, Node
from tests.simulator.person import DRIVE, Person
from tests.simulator.stream import EventStream

_ALLOWLISTS = ((".",), ("Work", "Drive", "Café", "archive"), ("Work/Deep", "Drive/Inner", "a.md"))
_REST_TICKS = 12
_PATIENCE = 400  # ticks until the machine must be idle
_TICKS_TO_SAY = 4  # for the watcher to see that the vault's drive is away, and for the indexer to say so
_DRIVE_DEVICE = 7


class _Renewed(BaseException):
    """The allowlist changed: another watcher takes over."""


class Violation(AssertionError):
    """Something that must never be was so."""


@dataclass(slots=True)
class Simulation:
    """Runs one seed in a folder of its own. `run` raises Violation, with the seed and what happened before."""

    seed: int
    folder: Path
    _calm: bool = False
    _stop: threading.Event = field(default_factory=threading.Event)
    _full: bool = False
    _kept: frozenset[tuple[str, bytes]] = frozenset()  # (name, digest) of what was indexed of a drive that went away
    _ticks_away: int = 0  # since then
    _is_to_be_told: bool = False  # whether somebody must say so

    def __post_init__(self) -> None:
        self._rng = random.Random(self.seed)
        self.disk = MemoryDisk(ignores_case=self._rng.random() < 0.3)
        self.stream = EventStream(self.disk, self._rng, faithful=self._rng.random() < 0.6)
        self.person = Person(self.disk, self.stream, self._rng)
        exclude = ("Private",) if self._rng.random() < 0.8 else ("Private", "archive")
        vault = VaultFolder(id="0a1b2c3d", root=ROOT, name="v", allow=self._rng.choice(_ALLOWLISTS), exclude=exclude)
        self.machine = Machine(self.folder, self.disk, self._rng, vault, self._mishap, self._judge_job)
        self._ticks_left = self._rng.randint(8, 30)
        self._mishaps = self._rng.choice((0.0, 0.0, 0.01, 0.05))
        self._kills = self._rng.choice((0.0, 0.02, 0.2))

    _rng: random.Random = field(init=False)
    disk: MemoryDisk = field(init=False)
    stream: EventStream = field(init=False)
    person: Person = field(init=False)
    machine: Machine = field(init=False)
    _ticks_left: int = field(init=False)
    _mishaps: float = field(init=False)
    _kills: float = field(init=False)

    def run(self) -> None:
        """From an empty vault to judgement."""
        with pytest.MonkeyPatch.context() as monkeypatch:
            install(monkeypatch, self.machine)
            monkeypatch.setattr(watch_module, "watch", self._watch)
            self._furnish()
            self.machine.open()
            try:
                while not self._stop.is_set():
                    self._live()
            finally:
                self.machine.store.close()

    def is_over(self) -> bool:
        """Whether it has been judged."""
        return self._stop.is_set()

    def _live(self) -> None:
        """One life of the process, or of a watcher."""
        watcher = watcher_of(self.machine)
        patched = cast("Any", watcher)
        patched._stop = _VirtualStop(self)
        try:
            while not self._stop.is_set():
                patched._look()
        except _Renewed:
            pass
        except Killed as killed:
            self.person.log.append("killed")
            self.machine.die(killed)
            self._require(judging.leaks(self.machine.written(), self.person.secrets))
            self.stream.forget()
            self._full = False
            self.machine.open()

    def _watch(self, *folders: Path, **_: object) -> Generator[set[tuple[Change, str]]]:
        """In place of `watchfiles.watch`."""
        began = {str(folder): inode for folder in folders if (inode := self._inode(folder)) is not None}
        while not self._stop.is_set():
            self.tick()
            yield self.stream.batch(began, calm=self._calm)

    def _inode(self, folder: Path) -> int | None:
        return inode_of(self.disk.find(str(folder).removeprefix(ROOT).strip("/")))

    def tick(self, seconds: float = 1.0) -> None:
        """Time passes."""
        self.person.log.append(f"{self.machine.now:.0f} s")
        self.machine.now += seconds
        if self._calm:
            self.machine.work()
            self._rest()
            return
        self._act()
        self._ticks_away += 1
        self._ticks_left -= 1
        if self._rng.random() < 0.8:
            self._plan_kill()
            self.machine.work()
            self.machine.kill_at = None
        if self._ticks_left <= 0:
            self._begin_rest()

    def _furnish(self) -> None:
        self.disk.put(DRIVE, self.disk.folder(device=_DRIVE_DEVICE))
        for _ in range(self._rng.randint(0, 12)):
            self.person.act()

    def _act(self) -> None:
        before = dict(self.person.away)
        for _ in range(self._rng.choice((0, 1, 1, 2, 4, 15))):
            self.person.act()
        if self.person.away != before:
            self._watch_drives(before)
        fate = self._rng.random()
        if fate < 0.04:
            self._full = not self._full
            self.machine.set_disk_full(self._full)
            self.person.log.append(f"disk {'full' if self._full else 'has room'}")
        elif fate < 0.06:
            self.machine.now += 40_000.0  # the machine slept
        elif fate < 0.10 and not self.person.away:
            self._change_allowlist()
        elif fate < 0.12:
            self.machine.revision += 1
            self.machine.request()
        elif fate < 0.2 and not self._full:
            self.machine.embed()

    def _watch_drives(self, before: Mapping[str, Node]) -> None:
        """Remember what is indexed when the vault's drive goes, and require it to be so when it returns.

        before: the drives that were away until now. One that came back just as the vault went was never seen.
        """
        if "" in self.person.away:
            drive = MemoryDisk()
            drive.vault = self.person.away[""]
            there = {unicodedata.normalize("NFC", path) for path, _ in drive.walk()}
            notes = known_by_path(self.machine.store, self.machine.vault).values()
            allowed = [
                note
                for note in notes
                if judging.is_allowed(self.machine.vault, note.path, ignores_case=self.disk.ignores_case)
            ]
            self._kept = frozenset((note.path, note.digest) for note in allowed if note.path in there)
            self._ticks_away = 0
            self._is_to_be_told = not before
            return
        if self._kept:
            self._require_kept()
            self._kept = frozenset()

    def _require_kept(self) -> None:
        if (
            self._is_to_be_told
            and self._ticks_away >= _TICKS_TO_SAY
            and self.machine.is_idle()
            and not self._keeps_missing()
        ):
            self._require(["nobody was told that the vault's drive is away"])
        notes = known_by_path(self.machine.store, self.machine.vault).values()
        gone = self._kept - {(note.path, note.digest) for note in notes}
        self._require([f"{path} was forgotten while its drive was away" for path, _ in gone])

    def _change_allowlist(self) -> None:
        self._judge_job(self.machine)  # one that failed has opened what was allowed until now
        self.machine.vault = allows(self.machine.vault, self._rng.choice(_ALLOWLISTS))
        self.person.log.append(f"allow {self.machine.vault.allow}")
        self.machine.request()
        self._kept = frozenset()
        raise _Renewed

    def _plan_kill(self) -> None:
        if self._rng.random() < self._kills:
            self.machine.kill_at = self.machine.steps + self._rng.randint(1, 60)

    def _mishap(self, _machine: Machine, _what: str) -> None:
        """Somebody changes the vault while it is being read."""
        if self._rng.random() < self._mishaps and not self._calm:
            before = dict(self.person.away)
            self.person.act()
            if self.person.away != before:
                self._kept = frozenset()

    # Rest and judgement

    def _begin_rest(self) -> None:
        self._calm = True
        self.person.calm_down(self.machine.vault.allow)
        if self._kept:
            self._require_kept()
        self.machine.set_disk_full(False)
        self.person.log.append("calm")
        self._rested = 0
        self._stage = 0

    _rested: int = 0
    _stage: int = 0

    def _rest(self) -> None:
        self._rested += 1
        self._require([] if self._rested < _PATIENCE else ["it never comes to rest"])
        if not self.machine.is_idle() or self._rested < _REST_TICKS:
            return
        self._rested = 0
        self._stage += 1
        if self._stage == 1:
            if not self.stream.lost and not self._keeps_missing():
                self._judge_index("after the events alone")
            self.machine.request()
        elif self._stage == 2:
            if self._keeps_missing():
                self.machine.indexer().reconcile(threading.Event(), forget_missing=True)
            self.machine.embed()
            self._judge_index("after a look at the whole vault")
            self._judge_second_pass()
            self._stop.set()

    def _keeps_missing(self) -> bool:
        """Whether the person must say that notes which are gone are to be forgotten."""
        return any(row.code in (NOTES_MISSING, "vault-empty") for row in self.machine.store.read(reads.failures))

    def _judge_index(self, when: str) -> None:
        self._require(judging.damage(self.machine.store))
        if self._stage == 2:
            files = [path for path, node in self.disk.walk() if not node.is_folder and node.target is None]
            machine, case = self.machine, self.disk.ignores_case
            there = [path for path, _ in self.disk.walk()]
            self._require(judging.silence(machine.store, machine.vault, files, there, ignores_case=case))
        path = self.folder / f"fresh-{self._stage}.sqlite3"
        shutil.copyfile(empty_database(), path)
        with closing(FileStore.open(path)) as fresh:
            self.machine.indexer(fresh).reconcile(threading.Event())
            if self._stage == 1:
                self.machine.embed()
            self.machine.embed_into(fresh)
            # That a note which is allowed is not there is found out by a look at the whole vault alone.
            over = ("allowed-missing",) if self._stage == 1 else ()
            found = judging.differences(self.machine.store, fresh, passed_over=over)
            self._require([f"{when}: {each}" for each in found])
        self._judge_job(self.machine)

    def _judge_second_pass(self) -> None:
        before = self.machine.store.read(generation_of)
        self.disk.opened.clear()
        self.machine.indexer().reconcile(threading.Event())
        self._require([f"a second pass opened {path}" for path in self.disk.opened])
        self._require([] if self.machine.store.read(generation_of) == before else ["a second pass wrote"])

    def _judge_job(self, machine: Machine) -> None:
        self.person.log.append(f"indexed {len(self.disk.opened)} files")
        opened, listed = list(self.disk.opened), list(self.disk.listed)
        self.disk.opened.clear()
        self.disk.listed.clear()
        self._require(judging.trespasses(machine.vault, opened, listed, ignores_case=self.disk.ignores_case))
        self._require(judging.leaks(machine.written(), self.person.secrets))

    def _require(self, violations: list[str]) -> None:
        if violations:
            raise Violation("\n".join((f"seed {self.seed}:", *violations)))


class _VirtualStop:
    """In place of the event with which a watcher is stopped: waiting lets virtual time pass."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    def is_set(self) -> bool:
        return self._simulation.is_over()

    def wait(self, seconds: float) -> bool:
        self._simulation.tick(seconds)
        return self.is_set()
