"""The background work of all profiles: one thread that reads, one that embeds, and what they must do next."""

import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from scrubjay.daemon.indexing.embedding_pass import BATCH, embed_pending
from scrubjay.daemon.indexing.indexer import Indexer
from scrubjay.daemon.indexing.notes_found import NotesFound
from scrubjay.daemon.indexing.progress import Phase, Progress, ProgressReport
from scrubjay.daemon.indexing.work_queue import Work, WorkQueue
from scrubjay.daemon.processes.free_memory import use_free_memory_again
from scrubjay.daemon.processes.loops import Conditions, Loop
from scrubjay.daemon.processes.memory import give_back
from scrubjay.daemon.processes.priority import lower_disk_priority
from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.store.store import Store

_YIELD_SECONDS = 0.25  # after a search, embedding waits this long for the next keystroke
_TURN_SECONDS = 3.0  # that a profile is embedded for while others wait: some hundred passages
_READING_TURN_SECONDS, _LONGEST_REST_SECONDS = 2.0, 10.0
"""While several profiles are read: how long one is at least, and after how long without a turn the next is its own."""
_READ_AT_ONCE = 8  # profiles in the middle of their reading: each has a batch or two in memory
_FIRST_SEARCH_SECONDS, _LONGEST_WAIT_SECONDS = 1.0, 5.0
"""Of 700,000 passages the first search, which reads from the disk, takes as long; somebody may search on and on."""


class _WorkPaused(Exception):
    """Background work was paused while it ran."""


@dataclass(frozen=True, slots=True)
class SupervisedProfile:
    """One profile under supervision."""

    store: Store
    indexer: Indexer
    embedder: Embedder
    progress: Progress
    found: NotesFound = field(default_factory=NotesFound)


@dataclass(slots=True)
class _Reading:
    """The reading of a profile that has begun."""

    profile: SupervisedProfile
    work: Work
    halt: threading.Event
    steps: Iterator[None]
    last_turn: float  # when it ended
    read: int  # notes, by the end of the last step

    @property
    def left(self) -> int:
        """How many notes are to be read still, as far as that is known."""
        report = self.profile.progress.report()
        return report.to_read - report.read


class Supervisor:
    """Runs indexing and embedding for the profiles it is given, in two threads of its own.

    Profiles that are to be read at the same time have turns of a few seconds: the one of which the least is left, and
    in between each that had none for ten seconds.

    Work that fails is done again after a pause of a few seconds, for as long as it fails; `last_errors` says why until
    that very work comes further. The other profiles go on.
    """

    def __init__(
        self,
        reconcile_seconds: float,
        clock: Callable[[], float] = time.monotonic,
        conditions: Conditions | None = None,
    ) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._profiles: dict[str, SupervisedProfile] = {}
        self._halts: dict[str, threading.Event] = {}  # set for those that are to stop, by profile id
        self._queue = WorkQueue(reconcile_seconds, clock())
        self._reading: str | None = None
        self._begun: dict[str, _Reading] = {}  # by profile, those whose turn is another's now
        self._embedding: str | None = None
        self._paused: set[str] = set()  # profiles that the user paused
        self._pause_reason = ""  # why all background work waits; empty while it need not
        self._last_search = float("-inf")
        conditions = conditions or Conditions()
        self._reading_loop = Loop("indexing", "Indexing", self._read_next, conditions, prepare=lower_disk_priority)
        self._embedding_loop = Loop("embedding", "Embedding", self._embed_next, conditions, prepare=lower_disk_priority)

    def start(self) -> None:
        """Start both threads."""
        self._reading_loop.start()
        self._embedding_loop.start()

    def stop(self, cut_short: Callable[[], None] = lambda: None) -> None:
        """Finish the current transaction, and wait until both threads have ended.

        cut_short: called when nothing new is begun any more; ends what would be waited for in vain.
        """
        self._reading_loop.stopping.set()
        self._embedding_loop.stopping.set()
        with self._changed:
            for halt in self._halts.values():
                halt.set()
            self._changed.notify_all()
        cut_short()
        self._reading_loop.stop()
        self._embedding_loop.stop()

    def add(self, profile_id: str, indexed: SupervisedProfile) -> None:
        """Take a profile in; its vaults are compared with the disk next."""
        with self._changed:
            self._profiles[profile_id] = indexed
            self._halts.setdefault(profile_id, threading.Event())
            self.request(profile_id)  # at once: it has nothing to do only when its vaults were looked at

    def has(self, profile_id: str) -> bool:
        """Whether a profile was added, and not halted or removed since."""
        with self._changed:
            return profile_id in self._profiles

    def halt(self, profile_id: str) -> None:
        """End the work on a profile; returns when nothing works on it any more: after the current batch.

        It begins again, with a look at all of its vaults, when the profile is added again.
        """
        with self._changed:
            if halt := self._halts.pop(profile_id, None):
                halt.set()
                self._changed.notify_all()
            self._profiles.pop(profile_id, None)
            self._changed.wait_for(lambda: profile_id not in (self._reading, *self._begun, self._embedding))

    def remove(self, profile_id: str) -> None:
        """Remove a profile; returns when nothing works on it any more: after the current batch. A pause stays."""
        self.halt(profile_id)
        with self._changed:
            self._queue.forget(profile_id)

    def request(
        self,
        profile_id: str | None = None,
        *,
        full: bool = False,
        retry: bool = False,
        forget_missing: bool = False,
    ) -> None:
        """Compare one profile, or all, with the disk: see `Indexer.reconcile`."""
        with self._changed:
            for name in self._profiles if profile_id is None else (profile_id,):
                self._queue.read_what_failed(name, self._clock())
                self._queue.read(name, Work(reconcile=True, full=full, retry=retry, forget_missing=forget_missing))
            self._changed.notify_all()

    def paths_changed(self, profile_id: str, vault_id: str, paths: Iterable[str]) -> None:
        """Some vault-relative paths have changed on disk."""
        with self._changed:
            if profile_id in self._profiles:
                self._queue.read(profile_id, Work(paths={vault_id: set(paths)}))
                self._changed.notify_all()

    def reconcile_every(self, seconds: float) -> None:
        """Compare all profiles with the disk so often, from now on."""
        with self._changed:
            self._queue.look_every(seconds, self._clock())
            self._changed.notify_all()

    def searched(self) -> None:
        """A search has begun: embedding pauses for a moment."""
        self._last_search = self._clock()

    def found(self, profile_id: str, paths: Collection[str]) -> None:
        """A search has found these notes of a profile: they are embedded before others that wait."""
        with self._changed:
            indexed = self._profiles.get(profile_id)
        if indexed is not None:
            indexed.found.put(paths)

    @property
    def quiet_seconds(self) -> float:
        """Since the last search; endless before the first."""
        return self._clock() - self._last_search

    def pause(self, profile_ids: Iterable[str]) -> None:
        """Pause the background work of these profiles until `resume`. Changes on disk are still recorded."""
        with self._changed:
            self._paused.update(profile_ids)
            self._changed.notify_all()

    def resume(self, profile_ids: Iterable[str]) -> None:
        """Resume the background work of these profiles."""
        with self._changed:
            self._paused.difference_update(profile_ids)
            self._changed.notify_all()

    def pause_all(self, reason: str) -> None:
        """Pause all background work. reason: one sentence for the user; an empty one resumes it."""
        with self._changed:
            self._pause_reason = reason
            self._changed.notify_all()

    @property
    def pause_reason(self) -> str:
        """Why all background work waits, as a sentence; empty when it does not."""
        return self._pause_reason

    def is_paused(self, profile_id: str) -> bool:
        """Whether a profile's background work waits: the user paused it, or all of it waits."""
        return profile_id in self._paused or self._pause_reason != ""

    def reports(self) -> dict[str, ProgressReport]:
        """Progress by profile id."""
        with self._changed:
            profiles = dict(self._profiles)
        return {name: indexed.progress.report() for name, indexed in profiles.items()}

    def state(self, profile_id: str) -> Phase:
        """What is done for a profile now; "scanning" from the moment at which it is asked for.

        One that was not taken in yet, or is to be taken in again, is looked at next.
        """
        with self._changed:
            if self.is_paused(profile_id):
                return "paused"
            indexed = self._profiles.get(profile_id)
            if indexed is None:
                return "scanning"
            has_begun = profile_id in (self._reading, *self._begun)
            if has_begun or profile_id in self._queue.to_read():
                return "reading" if has_begun and indexed.progress.report().phase == "reading" else "scanning"
            is_embedded = profile_id in self._queue.to_embed() or profile_id == self._embedding
            return "embedding" if is_embedded else "idle"

    def embed(self, profile_id: str) -> None:
        """There is text of a profile without vectors, which did not come from a note."""
        with self._changed:
            if profile_id in self._profiles:
                self._queue.embed(profile_id)
                self._changed.notify_all()

    def wait_for_notes(self, timeout: float) -> bool:
        """Wait until no note is being read, or waits to be read where that is not paused. False when time ran out."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._is_to_read(), timeout)

    def last_errors(self) -> dict[str, str]:
        """What went wrong and has come no further since, by profile id; empty when all is well."""
        with self._changed:
            return self._queue.reasons()

    def wait_until_idle(self, timeout: float | None = None, *, embedded: bool = True) -> bool:
        """Wait until nothing is left to read and, if asked, to embed. False when time ran out."""
        with self._changed:
            return self._changed.wait_for(
                lambda: (
                    not (self._queue.to_read() or self._reading or self._begun)
                    and not (embedded and (self._queue.to_embed() or self._embedding))
                ),
                timeout,
            )

    def _read_next(self) -> None:
        while taken := self._next_to_read():
            self._read_for_a_turn(*taken)
            del taken  # or the store of a profile that is closed would stay until another is read

    def _read_for_a_turn(self, name: str, reading: _Reading) -> None:
        error: Exception | None = None
        is_over, waiting = True, 0
        try:
            until = self._clock() + _READING_TURN_SECONDS
            is_over = not any(self._is_turn_over(name, until, reading) for _ in reading.steps)
            if is_over:
                waiting = reading.profile.store.pending_count(reading.profile.embedder.spec.fingerprint)
        except Exception as found:  # noqa: BLE001  (one profile's failure must not end the work of the others)
            error = found
        finally:
            with self._changed:
                self._reading = None
                if not is_over:
                    reading.last_turn = self._clock()
                    self._begun[name] = reading
                elif reading.halt.is_set():
                    self._queue.read(name, reading.work)  # what is left of it, for when the profile is added again
                elif name in self._profiles:
                    self._queue.embed(name, waiting)
                    self._queue.done(name, "indexing", error, reading.work, self._clock())
                self._changed.notify_all()

    def _steps(self, indexed: SupervisedProfile, work: Work, halt: threading.Event) -> Iterator[None]:
        """Do the work. What is done is taken out of it, so that the rest is left where something is raised."""
        use_free_memory_again()  # else all that comes of it and stays would be in new arenas
        if work.reconcile:  # at the start, and now and then: the first search must not wait for it
            indexed.store.load_arrays(partial(self._let_search, halt))
            give_back()  # what that took on the way, before the disk is looked at: 30 MB of 80,000 passages
            self._let_search(halt)
        for vault_id in list(work.paths):
            yield from indexed.indexer.refreshing(vault_id, frozenset(work.paths[vault_id]), halt)
            del work.paths[vault_id]
        if work.reconcile:
            yield from indexed.indexer.reconciling(
                halt, full=work.full, retry=work.retry, forget_missing=work.forget_missing
            )
            give_back()

    def _is_turn_over(self, profile_id: str, until: float, reading: _Reading) -> bool:
        """Whether another profile is to be read now, or its reading to be ended; `profile_id` is read meanwhile."""
        with self._changed:
            read = reading.profile.progress.report().read
            if read > reading.read:
                self._queue.goes_on(profile_id, "indexing")
            reading.read = read
            if any(other.halt.is_set() for other in self._begun.values()):
                return True
            now = self._clock()
            others = {*self._begun, *self._queue.to_read()} - {profile_id}
            return now >= until and (
                self._queue.seconds_to_read(now) == 0 or not all(self._waits(name) for name in others)
            )

    def _next_to_read(self) -> tuple[str, _Reading] | None:
        """Wait for the next turn; None when all is to stop and no reading is in the middle any more."""
        with self._changed:
            while True:
                if name := next((name for name, reading in self._begun.items() if reading.halt.is_set()), None):
                    break
                if self._reading_loop.stopping.is_set():
                    return None
                if name := self._whose_turn():
                    break
                self._reading_loop.well()
                self._changed.wait(self._queue.seconds_to_read(self._clock()))
            self._reading = name
            return name, self._begun.pop(name)

    def _whose_turn(self) -> str | None:
        """The begun reading that waits too long, else a new one, of which nobody knows how much it is, else the least.

        A new one is begun.
        """
        now = self._clock()
        begun = {name: reading for name, reading in self._begun.items() if not self._waits(name)}
        longest = min(begun, key=lambda name: begun[name].last_turn, default=None)
        if longest and now - begun[longest].last_turn >= _LONGEST_REST_SECONDS:
            return longest
        if len(begun) < _READ_AT_ONCE and (
            taken := self._queue.next_to_read(
                self._profiles, now, lambda name: name in self._begun or self._waits(name)
            )
        ):
            name, work = taken
            profile, halt = self._profiles[name], self._halts[name]
            before = profile.progress.report().read
            self._begun[name] = _Reading(profile, work, halt, self._steps(profile, work, halt), now, before)
            return name
        return min(begun, key=lambda name: begun[name].left, default=None)

    def _embed_next(self) -> None:
        taken = self._next_to_embed()
        if taken is None:
            return
        name, indexed, halt = taken
        before = indexed.progress.report().embedded
        error: Exception | None = None
        try:
            indexed.store.load_arrays()  # the words that were just read among them
            embedded = embed_pending(
                indexed.store,
                indexed.embedder,
                indexed.progress,
                halt,
                partial(self._wait_turn, name, halt),
                has_turn=partial(self._has_turn, name, indexed, self._clock() + _TURN_SECONDS, before),
                found=indexed.found,
            )
            if embedded > BATCH:  # an edit or two leave nothing worth the while
                give_back()
        except Exception as found:  # noqa: BLE001  (as above)
            error = found
        finally:
            with self._changed:
                self._embedding = None
                if isinstance(error, _WorkPaused):
                    self._queue.embed(name)
                elif name in self._profiles and not halt.is_set():  # what a stop cut short is no trouble
                    self._queue.done(name, "embedding", error, Work(), self._clock())
                if name not in (self._reading, *self._begun, *self._queue.to_embed()):
                    indexed.progress.phase("idle")
                self._changed.notify_all()

    def _next_to_embed(self) -> tuple[str, SupervisedProfile, threading.Event] | None:
        with self._changed:
            while not self._embedding_loop.stopping.is_set():
                if name := self._queue.next_to_embed(self._profiles, self._clock(), self._waits):
                    self._embedding = name
                    return name, self._profiles[name], self._halts[name]
                self._embedding_loop.well()
                self._changed.notify_all()
                self._changed.wait(self._queue.seconds_to_embed(self._clock()))
        return None

    def _wait_turn(self, profile_id: str, halt: threading.Event) -> None:
        """Block while the user searches or notes wait to be read: words come before vectors. Raises _WorkPaused."""
        with self._changed:
            self._changed.wait_for(lambda: halt.is_set() or self.is_paused(profile_id) or not self._is_to_read())
            if self.is_paused(profile_id):
                raise _WorkPaused
        quiet_in = self._last_search + _YIELD_SECONDS - self._clock()
        if quiet_in > 0:
            halt.wait(quiet_in)

    def _has_turn(self, profile_id: str, indexed: SupervisedProfile, until: float, before: int) -> bool:
        """Whether a profile is to be embedded on; else it is in the queue again, behind the others.

        before: the passages that were embedded when its turn began.
        """
        with self._changed:
            if indexed.progress.report().embedded > before:
                self._queue.goes_on(profile_id, "embedding")
            others = any(name != profile_id and not self._waits(name) for name in self._queue.to_embed())
            if not others or self._clock() < until:
                return True
            self._queue.embed(profile_id)
            return False

    def _let_search(self, halt: threading.Event) -> None:
        """Block while a search may be under way: what follows would share the processor with it for seconds."""
        until = self._clock() + _LONGEST_WAIT_SECONDS
        while (left := min(self._last_search + _FIRST_SEARCH_SECONDS, until) - self._clock()) > 0:
            if halt.wait(left):
                return

    def _is_to_read(self) -> bool:
        waiting = (*self._begun, *self._queue.to_read())
        return self._reading is not None or not all(self._waits(name) for name in waiting)

    def _waits(self, profile_id: str) -> bool:
        return self.is_paused(profile_id)
