"""The own token of the user of this installation, for the command line: in the OS keyring or a private file."""

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from scrubjay.daemon.server.access.client_registry import Client, ClientRegistry
from scrubjay.profiles.os_keyring import KeyringFails, forget_secret, get_secret, put_secret
from scrubjay.profiles.private_files import locked, write_private

_FILE = "token"
_NAME = "command line"


class TokenStore(Protocol):
    """Holds one secret for the user, under the id of the client that it belongs to."""

    @property
    def place(self) -> str:
        """Where it is kept, in words for the user."""
        ...

    def get(self, client_id: str) -> str | None:
        """The secret, if there is one."""
        ...

    def put(self, client_id: str, secret: str) -> None:
        """Keep it, in place of any before."""
        ...

    def drop(self, client_id: str) -> None:
        """Forget it, if there is one."""
        ...


class KeyringTokenStore:
    """The OS keyring. Raises KeyringFails."""

    place = "the keyring of this computer"

    def get(self, client_id: str) -> str | None:
        """The secret, if there is one."""
        return get_secret(client_id)

    def put(self, client_id: str, secret: str) -> None:
        """Keep it, in place of any before."""
        put_secret(client_id, secret)

    def drop(self, client_id: str) -> None:
        """Forget it, if there is one."""
        forget_secret(client_id)


class FileTokenStore:
    """A file that only its owner can read (mode 0600), for machines without a keyring."""

    def __init__(self, folder: Path, name: str = _FILE) -> None:
        self._path = folder / name
        self.place = f"a file that only you can read, because there is no keyring here: {self._path}"

    def get(self, client_id: str) -> str | None:
        """The secret, if the file holds that of this client."""
        try:
            owner, _, secret = self._path.read_text(encoding="ascii").strip().partition(" ")
        except (FileNotFoundError, UnicodeDecodeError):
            return None
        return secret if owner == client_id else None

    def put(self, client_id: str, secret: str) -> None:
        """Keep it, in place of any before; a link that stands there is replaced, not followed."""
        write_private(self._path, f"{client_id} {secret}\n".encode("ascii"))

    def drop(self, client_id: str) -> None:
        """Forget it, if there is one."""
        if self.get(client_id) is not None:
            self._path.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class OwnToken:
    """The user's own client, its token, and where that is kept."""

    client: Client
    token: str
    place: str
    created: bool  # made just now: the moment to say plainly where it is


def own_token(clients: ClientRegistry, state_folder: Path) -> OwnToken:
    """The user's own token, made when there is none yet; it may search and manage every profile.

    Of several programs that find none one makes it. Raises FileBusy.
    """
    if known := _stored(clients, state_folder):
        return known
    with locked(state_folder / _FILE):
        return _stored(clients, state_folder) or _make(clients, state_folder)


def own_client(clients: ClientRegistry, state_folder: Path) -> Client:
    """The user's own client, made when there is none yet. The keyring is not asked: who needs a token makes it.

    Raises FileBusy, but not where there is one: a command may hold the lock while it waits for the keyring.
    """
    found = _found(clients)
    if found is not None:
        return found
    with locked(state_folder / _FILE):
        return _own_client(clients)


def rotate_own_token(clients: ClientRegistry, state_folder: Path) -> OwnToken:
    """The same with a new token; the old one is dead at once."""
    with locked(state_folder / _FILE):
        return _make(clients, state_folder)


def _stored(clients: ClientRegistry, state_folder: Path) -> OwnToken | None:
    return _from_token_store(clients, KeyringTokenStore()) or _from_token_store(clients, FileTokenStore(state_folder))


def _from_token_store(clients: ClientRegistry, token_store: TokenStore) -> OwnToken | None:
    own = _found(clients)
    if own is None:
        return None
    with contextlib.suppress(KeyringFails):
        token = token_store.get(own.id)
        found = clients.authenticate(token) if token else None
        if token and found and found.id == own.id:
            return OwnToken(found, token, token_store.place, created=False)
    return None


def _make(clients: ClientRegistry, state_folder: Path) -> OwnToken:
    new = clients.rotate(_own_client(clients).id)
    return _store_token(clients, new.token, new.client, state_folder)


def _store_token(clients: ClientRegistry, token: str, own: Client, state_folder: Path) -> OwnToken:
    token_store: TokenStore = KeyringTokenStore()
    try:
        token_store.put(own.id, token)
    except KeyringFails:
        token_store = FileTokenStore(state_folder)
        token_store.put(own.id, token)
    return OwnToken(clients.get(own.id), token, token_store.place, created=True)


def _own_client(clients: ClientRegistry) -> Client:
    found = _found(clients)
    return found or clients.create(_NAME, scopes=("search", "manage"), profiles="all", own=True).client


def _found(clients: ClientRegistry) -> Client | None:
    return next((client for client in clients.list() if client.own), None)
