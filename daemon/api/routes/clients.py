"""`/v1/clients`: who may ask. Managers see and change those who see no more than they do themselves."""

from litestar import delete, get, post
from litestar.params import FromPath, JSONBody

from daemon.api.caller import Caller, Forbidden, InjectedCaller, needs, not_from_the_page
from daemon.api.schemas_manage import ClientAsk, ClientChange, ClientReply, ClientsReply, Done, TokenReply
from daemon.api.scoping import governs, grantable, granted, visible
from daemon.api.services import InjectedServices, Services
from daemon.clients.registry import Client, ClientNotFound, NewToken


@get("/v1/clients", guards=[needs("manage")], sync_to_thread=True)
def list_clients(services: InjectedServices, caller: InjectedCaller) -> ClientsReply:
    """The clients that this client may manage."""
    found = (client for client in services.clients.list() if governs(caller, client))
    return ClientsReply(clients=tuple(client_reply(services, caller, client) for client in found))


@post("/v1/clients", guards=[needs("manage")], sync_to_thread=True, status_code=201)
def create_client(data: JSONBody[ClientAsk], services: InjectedServices, caller: InjectedCaller) -> TokenReply:
    """A new client and its token, which is shown this once."""
    not_from_the_page(caller)
    profiles = granted(services, caller, data.profiles)
    new = services.clients.create(data.name, scopes=grantable(caller, data.scopes), profiles=profiles)
    return _token(services, caller, new)


@post("/v1/clients/{client_id:str}", guards=[needs("manage")], sync_to_thread=True, status_code=200)
def change_client(
    client_id: FromPath[str],
    data: JSONBody[ClientChange],
    services: InjectedServices,
    caller: InjectedCaller,
) -> ClientReply:
    """Change a client's name, scopes or profiles. Takes effect at once."""
    not_from_the_page(caller)
    client = _governed(services, caller, client_id)
    if client.own and (data.scopes is not None or data.profiles is not None):
        raise Forbidden("The command line's own client keeps its rights: they are those of the user.")
    profiles = None if data.profiles is None else granted(services, caller, data.profiles)
    scopes = None if data.scopes is None else grantable(caller, data.scopes)
    changed = services.clients.update(client.id, name=data.name, scopes=scopes, profiles=profiles)
    services.events.publish("clients", scope="manage")
    return client_reply(services, caller, changed)


@post("/v1/clients/{client_id:str}/rotate", guards=[needs("manage")], sync_to_thread=True, status_code=200)
def rotate_token(client_id: FromPath[str], services: InjectedServices, caller: InjectedCaller) -> TokenReply:
    """A new token for this client; the old one is dead at once."""
    not_from_the_page(caller)
    return _token(services, caller, services.clients.rotate(_governed(services, caller, client_id).id))


@delete("/v1/clients/{client_id:str}", guards=[needs("manage")], sync_to_thread=True, status_code=200)
def revoke_client(client_id: FromPath[str], services: InjectedServices, caller: InjectedCaller) -> Done:
    """Forget the client; its token, its pages and its event streams are dead at once."""
    client = _governed(services, caller, client_id)
    services.clients.revoke(client.id)
    services.sessions.end_all_of(client.id)
    services.events.publish("clients", scope="manage")
    return Done()


def client_reply(services: Services, caller: Caller, client: Client) -> ClientReply:
    """A client as this caller may see it."""
    return ClientReply(
        id=client.id,
        name=client.name,
        scopes=client.scopes,
        profiles=tuple(profile.name for profile in visible(services, caller.client) if client.sees(profile.id)),
        all_profiles=client.profiles == "all",
        created=client.created,
        last_used=client.last_seen,
        vault=client.vault,
        own=client.own,
    )


def _token(services: Services, caller: Caller, new: NewToken) -> TokenReply:
    services.events.publish("clients", scope="manage")
    return TokenReply(client=client_reply(services, caller, new.client), token=new.token)


def _governed(services: Services, caller: Caller, client_id: str) -> Client:
    client = services.clients.get(client_id)
    if not governs(caller, client):
        raise ClientNotFound("No client has this id. `scrubjay clients list` shows them all.")
    return client


ROUTES = (list_clients, create_client, change_client, rotate_token, revoke_client)
