"""What the handlers work with: the engine, and what only a server has."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from scrubjay.credential_filter import redact, spans_of, values_of
from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.engine.journals import Journals
from scrubjay.daemon.engine.metrics import Metrics
from scrubjay.daemon.engine.search_log import SearchLog
from scrubjay.daemon.server.access.client_registry import ClientRegistry
from scrubjay.daemon.server.access.identity import Identity
from scrubjay.daemon.server.access.pairing import PairingDesk, pairing_key
from scrubjay.daemon.server.access.sessions import Sessions
from scrubjay.daemon.server.access.shown_places import InstallationFolders
from scrubjay.daemon.server.events import EventHub
from scrubjay.daemon.settings import Limits
from scrubjay.profiles.journal.search_event import Asker
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.search.types import SearchRequest, SearchResponse
from scrubjay.profiles.store.store import Store


@dataclass(frozen=True, slots=True)
class Services:
    """Everything that handlers use. hurry: takes the whole machine for indexing; None where nothing runs behind."""

    engine: Engine
    identity: Identity
    clients: ClientRegistry
    sessions: Sessions
    pairing: PairingDesk
    events: EventHub
    journals: Journals
    searches: SearchLog
    metrics: Metrics
    hurry: Callable[[], None] | None
    started: float = field(default_factory=time.monotonic)

    @property
    def places(self) -> InstallationFolders:
        """Where this installation has its files."""
        home = self.engine.home
        return InstallationFolders(home.data, home.state, home.config, home.cache)

    @property
    def limits(self) -> Limits:
        """The bounds in force; they change when the user changes the settings."""
        return self.engine.settings.limits

    def stores(self, profiles: Sequence[Profile]) -> Mapping[str, Store]:
        """Of these profiles, the open ones, by name."""
        return self.engine.stores_of(profiles)

    def sendable(self, query: str, profiles: Sequence[Profile]) -> tuple[str, tuple[str, ...]]:
        """A query as these profiles may be asked it, and what was taken out of it: no server gets a credential.

        Where none of them is on a server it is as it was.
        """
        taken: list[str] = []
        for profile in profiles:
            if profile.is_shared:
                found = redact(query, self.engine.preparation.rules_of(profile)).findings
                taken += values_of(query, found)
                for start, stop in reversed(spans_of(query, found)):
                    query = f"{query[:start]}…{query[stop:]}"
        return query, tuple(taken)

    def search(self, request: SearchRequest, asker: Asker | None = None) -> SearchResponse:
        """Answer one search. Background work yields to it; it is counted in the metrics.

        asker: who searches, for the history; None: a program looks something up for itself, and nothing remembers it.
        Raises ScrubjayError.
        """
        self.engine.supervisor.searched()
        response = self.engine.searcher.search(request, self.granted(request))
        self.metrics.searched(request, response)
        self.searches.searched(request, response, asker)
        return response

    def granted(self, request: SearchRequest) -> Mapping[str, Store]:
        """The stores that rights were granted for; none of another profile that has taken one of the names since."""
        return self.engine.open_profiles.stores(dict(zip(request.ids, request.profiles or (), strict=True)))


class _Changes:
    """Tells which profiles were opened, changed or closed: who may not know of one hears nothing of it."""

    def __init__(self, engine: Engine, events: EventHub) -> None:
        self._engine = engine
        self._events = events
        self._before = self._now()

    def notify(self) -> None:
        """Publish an event for each profile that is not as it was at the last call."""
        now = self._now()
        for profile_id in sorted(self._before.keys() | now.keys()):
            if self._before.get(profile_id) != now.get(profile_id):
                self._events.publish("profiles", profile=profile_id)
        self._before = now

    def _now(self) -> dict[str, tuple[Profile, bool]]:
        is_open = {opened.profile.id for opened in self._engine.open_profiles.open()}
        return {profile.id: (profile, profile.id in is_open) for profile in self._engine.open_profiles.all()}


def searches_of(engine: Engine, waits: Callable[[], None] = lambda: None) -> SearchLog:
    """The histories of the profiles that the engine has open. Close it when done. waits: as in `SearchLog`."""
    return SearchLog(
        lambda: {opened.profile.id: (opened.profile, opened.store) for opened in engine.open_profiles.open()},
        engine.preparation.rules_of,
        lambda: engine.settings.slow_search_ms,
        waits,
    )


def services_of(
    engine: Engine,
    clients: ClientRegistry,
    events: EventHub,
    identity: Identity,
    searches: SearchLog,
    metrics: Metrics,
    hurry: Callable[[], None] | None = None,
) -> Services:
    """What `create_app` needs, around one engine. `events` gets an event whenever profiles change."""
    engine.profile_sync.on_sync(_Changes(engine, events).notify)
    return Services(
        engine=engine,
        identity=identity,
        clients=clients,
        sessions=Sessions(engine.home.state, identity.instance),
        pairing=PairingDesk(clients, pairing_key(engine.home.state)),
        events=events,
        journals=Journals(
            engine.embedder, lambda profile: engine.open_profiles.same(profile).store, engine.preparation.rules_of
        ),
        searches=searches,
        metrics=metrics,
        hurry=hurry,
    )
