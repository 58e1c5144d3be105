"""`/health`, `/v1/tickets`, `/v1/session`: who answers here, and how the search page gets in.

A ticket works once; scripts can't read the cookie.
"""

from litestar.datastructures import Cookie

from scrubjay.daemon.api.door.caller import Forbidden
from scrubjay.daemon.api.door.scoping import visible
from scrubjay.daemon.api.endpoints.sessions import (
    CURRENT_SESSION,
    HEALTH,
    MINT_TICKET,
    OPEN_SESSION,
    Health,
    HealthAsk,
    Nothing,
    SessionAsk,
    SessionReply,
    TicketReply,
)
from scrubjay.daemon.api.routing import Context, Handlers
from scrubjay.daemon.api.services import Services
from scrubjay.daemon.clients.client_registry import Client, ClientNotFound
from scrubjay.daemon.clients.identity import is_challenge, proof
from scrubjay.daemon.clients.sessions import TICKET_SECONDS, Session, TicketRefused
from scrubjay.daemon.errors import UsageError

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
    ticket = context.services.sessions.mint_ticket(context.caller.client.id)
    return TicketReply(ticket=ticket, path=f"/#ticket={ticket}", seconds=TICKET_SECONDS)


@HANDLERS.answers(OPEN_SESSION, lane="quick")
def open_session(context: Context, request: SessionAsk) -> SessionReply:
    opened = context.services.sessions.redeem(request.ticket)
    try:
        client = context.services.clients.get(opened.session.client_id)
    except ClientNotFound:
        raise TicketRefused("The client that this ticket was for has been revoked.") from None
    context.cookies.append(
        Cookie(key=context.door.cookie, value=opened.cookie, path="/", httponly=True, samesite="strict")
    )
    return _reply(context.services, client, opened.session)


@HANDLERS.answers(CURRENT_SESSION, lane="quick")
def current_session(context: Context, _: Nothing) -> SessionReply:
    if context.caller.session is None:
        raise Forbidden("This is for the search page, not for clients with a token.")
    return _reply(context.services, context.caller.client, context.caller.session)


def _reply(services: Services, client: Client, session: Session) -> SessionReply:
    names = tuple(profile.name for profile in visible(services, client))
    return SessionReply(client=client.name, scopes=client.scopes, profiles=names, csrf=session.csrf)
