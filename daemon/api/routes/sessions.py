"""`/v1/tickets`, `/v1/session`: how the search page gets in. A ticket works once; scripts can't read the cookie."""

import asyncio

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
from daemon.clients.sessions import SESSION_DAYS
from daemon.clients.tickets import TICKET_SECONDS, TicketRefused, TicketUsedTwice


@post("/v1/tickets", guards=[needs("search")], sync_to_thread=False, status_code=201)
def mint_ticket(services: InjectedServices, caller: InjectedCaller) -> TicketReply:
    """A one-time ticket that opens the search page as this client. Not for a page itself."""
    if caller.session is not None:
        raise Forbidden("A page can't make tickets.")
    ticket = services.sessions.mint_ticket(caller.client.id)
    return TicketReply(ticket=ticket, path=f"/#ticket={ticket}", seconds=TICKET_SECONDS)


@post("/v1/session", status_code=201)
async def open_session(
    data: JSONBody[SessionAsk], services: InjectedServices, door: NamedDependency[DoorSettings]
) -> Response[SessionReply]:
    """Turn a ticket into a session cookie."""
    try:
        opened = await asyncio.to_thread(services.sessions.redeem, data.ticket, door.port)
    except TicketUsedTwice:
        services.events.publish("alarm", scope="manage")
        raise
    try:
        client = services.clients.get(opened.session.client_id)
    except ClientNotFound:
        services.sessions.end(opened.session.id)
        raise TicketRefused from None
    return Response(_reply(services, client, opened.key), cookies=[_cookie(door, opened.cookie)])


@get("/v1/session")
async def current_session(
    services: InjectedServices, caller: InjectedCaller, door: NamedDependency[DoorSettings]
) -> Response[SessionReply]:
    """The session of this page again, after it was loaded anew; from time to time with another cookie."""
    if caller.session is None:
        raise Forbidden("This is for the search page, not for clients with a token.")
    renewed = await asyncio.to_thread(services.sessions.renew, caller.session)
    cookies = [] if renewed is None else [_cookie(door, renewed)]
    return Response(_reply(services, caller.client, None), cookies=cookies)


def _cookie(door: DoorSettings, value: str) -> Cookie:
    seconds = SESSION_DAYS * 86_400
    return Cookie(key=door.cookie, value=value, path="/", httponly=True, samesite="strict", max_age=seconds)


def _reply(services: Services, client: Client, key: str | None) -> SessionReply:
    names = tuple(profile.name for profile in visible(services, client))
    return SessionReply(client=client.name, scopes=client.scopes, profiles=names, key=key)


ROUTES = (mint_ticket, open_session, current_session)
