"""`/health`, `/v1/tickets`, `/v1/session`: who answers here, and how the search page gets in.

A ticket works once; scripts can't read the cookie.
"""

from collections.abc import Iterator

from litestar.datastructures import Cookie

from scrubjay.daemon.server.access.caller import Forbidden, governs, visible
from scrubjay.daemon.server.access.client_registry import Client, ClientNotFound
from scrubjay.daemon.server.access.identity import is_challenge, proof
from scrubjay.daemon.server.access.sessions import SESSION_DAYS, Session, SessionNotFound
from scrubjay.daemon.server.access.tickets import TICKET_SECONDS, TicketRefused, TicketUsedTwice
from scrubjay.daemon.server.endpoint import Done, Nothing
from scrubjay.daemon.server.endpoints.sessions import (
    CURRENT_SESSION,
    END_SESSION,
    HEALTH,
    LIST_SESSIONS,
    MINT_TICKET,
    OPEN_SESSION,
    Health,
    HealthAsk,
    PageSession,
    SessionAsk,
    SessionId,
    SessionReply,
    SessionsReply,
    TicketReply,
)
from scrubjay.daemon.server.routing import Context, Handlers
from scrubjay.daemon.server.services import Services
from scrubjay.profiles.errors import UsageError

HANDLERS = Handlers()


@HANDLERS.answers(HEALTH, lane="quick")
def health(context: Context, request: HealthAsk) -> Health:
    if request.challenge is not None and not is_challenge(request.challenge):
        raise UsageError("A challenge has 32 to 128 lower-case hexadecimal digits.")
    identity = context.services.identity
    return Health(
        name="scrubjay",
        version=identity.version,
        instance=identity.instance,
        proof=None if request.challenge is None else proof(identity.secret, request.challenge),
    )


@HANDLERS.answers(MINT_TICKET, lane="quick")
def mint_ticket(context: Context, _: Nothing) -> TicketReply:
    if context.caller.session is not None:
        raise Forbidden("A page can't make tickets.")
    ticket = context.services.sessions.mint_ticket(context.client.id)
    return TicketReply(ticket=ticket, path=f"/#ticket={ticket}", seconds=TICKET_SECONDS)


@HANDLERS.answers(OPEN_SESSION, lane="quick")
def open_session(context: Context, request: SessionAsk) -> SessionReply:
    services = context.services
    try:
        opened = services.sessions.redeem(request.ticket, context.door.port)
    except TicketUsedTwice:
        services.events.publish("alarm", scope="manage")
        raise
    try:
        client = services.clients.get(opened.session.client_id)
    except ClientNotFound:
        services.sessions.end(opened.session.id)
        raise TicketRefused from None
    context.cookies.append(_cookie(context, opened.cookie))
    return _reply(services, client, opened.key)


@HANDLERS.answers(CURRENT_SESSION, lane="quick")
def current_session(context: Context, _: Nothing) -> SessionReply:
    if context.caller.session is None:
        raise Forbidden("This is for the search page, not for clients with a token.")
    if (renewed := context.services.sessions.renew(context.caller.session)) is not None:
        context.cookies.append(_cookie(context, renewed))
    return _reply(context.services, context.client, None)


@HANDLERS.answers(LIST_SESSIONS)
def list_sessions(context: Context, _: Nothing) -> SessionsReply:
    own = context.caller.session
    found = (
        PageSession(
            id=each.id, client=name, opened=each.opened, last_used=each.used, this=own is not None and own.id == each.id
        )
        for each, name in _governed(context)
    )
    return SessionsReply(sessions=tuple(found))


@HANDLERS.answers(END_SESSION)
def end_session(context: Context, request: SessionId) -> Done:
    known = {each.id for each, _ in _governed(context)}
    if request.session_id not in known or not context.services.sessions.end(request.session_id):
        raise SessionNotFound("No browser has this session. `scrubjay clients list` shows them all.")
    context.services.events.publish("clients", scope="manage")
    return Done()


def _governed(context: Context) -> Iterator[tuple[Session, str]]:
    """The sessions of the clients that the caller may manage, with the clients' names."""
    clients = {client.id: client for client in context.services.clients.list()}
    for session in context.services.sessions.list():
        client = clients.get(session.client_id)
        if client is not None and governs(context.caller, client):
            yield session, client.name


def _cookie(context: Context, value: str) -> Cookie:
    return Cookie(
        key=context.door.cookie, value=value, path="/", httponly=True, samesite="strict", max_age=SESSION_DAYS * 86_400
    )


def _reply(services: Services, client: Client, key: str | None) -> SessionReply:
    names = tuple(profile.name for profile in visible(services, client))
    return SessionReply(client=client.name, scopes=client.scopes, profiles=names, key=key)
