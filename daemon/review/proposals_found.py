"""What there is to decide in each open store: found in the background when somebody looks, and kept for a while."""

import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from scrubjay.daemon.links.link_graph import GraphCache
from scrubjay.daemon.processes.loops import Conditions, Loop
from scrubjay.daemon.processes.priority import lower_disk_priority
from scrubjay.daemon.review.answers_given import key_of
from scrubjay.daemon.review.finder import Finder, FoundProposal
from scrubjay.daemon.review.finders import near_copy
from scrubjay.daemon.review.finders.broken_links import BrokenLinks
from scrubjay.daemon.review.finders.inbox import Intake
from scrubjay.daemon.review.finders.missing_links import MissingLinks
from scrubjay.daemon.review.finders.near_copy import NearCopies
from scrubjay.daemon.review.finders.replaced import Replaced
from scrubjay.daemon.review.finders.shared_passages import SharedPassages
from scrubjay.daemon.review.finders.size import Empty, Long, Stub
from scrubjay.daemon.review.finders.stale import Stale
from scrubjay.daemon.review.finders.tag_forms import TagForms
from scrubjay.daemon.review.finders.unlinked import Unlinked
from scrubjay.daemon.review.finders.untagged import Untagged
from scrubjay.daemon.review.review_notes import ReviewNotes
from scrubjay.profiles.errors import ProfileError
from scrubjay.profiles.store.note_texts import stored_notes
from scrubjay.profiles.store.statements import generation_of
from scrubjay.profiles.store.store import Store

FINDERS: tuple[Callable[[], Finder], ...] = (
    NearCopies,
    SharedPassages,
    Replaced,
    MissingLinks,
    BrokenLinks,
    Untagged,
    TagForms,
    Unlinked,
    Stale,
    Empty,
    Stub,
    Long,
    Intake,
)
"""What looks for proposals, one of each for every store that is looked at."""

PATIENCE = 5
"""What took long to find serves for this many times as long, however much changes meanwhile."""
_LONG_SECONDS = 0.5
_FORGET_SECONDS = 600.0  # without a look
_COPIES_SECONDS = 60.0  # between looks at whether notes are to be compared

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Vaults:
    """What finders know of a profile beside its store."""

    names: Mapping[str, str]  # by id
    inboxes: Mapping[str, str]  # folder by vault id


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found so far. waiting: how many notes are yet to be looked at; 0: this is all."""

    found: Mapping[str, FoundProposal]  # by key
    waiting: int


class _StoreReview:
    """What was found in one store. Written by the background thread alone."""

    def __init__(self) -> None:
        self.changed = threading.Condition()  # guards all below
        self.finders = [make() for make in FINDERS]
        self.by_finder: list[Mapping[str, FoundProposal]] = [{} for _ in self.finders]
        self.found: Mapping[str, FoundProposal] = {}  # all of these; replaced, never changed
        self.waiting = 1  # not yet known
        self.is_queued = False
        self.generation: int | None = None  # of the store when all was last looked at
        self.vaults: Vaults | None = None  # as they were then
        self.serves_until = 0.0  # time.monotonic()
        self.looked_at = 0.0

    def is_stale(self, store: Store, vaults: Vaults) -> bool:
        return self.vaults != vaults or store.read(generation_of) != self.generation


class Reviews:
    """The reviews of all stores that somebody looked at lately. Thread-safe. Nothing is done before a look."""

    def __init__(self, graphs: GraphCache, conditions: Conditions | None = None) -> None:
        self._graphs = graphs
        self._conditions = conditions or Conditions()
        self._lock = threading.Lock()
        self._reviews: WeakKeyDictionary[Store, _StoreReview] = WeakKeyDictionary()
        self._waiting: queue.SimpleQueue[tuple[Store, _StoreReview, Vaults] | None] = queue.SimpleQueue()
        self._loop = Loop(
            "review", "Looking for what could be tidied", self._next, self._conditions, prepare=lower_disk_priority
        )
        self._loop.start()

    def look(self, store: Store, vaults: Vaults, *, seconds: float | None) -> Looked:
        """What there is to decide in a store, waited for for so many seconds (None: until all is found)."""
        with self._lock:
            review = self._reviews.setdefault(store, _StoreReview())
        with review.changed:
            review.looked_at = time.monotonic()
            is_stale = review.is_stale(store, vaults)
            if is_stale and not review.is_queued and time.monotonic() > review.serves_until:
                review.is_queued = True
                self._waiting.put((store, review, vaults))
            if review.is_queued:
                is_stale = not review.changed.wait_for(lambda: not review.is_queued, seconds)
            return Looked(review.found, max(1, review.waiting) if is_stale else review.waiting)

    def close(self) -> None:
        """Finish what is under way and end the thread."""
        self._loop.stopping.set()
        self._waiting.put(None)
        self._loop.stop()

    def _next(self) -> None:
        try:
            waiting = self._waiting.get(timeout=_FORGET_SECONDS)
        except queue.Empty:
            self._forget()
            return
        if waiting is None or self._loop.stopping.is_set():
            return
        store, review, vaults = waiting
        try:
            self._renew(store, review, vaults)
        except ProfileError as error:  # closed or removed meanwhile: the next look says so
            _log.info("a review was not finished", extra={"code": error.code})
        finally:
            with review.changed:
                review.is_queued = False
                review.changed.notify_all()

    def _renew(self, store: Store, review: _StoreReview, vaults: Vaults) -> None:
        began, generation = time.monotonic(), store.read(generation_of)
        notes = ReviewNotes(
            notes=stored_notes(store),
            graph=self._graphs.current(store),
            vaults=vaults.names,
            now_ns=time.time_ns(),
            store=store,
            inboxes=vaults.inboxes,
        )
        for number, finder in enumerate(review.finders):
            if self._loop.stopping.is_set():
                return
            with review.changed:
                review.waiting = max(1, len(notes.notes) * (len(review.finders) - number) // len(review.finders))
            found = {key_of(each): each for each in self._found(finder, notes)}
            with review.changed:
                review.by_finder[number] = found
                review.found = {key: each for part in review.by_finder for key, each in part.items()}
        with review.changed:
            review.waiting, review.generation, review.vaults = 0, generation, vaults
            took = time.monotonic() - began
            review.serves_until = 0.0 if took < _LONG_SECONDS else began + (1 + PATIENCE) * took

    def _found(self, finder: Finder, notes: ReviewNotes) -> tuple[FoundProposal, ...]:
        """What one finder finds; nothing where it fails in a way that nobody foresaw, which harms no other."""
        part = f"Looking for {finder.kinds[0]} proposals"
        try:
            found = tuple(finder.find(notes))
        except ProfileError:
            raise
        except Exception as error:  # noqa: BLE001 (whatever it is, it is this finder's alone)
            self._conditions.failed(part, error)
            return ()
        self._conditions.clear(part)
        return found

    def _forget(self) -> None:
        """Give up what nobody looked at for long."""
        with self._lock:
            for store, review in list(self._reviews.items()):
                with review.changed:
                    if not review.is_queued and time.monotonic() - review.looked_at >= _FORGET_SECONDS:
                        del self._reviews[store]


class NearCopyLoop:
    """Has the notes of all open stores compared when nothing else is to be done: searches fold near copies.

    stores: those that are open now. is_idle: whether the machine has nothing else to do for Scrubjay.
    """

    def __init__(
        self,
        stores: Callable[[], Sequence[Store]],
        is_idle: Callable[[], bool],
        conditions: Conditions | None = None,
    ) -> None:
        self._stores = stores
        self._is_idle = is_idle
        self._compared: WeakKeyDictionary[Store, int] = WeakKeyDictionary()  # generation
        self._loop = Loop(
            "near-copies",
            "Comparing notes",
            self.look,
            conditions or Conditions(),
            every=_COPIES_SECONDS,
            prepare=lower_disk_priority,
        )

    def start(self) -> None:
        """Begin to look, once a minute."""
        self._loop.start()

    def stop(self) -> None:
        """End after the store in hand."""
        self._loop.stop()

    def look(self) -> None:
        """Compare the notes of stores that have changed."""
        for store in self._stores():
            with contextlib.suppress(ProfileError):  # closed meanwhile
                if store.read(generation_of) == self._compared.get(store) or not self._is_idle():
                    continue
                near_copy.update(store, self._loop.stopping.is_set)
                self._compared[store] = store.read(generation_of)
