"""`/v1/related`, `/v1/traverse`, `/v1/timeline`, `/v1/verify`, `/v1/excerpt`: links, days, quotations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated

from litestar import get, post
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody, QueryParameter

from daemon.api.caller import InjectedCaller, needs
from daemon.api.citing import cited_in, places_of
from daemon.api.days import notes_by_day
from daemon.api.reading import NoteNotFound, find_chunk, note_at, note_refs, related_refs, vault_name
from daemon.api.schemas import RelatedReply
from daemon.api.schemas_graph import (
    ExcerptAsk,
    ExcerptReply,
    SentenceReply,
    StepReply,
    TimelineReply,
    VerifyAsk,
    VerifyReply,
    WalkReply,
)
from daemon.api.scoping import in_scope, named, visible
from daemon.api.services import InjectedServices
from daemon.errors import UsageError
from daemon.local_time import LOCAL, local_now
from profiles.registry import Profile
from profiles.store import Store

_WEEK = timedelta(days=6)
_LONGEST = timedelta(days=366)
_MOST_NOTES = 20  # that hold the passage or have the path, and are looked at

Vault = Annotated[str, QueryParameter(max_length=200, description="The vault's name.")]
Path = Annotated[str, QueryParameter(max_length=4_096, description="The note's path in the vault.")]


@get("/v1/related", guards=[needs("search")], sync_to_thread=True)
def related(
    services: InjectedServices,
    caller: InjectedCaller,
    vault: Vault,
    path: Path,
    limit: Annotated[int, QueryParameter(ge=1, le=100)] = 10,
    line: Annotated[int | None, QueryParameter(ge=1, description="Near the section that this line is in.")] = None,
) -> RelatedReply:
    """Notes related to a note by meaning, links and tags, and why."""
    seen = visible(services, caller.client)
    stores = services.stores(seen)
    profile, note_id = note_at(stores, seen, vault, path)
    found = services.relating.related(profile, note_id, limit, line)
    return RelatedReply(notes=tuple(related_refs(stores[profile.name], profile, found)))


@dataclass(frozen=True, slots=True)
class Begin:
    """The note that a walk begins with."""

    id: str | None  # of a passage of it
    path: str | None
    vault: str | None  # its vault's name, where several have such a path


def get_begin(
    id: Annotated[
        str | None, QueryParameter(max_length=13, description="A passage of the note to begin with; or its `path`.")
    ] = None,
    path: Annotated[str | None, QueryParameter(max_length=4_096, description="The note's path in its vault.")] = None,
    vault: Annotated[
        str | None, QueryParameter(max_length=200, description="The vault's name, where several have such a note.")
    ] = None,
) -> Begin:
    """Where a walk begins, as asked. Raises UsageError where it is said twice or not at all."""
    if (id is None) == (path is None):
        raise UsageError("Say where to begin: the id of a passage, or the path of a note.")
    return Begin(id, path, vault)


@get(
    "/v1/traverse",
    guards=[needs("search")],
    dependencies={"begin": Provide(get_begin, sync_to_thread=False)},
    sync_to_thread=True,
)
def traverse(
    services: InjectedServices,
    caller: InjectedCaller,
    begin: NamedDependency[Begin],
    about: Annotated[
        str | None, QueryParameter(max_length=2_000, description="What the walk is about; left out: the note itself.")
    ] = None,
    depth: Annotated[int, QueryParameter(ge=1, le=4, description="Most hops.")] = 2,
    deep: Annotated[bool, QueryParameter(description="Keep everything within reach.")] = False,
    limit: Annotated[int, QueryParameter(ge=1, le=2_000)] = 200,
) -> WalkReply:
    """Walk from a note along links in either direction, keeping what stays on the subject.

    Every note that was looked at is named, with its likeness and why it was kept or dropped.
    """
    seen = visible(services, caller.client)
    stores = services.stores(seen)
    profile, note_id = _note_meant(stores, seen, begin)
    walk = services.relating.walk(profile, note_id, about, hops=depth, deep=deep)
    steps = walk.steps[:limit]
    wanted = {step.note_id for step in steps} | {step.via for step in steps if step.via is not None}
    notes = note_refs(stores[profile.name], profile, sorted(wanted))
    replies = tuple(
        StepReply(
            note=notes[step.note_id],
            hop=step.hop,
            via=notes[step.via].path if step.via in notes else None,
            likeness=step.likeness,
            fate=step.fate,
        )
        for step in steps
        if step.note_id in notes  # else it has just been forgotten
    )
    return WalkReply(steps=replies, ending=walk.ending, omitted=len(walk.steps) - len(steps))


def _note_meant(stores: Mapping[str, Store], profiles: Sequence[Profile], begin: Begin) -> tuple[Profile, int]:
    """The note to begin with. Raises NoteNotFound, ChunkNotFound, or UsageError where several could be meant."""
    if begin.id is not None:
        found = find_chunk(stores, profiles, begin.id)[0]
        return found.profile, found.chunk.note_id
    places = places_of(stores, profiles, begin.path or "", begin.vault)
    vaults = {note.vault for profile, note_id in places for note in stores[profile.name].notes([note_id]).values()}
    if len(vaults) > 1:
        raise UsageError("Several vaults have a note at this path: say which one.")
    return places[0]


@get("/v1/timeline", guards=[needs("search")], sync_to_thread=True)
def by_day(
    services: InjectedServices,
    caller: InjectedCaller,
    since: Annotated[date | None, QueryParameter(description="The first day; six before the last if left out.")] = None,
    until: Annotated[date | None, QueryParameter(description="The last day; today if left out.")] = None,
    profile: Annotated[str | None, QueryParameter(max_length=60, description="One profile, not all.")] = None,
) -> TimelineReply:
    """Notes by day: daily notes on the day that they are named for, others when they were written and last changed."""
    last = until or local_now().date()
    first = since or max(last, date.min + _WEEK) - _WEEK
    if not date.min < first <= last < date.max or last - first > _LONGEST:
        raise UsageError(f"A timeline has 1 to {_LONGEST.days} days, the first before the last.")
    profiles = in_scope(services, caller, None if profile is None else (profile,))
    return TimelineReply(days=notes_by_day(services.stores(profiles), profiles, LOCAL, first, last))


@post("/v1/verify", guards=[needs("search")], sync_to_thread=True, status_code=200)
def verify(data: JSONBody[VerifyAsk], services: InjectedServices, caller: InjectedCaller) -> VerifyReply:
    """Whether a quotation really is in the note that it cites. No model is asked: the same answer every time."""
    seen = visible(services, caller.client) if data.profile is None else (named(services, caller.client, data.profile),)
    stores = services.stores(seen)
    if (data.id is None) == (data.path is None):
        raise UsageError("Say what is cited: the id of a passage, or the path of a note.")
    if data.id is not None:
        notes = tuple((place.profile, place.chunk.note_id) for place in find_chunk(stores, seen, data.id))
    else:
        notes = places_of(stores, seen, data.path or "", data.vault)
    cited = [
        (profile, chunks[0], cited_in(chunks, data.quote))
        for profile, note_id in notes[:_MOST_NOTES]
        if (chunks := stores[profile.name].note_chunks(note_id))
    ]
    if not cited:
        raise NoteNotFound("The note has just been removed from the index.")
    profile, chunk, citation = next((each for each in cited if each[2].places), cited[0])
    return VerifyReply(
        verdict=citation.verification.verdict,
        reason=citation.verification.reason,
        profile=profile.name,
        vault=vault_name(profile, chunk.vault),
        path=chunk.path,
        title=chunk.title,
        places=citation.places,
    )


@post("/v1/excerpt", guards=[needs("search")], sync_to_thread=True, status_code=200)
def excerpt(data: JSONBody[ExcerptAsk], services: InjectedServices, caller: InjectedCaller) -> ExcerptReply:
    """The two sentences of a passage that answer a query best: by its words, by meaning where these say little."""
    seen = visible(services, caller.client)
    found = find_chunk(services.stores(seen), seen, data.id)[0]
    chosen = services.relating.excerpt(found.profile, found.chunk.text, data.query)
    above = [found.chunk.text.count("\n", 0, sentence.start) for sentence in chosen.sentences]
    return ExcerptReply(
        sentences=tuple(
            SentenceReply(text=sentence.text, line=found.chunk.line + lines)
            for sentence, lines in zip(chosen.sentences, above, strict=True)
        ),
        way=chosen.way,
        profile=found.profile.name,
        vault=found.vault,
        path=found.chunk.path,
    )


ROUTES = (related, traverse, by_day, verify, excerpt)
