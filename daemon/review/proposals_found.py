"""What there is to decide in each open store: found in the background when somebody looks, and kept in the store."""

import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import cached_property, partial
from weakref import WeakKeyDictionary

from scrubjay.daemon.processes.loops import Conditions, Loop
from scrubjay.daemon.processes.priority import lower_disk_priority
from scrubjay.daemon.review.answers_given import answers_that_stand
from scrubjay.daemon.review.looker import PATIENCE, Looker
from scrubjay.daemon.review.note_sketch import sketch_now
from scrubjay.daemon.review.proposal import Kind
from scrubjay.daemon.review.steps import AT_ONCE, Begun, Found, Harmed, Step, Steps, Unharmed, Vaults
from scrubjay.profiles.errors import ProfileError
from scrubjay.profiles.store import proposals, reads, review_answers
from scrubjay.profiles.store.near_copies import FoundPairs, MadeSketches
from scrubjay.profiles.store.proposals import MadeProposal
from scrubjay.profiles.store.review_answers import AnswerRow
from scrubjay.profiles.store.review_memos import MadeMemos
from scrubjay.profiles.store.statements import Connection, generation_of
from scrubjay.profiles.store.store import Store

_LONG_SECONDS = 0.5
_STAYS_NS = 86_400 * 10**9  # what depends on the day is looked at again

_log = logging.getLogger(__name__)


class _StoreReview:
    """What is known of one store beside what was found. Written by the background thread alone."""

    def __init__(self) -> None:
        self.changed = threading.Condition()  # guards all below
        self.waiting: int | None = None  # notes; None: not yet known
        self.is_queued = False
        self.serves_until = 0.0  # time.monotonic()


class Reviews:
    """Has the proposals of stores that somebody looks at found, and kept in them. Thread-safe."""

    def __init__(self, looker: Looker) -> None:
        self._looker = looker
        self._conditions = looker.scheduler.conditions
        self._lock = threading.Lock()
        self._reviews: WeakKeyDictionary[Store, _StoreReview] = WeakKeyDictionary()
        self._waiting: queue.SimpleQueue[tuple[Store, _StoreReview, Vaults] | None] = queue.SimpleQueue()
        self._loop = Loop(
            "review", "Looking for what could be tidied", self._next, self._conditions, prepare=lower_disk_priority
        )
        self._loop.start()

    def look(self, store: Store, vaults: Vaults, *, seconds: float | None) -> int:
        """Have a store's proposals found where they are not those of its notes as they are now.

        That is waited for for so many seconds (None: until all is found). Gives how many notes are yet to be looked at;
        0: all that there is was found.
        """
        with self._lock:
            review = self._reviews.setdefault(store, _StoreReview())
        with review.changed:
            is_stale = _is_stale(store, vaults)
            may_wait = seconds is None or time.monotonic() > review.serves_until
            if is_stale and not review.is_queued and may_wait:
                review.is_queued = True
                self._waiting.put((store, review, vaults))
            if review.is_queued:
                is_stale = not review.changed.wait_for(lambda: not review.is_queued, seconds)
            elif not is_stale:
                return 0
            waiting = store.read(reads.note_count) if review.waiting is None else review.waiting
            return max(1, waiting) if is_stale else waiting

    def close(self) -> None:
        """Leave what is under way and end the thread."""
        self._loop.stopping.set()
        self._waiting.put(None)
        self._looker.close()
        self._loop.stop()

    def _next(self) -> None:
        waiting = self._waiting.get()
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
        began, at_ns = time.monotonic(), time.time_ns()
        writing = _Writing(store, self._conditions)
        with self._looker.look(store, vaults, at_ns) as steps:
            for step in writing.kept(steps):
                if self._loop.stopping.is_set():
                    return
                if isinstance(step, Begun | Found):
                    with review.changed:
                        review.waiting = max(1, step.left)
        writing.finish(at_ns)
        with review.changed:
            review.waiting = 0
            took = time.monotonic() - began
            review.serves_until = 0.0 if took < _LONG_SECONDS else began + (1 + PATIENCE) * took


def _is_stale(store: Store, vaults: Vaults) -> bool:
    state = store.read(proposals.state_of, store.machine)
    if state is not None and state.made_with == vaults.digest:
        return state.generation != store.read(generation_of) or time.time_ns() - state.at_ns >= _STAYS_NS
    with store.writing() as writer:  # they may name a vault by another name, or be read in another way now
        proposals.forget_all(writer.connection, store.machine)
        proposals.forget_state(writer.connection, store.machine, vaults.digest)
        writer.removed_text = writer.changes.beside_notes = True
    return True


class _Writing:
    """Keeps the steps of one look."""

    def __init__(self, store: Store, conditions: Conditions) -> None:
        self._store = store
        self._conditions = conditions
        self._is_alone = True  # whether nobody else has written what a proposal depends on
        self._before: dict[str, tuple[bytes, str | None]] = {}  # by key: what is there of the finder, and not yet found

    @cached_property
    def _answers(self) -> Sequence[AnswerRow]:
        return review_answers.answers(self._store)

    def kept(self, steps: Steps) -> Iterator[Step]:
        """The steps, each of which was kept. Raises as they do, and as writing does."""
        with contextlib.suppress(StopIteration):
            step = next(steps)
            while True:
                self._keep(step)
                yield step
                step = steps.send(self._is_alone)

    def finish(self, at_ns: int) -> None:
        """Say that all was found, unless somebody else has written meanwhile what a proposal depends on."""
        with self._writing() as connection:
            proposals.end_look(connection, self._store.machine, at_ns)

    def _keep(self, step: Step) -> None:
        if isinstance(step, Begun):
            with self._store.writing() as writer:
                proposals.begin_look(writer.connection, self._store.machine, step.generation)
                writer.changes.beside_notes = True
            self._is_alone = True
        elif isinstance(step, Found):
            self._put(step)
        elif isinstance(step, Harmed):
            self._conditions.failed_by(_part(step.kind), step.error)
        elif isinstance(step, Unharmed):
            self._conditions.clear(_part(step.kind))
        elif isinstance(step, MadeMemos | MadeSketches | FoundPairs):
            with self._writing() as connection:
                step.put(connection)

    def _put(self, found: Found) -> None:
        """Keep rows in place of what their finder found before; what is as before is not written."""
        store = self._store
        if found.is_first:
            self._before = store.read(proposals.known, store.machine, found.finder)
        said = answers_that_stand(
            [row for row, _ in found.rows],
            self._answers,
            partial(sketch_now, store),
            lambda vault, path: store.read(reads.note_by_path, vault, path) is not None,
        )
        there = {row.key: self._before.pop(row.key, None) for row, _ in found.rows}
        changed = [
            MadeProposal(row, said.get(row.key), names)
            for row, names in found.rows
            if there[row.key] != (row.made, said.get(row.key))
        ]
        gone = list(self._before) if found.is_last else []
        for start in range(0, max(len(changed), len(gone)), AT_ONCE):
            rows_now, gone_now = changed[start : start + AT_ONCE], gone[start : start + AT_ONCE]
            removes = bool(gone_now) or any(there[each.row.key] is not None for each in rows_now)
            with self._writing(removes_text=removes) as connection:
                proposals.put(connection, store.machine, rows_now, gone_now)

    @contextlib.contextmanager
    def _writing(self, *, removes_text: bool = False) -> Generator[Connection]:
        with self._store.writing() as writer:
            self._is_alone = proposals.goes_on(writer.connection, self._store.machine)
            writer.removed_text, writer.changes.beside_notes = removes_text, True
            yield writer.connection


def _part(kind: Kind) -> str:
    return f"Looking for {kind} proposals"


class ComparedNotes:
    """Compares the notes of all open stores, when nothing else is to be done: searches fold near copies.

    stores: those that are open now. is_idle: whether the machine has nothing else to do for Scrubjay. is_stopping:
    whether a store that is being compared should be left.
    """

    def __init__(
        self,
        stores: Callable[[], Sequence[Store]],
        is_idle: Callable[[], bool],
        looker: Looker,
        is_stopping: Callable[[], bool] = lambda: False,
    ) -> None:
        self._stores = stores
        self._is_idle = is_idle
        self._looker = looker
        self._is_stopping = is_stopping
        self._compared: WeakKeyDictionary[Store, int] = WeakKeyDictionary()  # generation

    def look(self) -> None:
        """Compare the notes of stores that have changed."""
        for store in self._stores():
            with contextlib.suppress(ProfileError):  # closed meanwhile
                if store.read(generation_of) == self._compared.get(store) or not self._is_idle():
                    continue
                with self._looker.look(store, None, 0) as steps:
                    for _ in _Writing(store, self._looker.scheduler.conditions).kept(steps):
                        if self._is_stopping():
                            return
                self._compared[store] = store.read(generation_of)
