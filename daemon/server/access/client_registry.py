"""The clients of one installation, in one file that only its owner can read. Tokens are in it as hashes."""

import contextlib
import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Collection, Generator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from scrubjay.daemon.server.access.last_seen import SeenTimes
from scrubjay.profiles.errors import NotFound, ScrubjayError, UsageError
from scrubjay.profiles.private_files import locked, write_private

# Secrets that this program mints: bearer tokens, tickets, session ids. Only their hashes are kept.

_PREFIX = "sj_"
_BYTES = 32  # 256 bits, 43 characters of base64url
_SHAPE = re.compile(r"sj_[A-Za-z0-9_-]{43}")


def new_token() -> str:
    """A bearer token: `sj_` and 256 bits from the system's generator, so that secret scanners can tell one."""
    return _PREFIX + secrets.token_urlsafe(_BYTES)


def new_secret() -> str:
    """256 bits as 43 base64url characters, for what lives in memory alone."""
    return secrets.token_urlsafe(_BYTES)


def is_token(text: str) -> bool:
    """Whether `text` has a token's shape; says nothing about whether it is one."""
    return _SHAPE.fullmatch(text) is not None


def hash_of(secret: str) -> str:
    """SHA-256 as hex. A plain hash is enough: 256 random bits can't be guessed, so nothing needs to be slow."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


Scope: TypeAlias = Literal["search", "journal", "manage"]
"""Reading; writing to the journal; everything else, which includes the journal."""


def holds(scopes: Collection[Scope], scope: Scope) -> bool:
    """Whether a scope, or one that includes it, is among these."""
    return scope in scopes or (scope == "journal" and "manage" in scopes)


VisibleProfiles: TypeAlias = tuple[str, ...] | Literal["all"]

MOST_CLIENTS = 200
_NAME_LENGTH = 60


class ClientNotFound(NotFound):
    """No client has this id."""

    code = "client-not-found"


class ClientsUnreadable(ScrubjayError):
    """The file of clients is damaged, or a folder; every request is refused until it is repaired."""

    code = "clients-unreadable"


class Client(msgspec.Struct, frozen=True, kw_only=True):
    """A program or a person with a token."""

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
        return holds(self.scopes, scope)

    def sees(self, profile_id: str) -> bool:
        """Whether it may know of this profile."""
        return self.profiles == "all" or profile_id in self.profiles


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token, shown this once, and whose it is."""

    client: Client
    token: str


class _ClientRecord(msgspec.Struct, frozen=True):
    client: Client
    token_hash: str


class _ClientsFile(msgspec.Struct, frozen=True):
    clients: tuple[_ClientRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class _RegistryFile:
    """What was read or written last: the file's bytes, and the entries in them by client id."""

    content: bytes | None  # None: there is no file
    entries: Mapping[str, _ClientRecord]


def _utc_now() -> datetime:
    return datetime.now(UTC)


class ClientRegistry:
    """Creates, finds and revokes clients. Safe between threads and processes; what another wrote is seen at once.

    Each change reads, changes and writes the file under a lock that all processes share, so none undoes another's.
    When clients were last seen is kept in a file of its own: it is written often, and losing it costs nothing.
    """

    def __init__(
        self, file: Path, now: Callable[[], datetime] = _utc_now, waits: Callable[[], None] = lambda: None
    ) -> None:
        """waits: called when there is something for `write_seen` to write."""
        self._file = file
        self._now = now
        self._known = _RegistryFile(None, {})
        self._seen = SeenTimes(file.with_name(f"{file.stem}-seen.json"), now, waits)

    def list(self) -> tuple[Client, ...]:
        """All clients, oldest first."""
        seen = self._seen.all()
        return tuple(_with_seen(entry.client, seen) for entry in self._read().values())

    def get(self, client_id: str) -> Client:
        """The client with this id. Raises ClientNotFound."""
        return _with_seen(_one(self._read(), client_id).client, self._seen.all())

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
        client = Client(
            id=secrets.token_hex(4),
            name=checked_name(name),
            scopes=_ordered(scopes),
            profiles=profiles,
            created=self._now(),
            vault=vault,
            own=own,
        )
        with self._changing() as entries:
            if len(entries) >= MOST_CLIENTS:
                raise UsageError(f"There are {MOST_CLIENTS} clients already. Revoke those that are not used any more.")
            return _give_token(entries, client)

    def update(
        self,
        client_id: str,
        *,
        name: str | None = None,
        scopes: tuple[Scope, ...] | None = None,
        profiles: VisibleProfiles | None = None,
    ) -> Client:
        """Change what is given and keep the rest. Raises ClientNotFound or UsageError."""
        with self._changing() as entries:
            entry = _one(entries, client_id)
            old = entry.client
            client = msgspec.structs.replace(
                old,
                name=old.name if name is None else checked_name(name),
                scopes=old.scopes if scopes is None else _ordered(scopes),
                profiles=old.profiles if profiles is None else profiles,
            )
            entries[client_id] = _ClientRecord(client, entry.token_hash)
        return _with_seen(client, self._seen.all())

    def rotate(self, client_id: str) -> NewToken:
        """A new token for this client; the old one is dead at once. Raises ClientNotFound."""
        with self._changing() as entries:
            return _give_token(entries, _one(entries, client_id).client)

    def revoke(self, client_id: str) -> None:
        """Forget the client; its token is dead at once. Raises ClientNotFound."""
        with self._changing() as entries:
            _one(entries, client_id)
            del entries[client_id]

    def authenticate(self, token: str) -> Client | None:
        """Whose token this is, if anybody's. Compares hashes in constant time and notes that the client was seen.

        Never waits for a lock or for the disk to sync: the daemon's event loop calls it.
        """
        if not is_token(token):
            return None
        digest = hash_of(token)
        found = [entry.client for entry in self._read().values() if hmac.compare_digest(entry.token_hash, digest)]
        if not found:
            return None
        self._seen.note(found[0].id)
        return found[0]

    def write_seen(self) -> None:
        """Write what is only in memory: when each client was last seen."""
        self._seen.write()

    def close(self) -> None:
        """Write what is only in memory."""
        self.write_seen()

    @contextlib.contextmanager
    def _changing(self) -> Generator[dict[str, _ClientRecord]]:
        """The entries as they are now, to be changed; written when the block ends well, while nobody else may write."""
        with locked(self._file):
            entries = dict(self._read())
            yield entries
            content = msgspec.json.format(msgspec.json.encode(_ClientsFile(tuple(entries.values()))), indent=1)
            write_private(self._file, content)
            self._known = _RegistryFile(content, entries)

    def _read(self) -> Mapping[str, _ClientRecord]:
        """What the file says now. Raises ClientsUnreadable.

        The file is small, so it is read each time: no time stamp tells two writes of one moment apart.
        """
        try:
            content = self._file.read_bytes()
        except FileNotFoundError:
            content = None
        except OSError:
            if not self._file.is_dir():
                raise
            raise ClientsUnreadable(
                f"A folder stands where the file of clients, {self._file.name}, belongs. Move it away."
            ) from None
        known = self._known
        if content == known.content:
            return known.entries
        try:
            stored = msgspec.json.decode(content, type=_ClientsFile) if content is not None else _ClientsFile()
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise ClientsUnreadable(
                f"The file of clients, {self._file.name}, is damaged. Move it away; every client must then pair again."
            ) from None
        self._known = _RegistryFile(content, {entry.client.id: entry for entry in stored.clients})
        return self._known.entries


def _with_seen(client: Client, seen: Mapping[str, datetime]) -> Client:
    return msgspec.structs.replace(client, last_seen=seen.get(client.id, client.last_seen))


def _one(entries: Mapping[str, _ClientRecord], client_id: str) -> _ClientRecord:
    entry = entries.get(client_id)
    if entry is None:
        raise ClientNotFound("No client has this id. `scrubjay clients list` shows them all.")
    return entry


def _give_token(entries: dict[str, _ClientRecord], client: Client) -> NewToken:
    token = new_token()
    entries[client.id] = _ClientRecord(client, hash_of(token))
    return NewToken(client, token)


def checked_name(name: str) -> str:
    """A client's name without needless spaces. Raises UsageError for one that is empty, too long or unprintable."""
    tidy = " ".join(name.split())
    if not tidy or len(tidy) > _NAME_LENGTH or not tidy.isprintable():
        raise UsageError(f"A client's name has 1 to {_NAME_LENGTH} printable characters.")
    return tidy


def _ordered(scopes: tuple[Scope, ...]) -> tuple[Scope, ...]:
    known: tuple[Scope, ...] = ("search", "journal", "manage")
    return tuple(scope for scope in known if scope in scopes)
