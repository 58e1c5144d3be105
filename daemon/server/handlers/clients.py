"""`/v1/clients`: who may ask. Managers see and change those who see no more than they do themselves."""

from scrubjay.daemon.server.access.caller import (
    Caller,
    Forbidden,
    governs,
    grantable,
    granted,
    not_from_the_page,
    visible,
)
from scrubjay.daemon.server.access.client_registry import Client, ClientNotFound, NewToken
from scrubjay.daemon.server.endpoint import Done, Nothing
from scrubjay.daemon.server.endpoints.clients import (
    CHANGE_CLIENT,
    CREATE_CLIENT,
    LIST_CLIENTS,
    REVOKE_CLIENT,
    REVOKE_SELF,
    ROTATE_TOKEN,
    SHOW_SELF,
    ClientAsk,
    ClientChange,
    ClientId,
    ClientReply,
    ClientsReply,
    TokenReply,
)
from scrubjay.daemon.server.routing import Context, Handlers
from scrubjay.daemon.server.services import Services

HANDLERS = Handlers()


@HANDLERS.answers(LIST_CLIENTS)
def list_clients(context: Context, _: Nothing) -> ClientsReply:
    found = (client for client in context.services.clients.list() if governs(context.caller, client))
    return ClientsReply(clients=tuple(_reply(context.services, context.caller, client) for client in found))


@HANDLERS.answers(CREATE_CLIENT)
def create_client(context: Context, request: ClientAsk) -> TokenReply:
    not_from_the_page(context.caller)
    profiles = granted(context.services, context.caller, request.profiles)
    new = context.services.clients.create(
        request.name, scopes=grantable(context.caller, request.scopes), profiles=profiles
    )
    return _token(context.services, context.caller, new)


@HANDLERS.answers(CHANGE_CLIENT)
def change_client(context: Context, request: ClientChange) -> ClientReply:
    not_from_the_page(context.caller)
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
    not_from_the_page(context.caller)
    return _token(
        context.services,
        context.caller,
        context.services.clients.rotate(_governed(context.services, context.caller, request.client_id).id),
    )


@HANDLERS.answers(REVOKE_CLIENT)
def revoke_client(context: Context, request: ClientId) -> Done:
    return _revoke(context.services, _governed(context.services, context.caller, request.client_id))


@HANDLERS.answers(SHOW_SELF)
def show_self(context: Context, _: Nothing) -> ClientReply:
    return _reply(context.services, context.caller, context.client)


@HANDLERS.answers(REVOKE_SELF)
def revoke_self(context: Context, _: Nothing) -> Done:
    client = context.client
    if context.caller.session is not None or client.own:
        raise Forbidden("Only a program gives its token back; `scrubjay token --rotate` renews the command line's.")
    return _revoke(context.services, client)


def _revoke(services: Services, client: Client) -> Done:
    services.clients.revoke(client.id)
    services.sessions.end_all_of(client.id)
    services.events.publish("clients", scope="manage")
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
