"""`/v1/status`, `/v1/index`: what the daemon does; `/metrics`: figures in Prometheus' text format."""

import os
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any

from litestar import Request, Response, get
from litestar.handlers import HTTPRouteHandler
from msgspec.structs import replace

from scrubjay.daemon.engine.held_memory import Held, held_memory, helpers_memory
from scrubjay.daemon.engine.metrics import ServerOfProfile
from scrubjay.daemon.indexing.progress import DiskCount
from scrubjay.daemon.program import this_platform, typed_command
from scrubjay.daemon.server.access.caller import caller_of, chosen, needs, visible
from scrubjay.daemon.server.access.shown_places import InstallationFolders
from scrubjay.daemon.server.endpoint import Nothing
from scrubjay.daemon.server.endpoints.common import Accepted
from scrubjay.daemon.server.endpoints.status import (
    INDEX,
    MEMORY,
    STATUS,
    HeldMemory,
    IndexAsk,
    MemoryReply,
    ProfileStatus,
    Status,
)
from scrubjay.daemon.server.routing import Context, Handlers
from scrubjay.daemon.server.services import Services
from scrubjay.daemon.server.state import status_of
from scrubjay.profiles.errors import StoreError
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.store.rows import StoreCounts

HANDLERS = Handlers()


@HANDLERS.answers(STATUS, lane="quick")
def status(context: Context, _: Nothing) -> Status:
    services = context.services
    client = context.client
    seen = visible(services, client)
    state = status_of(services.engine, seen, instance=services.identity.instance, started=services.started)
    if client.profiles == "all" and client.may("manage"):
        state = replace(state, warnings=(*state.warnings, *map(_alarm, services.sessions.alarms())))
    if client.may("manage"):
        return replace(state, command=typed_command(this_platform(), os.environ.get("SCRUBJAY_HOME")))
    only_read = {
        opened.profile.id for opened in services.engine.open_profiles.open() if opened.store.read_only is not None
    }
    on_servers = {profile.id: profile.id in only_read for profile in seen if profile.is_shared}
    return _without_places(state, services.places, on_servers)


def _without_places(state: Status, places: InstallationFolders, on_servers: Mapping[str, bool]) -> Status:
    """on_servers: the profiles of teams by id, and whether this machine only reads them."""
    profiles = (
        replace(
            profile,
            reason=reason_on_server(profile, only_read=on_servers[profile.id])
            if profile.id in on_servers
            else places.left_out_of(profile.reason),
            failures=tuple(replace(each, reason=places.left_out_of(each.reason)) for each in profile.failures),
        )
        for profile in state.profiles
    )
    return replace(state, warnings=tuple(map(places.left_out_of, state.warnings)), profiles=tuple(profiles))


def reason_on_server(profile: ProfileStatus, *, only_read: bool) -> str:
    """Why a team's profile is not idle, or not written to (only_read), without its address."""
    if profile.state == "away":
        return "Its server can't be reached now. It is tried again by itself."
    if profile.state in ("locked", "paused"):
        return profile.reason
    if profile.state == "idle" or (only_read and profile.state != "failed"):
        return profile.reason and "It can be searched; nothing is written to it from here."
    return profile.reason and "Something is wrong with it; who may manage Scrubjay is told what."


def _alarm(at: datetime) -> str:
    return (
        f"At {at.astimezone():%Y-%m-%d %H:%M} a ticket of the search page was used twice: somebody else may have it."
        " The page that it had opened was closed. `scrubjay clients list` shows the pages that are open."
    )


@HANDLERS.answers(MEMORY)
def memory(context: Context, _: Nothing) -> MemoryReply:
    ids = {profile.id for profile in visible(context.services, context.client)}
    held, processes = held_memory(context.engine, ids), helpers_memory()
    return MemoryReply(held=tuple(map(_held, held)), processes=tuple(map(_held, processes)))


def _held(held: Held) -> HeldMemory:
    return HeldMemory(what=held.what, bytes=held.bytes, profile=held.profile)


@HANDLERS.answers(INDEX)
def index(context: Context, request: IndexAsk) -> Accepted:
    profiles, engine = chosen(context.services, context.client, request.profile), context.engine
    if request.profile is None:
        open_now = {each.profile.id for each in engine.open_profiles.open()}
        profiles = tuple(profile for profile in profiles if profile.id in open_now)
    for profile in profiles:
        profile_id = engine.open_profiles.same(profile).profile.id
        engine.supervisor.request(profile_id, full=request.full, forget_missing=request.forget_missing)
        engine.files.request(profile_id, full=request.full)
    return Accepted(profiles=tuple(profile.name for profile in profiles))


ABOUT_METRICS = (
    "Figures in Prometheus' text format: searches and their times, sizes of the profiles that the token may see."
)


def metrics_route(services: Services) -> HTTPRouteHandler:
    """The route: text, so that it is no endpoint."""

    @get("/metrics", guards=[needs("manage")], sync_to_thread=True)
    def metrics(request: Request[Any, Any, Any]) -> Response[bytes]:
        """Sizes of the visible profiles alone; what is counted over all of them, for who sees all."""
        from scrubjay.daemon.engine.prometheus_text import CONTENT_TYPE, text  # noqa: PLC0415 - 2 MB, for who asks

        client = caller_of(request.scope).client
        profiles = visible(services, client)
        sizes: list[tuple[str, StoreCounts]] = []
        for name, store in services.stores(profiles).items():
            with suppress(StoreError):  # its server is away, say; the others are told all the same
                sizes.append((name, store.counts()))
        servers = [_server(services, profile) for profile in profiles if profile.is_shared]
        counted = services.metrics.counted() if client.profiles == "all" else None
        return Response(text(counted, sizes, servers), media_type=CONTENT_TYPE)

    return metrics


def _server(services: Services, profile: Profile) -> ServerOfProfile:
    opened = services.engine.open_profiles.get(profile.id)
    if opened is None:
        return ServerOfProfile(profile.name, None, 0)
    figures = opened.store.server_figures() if opened.store.away is None else None
    return ServerOfProfile(profile.name, figures, len((opened.progress.disk() or DiskCount()).differing))
