"""The clients of one installation, in one file that only its owner can read. Tokens are in it as hashes."""

import hmac
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from scrubjay.daemon.clients.token_hashes import hash_of, is_token, new_token
from scrubjay.daemon.errors import NotFound, ScrubjayError, UsageError
from scrubjay.profiles.private_files import write_private

Scope: TypeAlias = Literal["search", "journal", "manage"]
"""Reading; writing to the journal; everything else, which includes the journal."""
VisibleProfiles: TypeAlias = tuple[str, ...] | Literal["all"]

MOST_CLIENTS = 200
_NAME_LENGTH = 60
_SEEN_EVERY = timedelta(minutes=5)  # `last_seen` reaches the file this often, so that a search costs no write


class ClientNotFound(NotFound):
    """No client has this id."""

    code = "client-not-found"


class ClientsUnreadable(ScrubjayError):
    """The file of clients is damaged; nobody is let in until that is mended."""

    code = "clients-unreadable"


class Client(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody with a token."""

    id: str  # 8 hex characters, never reused
    name: str
    scopes: tuple[Scope, ...]
    profiles: VisibleProfiles  # profile ids, so that a renamed profile stays visible to those who saw it
    created: datetime
    last_seen: datetime | None = None
    vault: str | None = None  # what it said it is for when it paired
    own: bool = False  # the command line of the user who owns this installation

    def may(self, scope: Scope) -> bool:
        """Whether it holds this scope, or one that includes it."""
        return scope in self.scopes or (scope == "journal" and "manage" in self.scopes)

    def sees(self, profile_id: str) -> bool:
        """Whether it may know of this profile."""
        return self.profiles == "all" or profile_id in self.profiles


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token, shown this once, and whose it is."""

    client: Client
    token: str


class _Entry(msgspec.Struct, frozen=True):
    client: Client
    token_hash: str


class _File(msgspec.Struct, frozen=True):
    clients: tuple[_Entry, ...] = ()


def _utc_now() -> datetime:
    return datetime.now(UTC)


class ClientRegistry:
    """Creates, finds and revokes clients. Thread-safe; a change that another process wrote is seen at once."""

    def __init__(self, file: Path, now: Callable[[], datetime] = _utc_now) -> None:
        self._file = file
        self._now = now
        self._lock = threading.RLock()
        self._entries: dict[str, _Entry] = {}
        self._read_stamp: tuple[int, int, int] | None = None
        self._seen: dict[str, datetime] = {}
        self._seen_written = now()

    def list(self) -> tuple[Client, ...]:
        """All clients, oldest first."""
        with self._lock:
            self._refresh()
            return tuple(self._with_seen(entry.client) for entry in self._entries.values())

    def get(self, client_id: str) -> Client:
        """The client with this id. Raises ClientNotFound."""
        with self._lock:
            return self._with_seen(self._entry(client_id).client)

    def create(
        self,
        name: str,
        *,
        scopes: tuple[Scope, ...] = ("search",),
        profiles: VisibleProfiles = (),
        vault: str | None = None,
        own: bool = False,
    ) -> NewToken:
        """A new client and its token, which can't be shown again.

        Raises UsageError for a name that is empty or too long, or when there are too many clients.
        """
        with self._lock:
            self._refresh()
            if len(self._entries) >= MOST_CLIENTS:
                raise UsageError(f"There are {MOST_CLIENTS} clients already. Revoke those that are not used any more.")
            client = Client(
                id=secrets.token_hex(4),
                name=checked_name(name),
                scopes=_ordered(scopes),
                profiles=profiles,
                created=self._now(),
                vault=vault,
                own=own,
            )
            return self._give_token(client)

    def update(
        self,
        client_id: str,
        *,
        name: str | None = None,
        scopes: tuple[Scope, ...] | None = None,
        profiles: VisibleProfiles | None = None,
    ) -> Client:
        """Change what is given and keep the rest. Raises ClientNotFound or UsageError."""
        with self._lock:
            entry = self._entry(client_id)
            old = entry.client
            client = msgspec.structs.replace(
                old,
                name=old.name if name is None else checked_name(name),
                scopes=old.scopes if scopes is None else _ordered(scopes),
                profiles=old.profiles if profiles is None else profiles,
            )
            self._put(_Entry(client, entry.token_hash))
            return self._with_seen(client)

    def rotate(self, client_id: str) -> NewToken:
        """A new token for this client; the old one is dead at once. Raises ClientNotFound."""
        with self._lock:
            return self._give_token(self._entry(client_id).client)

    def revoke(self, client_id: str) -> None:
        """Forget the client; its token is dead at once. Raises ClientNotFound."""
        with self._lock:
            self._entry(client_id)
            del self._entries[client_id]
            self._write()

    def authenticate(self, token: str) -> Client | None:
        """Whose token this is, if anybody's. Compares hashes in constant time and notes that the client was seen."""
        if not is_token(token):
            return None
        asked = hash_of(token)
        with self._lock:
            self._refresh()
            found = [entry.client for entry in self._entries.values() if hmac.compare_digest(entry.token_hash, asked)]
            if not found:
                return None
            self._note_seen(found[0].id)
            return found[0]

    def close(self) -> None:
        """Write what is only in memory: when each client was last seen."""
        with self._lock:
            if self._seen:
                self._refresh()
                self._write()

    def _entry(self, client_id: str) -> _Entry:
        self._refresh()
        entry = self._entries.get(client_id)
        if entry is None:
            raise ClientNotFound("No client has this id. `scrubjay clients list` shows them all.")
        return entry

    def _give_token(self, client: Client) -> NewToken:
        token = new_token()
        self._put(_Entry(client, hash_of(token)))
        return NewToken(client, token)

    def _put(self, entry: _Entry) -> None:
        self._entries[entry.client.id] = entry
        self._write()

    def _with_seen(self, client: Client) -> Client:
        seen = self._seen.get(client.id)
        return client if seen is None else msgspec.structs.replace(client, last_seen=seen)

    def _note_seen(self, client_id: str) -> None:
        now = self._now()
        self._seen[client_id] = now
        if now - self._seen_written >= _SEEN_EVERY:
            self._write()

    def _refresh(self) -> None:
        """Read the file again if it is another one than was read or written last."""
        stamp = self._stamp()
        if stamp == self._read_stamp:
            return
        try:
            stored = msgspec.json.decode(self._file.read_bytes(), type=_File) if stamp else _File()
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise ClientsUnreadable(
                f"The file of clients, {self._file.name}, is damaged. Move it away; every client must then pair again."
            ) from None
        self._entries = {entry.client.id: entry for entry in stored.clients}
        self._read_stamp = stamp

    def _write(self) -> None:
        entries = tuple(_Entry(self._with_seen(entry.client), entry.token_hash) for entry in self._entries.values())
        write_private(self._file, msgspec.json.format(msgspec.json.encode(_File(entries)), indent=1))
        self._entries = {entry.client.id: entry for entry in entries}
        self._read_stamp = self._stamp()
        self._seen.clear()
        self._seen_written = self._now()

    def _stamp(self) -> tuple[int, int, int] | None:
        try:
            found = self._file.stat()
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size


def checked_name(name: str) -> str:
    """A client's name without needless spaces. Raises UsageError for one that is empty, too long or unprintable."""
    tidy = " ".join(name.split())
    if not tidy or len(tidy) > _NAME_LENGTH or not tidy.isprintable():
        raise UsageError(f"A client's name has 1 to {_NAME_LENGTH} printable characters.")
    return tidy


def _ordered(scopes: tuple[Scope, ...]) -> tuple[Scope, ...]:
    known: tuple[Scope, ...] = ("search", "journal", "manage")
    return tuple(scope for scope in known if scope in scopes)
