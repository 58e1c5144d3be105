"""How the search page gets in without a token: a one-time ticket becomes a session cookie. In memory alone."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from scrubjay.daemon.clients.token_hashes import hash_of, new_secret
from scrubjay.daemon.errors import ScrubjayError

TICKET_SECONDS = 60
SESSION_SECONDS = 12 * 3600  # without use
_MOST_TICKETS = 32
_MOST_SESSIONS = 64


class TicketRefused(ScrubjayError):
    """The ticket is unknown, used or too old; which of these is not said."""

    code = "ticket-refused"
    status = 401


@dataclass(frozen=True, slots=True)
class Session:
    """One open search page."""

    client_id: str
    csrf: str  # must come back in a header, which a page on another origin can't send


@dataclass(frozen=True, slots=True)
class OpenedSession:
    """A session and the cookie that stands for it, which can't be shown again."""

    session: Session
    cookie: str


@dataclass(frozen=True, slots=True)
class _Ticket:
    client_id: str
    expires: float


@dataclass(slots=True)
class _Held:
    session: Session
    expires: float


class Sessions:
    """Tickets and sessions; both are gone when the daemon ends. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._tickets: dict[str, _Ticket] = {}
        self._sessions: dict[str, _Held] = {}

    def mint_ticket(self, client_id: str, seconds: float = TICKET_SECONDS) -> str:
        """A ticket that opens one session for this client within `seconds`."""
        ticket = new_secret()
        with self._lock:
            self._forget_old()
            _make_room(self._tickets, _MOST_TICKETS)
            self._tickets[hash_of(ticket)] = _Ticket(client_id, self._clock() + seconds)
        return ticket

    def redeem(self, ticket: str) -> OpenedSession:
        """Turn a ticket into a session; the ticket is dead whatever comes. Raises TicketRefused."""
        with self._lock:
            self._forget_old()
            found = self._tickets.pop(hash_of(ticket), None)
            if found is None:
                raise TicketRefused(
                    "This ticket is not valid any more: each works once, for a short time. Open the page again with"
                    " `scrubjay open` or from the tray."
                )
            opened = OpenedSession(Session(found.client_id, new_secret()), new_secret())
            _make_room(self._sessions, _MOST_SESSIONS)
            self._sessions[hash_of(opened.cookie)] = _Held(opened.session, self._clock() + SESSION_SECONDS)
            return opened

    def find(self, cookie: str) -> Session | None:
        """The session of this cookie, if it is one; using it keeps it alive."""
        with self._lock:
            self._forget_old()
            held = self._sessions.get(hash_of(cookie))
            if held is None:
                return None
            held.expires = self._clock() + SESSION_SECONDS
            return held.session

    def _forget_old(self) -> None:
        now = self._clock()
        self._tickets = {key: ticket for key, ticket in self._tickets.items() if ticket.expires > now}
        self._sessions = {key: held for key, held in self._sessions.items() if held.expires > now}


def _make_room(held: dict[str, _Ticket] | dict[str, _Held], most: int) -> None:
    while len(held) >= most:
        held.pop(next(iter(held)))
