"""What there is to decide in each open store: found in the background when somebody looks, and kept in the store."""

import contextlib
import logging
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from weakref import WeakKeyDictionary

import msgspec

from scrubjay.daemon import __version__
from scrubjay.daemon.links.link_graph import GraphCache
from scrubjay.daemon.processes.loops import Conditions, Loop
from scrubjay.daemon.processes.priority import lower_disk_priority
from scrubjay.daemon.review.answers_given import answers_that_stand, key_of
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
from scrubjay.daemon.review.proposal import KINDS, Kind, Proposal
from scrubjay.daemon.review.review_notes import ReviewNotes
from scrubjay.profiles.errors import ProfileError
from scrubjay.profiles.store import proposals, reads, review_answers
from scrubjay.profiles.store.near_copies import sketch_of
from scrubjay.profiles.store.note_texts import stored_notes
from scrubjay.profiles.store.proposals import MadeProposal, ProposalRow, ProposalsState
from scrubjay.profiles.store.statements import Connection, generation_of
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.store.subjects import subject_digest

FINDERS: tuple[Callable[[], Finder], ...] = (
    BrokenLinks,
    NearCopies,
    SharedPassages,
    Replaced,
    MissingLinks,
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
_STAYS_NS = 86_400 * 10**9  # what depends on the day is looked at again
_AT_ONCE = 500  # rows written in one transaction

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Vaults:
    """What finders know of a profile beside its store."""

    names: Mapping[str, str]  # by id
    inboxes: Mapping[str, str]  # folder by vault id

    @property
    def digest(self) -> str:
        """A digest of all that proposals depend on beside the notes, this program's version included."""
        return blake2b(msgspec.json.encode((__version__, self), order="sorted"), digest_size=16).hexdigest()


class _StoreReview:
    """What is known of one store beside what was found. Written by the background thread alone."""

    def __init__(self) -> None:
        self.changed = threading.Condition()  # guards all below
        self.finders = [make() for make in FINDERS]
        self.has_found = False  # whether the finders remember anything
        self.waiting = 1  # not yet known
        self.is_queued = False
        self.serves_until = 0.0  # time.monotonic()
        self.looked_at = 0.0

    def let_go(self, unused_seconds: float) -> bool:
        """As `Reviews.let_go`."""
        with self.changed:
            if self.is_queued or not self.has_found or time.monotonic() - self.looked_at < unused_seconds:
                return False
            self.finders, self.has_found = [make() for make in FINDERS], False
            return True


class Reviews:
    """Has the proposals of stores that somebody looks at found, and kept in them. Thread-safe."""

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

    def look(self, store: Store, vaults: Vaults, *, seconds: float | None) -> int:
        """Have a store's proposals found where they are not those of its notes as they are now.

        That is waited for for so many seconds (None: until all is found). Gives how many notes are yet to be looked at;
        0: all that there is was found.
        """
        with self._lock:
            review = self._reviews.setdefault(store, _StoreReview())
        with review.changed:
            review.looked_at = time.monotonic()
            is_stale = _is_stale(store, vaults)
            may_wait = seconds is None or time.monotonic() > review.serves_until
            if is_stale and not review.is_queued and may_wait:
                review.is_queued = True
                self._waiting.put((store, review, vaults))
            if review.is_queued:
                is_stale = not review.changed.wait_for(lambda: not review.is_queued, seconds)
                return max(1, review.waiting) if is_stale else review.waiting
            return max(1, review.waiting) if is_stale else 0

    def close(self) -> None:
        """Finish what is under way and end the thread."""
        self._loop.stopping.set()
        self._waiting.put(None)
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
        review.has_found = True
        notes = self._notes(store, vaults, at_ns)
        self._put(review, 0, notes, _Writing(store, vaults, None))  # what is wrong is there before notes are compared
        before = store.read(generation_of)
        with self._harmless("near-copy"):
            near_copy.update(store, self._loop.stopping.is_set)  # first of all others, since it writes what they read
        generation = store.read(generation_of)
        if generation != before:
            notes = self._notes(store, vaults, at_ns)
        writing = _Writing(store, vaults, generation)
        for number in range(len(review.finders)):
            if self._loop.stopping.is_set():
                return
            self._put(review, number, notes, writing)
        writing.finish(at_ns)
        with review.changed:
            review.waiting = 0
            took = time.monotonic() - began
            review.serves_until = 0.0 if took < _LONG_SECONDS else began + (1 + PATIENCE) * took

    def _notes(self, store: Store, vaults: Vaults, now_ns: int) -> ReviewNotes:
        return ReviewNotes(
            notes=stored_notes(store),
            graph=self._graphs.current(store),
            vaults=vaults.names,
            now_ns=now_ns,
            store=store,
            inboxes=vaults.inboxes,
        )

    def _put(self, review: _StoreReview, number: int, notes: ReviewNotes, writing: "_Writing") -> None:
        """Keep what one finder finds."""
        finder = review.finders[number]
        with review.changed:
            review.waiting = max(1, len(notes.notes) * (len(review.finders) - number) // len(review.finders))
        found: list[FoundProposal] = []
        with self._harmless(finder.kinds[0]):
            found = list(finder.find(notes))
        writing.put(number, found, notes)

    @contextlib.contextmanager
    def _harmless(self, kind: Kind) -> Generator[None]:
        """Where one finder fails in a way that nobody foresaw, that harms no other, and is told."""
        part = f"Looking for {kind} proposals"
        try:
            yield
        except ProfileError:
            raise
        except Exception as error:  # noqa: BLE001 (whatever it is, it is this finder's alone)
            self._conditions.failed(part, error)
        else:
            self._conditions.clear(part)

    def let_go(self, unused_seconds: float) -> bool:
        """Let go of what finders remember of stores that nobody has looked at for so long; whether there was any."""
        with self._lock:
            reviews = list(self._reviews.values())
        return sum(review.let_go(unused_seconds) for review in reviews) > 0


def _is_stale(store: Store, vaults: Vaults) -> bool:
    state = store.read(proposals.state_of, store.machine)
    if state is not None and state.made_with == vaults.digest:
        return state.generation != store.read(generation_of) or time.time_ns() - state.at_ns >= _STAYS_NS
    with store.writing() as writer:  # they may name a vault by another name, or be read in another way now
        proposals.forget_all(writer.connection, store.machine)
        proposals.put_state(writer.connection, store.machine, ProposalsState(-1, vaults.digest, 0))
        writer.removed_text = True
    return True


class _Writing:
    """Keeps what is found in one go."""

    def __init__(self, store: Store, vaults: Vaults, generation: int | None) -> None:
        """generation: of the store, before it was looked at; None: not all is looked for."""
        self._store = store
        self._vaults = vaults
        self._generation: int | None = generation  # as it is when nobody else writes; None once somebody did
        self._answers = review_answers.answers(store)

    def put(self, finder: int, found: Sequence[FoundProposal], notes: ReviewNotes) -> None:
        """Keep what a finder found in place of what it found before; what is as before is not written."""
        store = self._store
        by_key = {key_of(each): each for each in found}
        said = answers_that_stand(
            by_key,
            self._answers,
            partial(sketch_of, store),
            lambda vault, path: store.read(reads.note_by_path, vault, path) is not None,
        )
        before = store.read(proposals.known, store.machine, finder)
        rows = rows_of(finder, by_key, notes)
        changed = [
            MadeProposal(row, said.get(row.key), names)
            for row, names in rows
            if before.get(row.key) != (row.made, said.get(row.key))
        ]
        gone = list(before.keys() - by_key.keys())
        for start in range(0, max(len(changed), len(gone)), _AT_ONCE):
            with store.writing() as writer:
                self._count(writer.connection)
                rows_now, gone_now = changed[start : start + _AT_ONCE], gone[start : start + _AT_ONCE]
                proposals.put(writer.connection, store.machine, rows_now, gone_now)
                writer.removed_text = bool(gone_now) or any(each.row.key in before for each in rows_now)

    def finish(self, at_ns: int) -> None:
        """Say that all was found, unless somebody else has written meanwhile."""
        with self._store.writing() as writer:
            before = self._generation
            self._count(writer.connection)
            if before is not None and self._generation is not None:
                state = ProposalsState(before, self._vaults.digest, at_ns)
                proposals.put_state(writer.connection, self._store.machine, state)

    def _count(self, connection: Connection) -> None:
        here = generation_of(connection)
        self._generation = here + 1 if here == self._generation else None


def rows_of(
    finder: int, found: Mapping[str, FoundProposal], notes: ReviewNotes
) -> Iterator[tuple[ProposalRow, Mapping[int, tuple[bytes, str]]]]:
    """What a finder found as rows, each with the notes that it names."""
    equal: Counter[tuple[object, ...]] = Counter()
    for key, each in found.items():
        note = each.note
        shown = Proposal(
            key=key,
            kind=each.kind,
            profile="",
            vault=notes.vault_name(note),
            path=note.path,
            title=note.title,
            line=each.line,
            quote=each.quote,
            detail=each.detail,
            others=each.others,
            scores=each.scores,
            options=each.options,
            strength=each.strength,
        )
        order = (each.kind, each.strength, shown.vault, note.path)
        row = ProposalRow(
            key=key,
            finder=finder,
            kind=KINDS.index(each.kind),
            strength=each.strength,
            vault_name=shown.vault,
            path=note.path,
            place=equal[order],
            vault=note.vault,
            note_id=note.note_id,
            digest=note.digest,
            subject=subject_digest(each.subject),
            has_options=bool(each.options),
            body=msgspec.json.encode(shown),
        )
        equal[order] += 1
        changes = (change for option in each.options for change in option.changes)
        places = dict.fromkeys((named.vault, named.path) for named in (*each.others, *changes))
        named = (note, *(each.rests_on or ()), *(notes.by_place[place] for place in places if place in notes.by_place))
        yield row, {one.note_id: (one.digest, one.fingerprint) for one in named}


class ComparedNotes:
    """Compares the notes of all open stores, when nothing else is to be done: searches fold near copies.

    stores: those that are open now. is_idle: whether the machine has nothing else to do for Scrubjay. is_stopping:
    whether a store that is being compared should be left.
    """

    def __init__(
        self,
        stores: Callable[[], Sequence[Store]],
        is_idle: Callable[[], bool],
        is_stopping: Callable[[], bool] = lambda: False,
    ) -> None:
        self._stores = stores
        self._is_idle = is_idle
        self._is_stopping = is_stopping
        self._compared: WeakKeyDictionary[Store, int] = WeakKeyDictionary()  # generation

    def look(self) -> None:
        """Compare the notes of stores that have changed."""
        for store in self._stores():
            with contextlib.suppress(ProfileError):  # closed meanwhile
                if store.read(generation_of) == self._compared.get(store) or not self._is_idle():
                    continue
                near_copy.update(store, self._is_stopping)
                self._compared[store] = store.read(generation_of)
