"""The background work of all profiles: one thread that reads, one that embeds, and what they must do next."""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

from scrubjay.daemon.embedding.protocol import Embedder
from scrubjay.daemon.errors import ScrubjayError
from scrubjay.daemon.indexing.embedding_pass import BATCH, embed_pending
from scrubjay.daemon.indexing.indexer import Indexer
from scrubjay.daemon.indexing.progress import Phase, Progress, ProgressReport
from scrubjay.daemon.workers.loops import Conditions, Loop
from scrubjay.daemon.workers.memory import give_back
from scrubjay.daemon.workers.priority import give_way_at_disk
from scrubjay.profiles.errors import ProfileError
from scrubjay.profiles.store.store import Store

_YIELD_SECONDS = 0.25  # after a search, embedding waits this long for the next keystroke

_log = logging.getLogger(__name__)


class _Held(Exception):
    """Background work was told to wait while it was under way."""


@dataclass(slots=True)
class _Work:
    """What waits for one profile; requests that come while it waits melt into one."""

    reconcile: bool = False
    full: bool = False
    retry: bool = False
    paths: dict[str, set[str]] = field(default_factory=dict[str, set[str]])


@dataclass(frozen=True, slots=True)
class Indexed:
    """One profile under supervision."""

    store: Store
    indexer: Indexer
    embedder: Embedder
    progress: Progress


class Supervisor:
    """Runs indexing and embedding for the profiles it is given, in two threads of its own.

    Trouble with one profile is logged and kept in `trouble`; the others go on.
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
        self._work: dict[str, _Work] = {}
        self._to_embed: set[str] = set()
        self._reading: str | None = None
        self._embedding: str | None = None
        self._trouble: dict[str, str] = {}
        self._paused: set[str] = set()  # profiles that the user paused
        self._hold = ""  # why all background work waits; empty while it need not
        self._last_search = float("-inf")
        self._next_reconcile = clock() + reconcile_seconds
        conditions = conditions or Conditions()
        self._reading_loop = Loop("indexing", "Indexing", self._read_next, conditions, prepare=give_way_at_disk)
        self._embedding_loop = Loop("embedding", "Embedding", self._embed_next, conditions, prepare=give_way_at_disk)

    def start(self) -> None:
        """Start both threads."""
        self._reading_loop.start()
        self._embedding_loop.start()

    def stop(self) -> None:
        """Finish the transaction in hand, and wait until both threads have ended."""
        self._reading_loop.stopping.set()
        self._embedding_loop.stopping.set()
        with self._changed:
            for halt in self._halts.values():
                halt.set()
            self._changed.notify_all()
        self._reading_loop.stop()
        self._embedding_loop.stop()

    def add(self, profile_id: str, indexed: Indexed) -> None:
        """Take a profile in; its vaults are compared with the disk next."""
        with self._changed:
            self._profiles[profile_id] = indexed
            self._halts.setdefault(profile_id, threading.Event())
        self.request(profile_id)

    def halt(self, profile_id: str) -> None:
        """End the work on a profile; returns when nothing works on it any more: after the batch in hand.

        It begins again, with a look at all of its vaults, when the profile is added again.
        """
        with self._changed:
            if halt := self._halts.pop(profile_id, None):
                halt.set()
                self._changed.notify_all()
            self._profiles.pop(profile_id, None)
            self._changed.wait_for(lambda: profile_id not in (self._reading, self._embedding))

    def remove(self, profile_id: str) -> None:
        """Let a profile go; returns when nothing works on it any more: after the batch in hand."""
        self.halt(profile_id)
        with self._changed:
            self._paused.discard(profile_id)
            self._work.pop(profile_id, None)
            self._to_embed.discard(profile_id)

    def request(self, profile_id: str | None = None, *, full: bool = False, retry: bool = False) -> None:
        """Compare one profile, or all, with the disk; `full` reads every note again, `retry` those that failed."""
        with self._changed:
            for name in self._profiles if profile_id is None else (profile_id,):
                work = self._work.setdefault(name, _Work())
                work.reconcile = True
                work.full = work.full or full
                work.retry = work.retry or retry
            self._changed.notify_all()

    def paths_changed(self, profile_id: str, vault_id: str, paths: Iterable[str]) -> None:
        """Some vault-relative paths have changed on disk."""
        with self._changed:
            if profile_id in self._profiles:
                self._work.setdefault(profile_id, _Work()).paths.setdefault(vault_id, set()).update(paths)
                self._changed.notify_all()

    def reconcile_every(self, seconds: float) -> None:
        """Compare all profiles with the disk so often, from now on."""
        with self._changed:
            self._reconcile_seconds = seconds
            self._next_reconcile = self._clock() + seconds
            self._changed.notify_all()

    def searched(self) -> None:
        """Somebody is searching: embedding lets go of the processor for a moment."""
        self._last_search = self._clock()

    @property
    def quiet_seconds(self) -> float:
        """Since the last search; endless before the first."""
        return self._clock() - self._last_search

    def pause(self, profile_ids: Iterable[str]) -> None:
        """Hold the background work of these profiles until `resume`. Changes are remembered meanwhile."""
        with self._changed:
            self._paused.update(profile_ids)
            self._changed.notify_all()

    def resume(self, profile_ids: Iterable[str]) -> None:
        """Let the background work of these profiles go on."""
        with self._changed:
            self._paused.difference_update(profile_ids)
            self._changed.notify_all()

    def hold(self, reason: str) -> None:
        """Hold all background work for a reason, one sentence for the user; with an empty one let it go on."""
        with self._changed:
            self._hold = reason
            self._changed.notify_all()

    def held(self, profile_id: str) -> str:
        """Why a profile's background work waits, as a sentence; empty when it does not."""
        if profile_id in self._paused:
            return "Paused. `scrubjay resume` lets it go on."
        return self._hold

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
            if self.held(profile_id):
                return "paused"
            if profile_id in self._work or profile_id == self._reading:
                phase = indexed.progress.report().phase
                return phase if phase == "reading" and profile_id == self._reading else "scanning"
            return "embedding" if profile_id in self._to_embed or profile_id == self._embedding else "idle"

    def trouble(self) -> dict[str, str]:
        """What went wrong last, by profile id; empty when all is well."""
        with self._changed:
            return dict(self._trouble)

    def wait_until_idle(self, timeout: float | None = None, *, embedded: bool = True) -> bool:
        """Wait until nothing is left to read and, if asked, to embed. False when time ran out."""
        with self._changed:
            return self._changed.wait_for(
                lambda: not self._work and not self._reading and not (embedded and (self._to_embed or self._embedding)),
                timeout,
            )

    def _read_next(self) -> None:
        taken = self._next_to_read()
        if taken is None:
            return
        name, indexed, work, halt = taken
        try:
            for vault_id, paths in work.paths.items():
                indexed.indexer.refresh(vault_id, frozenset(paths), halt)
            if work.reconcile:
                indexed.indexer.reconcile(halt, full=work.full, retry=work.retry)
                give_back()
            self._trouble.pop(name, None)
        except Exception as error:  # noqa: BLE001  (one profile's trouble must not end the work of the others)
            self._failed(name, "indexing", error)
        finally:
            with self._changed:
                self._reading = None
                if name in self._profiles:
                    self._to_embed.add(name)
                self._changed.notify_all()

    def _next_to_read(self) -> tuple[str, Indexed, _Work, threading.Event] | None:
        with self._changed:
            while not self._reading_loop.stopping.is_set():
                name = next((waiting for waiting in self._work if not self.held(waiting)), None)
                if name is not None:
                    work = self._work.pop(name)
                    if name in self._profiles:
                        self._reading = name
                        return name, self._profiles[name], work, self._halts[name]
                    continue
                self._reading_loop.well()
                if not self._changed.wait(max(0.0, self._next_reconcile - self._clock())):
                    self._next_reconcile = self._clock() + self._reconcile_seconds
                    for name in self._profiles:
                        self._work.setdefault(name, _Work()).reconcile = True
        return None

    def _embed_next(self) -> None:
        taken = self._next_to_embed()
        if taken is None:
            return
        name, indexed, halt = taken
        try:
            embedded = embed_pending(
                indexed.store, indexed.embedder, indexed.progress, halt, partial(self._wait_turn, name, halt)
            )
            if embedded > BATCH:  # an edit or two leave nothing worth the while
                give_back()
        except _Held:
            with self._changed:
                self._to_embed.add(name)
        except Exception as error:  # noqa: BLE001  (as above)
            self._failed(name, "embedding", error)
        finally:
            with self._changed:
                self._embedding = None
                indexed.progress.phase("idle")
                self._changed.notify_all()

    def _next_to_embed(self) -> tuple[str, Indexed, threading.Event] | None:
        with self._changed:
            while not self._embedding_loop.stopping.is_set():
                while (name := next((one for one in self._to_embed if not self.held(one)), None)) is not None:
                    self._to_embed.discard(name)
                    if name in self._profiles:
                        self._embedding = name
                        return name, self._profiles[name], self._halts[name]
                self._embedding_loop.well()
                self._changed.notify_all()
                self._changed.wait()
        return None

    def _wait_turn(self, profile_id: str, halt: threading.Event) -> None:
        """Block while the user searches or notes wait to be read: words come before vectors. Raises _Held."""
        with self._changed:
            self._changed.wait_for(lambda: halt.is_set() or self.held(profile_id) or not self._is_to_read())
            if self.held(profile_id):
                raise _Held
        quiet_in = self._last_search + _YIELD_SECONDS - self._clock()
        if quiet_in > 0:
            halt.wait(quiet_in)

    def _is_to_read(self) -> bool:
        return self._reading is not None or any(not self.held(name) for name in self._work)

    def _failed(self, name: str, what: str, error: Exception) -> None:
        _log.error("%s stopped for a profile", what, extra={"profile": name, "error": type(error).__name__})
        known = isinstance(error, (ProfileError, ScrubjayError))  # their words are ours; others may hold note text
        self._trouble[name] = str(error) if known else f"{what} failed ({type(error).__name__}); see the log."
