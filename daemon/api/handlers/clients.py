"""`/v1/clients`: who may ask. Managers see and change those who see no more than they do themselves."""

from scrubjay.daemon.api.door.caller import Caller, Forbidden
from scrubjay.daemon.api.door.scoping import governs, grantable, granted, visible
from scrubjay.daemon.api.endpoints.clients import (
    CHANGE_CLIENT,
    CREATE_CLIENT,
    LIST_CLIENTS,
    REVOKE_CLIENT,
    ROTATE_TOKEN,
    ClientAsk,
    ClientChange,
    ClientId,
    ClientReply,
    ClientsReply,
    TokenReply,
)
from scrubjay.daemon.api.endpoints.endpoint import Done, Nothing
from scrubjay.daemon.api.routing import Context, Handlers
from scrubjay.daemon.api.services import Services
from scrubjay.daemon.clients.client_registry import Client, ClientNotFound, NewToken

HANDLERS = Handlers()


@HANDLERS.answers(LIST_CLIENTS)
def list_clients(context: Context, _: Nothing) -> ClientsReply:
    found = (client for client in context.services.clients.list() if governs(context.caller, client))
    return ClientsReply(clients=tuple(_reply(context.services, context.caller, client) for client in found))


@HANDLERS.answers(CREATE_CLIENT)
def create_client(context: Context, request: ClientAsk) -> TokenReply:
    profiles = granted(context.services, context.caller, request.profiles)
    new = context.services.clients.create(
        request.name, scopes=grantable(context.caller, request.scopes), profiles=profiles
    )
    return _token(context.services, context.caller, new)


@HANDLERS.answers(CHANGE_CLIENT)
def change_client(context: Context, request: ClientChange) -> ClientReply:
    client = _governed(context.services, context.caller, request.client_id)
    if client.own and (request.scopes is not None or request.profiles is not None):
        raise Forbidden("The command line's own client keeps its rights: they are those of the user.")
    profiles = None if request.profiles is None else granted(context.services, context.caller, request.profiles)
    scopes = None if request.scopes is None else grantable(context.caller, request.scopes)
    changed = context.services.clients.update(client.id, name=request.name, scopes=scopes, profiles=profiles)
    context.services.events.publish("clients", scope="manage")
    return _reply(context.services, context.caller, changed)


@HANDLERS.answers(ROTATE_TOKEN)
def rotate_token(context: Context, request: ClientId) -> TokenReply:
    return _token(
        context.services,
        context.caller,
        context.services.clients.rotate(_governed(context.services, context.caller, request.client_id).id),
    )


@HANDLERS.answers(REVOKE_CLIENT)
def revoke_client(context: Context, request: ClientId) -> Done:
    context.services.clients.revoke(_governed(context.services, context.caller, request.client_id).id)
    context.services.events.publish("clients", scope="manage")
    return Done()


def _reply(services: Services, caller: Caller, client: Client) -> ClientReply:
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
    return TokenReply(client=_reply(services, caller, new.client), token=new.token)


def _governed(services: Services, caller: Caller, client_id: str) -> Client:
    client = services.clients.get(client_id)
    if not governs(caller, client):
        raise ClientNotFound("No client has this id. `scrubjay clients list` shows them all.")
    return client
