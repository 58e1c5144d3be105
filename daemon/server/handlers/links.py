"""`/v1/related`, `/v1/traverse`, `/v1/timeline`, `/v1/verify`, `/v1/excerpt`: links, days, quotations."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from scrubjay.daemon.answers.checked_answer import AnswerCheck
from scrubjay.daemon.answers.citation import cited_in, journal_passage
from scrubjay.daemon.links.excerpt import excerpt as best_sentences
from scrubjay.daemon.links.related import related_notes
from scrubjay.daemon.links.traverse import walk_from
from scrubjay.daemon.server.access.caller import chosen, chosen_of, in_scope, named_for_search, visible
from scrubjay.daemon.server.endpoints.links import (
    EXCERPT,
    RELATED,
    TIMELINE,
    TRAVERSE,
    VERIFY,
    VERIFY_ANSWER,
    ExcerptAsk,
    ExcerptReply,
    RelatedAsk,
    RelatedReply,
    SentenceReply,
    StepReply,
    TimelineAsk,
    TimelineReply,
    TraverseAsk,
    VerifyAnswerAsk,
    VerifyAnswerReply,
    VerifyAsk,
    VerifyReply,
    WalkReply,
)
from scrubjay.daemon.server.replies.days import notes_by_day
from scrubjay.daemon.server.replies.note_replies import note_refs, related_refs
from scrubjay.daemon.server.routing import Context, Handlers
from scrubjay.profiles.errors import NotFound, UsageError
from scrubjay.profiles.local_time import LOCAL, local_now
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.search.named_notes import NoteNotFound, find_chunk, note_named, notes_at, vault_name
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.store import Store

HANDLERS = Handlers()

_WEEK = timedelta(days=6)
_LONGEST = timedelta(days=366)
_SEEDS, _DEEP_SEEDS = 3, 8  # results that a walk from a query begins with
_MOST_NOTES = 20  # that hold the passage or have the path, and are looked at


@HANDLERS.answers(RELATED)
def related(context: Context, request: RelatedAsk) -> RelatedReply:
    seen = chosen(context.services, context.client, request.profile)
    stores = context.stores(seen)
    if request.note is not None:
        named = note_named(stores, seen, request.note)
        profile, note_id = named.profile, named.note_id
    elif request.vault is not None and request.path is not None:
        profile, note = notes_at(stores, seen, request.path, request.vault)[0]
        note_id = note.note_id
    else:
        raise UsageError("Say which note: `note`, or its `vault` and `path`.")
    opened = context.engine.open_profiles.same(profile)
    graph = context.engine.graphs.recent(opened.store)
    model = opened.model.embedder.spec.fingerprint
    found = related_notes(opened.store, graph, model, note_id, limit=request.limit, line=request.line)
    return RelatedReply(notes=tuple(related_refs(stores[profile.name], profile, found)))


@HANDLERS.answers(TRAVERSE, lane="search")
def traverse(context: Context, request: TraverseAsk) -> WalkReply:
    if sum(place is not None for place in (request.id, request.path, request.note, request.search)) != 1:
        raise UsageError("Say where to begin: the id of a passage, the path of a note, or a query.")
    seen = chosen(context.services, context.client, request.profile)
    stores = context.stores(seen)
    if request.search is None:
        profile, first = _first_note(stores, seen, request)
        starts: tuple[int, ...] = (first,)
    else:
        profile, starts = _best_notes(context, seen, request.search, _DEEP_SEEDS if request.deep else _SEEDS)
    opened = context.engine.open_profiles.same(profile)
    about = request.about or request.search
    vector = None if about is None else opened.model.embedder.embed_query(about)
    graph = context.engine.graphs.recent(opened.store)
    walk = walk_from(opened.store, graph, starts, vector, hops=request.depth, deep=request.deep)
    steps = walk.steps[: request.limit]
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


def _best_notes(
    context: Context, profiles: Sequence[Profile], query: str, most: int
) -> tuple[Profile, tuple[int, ...]]:
    """The best results of a search, those in the profile of the first: links don't lead from one into another.

    Raises NoteNotFound where nothing is found.
    """
    names, ids = named_for_search(profiles)
    found = context.services.search(SearchRequest(query=query, profiles=names, ids=ids, limit=most)).results
    stores = context.stores(profiles)
    places = [
        next(place for place in find_chunk(stores, profiles, result.id) if place.profile.name == result.profile)
        for result in found
    ]
    if not places:
        raise NoteNotFound("Nothing is found for this query, so there is nowhere to begin.")
    profile = places[0].profile
    return profile, tuple(place.chunk.note_id for place in places if place.profile.id == profile.id)


def _first_note(stores: Mapping[str, Store], profiles: Sequence[Profile], begin: TraverseAsk) -> tuple[Profile, int]:
    """The note to begin with. Raises NoteNotFound, ChunkNotFound, or UsageError where several could be meant."""
    if begin.note is not None:
        named = note_named(stores, profiles, begin.note)
        return named.profile, named.note_id
    if begin.id is not None:
        found = find_chunk(stores, profiles, begin.id)[0]
        return found.profile, found.chunk.note_id
    places = notes_at(stores, profiles, begin.path or "", begin.vault)
    if len({note.vault for _, note in places}) > 1:
        raise UsageError("Several vaults have a note at this path: say which one.")
    profile, note = places[0]
    return profile, note.note_id


@HANDLERS.answers(TIMELINE)
def by_day(context: Context, request: TimelineAsk) -> TimelineReply:
    last = request.until or local_now().date()
    first = request.since or max(last, date.min + _WEEK) - _WEEK
    if not date.min < first <= last < date.max or last - first > _LONGEST:
        raise UsageError(f"A timeline has 1 to {_LONGEST.days} days, the first before the last.")
    profiles = in_scope(context.services, context.caller, None if request.profile is None else (request.profile,))
    return TimelineReply(days=notes_by_day(context.stores(profiles), profiles, LOCAL, first, last))


@HANDLERS.answers(VERIFY)
def verify(context: Context, request: VerifyAsk) -> VerifyReply:
    seen = chosen(context.services, context.client, request.profile)
    stores = context.stores(seen)
    if sum(place is not None for place in (request.id, request.path, request.note)) != 1:
        raise UsageError("Say what is cited: the id of a passage, or the path of a note.")
    try:
        texts = [
            (profile, stores[profile.name].read(reads.note_chunks, note_id))
            for profile, note_id in _cited_notes(stores, seen, request)[:_MOST_NOTES]
        ]
    except NotFound:
        entry = journal_passage(stores, seen, request.note or request.id or "")
        if entry is None:
            raise
        texts = [(entry.profile, [entry.chunk])]
    cited = [(profile, chunks[0], cited_in(chunks, request.quote)) for profile, chunks in texts if chunks]
    if not cited:
        raise NoteNotFound("The note has just been removed from the index.")
    profile, chunk, citation = next((each for each in cited if each[2].places), cited[0])
    return VerifyReply(
        verdict=citation.verification.verdict,
        reason=citation.verification.reason,
        profile=profile.name,
        vault=vault_name(stores[profile.name], profile, chunk.vault),
        path=chunk.path,
        title=chunk.title,
        places=citation.places,
        modified=chunk.modified,
        dated=chunk.dated,
    )


def _cited_notes(
    stores: Mapping[str, Store], seen: Sequence[Profile], request: VerifyAsk
) -> tuple[tuple[Profile, int], ...]:
    """The notes that the quotation is said to be from, by profile and id. Raises NotFound."""
    if request.note is not None:
        named = note_named(stores, seen, request.note)
        return ((named.profile, named.note_id),)
    if request.id is not None:
        return tuple((place.profile, place.chunk.note_id) for place in find_chunk(stores, seen, request.id))
    return tuple((profile, note.note_id) for profile, note in notes_at(stores, seen, request.path or "", request.vault))


@HANDLERS.answers(VERIFY_ANSWER)
def verify_answer(context: Context, request: VerifyAnswerAsk) -> VerifyAnswerReply:
    seen = chosen_of(context.services, context.client, request.profiles)
    return AnswerCheck(context.stores(seen), seen, request.text).reply()


@HANDLERS.answers(EXCERPT)
def excerpt(context: Context, request: ExcerptAsk) -> ExcerptReply:
    seen = visible(context.services, context.client)
    found = find_chunk(context.stores(seen), seen, request.id)[0]
    opened = context.engine.open_profiles.same(found.profile)
    best = best_sentences(opened.store, opened.model.embedder, found.chunk.text, request.query)
    above = [found.chunk.text.count("\n", 0, sentence.start) for sentence in best.sentences]
    return ExcerptReply(
        sentences=tuple(
            SentenceReply(text=sentence.text, line=found.chunk.line + lines)
            for sentence, lines in zip(best.sentences, above, strict=True)
        ),
        way=best.way,
        profile=found.profile.name,
        vault=found.vault,
        path=found.chunk.path,
    )
