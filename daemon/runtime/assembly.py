"""All that the API calls, put together around one engine."""

from daemon.api.events import EventHub
from daemon.api.services import Services
from daemon.api.upkeep import Upkeep
from daemon.clients.identity import Identity
from daemon.clients.pairing import PairingDesk, pairing_key
from daemon.clients.registry import ClientRegistry
from daemon.clients.sessions import Sessions
from daemon.journal.memory import Memory
from daemon.runtime.engine import Engine
from daemon.runtime.relating import RelatingService
from daemon.runtime.services import IndexingService, ProfileService, SearchService, StatusService


def services_of(
    engine: Engine, clients: ClientRegistry, events: EventHub, identity: Identity, upkeep: Upkeep
) -> Services:
    """What `create_app` needs. Those who listen to `events` are told whenever profiles change."""
    engine.on_sync(lambda: events.publish("profiles"))
    return Services(
        identity=identity,
        clients=clients,
        sessions=Sessions(engine.home.state, identity.instance),
        pairing=PairingDesk(clients, pairing_key(engine.home.state)),
        events=events,
        searcher=SearchService(engine, upkeep),
        profiles=ProfileService(engine),
        indexing=IndexingService(engine),
        status=StatusService(engine, identity.instance),
        stores=engine.stores_of,
        memory=Memory(engine.embedder, lambda profile: engine.opened_as(profile).store, engine.rules_of),
        limits_now=lambda: engine.settings.limits,
        relating=RelatingService(engine),
        upkeep=upkeep,
    )
