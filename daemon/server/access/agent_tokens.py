"""Tokens of the agents that this computer starts: kept for them, so that no file of theirs holds a secret."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from scrubjay.daemon.server.access.client_registry import Client, ClientNotFound, ClientRegistry, Scope, VisibleProfiles
from scrubjay.daemon.server.access.own_token import FileTokenStore, KeyringTokenStore, TokenStore
from scrubjay.profiles.errors import NotFound
from scrubjay.profiles.os_keyring import KeyringFails


class NoStoredToken(NotFound):
    """There is such a client, but its token is not kept here."""

    code = "no-token-kept"


def make_agent(
    clients: ClientRegistry,
    state_folder: Path,
    name: str,
    scopes: tuple[Scope, ...],
    profiles: VisibleProfiles,
) -> Client:
    """A client of this name, in place of any that was made this way before, with its token kept. Raises UsageError."""
    for old in _named(clients, name):
        drop_agent(clients, state_folder, old.id)
    new = clients.create(name, scopes=scopes, profiles=profiles)
    for token_store in _token_stores(state_folder, new.client.id):
        with contextlib.suppress(KeyringFails):
            token_store.put(new.client.id, new.token)
            break
    return new.client


def agent_token(clients: ClientRegistry, state_folder: Path, name: str) -> str:
    """The token of the agent of this name. Raises ClientNotFound, NoStoredToken."""
    found = _named(clients, name)
    if not found:
        raise ClientNotFound(f"No client is named {name}. `scrubjay mcp install` makes one.")
    for client in found:
        for token_store in _token_stores(state_folder, client.id):
            with contextlib.suppress(KeyringFails):
                if token := token_store.get(client.id):
                    return token
    raise NoStoredToken(f"The token of {name} is not kept on this computer. `scrubjay mcp install` makes a new one.")


def drop_agent(clients: ClientRegistry, state_folder: Path, client_id: str) -> None:
    """Revoke an agent and forget its token. Raises ClientNotFound."""
    clients.revoke(client_id)
    for token_store in _token_stores(state_folder, client_id):
        with contextlib.suppress(KeyringFails):
            token_store.drop(client_id)


def agents_named(clients: ClientRegistry, name: str) -> tuple[Client, ...]:
    """The clients of this name, none of them the command line's own."""
    return _named(clients, name)


def _named(clients: ClientRegistry, name: str) -> tuple[Client, ...]:
    return tuple(client for client in clients.list() if client.name == name and not client.own)


def _token_stores(state_folder: Path, client_id: str) -> Iterator[TokenStore]:
    yield KeyringTokenStore()
    yield FileTokenStore(state_folder, f"agent-{client_id}.token")
