"""How the search page gets in without a token: a ticket becomes a session, which outlives the daemon.

A session is two secrets. The cookie says which session it is; browsers send it to every port of this machine, so it
opens nothing by itself. The page's key, which the page keeps where no script can read it, never travels again: what
travels is its answer to the running daemon's instance id, which is new at each start. A stranger who takes the port of
a daemon that has ended is sent an answer for an instance that will never be again.
"""

import contextlib
import hashlib
import hmac
import logging
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from scrubjay.daemon.server.access.client_registry import hash_of, new_secret
from scrubjay.daemon.server.access.tickets import Tickets, TicketUsedTwice
from scrubjay.profiles.errors import NotFound
from scrubjay.profiles.private_files import stored_key, write_private

SESSION_DAYS = 14  # without use
_COOKIE_LIFE = timedelta(days=1)  # then the page is given another
_COOKIE_GRACE = timedelta(minutes=1)  # for what the page had sent already
_MOST_SESSIONS = 64
_KEY_BYTES = 32

_log = logging.getLogger(__name__)


class SessionNotFound(NotFound):
    """No session has this id."""

    code = "session-not-found"


class _Stored(msgspec.Struct, frozen=True, kw_only=True):
    """A session as it is on disk. The cookie's hash opens nothing, and the key is made from `session.key`."""

    id: str  # 8 hex characters
    client_id: str
    port: int
    opened: datetime
    used: datetime
    cookie_hash: str
    cookie_made: datetime
    cookie_before: str = ""  # hash of the one before


class _File(msgspec.Struct, frozen=True):
    sessions: tuple[_Stored, ...] = ()


@dataclass(frozen=True, slots=True)
class Session:
    """One browser that was let in."""

    id: str
    client_id: str
    opened: datetime
    used: datetime
    csrf: str  # the page's answer to the running daemon, which a page on another origin can't give


@dataclass(frozen=True, slots=True)
class OpenedSession:
    """A session with its cookie and its key, which can't be shown again."""

    session: Session
    cookie: str
    key: str  # 64 hex digits; the page keeps it


class Sessions:
    """Tickets and sessions. Thread-safe; sessions are kept in `sessions.json`, tickets in memory alone."""

    def __init__(self, state: Path, instance: str, clock: Callable[[], float] = time.time) -> None:
        """state: the folder for `sessions.json` and `session.key`. instance: the running daemon's id."""
        self._file = state / "sessions.json"
        self._key_file = state / "session.key"
        self._instance = instance
        self._clock = clock
        self._lock = threading.Lock()
        self._tickets = Tickets(clock)
        self._opened_by: dict[str, str] = {}  # hash of a spent ticket -> id of the session that it opened
        self._ended_by_alarm: tuple[datetime, ...] = ()
        self._key: bytes | None = None
        self._sessions: dict[str, _Stored] | None = None

    def mint_ticket(self, client_id: str) -> str:
        """A ticket that opens one session for this client within seconds."""
        with self._lock:
            return self._tickets.mint(client_id)

    def opener(self, client_id: str) -> str:
        """A secret for the page file, which makes tickets for this client until the daemon ends."""
        with self._lock:
            return self._tickets.opener(client_id)

    def redeem(self, ticket: str, port: int) -> OpenedSession:
        """Turn a ticket into a session of the page at this port; the ticket is dead whatever comes.

        Raises TicketRefused. A ticket that comes twice is known to two, and nobody can say who was first: the session
        that it opened ends, and `alarms` tells of it (TicketUsedTwice).
        """
        with self._lock:
            sessions = self._all()
            try:
                client_id = self._tickets.spend(ticket)
            except TicketUsedTwice:
                ended = self._opened_by.pop(hash_of(ticket), None)
                if ended is not None:
                    self._ended_by_alarm = (*self._ended_by_alarm[-9:], self._now())
                    sessions.pop(ended, None)
                    with contextlib.suppress(OSError):  # what must be heard is the alarm
                        self._write_without_ended()
                    _log.warning("a ticket of the search page was used twice; the session it opened is ended")
                raise
            while len(sessions) >= _MOST_SESSIONS:
                del sessions[min(sessions.values(), key=lambda one: one.used).id]
            cookie, now = new_secret(), self._now()
            opened = _Stored(
                id=secrets.token_hex(4),
                client_id=client_id,
                port=port,
                opened=now,
                used=now,
                cookie_hash=hash_of(cookie),
                cookie_made=now,
            )
            sessions[opened.id] = opened
            while len(self._opened_by) >= _MOST_SESSIONS:
                self._opened_by.pop(next(iter(self._opened_by)))
            self._opened_by[hash_of(ticket)] = opened.id
            self._write()
            return OpenedSession(self._session_of(opened), cookie, self._key_of(opened))

    def find(self, cookie: str, port: int) -> Session | None:
        """The session of this cookie at this port, if it is one; using it keeps it alive."""
        asked, now = hash_of(cookie), self._now()
        with self._lock:
            sessions = self._all()
            for found in sessions.values():
                is_before = found.cookie_before == asked and now - found.cookie_made < _COOKIE_GRACE
                if found.port == port and (found.cookie_hash == asked or is_before):
                    sessions[found.id] = msgspec.structs.replace(found, used=now)
                    return self._session_of(sessions[found.id])
        return None

    def renew(self, session: Session) -> str | None:
        """Another cookie for a session whose cookie has become old; None while it has not."""
        with self._lock:
            found = self._all().get(session.id)
            now = self._now()
            if found is None or now - found.cookie_made < _COOKIE_LIFE:
                return None
            cookie = new_secret()
            self._all()[found.id] = msgspec.structs.replace(
                found, cookie_hash=hash_of(cookie), cookie_made=now, cookie_before=found.cookie_hash
            )
            self._write()
            return cookie

    def list(self) -> tuple[Session, ...]:
        """All sessions, oldest first."""
        with self._lock:
            return tuple(self._session_of(one) for one in self._all().values())

    def end(self, session_id: str) -> bool:
        """End a session at once; False when there is none with this id.

        Raises OSError where the disk takes no change at all: the session then returns when the daemon does.
        """
        with self._lock:
            ended = self._all().pop(session_id, None)
            if ended is not None:
                self._write_without_ended()
            return ended is not None

    def end_all_of(self, client_id: str) -> None:
        """End every session of a client."""
        with self._lock:
            mine = [one.id for one in self._all().values() if one.client_id == client_id]
            for session_id in mine:
                del self._all()[session_id]
            if mine:
                self._write()

    def alarms(self) -> tuple[datetime, ...]:
        """When a ticket was used twice since the daemon started, the last ten times."""
        return self._ended_by_alarm

    def close(self) -> None:
        """Write when each session was last used."""
        with self._lock:
            if self._sessions:
                self._write()

    def _session_of(self, stored: _Stored) -> Session:
        answer = hmac.new(self._key_of(stored).encode(), self._instance.encode(), hashlib.sha256).hexdigest()
        return Session(stored.id, stored.client_id, stored.opened, stored.used, answer)

    def _key_of(self, stored: _Stored) -> str:
        """Made for one port: a page on a port that a stranger has taken can't be used to answer at another."""
        if self._key is None:
            self._key = stored_key(self._key_file, lambda: secrets.token_bytes(_KEY_BYTES))
        return hmac.new(self._key, f"{stored.id}:{stored.port}".encode(), hashlib.sha256).hexdigest()

    def _all(self) -> dict[str, _Stored]:
        if self._sessions is None:
            self._sessions = {one.id: one for one in _read(self._file)}
        oldest = self._now() - timedelta(days=SESSION_DAYS)
        for one in [one for one in self._sessions.values() if one.used <= oldest]:
            del self._sessions[one.id]
        return self._sessions

    def _write(self) -> bool:
        """Whether it could. The daemon alone writes this file; a session that is not in it lasts until that ends."""
        content = msgspec.json.format(msgspec.json.encode(_File(tuple(self._all().values()))), indent=1)
        try:
            write_private(self._file, content)
        except OSError as error:
            _log.warning("the sessions of the search page could not be written", extra={"error": type(error).__name__})
            return False
        return True

    def _write_without_ended(self) -> None:
        """Write, or delete the file, which a full disk allows: rather let all in anew than have one return."""
        if not self._write():
            self._file.unlink(missing_ok=True)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)


def _read(file: Path) -> tuple[_Stored, ...]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=_File).sessions
    except FileNotFoundError:
        return ()
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        _log.warning("the sessions of the search page can't be read; each page must be opened again")
        return ()
