"""Scrubjay's side of the simulation: the real watcher, indexer and store, in one thread and in virtual time."""

import atexit
import os
import random
import re
import shutil
import threading
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path, PosixPath
from tempfile import TemporaryDirectory, mkdtemp
from types import SimpleNamespace, TracebackType
from typing import Any, cast

import pytest
from msgspec import structs

import scrubjay.profiles.store.file_store
from scrubjay.credential_filter import BUILT_IN
from scrubjay.daemon.engine.profile_watch import changed_in
from scrubjay.daemon.indexing import embedding_pass, indexer, pipeline
from scrubjay.daemon.indexing.embedding_pass import embed_pending
from scrubjay.daemon.indexing.indexer import Indexer
from scrubjay.daemon.indexing.prepare import PrepareContext
from scrubjay.daemon.indexing.progress import Progress
from scrubjay.daemon.vault import allowlist, read, scan, watch_method, watcher
from scrubjay.daemon.vault import paths as disk_spelling
from scrubjay.daemon.vault.allowlist import SETTINGS, IgnoreFilters
from scrubjay.daemon.vault.read import ReadLimits
from scrubjay.daemon.vault.watcher import Watcher
from scrubjay.profiles.errors import StoreError
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.annotations import Why
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.rows import FailureRow, KnownNote, NoteBundle, NoteMove
from scrubjay.profiles.store.statements import Connection, FileConnection
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.store.writer import Writer
from tests.helpers.hash_encoder import HashEncoder
from tests.simulator.memory_disk import ROOT, MemoryDisk, Node
from tests.simulator.stream import BURST

KEY = b"k" * 32
LIMITS = ReadLimits(max_bytes=2_000)
_RECONCILE_SECONDS = 900.0
_PAUSE_SECONDS = 5.0  # before work that failed is done again
_BATCH_NOTES = 4  # so that a small vault has several batches
_ENCODER = HashEncoder(dim=16)
_MEMORY = Path("/dev/shm")  # a file system in memory, where Linux has one


class Killed(BaseException):
    """The process is gone in this moment; `database` is what it leaves behind."""

    def __init__(self, database: Path) -> None:
        super().__init__()
        self.database = database


def count_tokens(texts: list[str]) -> list[int]:
    """A made tokenizer: a token is a word or a mark."""
    return [len(re.findall(r"\w+|[^\w\s]", text)) for text in texts]


def context_of(revision: int) -> PrepareContext:
    """What notes are prepared with; every revision has a fingerprint of its own."""
    return PrepareContext(KEY, BUILT_IN, count_tokens, 40, max_chunks=50, tokenizer=f"made {revision}")


@dataclass(slots=True)
class Machine:
    """One installation. `run` lives until the script is over; whoever calls it begins it again after a kill."""

    folder: Path  # for databases
    disk: MemoryDisk
    rng: random.Random
    vault: VaultFolder
    after_step: Callable[["Machine", str], None] = lambda _machine, _what: None
    after_job: Callable[["Machine"], None] = lambda _machine: None
    revision: int = 0  # of the rules
    kill_at: int | None = None  # the step
    steps: int = 0
    now: float = 0.0  # monotonic seconds
    failed_jobs: int = 0
    needs_reconcile: bool = True
    _paths: set[str] = field(default_factory=set[str])
    _next_reconcile: float = 0.0
    _next_try: float = 0.0
    _generation: int = 0

    database: Path = field(init=False)
    store: Store = field(init=False)
    is_working: bool = False

    def __post_init__(self) -> None:
        self.database = self.folder / "index.sqlite3"

    def open(self) -> None:
        """Start the process."""
        if not self.database.exists():
            shutil.copyfile(empty_database(), self.database)
        self.store = FileStore.open(self.database)
        self._paths.clear()
        self.request()

    def request(self) -> None:
        """Have the vault compared with the store next, as at a start and after settings changed."""
        self.needs_reconcile = True
        self._next_reconcile = self.now + _RECONCILE_SECONDS

    def die(self, killed: Killed) -> None:
        """After a kill: go on with what the process has left behind."""
        self.is_working = False
        self.store.close()
        self.database = killed.database

    def set_disk_full(self, full: bool) -> None:
        """Whether the disk under the database has room for a single page more."""
        with self.store.writing() as writer:
            connection = cast("FileConnection", writer.connection)
            pages = int(connection.pragma("page_count"))
            connection.pragma("max_page_count", pages if full else 2**30)

    def changed(self, paths: Iterable[Path]) -> None:
        """What the watcher calls."""
        self._paths |= changed_in(Path(ROOT), paths)

    def is_idle(self) -> bool:
        """Whether nothing waits to be read."""
        return not (self._paths or self.needs_reconcile)

    def work(self) -> None:
        """Do what waits, as the daemon's thread for indexing does; what fails waits for another try."""
        if self.now >= self._next_reconcile:
            self.request()
        if self.is_idle() or self.now < self._next_try:
            return
        paths, reconciles = frozenset(self._paths), self.needs_reconcile
        self._paths.clear()
        self.needs_reconcile = False
        self.is_working = True
        try:
            if paths:
                self.indexer().refresh(self.vault.id, paths, threading.Event())
            if reconciles:
                self.indexer().reconcile(threading.Event())
        except StoreError:
            self._paths |= paths
            self.needs_reconcile = self.needs_reconcile or reconciles
            self._next_try = self.now + _PAUSE_SECONDS
            self.failed_jobs += 1
        self.is_working = False
        self.after_job(self)

    def embed(self) -> None:
        """Embed all that waits."""
        self.embed_into(self.store)

    def embed_into(self, store: Store) -> None:
        """Embed all that waits in a store."""
        embed_pending(store, _ENCODER, Progress(), threading.Event(), lambda: None)

    def indexer(self, store: Store | None = None) -> Indexer:
        """What brings this machine's store (or another one) in step."""
        return Indexer([self.vault], store or self.store, context_of(self.revision), Progress(), LIMITS)

    def step(self, what: str) -> None:
        """Something is about to happen that a kill could prevent."""
        self.steps += 1
        if not self.is_working:
            return
        self.after_step(self, what)
        if self.steps == self.kill_at:
            self._generation += 1
            left = self.folder / f"after-kill-{self._generation}.sqlite3"
            for suffix in ("", "-wal"):
                source = self.database.with_name(self.database.name + suffix)
                if source.exists():
                    shutil.copyfile(source, left.with_name(left.name + suffix))
            raise Killed(left)

    def written(self) -> bytes:
        """Every byte of the database and its log as they are on disk now."""
        files = (self.database, self.database.with_name(f"{self.database.name}-wal"))
        return b"".join(file.read_bytes() for file in files if file.exists())


class _AtOnce:
    """In place of the indexer's pool of one thread: does what is submitted before it returns."""

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def __enter__(self) -> "_AtOnce":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def submit(self, call: Callable[..., Any], *values: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        try:
            future.set_result(call(*values))
        except Exception as error:  # noqa: BLE001  (as a pool does)
            future.set_exception(error)
        return future


@contextmanager
def database_folder() -> Generator[Path]:
    """An empty folder for databases until the block ends, in memory where possible.

    A kill leaves behind what a process has written, synced or not, so to wait for a real disk would prove nothing.
    """
    place = _MEMORY if os.access(_MEMORY, os.W_OK) else None
    with TemporaryDirectory(prefix="scrubjay-simulator-", dir=place) as folder:
        yield Path(folder)


@cache
def empty_database() -> Path:
    """A database without a note, made once: to run every migration for each of hundreds of seeds takes long."""
    path = Path(mkdtemp(prefix="scrubjay-simulator-")) / "index.sqlite3"
    atexit.register(shutil.rmtree, path.parent)
    FileStore.open(path).close()
    return path


def _no_exclusion_warnings(_vault: VaultFolder) -> tuple[()]:
    return ()


def install(monkeypatch: pytest.MonkeyPatch, machine: Machine) -> None:
    """Let the program see the disk in memory and the virtual clock, and tell the machine of every step."""
    disk = machine.disk
    disk.step = machine.step
    for module in (scan, read, disk_spelling):
        monkeypatch.setattr(module, "os", disk)
    monkeypatch.setattr(scan, "exclusion_warnings", _no_exclusion_warnings)  # warnings, which leave nothing out
    monkeypatch.setattr(indexer, "ThreadPoolExecutor", _AtOnce)
    monkeypatch.setattr(pipeline, "_BATCH_NOTES", _BATCH_NOTES)
    monkeypatch.setattr(embedding_pass, "ThreadPoolExecutor", _AtOnce)
    monkeypatch.setattr(watcher, "_BURST", BURST)
    monkeypatch.setattr(watcher, "time", SimpleNamespace(monotonic=lambda: machine.now))
    monkeypatch.setattr(watch_method, "mounts", tuple)

    def folds_case(_root: Path) -> bool:
        return disk.ignores_case

    for module in (scan, allowlist):
        monkeypatch.setattr(module, "folds_case", folds_case)

    def of_vault(vault_id: str, _root: Path) -> IgnoreFilters:
        node = disk.find(SETTINGS)
        if node is None or node.is_folder:
            return IgnoreFilters(vault_id, ())
        settings = allowlist._DECODER.decode(node.data)  # pyright: ignore[reportPrivateUsage]
        return IgnoreFilters(vault_id, settings.user_ignore_filters or ())

    monkeypatch.setattr(IgnoreFilters, "of_vault", of_vault)

    class SteppingWriter(Writer):
        """A writer that a kill can interrupt between any two of its calls."""

        def __init__(self, connection: Connection) -> None:
            super().__init__(connection)
            machine.step("begin")

        def put_note(self, bundle: NoteBundle) -> int:
            machine.step("put_note")
            return super().put_note(bundle)

        def put_failure(self, row: FailureRow) -> None:
            machine.step("put_failure")
            super().put_failure(row)

        def move_notes(self, moves: Iterable[NoteMove]) -> None:
            machine.step("move_notes")
            super().move_notes(moves)

        def forget_notes(self, ids: Iterable[int], why: Why = "gone") -> None:
            machine.step("forget_notes")
            super().forget_notes(ids, why)

        def finish(self) -> None:
            machine.step("finish")
            super().finish()
            machine.step("commit")

    monkeypatch.setattr(scrubjay.profiles.store.file_store, "Writer", SteppingWriter)


def vault_path(disk: MemoryDisk, path: str) -> Path:
    """A path whose `stat` looks at the disk in memory."""

    class _VaultPath(PosixPath):
        def stat(self, *, follow_symlinks: bool = True) -> Any:
            return disk.stat(str(self))

    return _VaultPath(path)


def watcher_of(machine: Machine) -> Watcher:
    """The real watcher, not started: `Watcher._look` is called by whoever simulates."""
    root = vault_path(machine.disk, ROOT)
    folders = [root / allowed for allowed in machine.vault.allow]
    return Watcher(folders, machine.changed, spellings=partial(disk_spelling.spellings, root))


def allows(vault: VaultFolder, allow: tuple[str, ...]) -> VaultFolder:
    """The vault with another allowlist."""
    return structs.replace(vault, allow=allow)


def known_by_path(store: Store, vault: VaultFolder) -> dict[str, KnownNote]:
    """What the store knows."""
    return dict(store.read(reads.known_notes, vault.id))


def inode_of(node: Node | None) -> int | None:
    """Its inode, if there is one."""
    return None if node is None else node.inode
