"""`/health`, `/v1/tickets`, `/v1/session`: who answers here, and how the search page gets in."""

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from scrubjay.daemon.server.access.client_registry import Scope
from scrubjay.daemon.server.endpoint import Ask, Done, Endpoint, Nothing, Reply
from scrubjay.daemon.server.endpoints.common import Secret


class HealthAsk(Ask, frozen=True):
    """Who answers? `challenge`: 32 to 128 lower-case hex digits, to be proved with."""

    challenge: Annotated[str, Meta(max_length=128)] | None = None


class Health(Reply, frozen=True, omit_defaults=True):
    """Who answers here. `proof` is HMAC-SHA256 of the challenge, see daemon/server/access/identity.py."""

    name: str
    version: str
    instance: str
    proof: str | None = None


class TicketReply(Reply, frozen=True):
    """A ticket opens the search page once, within `seconds`."""

    ticket: str
    path: str  # to open in a browser, below the daemon's address
    seconds: int


class SessionAsk(Ask, frozen=True):
    """A ticket, to be turned into a session."""

    ticket: Secret


class SessionReply(Reply, frozen=True):
    """What the search page may do.

    `key` comes once, with the ticket; the page keeps it. HMAC-SHA256 of the `instance` that `/health` names, with `key`
    as it is written, goes as hex into the header X-Scrubjay-Csrf of every other request.
    """

    client: str
    scopes: tuple[Scope, ...]
    profiles: tuple[str, ...]
    key: str | None = None


class PageSession(Reply, frozen=True):
    """A browser that was let in."""

    id: str
    client: str
    opened: datetime
    last_used: datetime
    this: bool  # the one that asks


class SessionsReply(Reply, frozen=True):
    """The browsers that were let in, oldest first."""

    sessions: tuple[PageSession, ...]


class SessionId(Ask, frozen=True):
    """One session, by its id."""

    session_id: str


HEALTH = Endpoint(
    "GET",
    "/health",
    None,
    HealthAsk,
    Health,
    "Say that this is Scrubjay; with `challenge` (32 to 128 lower-case hex digits), prove which one.",
)
MINT_TICKET = Endpoint(
    "POST",
    "/v1/tickets",
    "search",
    Nothing,
    TicketReply,
    "A one-time ticket that opens the search page as this client. Not for a page itself.",
    status=201,
)
OPEN_SESSION = Endpoint(
    "POST",
    "/v1/session",
    None,
    SessionAsk,
    SessionReply,
    "Turn a ticket into a session cookie.",
    example={"ticket": "43 characters, as they came"},
    status=201,
    sets_cookie=True,
)
CURRENT_SESSION = Endpoint(
    "GET",
    "/v1/session",
    None,
    Nothing,
    SessionReply,
    "The session of this page again, after it was loaded anew; from time to time with another cookie.",
    sets_cookie=True,
)
LIST_SESSIONS = Endpoint(
    "GET", "/v1/sessions", "manage", Nothing, SessionsReply, "The browsers that were let in to the search page."
)
END_SESSION = Endpoint(
    "DELETE",
    "/v1/sessions/{session_id}",
    "manage",
    SessionId,
    Done,
    "End the session of a browser, at once; it can't ask any more.",
)
