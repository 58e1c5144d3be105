"""The background work on files beside notes: one thread that reads them, when no note waits to be read."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from scrubjay.daemon.documents.document_indexer import FileIndexer
from scrubjay.daemon.documents.recognition import Recognition
from scrubjay.daemon.documents.sandbox.door import BoxClosed
from scrubjay.daemon.indexing.watched_preparer import PreparingEnded
from scrubjay.daemon.indexing.work_queue import Work, WorkQueue
from scrubjay.daemon.processes.loops import Conditions, Loop
from scrubjay.daemon.processes.memory import give_back
from scrubjay.daemon.processes.priority import lower_disk_priority
from scrubjay.daemon.vault.file_kinds import file_kind
from scrubjay.daemon.vault.read import FileStamp, is_note

_BATCH_FILES = 64
_BATCH_BYTES = 8_000_000  # of files whose text is read: a kill loses a batch
_BATCH_SECONDS = 2.0  # after which what was read is stored, and found
_SMOOTHING = 0.2  # weight of the newest page in how long one takes
_NOTES_SECONDS = 1.0  # between looks at whether notes are still being read

_Waiting: TypeAlias = dict[tuple[str, str], FileStamp]  # by vault and path, in the order of reading


class NoteWork(Protocol):
    """What the background work on notes says of itself, and is told; see `Supervisor`."""

    def wait_for_notes(self, timeout: float) -> bool:
        """Whether no note waits to be read."""
        ...

    def wait_until_idle(self, timeout: float) -> bool:
        """Whether nothing is left to read or to embed either."""
        ...

    def is_paused(self, profile_id: str) -> bool:
        """Whether a profile's background work waits."""
        ...

    def embed(self, profile_id: str) -> None:
        """There is text without vectors."""
        ...


@dataclass(slots=True)
class _Profile:
    indexer: FileIndexer
    recognition: Recognition | None  # None: pictures are not read
    is_recognising: bool = False  # whether a picture may be left to read
    page_seconds: float | None = None  # that a page takes
    waiting: _Waiting = field(default_factory=dict[tuple[str, str], FileStamp])
    halt: threading.Event = field(default_factory=threading.Event)


class FileLoop:
    """Reads the files of the profiles that it is given. Thread-safe.

    Notes come first: before each batch of files it is waited until no note waits to be read. Files that change go
    before those that have waited longer. Pictures are read when nothing else is left to do, not even to embed.
    Work that fails is done again after a pause, as for notes.
    """

    def __init__(
        self,
        notes: NoteWork,
        look_seconds: float,
        clock: Callable[[], float] = time.monotonic,
        conditions: Conditions | None = None,
    ) -> None:
        self._notes = notes
        self._clock = clock
        self._changed = threading.Condition()  # guards all below
        self._profiles: dict[str, _Profile] = {}
        self._queue = WorkQueue(look_seconds, clock())
        self._current: str | None = None
        self._loop = Loop("files", "Reading files", self._step, conditions or Conditions(), prepare=lower_disk_priority)

    def start(self) -> None:
        """Start the thread."""
        self._loop.start()

    def stop(self, cut_short: Callable[[], None] = lambda: None) -> None:
        """Finish the current transaction and end. cut_short: ends what would be waited for in vain."""
        self._loop.stopping.set()
        with self._changed:
            for profile in self._profiles.values():
                profile.halt.set()
            self._changed.notify_all()
        cut_short()
        self._loop.stop()

    def add(self, profile_id: str, indexer: FileIndexer, recognition: Recognition | None = None) -> None:
        """Take a profile in, or take over how it is read now; its vaults are compared with the disk next.

        recognition: of its pictures; None: they are found by their names.
        """
        self.remove(profile_id)
        with self._changed:
            self._profiles[profile_id] = _Profile(indexer, recognition)
            self._queue.read(profile_id, Work(reconcile=True))
            self._changed.notify_all()

    def remove(self, profile_id: str) -> None:
        """Remove a profile; returns when nothing works on it any more: after the current batch."""
        with self._changed:
            profile = self._profiles.pop(profile_id, None)
            if profile is not None:
                profile.halt.set()
            self._queue.forget(profile_id)
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._current != profile_id)

    def request(self, profile_id: str, *, full: bool = False, retry: bool = False) -> None:
        """Compare a profile with the disk: see `FileIndexer.look`."""
        with self._changed:
            if profile_id in self._profiles:
                self._queue.read_what_failed(profile_id, self._clock())
                self._queue.read(profile_id, Work(reconcile=True, full=full, retry=retry))
                self._changed.notify_all()

    def paths_changed(self, profile_id: str, vault_id: str, paths: Iterable[str]) -> None:
        """Some vault-relative paths have changed on disk; those of notes are passed over."""
        concerned = {path for path in paths if not is_note(path)}
        with self._changed:
            if concerned and profile_id in self._profiles:
                self._queue.read(profile_id, Work(paths={vault_id: concerned}))
                self._changed.notify_all()

    def look_every(self, seconds: float) -> None:
        """Compare all profiles with the disk so often, from now on."""
        with self._changed:
            self._queue.look_every(seconds, self._clock())
            self._changed.notify_all()

    def waiting(self, profile_id: str) -> int | None:
        """How many files of a profile wait to be read; None while it is not yet known."""
        with self._changed:
            profile = self._profiles.get(profile_id)
            if profile is None:
                return 0
            is_looking = profile_id in self._queue.to_read() or profile_id == self._current
            return None if is_looking and not profile.waiting else len(profile.waiting)

    def pages_per_hour(self, profile_id: str) -> float | None:
        """How many scanned pages or pictures of a profile are recognised in an hour; None while that is not known."""
        with self._changed:
            profile = self._profiles.get(profile_id)
            return None if profile is None or not profile.page_seconds else 3_600 / profile.page_seconds

    def last_errors(self) -> dict[str, str]:
        """What went wrong and has not succeeded since, by profile id."""
        with self._changed:
            return self._queue.reasons()

    def wait_until_idle(self, timeout: float | None = None) -> bool:
        """Wait until no file is left to read, pictures included. False when time ran out."""
        with self._changed:
            return self._changed.wait_for(lambda: not (self._current or self._has_work()), timeout)

    def _step(self) -> None:
        with self._changed:
            if not self._has_work():
                self._changed.wait(self._queue.seconds_to_read(self._clock()))
        if self._loop.stopping.is_set() or not self._notes.wait_for_notes(_NOTES_SECONDS):
            return
        with self._changed:
            name, work = self._queue.next_to_read(self._profiles, self._clock(), self._waits) or ("", None)
            name = name or self._next(lambda profile: bool(profile.waiting))
            self._current = name or None
        if not name and self._notes.wait_until_idle(_NOTES_SECONDS):
            with self._changed:
                name = self._next(lambda profile: profile.is_recognising)
                self._current = name or None
        with self._changed:
            profile = self._profiles.get(name)
            if profile is None:
                self._current = None
                if self._has_work():
                    self._changed.wait(_NOTES_SECONDS)  # it is paused, or something is still embedded
                return
        self._work_on(name, profile, work)

    def _next(self, has_work: Callable[[_Profile], bool]) -> str:
        """The first profile with such work that is not paused; "" for none."""
        return next((name for name, each in self._profiles.items() if has_work(each) and not self._waits(name)), "")

    def _work_on(self, name: str, profile: _Profile, work: Work | None) -> None:
        error: Exception | None = None
        try:
            if work is not None:
                self._look(profile, work)
            if profile.waiting or work is not None:
                self._read_batch(name, profile)
            else:
                self._recognise(name, profile)
        except (BoxClosed, PreparingEnded):
            profile.halt.set()
        except Exception as found:  # noqa: BLE001  (one profile's failure must not end the work of the others)
            error, work = found, work or Work(reconcile=True)
        finally:
            with self._changed:
                self._current = None
                if name in self._profiles and work is not None:
                    if error is not None:
                        profile.waiting.clear()
                        profile.is_recognising = False
                    self._queue.done(name, "indexing", error, work, self._clock())
                self._changed.notify_all()

    def _look(self, profile: _Profile, work: Work) -> None:
        """Find out what is to be read, and put it before what waits already."""
        indexer = profile.indexer
        looks: list[tuple[str, set[str] | None]] = [(vault, paths) for vault, paths in work.paths.items()]
        if work.reconcile:
            looks = [(vault, None) for vault in indexer.vaults]
            profile.waiting.clear()
        for vault, paths in looks:
            if vault not in indexer.vaults:
                continue
            whole = paths is None or "" in paths
            found = indexer.look(vault, None if whole else paths, full=work.full, retry=work.retry)
            first = {(vault, stamp.path): stamp for stamp in found}
            with self._changed:
                profile.waiting = first | {key: stamp for key, stamp in profile.waiting.items() if key not in first}

    def _read_batch(self, name: str, profile: _Profile) -> None:
        """Read the files that come next, of one vault."""
        batch = list(_next_batch(profile.waiting))
        if profile.halt.is_set():
            return
        if not batch:
            profile.is_recognising = profile.recognition is not None
            return
        until = self._clock() + _BATCH_SECONDS
        stamps = [profile.waiting[key] for key in batch]
        done = profile.indexer.read(batch[0][0], stamps, lambda: self._clock() < until and not profile.halt.is_set())
        with self._changed:
            for key in batch[: done.files]:
                profile.waiting.pop(key, None)
            is_over = not profile.waiting
        if done.passages:
            self._notes.embed(name)
        if is_over:
            profile.indexer.finish()
            profile.is_recognising = profile.recognition is not None
            give_back()

    def _recognise(self, name: str, profile: _Profile) -> None:
        """Recognise one page; then whatever is more urgent has its turn."""
        if profile.recognition is None or profile.halt.is_set():
            return
        began = self._clock()
        step = profile.recognition.step()
        if step == "page":
            seconds = self._clock() - began
            before = profile.page_seconds
            profile.page_seconds = seconds if before is None else (1 - _SMOOTHING) * before + _SMOOTHING * seconds
        elif step == "file":
            self._notes.embed(name)
        profile.is_recognising = step != "nothing"

    def _has_work(self) -> bool:
        profiles = self._profiles.values()
        return bool(self._queue.to_read()) or any(each.waiting or each.is_recognising for each in profiles)

    def _waits(self, profile_id: str) -> bool:
        return self._notes.is_paused(profile_id)


def _next_batch(waiting: _Waiting) -> Iterator[tuple[str, str]]:
    size = 0
    first = next(iter(waiting), ("", ""))[0]
    for number, (key, stamp) in enumerate(waiting.items()):
        size += stamp.size if file_kind(stamp.path) not in ("image", "media") else 0
        if number and (number >= _BATCH_FILES or size > _BATCH_BYTES or key[0] != first):
            return
        yield key
