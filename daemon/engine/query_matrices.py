"""The query matrices of the open profiles: learned in the background when nothing else is to be done, and looked up."""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from scrubjay.daemon.engine.tuning import EmbeddedNames, TuningStopped, tune, usable_names
from scrubjay.daemon.processes.memory import give_back
from scrubjay.daemon.review.looker import Looker
from scrubjay.daemon.review.steps import LEAST_PAIRS
from scrubjay.profiles.errors import ProfileError, Unavailable
from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.search.meaning.query_matrix import Learned, QueryMatrix
from scrubjay.profiles.store.query_matrices import GivenName, learned_of, matrix_of
from scrubjay.profiles.store.statements import generation_of
from scrubjay.profiles.store.store import Store

_BATCH_ENDS_SECONDS = 10.0  # for a batch of names, which a closed profile waits for
_GROWTH = 0.2
"""Share by which the names must have become more, or fewer, before they are learned from again."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Tunable:
    """An open profile: its store, what embeds for it, and whether its owner lets it be tuned."""

    store: Store
    embedder: Embedder
    allowed: bool


class QueryMatrices:
    """Learns and keeps them. Thread-safe; searches never wait for it.

    profiles: those that are open now. is_idle: whether the machine has nothing else to do for Scrubjay.
    """

    def __init__(
        self,
        profiles: Callable[[], Sequence[Tunable]],
        is_idle: Callable[[], bool],
        looker: Looker,
    ) -> None:
        self._profiles = profiles
        self._is_idle = is_idle
        self._looker = looker
        self._lock = threading.Condition()  # guards the three below
        self._learning: Store | None = None  # whose names are embedded now
        self._known: WeakKeyDictionary[Store, tuple[str, QueryMatrix | None]] = WeakKeyDictionary()
        # By which model, and what of it was embedded when it was stopped.
        self._begun: WeakKeyDictionary[Store, tuple[str, EmbeddedNames]] = WeakKeyDictionary()
        self._looked: WeakKeyDictionary[Store, tuple[str, int]] = WeakKeyDictionary()  # model and generation

    def of(self, store: Store, model: str) -> QueryMatrix | None:
        """The matrix of a store and a model (its fingerprint); None: queries stay as they are. Raises StoreError."""
        with self._lock:
            known = self._known.get(store)
        if known is None or known[0] != model:
            known = (model, matrix_of(store, model))
            self._keep(store, known)
        return known[1]

    def forget(self, store: Store) -> None:
        """Forget what is known of a store that was closed, once nobody embeds its names, which are its notes' text."""
        with self._lock:
            self._lock.wait_for(lambda: self._learning is not store, _BATCH_ENDS_SECONDS)
            self._known.pop(store, None)
            self._begun.pop(store, None)

    def look(self) -> None:
        """Learn from the names of each profile that has more of them, or fewer, than last time, by a fifth."""
        for profile in self._profiles():
            if not self._is_idle():
                return
            try:
                self._look_at(profile)
            except TuningStopped:
                return
            except (ProfileError, Unavailable) as error:  # closed meanwhile, or without its model: another time
                _log.info("a profile was not tuned", extra={"code": error.code})

    def _look_at(self, profile: Tunable) -> None:
        store, model = profile.store, profile.embedder.spec.fingerprint
        seen = (model, store.read(generation_of))
        if not profile.allowed:
            self.forget(store)
            return
        if self._looked.get(store) == seen or store.pending_count(model):
            return
        names = usable_names(store)
        known = learned_of(store, model)
        if not _is_due(len(names), None if known is None else known[0].pairs):
            self._looked[store] = seen
            with self._lock:
                self._begun.pop(store, None)
            return
        learned, matrix = self._learned(profile, names)
        self._keep(store, (model, matrix))
        self._looked[store] = (model, store.read(generation_of))
        give_back()
        _log.info("names of notes were learned from", extra={"pairs": learned.pairs, "used": matrix is not None})

    def _learned(self, profile: Tunable, names: Sequence[GivenName]) -> tuple[Learned, QueryMatrix | None]:
        """What the names teach. What was embedded when it was stopped is kept for the next time. Raises as `tune`."""
        store, model = profile.store, profile.embedder.spec.fingerprint
        with self._lock:
            self._learning = store
            before, embedded = self._begun.pop(store, ("", EmbeddedNames()))
        embedded = embedded if before == model else EmbeddedNames()
        try:
            return tune(self._looker, store, profile.embedder, names, embedded, lambda: self._wait_turn(store))
        except TuningStopped:
            with self._lock:
                if self._is_open(store):
                    self._begun[store] = (model, embedded)
            raise
        finally:
            with self._lock:
                self._learning = None
                self._lock.notify_all()

    def _keep(self, store: Store, known: tuple[str, QueryMatrix | None]) -> None:
        with self._lock:
            self._known[store] = known

    def _wait_turn(self, store: Store) -> None:
        if not (self._is_idle() and self._is_open(store)):
            raise TuningStopped

    def _is_open(self, store: Store) -> bool:
        return any(profile.store is store for profile in self._profiles())


def _is_due(names: int, before: int | None) -> bool:
    """Whether there are enough names to learn from, or no longer, and others than those of last time."""
    if before is None:
        return names >= LEAST_PAIRS
    return abs(names - before) > _GROWTH * max(before, 1)
