"""Steering the background work (`/v1/pause` and its like), and the history of searches."""

from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.engine.missed_searches import JudgedSearch
from scrubjay.daemon.engine.tuning import LEAST_PAIRS, usable_names
from scrubjay.daemon.errors import NotRunning
from scrubjay.daemon.server.access.caller import chosen, named
from scrubjay.daemon.server.endpoint import Done, Nothing
from scrubjay.daemon.server.endpoints.common import Accepted
from scrubjay.daemon.server.endpoints.upkeep import (
    CLEAR_HISTORY,
    HISTORY,
    HURRY,
    OPENED,
    PAUSE,
    RESUME,
    RETRY,
    TUNING,
    Cleared,
    ClearHistoryAsk,
    HistoryAsk,
    HistoryReply,
    OpenedAsk,
    ProfileChoice,
    SearchEventReply,
    TunedReply,
    TuningReply,
)
from scrubjay.daemon.server.replies.note_replies import time_of
from scrubjay.daemon.server.routing import Context, Handlers
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.store.query_matrices import learned_of
from scrubjay.profiles.store.store import Store

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
    engine = _background(context)
    for profile in profiles:
        engine.supervisor.request(profile.id, retry=True)
        engine.files.request(profile.id, retry=True)
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
def clear_history(context: Context, request: ClearHistoryAsk) -> Cleared:
    profiles = chosen(context.services, context.client, request.profile)
    stores = context.stores(profiles)
    return Cleared(forgotten=sum(context.services.searches.clear(each) for each in profiles if each.name in stores))


@HANDLERS.answers(TUNING)
def tuning(context: Context, request: ProfileChoice) -> TuningReply:
    profiles = chosen(context.services, context.client, request.profile)
    stores = context.stores(profiles)
    return TuningReply(
        profiles=tuple(
            _tuned(profile, stores[profile.name], context.engine.model_of(profile.name).embedder.spec.fingerprint)
            for profile in profiles
            if profile.name in stores
        )
    )


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


def _tuned(profile: Profile, store: Store, model: str) -> TunedReply:
    found = learned_of(store, model)
    if not profile.tuned or found is None:
        names = len(usable_names(store)) if profile.tuned else 0
        state = "off" if not profile.tuned else "waiting" if names >= LEAST_PAIRS else "too-few"
        return TunedReply(profile=profile.name, state=state, pairs=names)
    learned, is_used = found
    return TunedReply(
        profile=profile.name,
        state="used" if is_used else "no-gain" if learned.pairs >= LEAST_PAIRS else "too-few",
        pairs=learned.pairs,
        ridge=learned.ridge,
        before=learned.before,
        gain=learned.gain,
        low=learned.low,
        high=learned.high,
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
