"""One look at a store for what could be tidied. It reads alone, so that another process can look; who may write keeps
what is given."""

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence

import msgspec

from scrubjay.daemon.links.link_graph import FrozenGraph, read_graph
from scrubjay.daemon.review.finder import Finder, FoundProposal, key_of
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
from scrubjay.daemon.review.learning import learn_from
from scrubjay.daemon.review.link_map import link_map
from scrubjay.daemon.review.proposal import KINDS, Kind, Proposal
from scrubjay.daemon.review.review_notes import ReviewNotes
from scrubjay.daemon.review.steps import (
    AT_ONCE,
    Begun,
    Found,
    Harmed,
    LearningWanted,
    MapWanted,
    Step,
    Steps,
    Unharmed,
    Wanted,
)
from scrubjay.profiles.errors import ProfileError
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.near_copies import Stamp
from scrubjay.profiles.store.note_texts import stored_notes
from scrubjay.profiles.store.proposals import ProposalRow
from scrubjay.profiles.store.statements import generation_of
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
"""What looks for proposals; each is made anew for each look."""


def look(store: Store, graph_of: Callable[[Store], FrozenGraph], wanted: Wanted, now_ns: int) -> Steps:
    """Find what is wanted in a store.

    Of proposals, what is wrong is there before notes are compared; then come near copies, on which the other finders
    build. Raises ProfileError where the store can't be read any more.
    """
    if wanted is None:
        yield from _compared(store)
        return
    if isinstance(wanted, MapWanted):
        # Of links as they are: a graph that is kept may be of a moment ago, and the map would count as made of now.
        yield link_map(read_graph(store), store.read(reads.titles), wanted.clusters)
        return

    if isinstance(wanted, LearningWanted):
        yield learn_from(store, wanted.model, wanted.notes, wanted.stored)
        return

    def notes_now() -> ReviewNotes:
        return ReviewNotes(stored_notes(store), graph_of(store), wanted.names, now_ns, store, wanted.inboxes)

    finders = [make() for make in FINDERS]
    yield Begun(store.read(generation_of), store.counts().notes)
    notes = notes_now()
    yield from _found(finders, 0, notes)
    is_alone = yield from _compared(store)
    if not is_alone:
        yield Begun(store.read(generation_of), len(notes.notes))
        notes = notes_now()
    for number in range(1 if is_alone else 0, len(finders)):
        yield from _found(finders, number, notes)


def _compared(store: Store) -> Generator[Step, bool, bool]:
    kind: Kind = "near-copy"
    try:
        yield from near_copy.compare(store)
    except ProfileError:
        raise
    except Exception as error:  # noqa: BLE001 (whatever it is, it is this finder's alone)
        return (yield Harmed(kind, type(error).__name__))
    return (yield Unharmed(kind))


def _found(finders: Sequence[Finder], number: int, notes: ReviewNotes) -> Generator[Step, bool, None]:
    """What one finder finds. Where it fails in a way that nobody foresaw, that harms no other, and is told."""
    finder, found = finders[number], list[FoundProposal]()
    try:
        found = list(finder.find(notes))
    except ProfileError:
        raise
    except Exception as error:  # noqa: BLE001 (as above)
        yield Harmed(finder.kinds[0], type(error).__name__)
    else:
        yield Unharmed(finder.kinds[0])
    rows = list(_rows_of(number, {key_of(each): each for each in found}, notes))
    left = len(notes.notes) * (len(finders) - number - 1) // len(finders)
    for start in range(0, max(1, len(rows)), AT_ONCE):
        is_last = start + AT_ONCE >= len(rows)
        yield Found(number, rows[start : start + AT_ONCE], start == 0, is_last, left)
    yield from notes.memos.take_made()


def _rows_of(
    finder: int, found: Mapping[str, FoundProposal], notes: ReviewNotes
) -> Iterator[tuple[ProposalRow, Mapping[int, Stamp]]]:
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
