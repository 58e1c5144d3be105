"""`/v1/journal`: what clients had remembered. Appended, recalled, forgotten; never changed."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

from litestar import delete, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from daemon.api.caller import InjectedCaller, needs
from daemon.api.reading import time_of
from daemon.api.schemas_journal import (
    EntryReply,
    JournalAsk,
    JournalReply,
    PruneAsk,
    PruneReply,
    RecallAsk,
    RecalledReply,
    RecallReply,
)
from daemon.api.schemas_manage import Done
from daemon.api.scoping import in_scope, named, only, visible
from daemon.api.services import InjectedServices, Services
from daemon.errors import UsageError
from daemon.journal.journals import Author
from profiles.journal import Entry
from profiles.registry import Profile

_LATEST = datetime(2262, 1, 1, tzinfo=UTC)  # nanoseconds of later times don't fit in 64 bits

Moment = Annotated[
    datetime | None, QueryParameter(description="RFC 3339 with its offset, such as 2026-03-01T00:00:00Z.")
]


@post("/v1/journal", guards=[needs("journal")], sync_to_thread=True, status_code=201)
def remember(data: JSONBody[JournalAsk], services: InjectedServices, caller: InjectedCaller) -> EntryReply:
    """Save a text in a profile's journal; it comes back as it was saved, credentials taken out."""
    profile = only(services, caller.client, data.profile)
    author = Author(caller.client.name, caller.client.id)
    return _entry(profile.name, services.memory.save(profile, author, data.text, data.tags))


@post("/v1/journal/recall", guards=[needs("search")], sync_to_thread=True, status_code=200)
def recall(data: JSONBody[RecallAsk], services: InjectedServices, caller: InjectedCaller) -> RecallReply:
    """The entries that fit a query best, by words and by meaning."""
    query = data.query[: services.limits.query_characters]
    profiles, unanswered = _answering(services, in_scope(services, caller, data.profiles))
    found = services.memory.recall(profiles, query, data.limit)
    return RecallReply(
        unanswered=unanswered,
        entries=tuple(
            RecalledReply(
                id=each.entry.key,
                profile=each.profile,
                saved=time_of(each.entry.at_ns),
                author=each.entry.author,
                text=each.entry.text,
                tags=each.entry.tags,
                redactions=each.entry.redactions,
                score=each.score,
                relevance=each.relevance,
            )
            for each in found
        ),
    )


@get("/v1/journal", guards=[needs("search")], sync_to_thread=True)
def log(
    services: InjectedServices,
    caller: InjectedCaller,
    profile: Annotated[str | None, QueryParameter(max_length=60, description="One profile, not all.")] = None,
    since: Moment = None,
    until: Moment = None,
    limit: Annotated[int, QueryParameter(ge=1, le=1_000)] = 100,
) -> JournalReply:
    """Entries by time, newest first: saved from `since` on and before `until`."""
    asked = in_scope(services, caller, None if profile is None else (profile,))
    profiles, unanswered = _answering(services, asked)
    found = services.memory.log(profiles, limit, _ns(since), _ns(until))
    return JournalReply(entries=tuple(_entry(name, entry) for name, entry in found), unanswered=unanswered)


@delete("/v1/journal/{entry_id:str}", guards=[needs("journal")], sync_to_thread=True, status_code=200)
def forget(entry_id: FromPath[str], services: InjectedServices, caller: InjectedCaller) -> Done:
    """Delete an entry for good. A client forgets what it saved itself; one that manages, anything it sees."""
    only_of = None if caller.client.may("manage") else caller.client.id
    profiles, _ = _answering(services, visible(services, caller.client))
    services.memory.forget(profiles, entry_id, only_of)
    return Done()


@post("/v1/journal/prune", guards=[needs("manage")], sync_to_thread=True, status_code=200)
def prune(data: JSONBody[PruneAsk], services: InjectedServices, caller: InjectedCaller) -> PruneReply:
    """Delete for good all that was saved before a time."""
    profile = named(services, caller.client, data.profile)
    return PruneReply(forgotten=services.memory.prune(profile, _ns(data.before) or 0))


def _answering(services: Services, asked: Sequence[Profile]) -> tuple[tuple[Profile, ...], tuple[str, ...]]:
    """The profiles that are open, and the names of the others. A single one is asked, so that it says what is wrong."""
    stores = services.stores(asked)
    profiles = tuple(profile for profile in asked if profile.name in stores) if len(asked) > 1 else tuple(asked)
    return profiles, tuple(profile.name for profile in asked if profile not in profiles)


def _ns(moment: datetime | None) -> int | None:
    if moment is None:
        return None
    if moment.tzinfo is None:
        raise UsageError("A time needs its offset, such as 2026-03-01T00:00:00Z.")
    return int(max(min(moment, _LATEST), datetime.fromtimestamp(0, UTC)).timestamp()) * 10**9


def _entry(profile: str, entry: Entry) -> EntryReply:
    return EntryReply(
        id=entry.key,
        profile=profile,
        saved=time_of(entry.at_ns),
        author=entry.author,
        text=entry.text,
        tags=entry.tags,
        redactions=entry.redactions,
    )


ROUTES = (remember, recall, log, forget, prune)
