"""Tickets: each lets one browser in, once, within seconds.

The command line asks the daemon for one. The page file (`page_file.py`), which only the user can read, makes its own
each time it is opened, with a secret that the daemon put there: `<ms>.<nonce>.<proof>`, where the proof is HMAC-SHA256
as hex over `<ms>.<nonce>`, the milliseconds since 1970 are of the moment, and the nonce is 32 hex digits.
"""

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from scrubjay.daemon.clients.client_registry import hash_of, new_secret
from scrubjay.daemon.errors import ScrubjayError

TICKET_SECONDS = 30  # a browser that starts cold on a slow disk needs some of them
_MOST = 32
_MOST_SPENT = 1_024
_MADE_IN_THE_FILE = re.compile(r"([0-9]{13})\.[0-9a-f]{32}\.[0-9a-f]{64}")


class TicketRefused(ScrubjayError):
    """The ticket is unknown, used or too old; which of these is not said."""

    code = "ticket-refused"
    status = 401

    def __init__(self) -> None:
        super().__init__(
            "This ticket is not valid any more: each works once, for a short time. Open the page again with"
            " `scrubjay open` or from the tray."
        )


class TicketUsedTwice(TicketRefused):
    """The ticket was spent before: two had it, and one of them should not have."""


@dataclass(frozen=True, slots=True)
class _Ticket:
    client_id: str
    expires: float


class Tickets:
    """Those that wait and those just spent. In memory alone; not thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        """clock: seconds since 1970."""
        self._clock = clock
        self._waiting: dict[str, _Ticket] = {}
        self._spent: dict[str, float] = {}  # until when it would have been good, if anybody had waited
        self._opener: tuple[str, str] | None = None

    def mint(self, client_id: str) -> str:
        """A ticket for this client."""
        ticket = new_secret()
        self._forget_old()
        while len(self._waiting) >= _MOST:
            self._waiting.pop(next(iter(self._waiting)))
        self._waiting[hash_of(ticket)] = _Ticket(client_id, self._clock() + TICKET_SECONDS)
        return ticket

    def opener(self, client_id: str) -> str:
        """A secret that makes tickets for this client, for the page file. The one before is dead."""
        secret = secrets.token_hex(32)
        self._opener = (client_id, secret)
        return secret

    def spend(self, ticket: str) -> str:
        """The client that the ticket lets in; it is spent whatever comes. Raises TicketRefused, TicketUsedTwice."""
        self._forget_old()
        key = hash_of(ticket)
        if key in self._spent:
            raise TicketUsedTwice
        found = self._waiting.pop(key, None)
        client_id = self._made_in_the_file(ticket) if found is None else found.client_id
        if client_id is None:
            raise TicketRefused
        while len(self._spent) >= _MOST_SPENT:
            self._spent.pop(next(iter(self._spent)))
        self._spent[key] = self._clock() + 2 * TICKET_SECONDS
        return client_id

    def _made_in_the_file(self, ticket: str) -> str | None:
        shape = _MADE_IN_THE_FILE.fullmatch(ticket)
        if shape is None or self._opener is None:
            return None
        client_id, secret = self._opener
        said, _, proof = ticket.rpartition(".")
        if not hmac.compare_digest(hmac.new(secret.encode(), said.encode(), hashlib.sha256).hexdigest(), proof):
            return None
        return client_id if abs(self._clock() - int(shape[1]) / 1_000) < TICKET_SECONDS else None

    def _forget_old(self) -> None:
        now = self._clock()
        self._waiting = {key: ticket for key, ticket in self._waiting.items() if ticket.expires > now}
        self._spent = {key: until for key, until in self._spent.items() if until > now}
