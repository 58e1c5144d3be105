"""Steering the background work (`/v1/pause` and its like), and what was observed (`/v1/history`, `/metrics`)."""

from datetime import UTC, datetime
from typing import Annotated

from litestar import Response, delete, get, post
from litestar.params import JSONBody, QueryParameter

from daemon.api.caller import Caller, InjectedCaller, needs
from daemon.api.schemas_manage import Accepted, Done
from daemon.api.schemas_upkeep import Cleared, HistoryReply, OpenedAsk, ProfileChoice, SearchEventReply
from daemon.api.scoping import named, visible
from daemon.api.services import InjectedServices, Services
from daemon.observe.metrics import CONTENT_TYPE
from profiles.registry import Profile

_ProfileName = Annotated[str | None, QueryParameter(max_length=60)]


@post("/v1/pause", guards=[needs("manage")], sync_to_thread=True, status_code=200)
def pause(data: JSONBody[ProfileChoice], services: InjectedServices, caller: InjectedCaller) -> Accepted:
    """Hold the background work of one profile, or of all visible ones, until it is resumed or the daemon restarts."""
    chosen = _chosen(services, caller, data.profile)
    services.upkeep.background.pause(chosen)
    return _accepted(chosen)


@post("/v1/resume", guards=[needs("manage")], sync_to_thread=True, status_code=200)
def resume(data: JSONBody[ProfileChoice], services: InjectedServices, caller: InjectedCaller) -> Accepted:
    """Let the background work go on."""
    chosen = _chosen(services, caller, data.profile)
    services.upkeep.background.resume(chosen)
    return _accepted(chosen)


@post("/v1/retry", guards=[needs("manage")], sync_to_thread=True, status_code=202)
def retry(data: JSONBody[ProfileChoice], services: InjectedServices, caller: InjectedCaller) -> Accepted:
    """Read the files again that could not be indexed."""
    chosen = _chosen(services, caller, data.profile)
    services.upkeep.background.retry(chosen)
    return _accepted(chosen)


@post("/v1/hurry", guards=[needs("manage")], sync_to_thread=True, status_code=202)
def hurry(services: InjectedServices) -> Done:
    """Index at full speed until nothing waits any more."""
    services.upkeep.background.hurry()
    return Done()


@get("/v1/history", guards=[needs("manage")], sync_to_thread=True)
def history(
    services: InjectedServices,
    caller: InjectedCaller,
    profile: _ProfileName = None,
    limit: Annotated[int, QueryParameter(ge=1, le=1_000)] = 50,
    slow: Annotated[bool, QueryParameter()] = False,
) -> HistoryReply:
    """The searches that were remembered, newest first; `slow` gives only those slower than `slow_search_ms`."""
    chosen = _chosen(services, caller, profile)
    stores = services.stores(chosen)
    events = [
        SearchEventReply(
            profile=each.name,
            at=datetime.fromtimestamp(event.at_ns / 1e9, UTC),
            query=event.query,
            mode=event.mode,
            results=event.results,
            took_ms=event.took_ms,
            opened=event.opened,
        )
        for each in chosen
        if each.name in stores
        for event in services.upkeep.searches.events(each, limit, slow=slow)
    ]
    return HistoryReply(events=tuple(sorted(events, key=lambda event: event.at, reverse=True)[:limit]))


@delete("/v1/history", guards=[needs("manage")], sync_to_thread=True, status_code=200)
def clear_history(services: InjectedServices, caller: InjectedCaller, profile: _ProfileName = None) -> Cleared:
    """Forget the searches of one profile, or of all visible ones."""
    chosen = _chosen(services, caller, profile)
    stores = services.stores(chosen)
    return Cleared(forgotten=sum(services.upkeep.searches.clear(each) for each in chosen if each.name in stores))


@post("/v1/opened", guards=[needs("search")], sync_to_thread=True, status_code=200)
def opened(data: JSONBody[OpenedAsk], services: InjectedServices, caller: InjectedCaller) -> Done:
    """Remember that a result was opened, in the history of its profile if that is kept."""
    services.upkeep.searches.opened(named(services, caller.client, data.profile), data.query, data.path)
    return Done()


@get("/metrics", include_in_schema=False, guards=[needs("manage")], sync_to_thread=True)
def metrics(services: InjectedServices, caller: InjectedCaller) -> Response[bytes]:
    """Figures in Prometheus' text format; sizes of the visible profiles alone."""
    stores = services.stores(visible(services, caller.client))
    text = services.upkeep.metrics.text([(name, store.counts()) for name, store in stores.items()])
    return Response(text, media_type=CONTENT_TYPE)


def _chosen(services: Services, caller: Caller, name: str | None) -> tuple[Profile, ...]:
    return visible(services, caller.client) if name is None else (named(services, caller.client, name),)


def _accepted(profiles: tuple[Profile, ...]) -> Accepted:
    return Accepted(profiles=tuple(profile.name for profile in profiles))


ROUTES = (pause, resume, retry, hurry, history, clear_history, opened, metrics)
