"""`/v1/journal`: what clients had remembered. Appended, recalled, replaced, forgotten; never changed."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from msgspec.structs import asdict

from scrubjay.daemon.engine.journals import Author, Replaces, Validity
from scrubjay.daemon.server.access.caller import in_scope, named, only, visible
from scrubjay.daemon.server.endpoint import Done
from scrubjay.daemon.server.endpoints.journal import (
    ENTRY,
    FORGET,
    LOG,
    PRUNE,
    RECALL,
    REMEMBER,
    EntryAsk,
    EntryReply,
    JournalAsk,
    JournalReply,
    LogAsk,
    PruneAsk,
    PruneReply,
    RecallAsk,
    RecalledReply,
    RecallReply,
    RememberedReply,
)
from scrubjay.daemon.server.replies.note_replies import next_page, time_of
from scrubjay.daemon.server.routing import Context, Handlers
from scrubjay.daemon.server.services import Services
from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.journal.entries import ALL, EntryFilter, JournalEntry
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.search.types import Unanswered

HANDLERS = Handlers()

_EARLIEST, _LATEST = datetime(1678, 1, 1, tzinfo=UTC), datetime(2262, 1, 1, tzinfo=UTC)
"""Nanoseconds of other times don't fit in 64 bits."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@HANDLERS.answers(REMEMBER)
def remember(context: Context, request: JournalAsk) -> RememberedReply:
    profile = only(context.services, context.client, request.profile)
    author = Author(context.client.name, context.client.id)
    replaces = None
    if request.replaces is not None:
        only_of = None if context.client.may("manage") else context.client.id
        replaces = Replaces(request.replaces.removeprefix("#"), only_of)
    validity = Validity(_ns(_kept(request.valid_from)), _ns(_kept(request.valid_to)))
    saved = context.services.journals.save(profile, author, request.text, request.tags, replaces, validity)
    return RememberedReply(
        **asdict(_entry(profile.name, saved.entry)),
        refreshed=saved.refreshed,
        replaced=saved.replaced,
        alike=tuple(_entry(profile.name, each) for each in saved.alike),
    )


@HANDLERS.answers(ENTRY)
def entry(context: Context, request: EntryAsk) -> EntryReply:
    profiles, _ = _answering(context.services, visible(context.services, context.client))
    return _entry(*context.services.journals.get(profiles, request.entry_id))


@HANDLERS.answers(RECALL)
def recall(context: Context, request: RecallAsk) -> RecallReply:
    query = request.query[: context.services.limits.query_characters]
    profiles, unanswered = _answering(context.services, in_scope(context.services, context.caller, request.profiles))
    wanted = EntryFilter(
        _ns(request.since) or 0, _ns(request.until) or ALL.until_ns, request.tags, request.author or ""
    )
    found = context.services.journals.recall(profiles, query, request.limit, wanted, _ns(request.as_of))
    return RecallReply(
        unanswered=unanswered,
        entries=tuple(
            RecalledReply(**asdict(_entry(each.profile, each.entry)), score=each.score, relevance=each.relevance)
            for each in found
        ),
    )


@HANDLERS.answers(LOG)
def log(context: Context, request: LogAsk) -> JournalReply:
    chosen = in_scope(context.services, context.caller, None if request.profile is None else (request.profile,))
    profiles, unanswered = _answering(context.services, chosen)
    since, until = _ns(request.since), _ns(request.until)
    found = context.services.journals.log(profiles, request.limit, since, until, request.offset)
    total = context.services.journals.count(profiles, since, until)
    return JournalReply(
        entries=tuple(_entry(name, entry) for name, entry in found),
        total=total,
        next_offset=next_page(request.offset + len(found), total),
        unanswered=unanswered,
    )


@HANDLERS.answers(FORGET)
def forget(context: Context, request: EntryAsk) -> Done:
    only_of = None if context.client.may("manage") else context.client.id
    profiles, _ = _answering(context.services, visible(context.services, context.client))
    context.services.journals.forget(profiles, request.entry_id, only_of)
    return Done()


@HANDLERS.answers(PRUNE)
def prune(context: Context, request: PruneAsk) -> PruneReply:
    profile = named(context.services, context.client, request.profile)
    return PruneReply(forgotten=context.services.journals.prune(profile, _ns(request.before) or 0))


def _answering(services: Services, chosen: Sequence[Profile]) -> tuple[tuple[Profile, ...], tuple[Unanswered, ...]]:
    """The open profiles, and why the others do not answer. A single closed one stays: its error says what is wrong."""
    stores = services.stores(chosen)
    profiles = tuple(profile for profile in chosen if profile.name in stores) if len(chosen) > 1 else tuple(chosen)
    return profiles, tuple(
        services.engine.open_profiles.unanswered(profile.name) for profile in chosen if profile not in profiles
    )


def _ns(moment: datetime | None) -> int | None:
    if moment is None:
        return None
    if moment.tzinfo is None:
        raise UsageError("A time needs its offset, such as 2026-03-01T00:00:00Z.")
    return (max(min(moment, _LATEST), _EARLIEST) - _EPOCH) // timedelta(seconds=1) * 10**9


def _kept(moment: datetime | None) -> datetime | None:
    """A time that can be kept as it is. Raises UsageError."""
    if moment is not None and moment.tzinfo is not None and not _EARLIEST <= moment <= _LATEST:
        raise UsageError("The journal keeps days from 1678-01-01 to 2262-01-01.")
    return moment


def _entry(profile: str, entry: JournalEntry) -> EntryReply:
    return EntryReply(
        id=entry.key,
        profile=profile,
        saved=time_of(entry.at_ns),
        first_saved=time_of(entry.first_ns or entry.at_ns),
        author=entry.author,
        text=entry.text,
        tags=entry.tags,
        redactions=entry.redactions,
        replaced_by=entry.replaced_by,
        replaced_at=_time(entry.replaced_ns),
        valid_from=_time(entry.valid_from_ns),
        valid_to=_time(entry.valid_to_ns),
    )


def _time(ns: int | None) -> datetime | None:
    return None if ns is None else time_of(ns)
