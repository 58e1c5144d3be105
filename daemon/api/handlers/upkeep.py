"""Steering the background work (`/v1/pause` and its like), and the history of searches."""

from scrubjay.daemon.api.door.caller import chosen, named
from scrubjay.daemon.api.endpoint import Done, Nothing
from scrubjay.daemon.api.endpoints.common import Accepted
from scrubjay.daemon.api.endpoints.upkeep import (
    CLEAR_HISTORY,
    HISTORY,
    HURRY,
    OPENED,
    PAUSE,
    RESUME,
    RETRY,
    ClearAsk,
    Cleared,
    HistoryAsk,
    HistoryReply,
    OpenedAsk,
    ProfileChoice,
    SearchEventReply,
)
from scrubjay.daemon.api.reading import time_of
from scrubjay.daemon.api.routing import Context, Handlers
from scrubjay.daemon.observe.missed import JudgedSearch
from scrubjay.daemon.runtime.engine import Engine
from scrubjay.daemon.transport import NotRunning
from scrubjay.profiles.registry.registry import Profile

HANDLERS = Handlers()


@HANDLERS.answers(PAUSE)
def pause(context: Context, request: ProfileChoice) -> Accepted:
    profiles = chosen(context.services, context.client, request.profile)
    _background(context).supervisor.pause(profile.id for profile in profiles)
    return _accepted(profiles)


@HANDLERS.answers(RESUME)
def resume(context: Context, request: ProfileChoice) -> Accepted:
    profiles = chosen(context.services, context.client, request.profile)
    _background(context).supervisor.resume(profile.id for profile in profiles)
    return _accepted(profiles)


@HANDLERS.answers(RETRY)
def retry(context: Context, request: ProfileChoice) -> Accepted:
    profiles = chosen(context.services, context.client, request.profile)
    supervisor = _background(context).supervisor
    for profile in profiles:
        supervisor.request(profile.id, retry=True)
    return _accepted(profiles)


@HANDLERS.answers(HURRY)
def hurry(context: Context, _: Nothing) -> Done:
    if context.services.hurry is None:
        raise _not_running()
    context.services.hurry()
    return Done()


@HANDLERS.answers(HISTORY)
def history(context: Context, request: HistoryAsk) -> HistoryReply:
    profiles = chosen(context.services, context.client, request.profile)
    found = context.services.searches.events(profiles, slow=request.slow, missed=request.missed)
    return HistoryReply(events=tuple(_event_reply(each) for each in found[: request.limit]))


@HANDLERS.answers(CLEAR_HISTORY)
def clear_history(context: Context, request: ClearAsk) -> Cleared:
    profiles = chosen(context.services, context.client, request.profile)
    stores = context.stores(profiles)
    return Cleared(forgotten=sum(context.services.searches.clear(each) for each in profiles if each.name in stores))


@HANDLERS.answers(OPENED)
def opened(context: Context, request: OpenedAsk) -> Done:
    context.services.searches.opened(
        named(context.services, context.client, request.profile), request.query, request.path, context.caller.asker
    )
    return Done()


def _event_reply(search: JudgedSearch) -> SearchEventReply:
    event = search.event
    return SearchEventReply(
        profile=search.profile,
        at=time_of(event.at_ns),
        query=event.query,
        mode=event.mode,
        results=event.results,
        took_ms=event.took_ms,
        opened=event.opened,
        source=event.asker.source,
        client=event.asker.client,
        relevance=event.relevance,
        missed=search.missed,
    )


def _background(context: Context) -> Engine:
    """The engine, if it works in the background. Raises NotRunning where no daemon runs."""
    if context.services.hurry is None:
        raise _not_running()
    return context.engine


def _not_running() -> NotRunning:
    return NotRunning("Scrubjay is not running, so nothing goes on in the background. Start it with `scrubjay start`.")


def _accepted(profiles: tuple[Profile, ...]) -> Accepted:
    return Accepted(profiles=tuple(profile.name for profile in profiles))
