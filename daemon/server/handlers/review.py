"""`/v1/review`: what could be tidied, within what a client sees; decisions for managers, suggestions for programs."""

import contextlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from scrubjay.credential_filter import Rules, redact_text
from scrubjay.daemon.review.changes.change_plan import check_moves
from scrubjay.daemon.review.changes.diff import text_diff
from scrubjay.daemon.review.changes.disk_notes import DiskNotes
from scrubjay.daemon.review.changes.note_text import NoteText
from scrubjay.daemon.review.changes.preview import preview as preview_of
from scrubjay.daemon.review.changes.refusal import ChangeRefused
from scrubjay.daemon.review.changes.undo_records import UndoRecords
from scrubjay.daemon.review.proposal import KINDS, Kind, Proposal
from scrubjay.daemon.review.queue import Listed, ProposalFilter, ProposalNotFound, Queue, chosen_changes
from scrubjay.daemon.review.steps import Vaults
from scrubjay.daemon.review.suggestions import About, Suggester, suggest
from scrubjay.daemon.server.access.caller import chosen, named
from scrubjay.daemon.server.endpoint import Done
from scrubjay.daemon.server.endpoints.review import (
    REVIEW,
    REVIEW_CLEAR,
    REVIEW_DECIDE,
    REVIEW_PREVIEW,
    REVIEW_PROPOSE,
    REVIEW_WRITABLE,
    ClearAsk,
    ClearedReply,
    FileDiff,
    KindCount,
    PreviewAsk,
    PreviewReply,
    ProposeAsk,
    ProposedReply,
    ReviewAsk,
    ReviewDecideAsk,
    ReviewReply,
    WritableAsk,
    WritableReply,
)
from scrubjay.daemon.server.routing import Context, Handlers
from scrubjay.daemon.vault.allowlist import Allowance
from scrubjay.daemon.vault.read import with_line_feeds
from scrubjay.profiles.digests import bytes_digest
from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.registry.registry import Profile, VaultFolder
from scrubjay.profiles.search.named_notes import NoteNotFound
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.store import Store

T = TypeVar("T")

HANDLERS = Handlers()

_PATIENCE = 2.0  # seconds that a request for one proposal waits for what is still being found
_LIST_PATIENCE = 0.25  # that a list waits: it is asked for again while there is more to come


@HANDLERS.answers(REVIEW)
def review(context: Context, request: ReviewAsk) -> ReviewReply:
    seen = chosen(context.services, context.client, request.profile)
    stores = context.stores(seen)
    wanted = ProposalFilter(request.vault, request.kind, request.folder, request.path, request.answer)
    listed: list[tuple[Listed, Queue]] = []
    counted: Counter[Kind] = Counter()
    waiting = total = 0
    for profile in seen:
        if profile.name in stores:
            queue, unseen = _queue(context, profile, stores[profile.name], _LIST_PATIENCE)
            waiting += unseen
            listing = queue.listing(wanted, request.offset + request.limit)
            total += listing.total
            counted.update(listing.counts)
            listed += [(each, queue) for each in listing.first]
    listed.sort(key=lambda each: each[0].order)
    page = listed[request.offset : request.offset + request.limit]
    shown: dict[tuple[Queue, str], Proposal] = {}
    for queue in {queue for _, queue in page}:
        found = queue.shown([each.key for each, of in page if of is queue])
        shown |= {(queue, key): proposal for key, proposal in found.items()}
    return ReviewReply(
        proposals=tuple(found for each, queue in page if (found := shown.get((queue, each.key)))),
        total=total,
        counts=tuple(KindCount(kind=kind, count=counted[kind]) for kind in KINDS if counted[kind]),
        may_decide=context.client.may("manage"),
        waiting=waiting,
        unanswered=context.unanswered(seen, stores),
        written=any(UndoRecords(context.engine.registry.folder_of(each), None).runs() for each in seen),
    )


@HANDLERS.answers(REVIEW_DECIDE)
def decide(context: Context, request: ReviewDecideAsk) -> Done:
    profile = named(context.services, context.client, request.profile)
    store = context.engine.open_profiles.same(profile).store
    _asked(context, profile, store, lambda queue: queue.decide(request.key, request.answer, request.chosen))
    return Done()


@HANDLERS.answers(REVIEW_PREVIEW, lane="search")
def preview(context: Context, request: PreviewAsk) -> PreviewReply:
    profile = named(context.services, context.client, request.profile)
    preparation, store = context.engine.preparation, context.engine.open_profiles.same(profile).store
    proposal = _asked(context, profile, store, lambda queue: queue.get(request.key))
    if proposal.absent:
        return PreviewReply(changes=(), files=(), refused=proposal.absent)
    changes = chosen_changes(proposal, request.chosen)
    rules = preparation.rules_of(profile)
    if proposal.kind == "near-copy" and not proposal.line:
        return PreviewReply(changes=(), files=_beside_copies(profile, proposal, rules))

    def indexed(vault: str, path: str) -> bytes | None:
        known = store.read(reads.known_notes, vault, (path,)).get(path)
        return None if known is None else known.digest

    try:
        files = preview_of(
            profile,
            changes,
            digest=lambda data: bytes_digest(data, preparation.digest_key(profile)),
            indexed=indexed,
            redact=lambda text: redact_text(text, rules),
        )
    except ChangeRefused as refusal:
        return PreviewReply(changes=changes, files=(), refused=str(refusal))
    return PreviewReply(
        changes=changes,
        files=tuple(
            FileDiff(vault=each.vault, path=each.path, to=each.to, diff=each.diff, digest=each.digest) for each in files
        ),
    )


def _beside_copies(profile: Profile, proposal: Proposal, rules: Rules) -> tuple[FileDiff, ...]:
    """What a note says otherwise than each of those that say nearly the same; nothing for notes that are not there."""
    notes = DiskNotes(profile)
    found: list[FileDiff] = []
    for other in proposal.others:
        with contextlib.suppress(ChangeRefused):
            theirs, mine = (
                redact_text(with_line_feeds(NoteText.of(notes.read(place)).text), rules)
                for place in ((other.vault, other.path), (proposal.vault, proposal.path))
            )
            diff = text_diff(theirs, mine, other.path, proposal.path)
            found.append(FileDiff(vault=proposal.vault, path=proposal.path, to=other.path, diff=diff, digest=""))
    return tuple(found)


@HANDLERS.answers(REVIEW_WRITABLE)
def writable(context: Context, request: WritableAsk) -> WritableReply:
    profile = context.engine.registry.current(named(context.services, context.client, request.profile))
    vault = next((each for each in profile.vaults if each.name == request.vault), None)
    if vault is None:
        return WritableReply(refused=request.paths)
    allowance = Allowance.of_vault(vault)
    return WritableReply(refused=tuple(path for path in request.paths if not allowance.allows(path)))


@HANDLERS.answers(REVIEW_PROPOSE)
def propose(context: Context, request: ProposeAsk) -> ProposedReply:
    profiles = chosen(context.services, context.client, request.profile)
    profile, vault, store = _place(context.stores(profiles), profiles, request.vault, request.path)
    note_id = _note_id(store, vault, request.path)
    by_name = {each.name: each for each in profile.vaults}
    for change in request.changes:
        if change.vault not in by_name:
            raise NoteNotFound("A change names a vault that the note's profile does not have.")
        _note_id(store, by_name[change.vault], change.path)
    check_moves(request.changes, DiskNotes(profile))
    suggester = Suggester(context.client.id, context.client.name)
    rules = context.engine.preparation.rules_of(profile)
    about = About(note_id, request.vault, request.path)
    key = suggest(store, rules, suggester, about, request.why, request.changes)
    return ProposedReply(proposal=Queue(store, profile.name, _names(profile)).get(key))


@HANDLERS.answers(REVIEW_CLEAR)
def clear(context: Context, request: ClearAsk) -> ClearedReply:
    seen = chosen(context.services, context.client, request.profile)
    stores = context.stores(seen)
    queues = (Queue(stores[each.name], each.name, _names(each)) for each in seen if each.name in stores)
    return ClearedReply(count=sum(queue.refuse_suggested(request.by) for queue in queues))


def _asked(context: Context, profile: Profile, store: Store, act: Callable[[Queue], T]) -> T:
    """What `act` says of the proposals as they were last found; of those found in time, where it misses one."""
    try:
        return act(_queue(context, profile, store, 0.0)[0])
    except ProposalNotFound:
        return act(_queue(context, profile, store)[0])


def _queue(context: Context, profile: Profile, store: Store, patience: float = _PATIENCE) -> tuple[Queue, int]:
    """A profile's proposals, as far as they are found in time, and how many notes are yet to be looked at.

    patience: in seconds.
    """
    seconds = None if context.services.hurry is None else patience  # where nothing runs behind, this is the only look
    waiting = context.engine.reviews.look(store, Vaults(_names(profile), _inboxes(profile)), seconds=seconds)
    is_told = context.client.may("manage") and not waiting  # it names notes that may not be read any more
    why_absent = partial(_why_absent, profile, store) if is_told else None
    return Queue(store, profile.name, _names(profile), why_absent), waiting


def _why_absent(profile: Profile, store: Store, vault: str, path: str) -> str:
    """Why what was accepted about a note is no proposal now. vault: its id."""
    if vault not in (names := _names(profile)):
        return f"The vault of {path} is not in the profile any more."
    if why := DiskNotes(profile).why_absent((names[vault], path)):
        return why
    if store.read(reads.note_by_path, vault, path) is None:
        return f"{path} is not read yet; look again in a moment."
    return (
        f"{path}, or a note beside it that would change, is not as it was when this was accepted. "
        "`scrubjay review reopen` takes the answer back."
    )


def _names(profile: Profile) -> Mapping[str, str]:
    return {vault.id: vault.name for vault in profile.vaults}


def _inboxes(profile: Profile) -> Mapping[str, str]:
    return {vault.id: vault.inbox for vault in profile.vaults if vault.inbox}


def _place(
    stores: Mapping[str, Store], profiles: Sequence[Profile], vault: str, path: str
) -> tuple[Profile, VaultFolder, Store]:
    """Where a note is. Raises NoteNotFound, or UsageError where several profiles have one there."""
    found = [
        (profile, folder, stores[profile.name])
        for profile in profiles
        if profile.name in stores
        for folder in profile.vaults
        if folder.name == vault and stores[profile.name].read(reads.note_by_path, folder.id, path)
    ]
    if not found:
        raise NoteNotFound("No visible profile has a note at this path.")
    if len(found) > 1:
        raise UsageError("Several profiles have a note at this path: name the profile.")
    return found[0]


def _note_id(store: Store, vault: VaultFolder, path: str) -> int:
    """Raises NoteNotFound."""
    note = store.read(reads.note_by_path, vault.id, path)
    if note is None or note.kind:
        raise NoteNotFound("There is no note at this path; only notes that are indexed can be changed.")
    return note.note_id
