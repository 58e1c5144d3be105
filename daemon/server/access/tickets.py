"""Tickets that open the search page once, and the file that carries one to the browser."""

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from scrubjay.daemon.server.access.client_registry import hash_of, new_secret
from scrubjay.profiles.errors import ScrubjayError
from scrubjay.profiles.private_files import write_private

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>Scrubjay</title>
<p id="says">Opening the search page…</p>
<noscript><p>The search page needs JavaScript.</p></noscript>
<script>
"use strict";
const url = "@URL@", secret = "@SECRET@";
const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
async function ticket() {
  const said = `${Date.now()}.${hex(crypto.getRandomValues(new Uint8Array(16)))}`;
  const text = new TextEncoder(), hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", text.encode(secret), hmac, false, ["sign"]);
  return `${said}.${hex(await crypto.subtle.sign("HMAC", key, text.encode(said)))}`;
}
ticket().then(
  (made) => location.replace(`${url}/#ticket=${made}`),
  () => { document.getElementById("says").textContent =
    "This browser can't open the page from a file. Run: scrubjay open --print"; },
);
</script>
"""


def write_page_file(path: Path, url: str, secret: str) -> None:
    """Write the file for the daemon at `url`; secret: from `Sessions.opener`. Mode 0600 in a folder of mode 0700."""
    write_private(path, _PAGE.replace("@URL@", url).replace("@SECRET@", secret).encode())


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
