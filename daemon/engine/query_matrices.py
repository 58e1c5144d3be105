"""The query matrices of the open profiles: learned in the background when nothing else is to be done, and looked up."""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from scrubjay.daemon.engine.tuning import EmbeddedNames, TuningStopped, tune, usable_names
from scrubjay.daemon.processes.memory import give_back
from scrubjay.daemon.review.learning import LEAST_PAIRS
from scrubjay.daemon.review.looker import Looker
from scrubjay.profiles.errors import ProfileError, Unavailable
from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.search.meaning.query_matrix import QueryMatrix
from scrubjay.profiles.store.query_matrices import learned_of, matrix_of
from scrubjay.profiles.store.statements import generation_of
from scrubjay.profiles.store.store import Store

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
        self._lock = threading.Lock()  # guards the next
        self._known: WeakKeyDictionary[Store, tuple[str, QueryMatrix | None]] = WeakKeyDictionary()
        self._looked: WeakKeyDictionary[Store, tuple[str, int]] = WeakKeyDictionary()  # model and generation
        self._begun: WeakKeyDictionary[Store, tuple[str, EmbeddedNames]] = WeakKeyDictionary()  # of a model

    def of(self, store: Store, model: str) -> QueryMatrix | None:
        """The matrix of a store and a model (its fingerprint); None: queries stay as they are. Raises StoreError."""
        with self._lock:
            known = self._known.get(store)
        if known is None or known[0] != model:
            known = (model, matrix_of(store, model))
            self._keep(store, known)
        return known[1]

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
        if not profile.allowed or self._looked.get(store) == seen or store.pending_count(model):
            return
        names = usable_names(store)
        known = learned_of(store, model)
        if not _is_due(len(names), None if known is None else known[0].pairs):
            self._looked[store] = seen
            return
        begun = self._begun.get(store)
        if begun is None or begun[0] != model:
            begun = self._begun[store] = (model, EmbeddedNames())
        learned, matrix = tune(self._looker, store, profile.embedder, names, begun[1], self._wait_turn)
        del self._begun[store]
        self._keep(store, (model, matrix))
        self._looked[store] = (model, store.read(generation_of))
        give_back()
        _log.info("names of notes were learned from", extra={"pairs": learned.pairs, "used": matrix is not None})

    def _keep(self, store: Store, known: tuple[str, QueryMatrix | None]) -> None:
        with self._lock:
            self._known[store] = known

    def _wait_turn(self) -> None:
        if not self._is_idle():
            raise TuningStopped


def _is_due(names: int, before: int | None) -> bool:
    """Whether there are enough names to learn from, or no longer, and others than those of last time."""
    if before is None:
        return names >= LEAST_PAIRS
    return abs(names - before) > _GROWTH * max(before, 1)
