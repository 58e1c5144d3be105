"""`/v1/edit`: one edit of every note that a search finds, shown to a person and written by their own command."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from scrubjay.credential_filter import redact_text
from scrubjay.daemon.review.changes.change_plan import Place
from scrubjay.daemon.review.changes.disk_notes import DiskNotes
from scrubjay.daemon.review.changes.refusal import ChangeRefused
from scrubjay.daemon.review.changes.result_edit import EditedNote, edited_note, shown_key
from scrubjay.daemon.review.changes.write_report import ApplyReport, NotWritten
from scrubjay.daemon.server.access.caller import Forbidden
from scrubjay.daemon.server.endpoints.edit import (
    EDIT,
    EDIT_WRITE,
    MOST_NOTES,
    EditAsk,
    EditReply,
    EditWriteAsk,
    NoteEdit,
)
from scrubjay.daemon.server.endpoints.review import FileDiff
from scrubjay.daemon.server.endpoints.search import SearchAsk
from scrubjay.daemon.server.handlers.review_writing import written_by_command
from scrubjay.daemon.server.handlers.search import search_request
from scrubjay.daemon.server.routing import Context, Handlers
from scrubjay.profiles.digests import bytes_digest
from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.kinds import NOTE
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.search.types import Unanswered
from scrubjay.profiles.store import reads

HANDLERS = Handlers()

_PAGE = 1_000


@HANDLERS.answers(EDIT)
def edit(context: Context, request: EditAsk) -> EditReply:
    if context.caller.asker.source == "agent":
        raise Forbidden(
            "An edit of many notes is a person's; a program may put one note's change forward in the review."
        )
    if request.edit.wrong:
        raise UsageError(request.edit.wrong)
    found = _found(context, request)
    edited: list[NoteEdit] = []
    refused: list[NotWritten] = []
    in_links = left_lines = 0
    for profile, places in found.places.items():
        for each in _edited(context, request, found.profiles[profile], places):
            if isinstance(each, NotWritten):
                refused.append(each)
                continue
            note, made = each
            edited += () if note is None else (note,)
            in_links += made.in_links
            left_lines += made.left_lines
    unchanged = sum(map(len, found.places.values())) - len(edited) - len(refused)
    return EditReply(
        edited=tuple(edited),
        refused=tuple(refused),
        unchanged=unchanged,
        in_links=in_links,
        left_lines=left_lines,
        unanswered=found.unanswered,
    )


@HANDLERS.answers(EDIT_WRITE)
def write(context: Context, request: EditWriteAsk) -> ApplyReport:
    asked = {"asked": EditAsk(query=request.query, edit=request.edit, profiles=request.profiles)}
    return written_by_command(context, ["edit", "--shown-stdin"], ApplyReport, {**asked, "shown": request.shown})


@dataclass(frozen=True, slots=True)
class _Found:
    """The notes that a search finds, each file once, by the name of their profile."""

    places: Mapping[str, Sequence[Place]]
    profiles: Mapping[str, Profile]
    unanswered: tuple[Unanswered, ...]


def _found(context: Context, request: EditAsk) -> _Found:
    """Raises UsageError where they are too many."""
    ask = SearchAsk(
        query=request.query,
        profiles=request.profiles,
        sort="path",
        fold=False,
        habits=False,
        remember=False,
        mend=False,  # what was typed is edited, and no guess
    )
    wanted, profiles, _ = search_request(ask, context.services, context.caller)
    by_name = {profile.name: profile for profile in profiles}
    roots = {(profile.name, vault.name): vault.root for profile in profiles for vault in profile.vaults}
    places: defaultdict[str, list[Place]] = defaultdict(list)
    seen: set[tuple[str, str]] = set()
    offset: int | None = 0
    answer = None
    while offset is not None:
        answer = context.services.search(replace(wanted, limit=_PAGE, offset=offset))
        if (answer.total_notes or 0) > MOST_NOTES:
            raise UsageError(
                f"{answer.total_notes:,} notes match, and one edit takes {MOST_NOTES:,}: narrow the query."
            )
        for result in answer.results:
            file = roots.get((result.profile, result.vault), ""), result.path
            if result.kind == NOTE and file[0] and file not in seen:
                seen.add(file)
                places[result.profile].append((result.vault, result.path))
        offset = answer.next_offset
    return _Found(places, by_name, () if answer is None else answer.unanswered)


def _edited(
    context: Context, request: EditAsk, profile: Profile, places: Sequence[Place]
) -> Iterator[tuple[NoteEdit | None, EditedNote] | NotWritten]:
    """What becomes of each note of a profile: None for one that stays as it is; and those that must."""
    profile = context.engine.registry.current(profile)  # what was excluded a moment ago is excluded
    preparation, store = context.engine.preparation, context.engine.open_profiles.same(profile).store
    rules, key = preparation.rules_of(profile), preparation.digest_key(profile)
    redact = partial(redact_text, rules=rules)
    notes = DiskNotes(profile)
    digests: dict[Place, bytes] = {}
    for vault in profile.vaults:
        paths = [path for name, path in places if name == vault.name]
        known = store.read(reads.known_notes, vault.id, paths) if paths else {}
        digests |= {(vault.name, path): note.digest for path, note in known.items()}
    for place in places:
        try:
            made = edited_note(
                request.edit,
                place,
                notes,
                digest=partial(bytes_digest, key=key),
                indexed=digests.get(place),
                redact=redact,
            )
        except ChangeRefused as refusal:
            yield NotWritten(place[1], (), str(refusal))
            continue
        vault, path = place
        file = FileDiff(vault=vault, path=path, to=path, diff=made.diff, digest=made.digest)
        named = shown_key(profile.name, place, made.digest)
        yield NoteEdit(key=named, profile=profile.name, changes=made.changes, file=file) if made.changes else None, made
