"""The background work of all profiles: one thread that reads, one that embeds, and what they must do next."""

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from scrubjay.daemon.embedding.protocol import Embedder
from scrubjay.daemon.indexing.embedding_pass import BATCH, embed_pending
from scrubjay.daemon.indexing.indexer import Indexer
from scrubjay.daemon.indexing.progress import Phase, Progress, ProgressReport
from scrubjay.daemon.indexing.trouble import FailedWork, Work, WorkKind
from scrubjay.daemon.workers.loops import Conditions, Loop, give_back, lower_disk_priority
from scrubjay.profiles.store.store import Store

_YIELD_SECONDS = 0.25  # after a search, embedding waits this long for the next keystroke


class _WorkPaused(Exception):
    """Background work was paused while it ran."""


@dataclass(frozen=True, slots=True)
class Indexed:
    """One profile under supervision."""

    store: Store
    indexer: Indexer
    embedder: Embedder
    progress: Progress


class Supervisor:
    """Runs indexing and embedding for the profiles it is given, in two threads of its own.

    Work that fails is done again after a pause of a few seconds, for as long as it fails; `last_errors` says why until
    that very work has succeeded. The other profiles go on.
    """

    def __init__(
        self,
        reconcile_seconds: float,
        clock: Callable[[], float] = time.monotonic,
        conditions: Conditions | None = None,
    ) -> None:
        self._reconcile_seconds = reconcile_seconds
        self._clock = clock
        self._changed = threading.Condition()
        self._profiles: dict[str, Indexed] = {}
        self._halts: dict[str, threading.Event] = {}  # set for those that are to stop, by profile id
        self._work: dict[str, Work] = {}
        self._to_embed: set[str] = set()
        self._reading: str | None = None
        self._embedding: str | None = None
        self._failures = FailedWork()
        self._paused: set[str] = set()  # profiles that the user paused
        self._pause_reason = ""  # why all background work waits; empty while it need not
        self._last_search = float("-inf")
        self._next_reconcile = clock() + reconcile_seconds
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

    def add(self, profile_id: str, indexed: Indexed) -> None:
        """Take a profile in; its vaults are compared with the disk next."""
        with self._changed:
            self._profiles[profile_id] = indexed
            self._halts.setdefault(profile_id, threading.Event())
        self.request(profile_id)

    def halt(self, profile_id: str) -> None:
        """End the work on a profile; returns when nothing works on it any more: after the current batch.

        It begins again, with a look at all of its vaults, when the profile is added again.
        """
        with self._changed:
            if halt := self._halts.pop(profile_id, None):
                halt.set()
                self._changed.notify_all()
            self._profiles.pop(profile_id, None)
            self._changed.wait_for(lambda: profile_id not in (self._reading, self._embedding))

    def remove(self, profile_id: str) -> None:
        """Remove a profile; returns when nothing works on it any more: after the current batch."""
        self.halt(profile_id)
        with self._changed:
            self._paused.discard(profile_id)
            self._work.pop(profile_id, None)
            self._to_embed.discard(profile_id)
            self._failures.forget(profile_id)

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
                self._await_what_is_due(name)
                self._await_work(name, Work(reconcile=True, full=full, retry=retry, forget_missing=forget_missing))
            self._changed.notify_all()

    def paths_changed(self, profile_id: str, vault_id: str, paths: Iterable[str]) -> None:
        """Some vault-relative paths have changed on disk."""
        with self._changed:
            if profile_id in self._profiles:
                self._await_work(profile_id, Work(paths={vault_id: set(paths)}))
                self._changed.notify_all()

    def reconcile_every(self, seconds: float) -> None:
        """Compare all profiles with the disk so often, from now on."""
        with self._changed:
            self._reconcile_seconds = seconds
            self._next_reconcile = self._clock() + seconds
            self._changed.notify_all()

    def searched(self) -> None:
        """A search has begun: embedding pauses for a moment."""
        self._last_search = self._clock()

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

    def pause_reason(self, profile_id: str) -> str:
        """Why a profile's background work waits, as a sentence; empty when it does not."""
        if profile_id in self._paused:
            return "Paused. `scrubjay resume` lets it go on."
        return self._pause_reason

    def reports(self) -> dict[str, ProgressReport]:
        """Progress by profile id."""
        with self._changed:
            profiles = dict(self._profiles)
        return {name: indexed.progress.report() for name, indexed in profiles.items()}

    def state(self, profile_id: str) -> Phase:
        """What is done for a profile now; "scanning" from the moment at which it is asked for."""
        with self._changed:
            indexed = self._profiles.get(profile_id)
            if indexed is None:
                return "idle"
            if self.pause_reason(profile_id):
                return "paused"
            if profile_id in self._work or profile_id == self._reading:
                phase = indexed.progress.report().phase
                return phase if phase == "reading" and profile_id == self._reading else "scanning"
            return "embedding" if profile_id in self._to_embed or profile_id == self._embedding else "idle"

    def last_errors(self) -> dict[str, str]:
        """What went wrong and has not succeeded since, by profile id; empty when all is well."""
        with self._changed:
            return self._failures.reasons()

    def wait_until_idle(self, timeout: float | None = None, *, embedded: bool = True) -> bool:
        """Wait until nothing is left to read and, if asked, to embed. False when time ran out."""
        with self._changed:
            return self._changed.wait_for(
                lambda: not self._work and not self._reading and not (embedded and (self._to_embed or self._embedding)),
                timeout,
            )

    def _await_work(self, name: str, work: Work) -> None:
        self._work.setdefault(name, Work()).merge(work)

    def _read_next(self) -> None:
        taken = self._next_to_read()
        if taken is None:
            return
        name, indexed, work, halt = taken
        error: Exception | None = None
        try:
            if work.reconcile:  # at the start, and now and then: the first search must not wait for it
                indexed.store.load_arrays()
            self._read(indexed.indexer, work, halt)
        except Exception as found:  # noqa: BLE001  (one profile's failure must not end the work of the others)
            error = found
        finally:
            with self._changed:
                self._reading = None
                if name in self._profiles:
                    self._to_embed.add(name)
                    self._note(name, "indexing", error, work)
                self._changed.notify_all()

    def _read(self, indexer: Indexer, work: Work, halt: threading.Event) -> None:
        """Do the work. What is done is taken out of it, so that the rest is left where something is raised."""
        for vault_id in list(work.paths):
            indexer.refresh(vault_id, frozenset(work.paths[vault_id]), halt)
            del work.paths[vault_id]
        if work.reconcile:
            indexer.reconcile(halt, full=work.full, retry=work.retry, forget_missing=work.forget_missing)
            give_back()

    def _next_to_read(self) -> tuple[str, Indexed, Work, threading.Event] | None:
        with self._changed:
            while not self._reading_loop.stopping.is_set():
                self._await_what_is_due()
                name = next((waiting for waiting in self._work if not self.pause_reason(waiting)), None)
                if name is None:
                    self._reading_loop.well()
                    due = self._failures.next_due("indexing")
                    until = self._next_reconcile if due is None else min(due, self._next_reconcile)
                    self._changed.wait(max(0.0, until - self._clock()))
                    continue
                work = self._work.pop(name)
                if name in self._profiles:
                    self._reading = name
                    return name, self._profiles[name], work, self._halts[name]
        return None

    def _await_what_is_due(self, at_once: str | None = None) -> None:
        """Take up work whose pause is over, that of one profile in any case; compare with the disk when it is time."""
        now = self._clock()
        for name, work in self._failures.take("indexing", now, at_once).items():
            self._await_work(name, work)
        if self._next_reconcile <= now:
            self._next_reconcile = now + self._reconcile_seconds
            for name in self._profiles:
                self._await_work(name, Work(reconcile=True))

    def _embed_next(self) -> None:
        taken = self._next_to_embed()
        if taken is None:
            return
        name, indexed, halt = taken
        error: Exception | None = None
        try:
            indexed.store.load_arrays()  # the words that were just read among them
            embedded = embed_pending(
                indexed.store, indexed.embedder, indexed.progress, halt, partial(self._wait_turn, name, halt)
            )
            if embedded > BATCH:  # an edit or two leave nothing worth the while
                give_back()
        except Exception as found:  # noqa: BLE001  (as above)
            error = found
        finally:
            with self._changed:
                self._embedding = None
                if isinstance(error, _WorkPaused):
                    self._to_embed.add(name)
                elif name in self._profiles and not halt.is_set():  # what a stop cut short is no trouble
                    self._note(name, "embedding", error, Work())
                indexed.progress.phase("idle")
                self._changed.notify_all()

    def _next_to_embed(self) -> tuple[str, Indexed, threading.Event] | None:
        with self._changed:
            while not self._embedding_loop.stopping.is_set():
                now = self._clock()
                self._to_embed.update(self._failures.take("embedding", now))
                while (name := next((one for one in self._to_embed if not self.pause_reason(one)), None)) is not None:
                    self._to_embed.discard(name)
                    self._failures.take("embedding", now, name)
                    if name in self._profiles:
                        self._embedding = name
                        return name, self._profiles[name], self._halts[name]
                self._embedding_loop.well()
                self._changed.notify_all()
                due = self._failures.next_due("embedding")
                self._changed.wait(None if due is None else max(0.0, due - self._clock()))
        return None

    def _note(self, name: str, kind: WorkKind, error: Exception | None, work: Work) -> None:
        if error:
            self._failures.put(name, kind, error, self._clock(), work)
        else:
            self._failures.succeeded(name, kind)

    def _wait_turn(self, profile_id: str, halt: threading.Event) -> None:
        """Block while the user searches or notes wait to be read: words come before vectors. Raises _Held."""
        with self._changed:
            self._changed.wait_for(lambda: halt.is_set() or self.pause_reason(profile_id) or not self._is_to_read())
            if self.pause_reason(profile_id):
                raise _WorkPaused
        quiet_in = self._last_search + _YIELD_SECONDS - self._clock()
        if quiet_in > 0:
            halt.wait(quiet_in)

    def _is_to_read(self) -> bool:
        return self._reading is not None or any(not self.pause_reason(name) for name in self._work)
