"""`/v1/tickets`, `/v1/session`: how the search page gets in. A ticket works once; scripts can't read the cookie."""

from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import JSONBody

from daemon.api.caller import Forbidden, InjectedCaller, needs
from daemon.api.door import DoorSettings
from daemon.api.schemas import SessionAsk, SessionReply, TicketReply
from daemon.api.scoping import visible
from daemon.api.services import InjectedServices, Services
from daemon.clients.registry import Client, ClientNotFound
from daemon.clients.sessions import TICKET_SECONDS, Session, TicketRefused


@post("/v1/tickets", guards=[needs("search")], sync_to_thread=False, status_code=201)
def mint_ticket(services: InjectedServices, caller: InjectedCaller) -> TicketReply:
    """A one-time ticket that opens the search page as this client. Not for a page itself."""
    if caller.session is not None:
        raise Forbidden("A page can't make tickets.")
    ticket = services.sessions.mint_ticket(caller.client.id)
    return TicketReply(ticket=ticket, path=f"/#ticket={ticket}", seconds=TICKET_SECONDS)


@post("/v1/session", sync_to_thread=False, status_code=201)
def open_session(
    data: JSONBody[SessionAsk], services: InjectedServices, door: NamedDependency[DoorSettings]
) -> Response[SessionReply]:
    """Turn a ticket into a session cookie."""
    opened = services.sessions.redeem(data.ticket)
    try:
        client = services.clients.get(opened.session.client_id)
    except ClientNotFound:
        raise TicketRefused("The client that this ticket was for has been revoked.") from None
    cookie = Cookie(key=door.cookie, value=opened.cookie, path="/", httponly=True, samesite="strict")
    return Response(_reply(services, client, opened.session), cookies=[cookie])


@get("/v1/session", sync_to_thread=False)
def current_session(services: InjectedServices, caller: InjectedCaller) -> SessionReply:
    """The session of this page again, after it was loaded anew."""
    if caller.session is None:
        raise Forbidden("This is for the search page, not for clients with a token.")
    return _reply(services, caller.client, caller.session)


def _reply(services: Services, client: Client, session: Session) -> SessionReply:
    names = tuple(profile.name for profile in visible(services, client))
    return SessionReply(client=client.name, scopes=client.scopes, profiles=names, csrf=session.csrf)


ROUTES = (mint_ticket, open_session, current_session)
