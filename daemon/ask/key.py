"""The API key of a model server: in the OS keyring or nowhere, and for that one address."""

import contextlib

import keyring
import keyring.errors

from scrubjay.daemon.ask.model_server import ModelTrouble, server_of
from scrubjay.daemon.errors import UsageError
from scrubjay.daemon.settings import Llm

_SERVICE = "scrubjay"


def key_for(address: str) -> str:
    """The key of the server at an address (host and port). Raises ModelTrouble where the keyring has none."""
    try:
        found = keyring.get_password(_SERVICE, _name(address))
    except keyring.errors.KeyringError:
        found = None
    if not found:
        raise ModelTrouble(f"The keyring has no API key for {address}. Give it again: scrubjay llm use, with --key.")
    return found


def keep_key(address: str, key: str) -> None:
    """Keep a key, in place of any before. Raises ModelTrouble where there is no keyring: it is kept in no file."""
    try:
        keyring.set_password(_SERVICE, _name(address), key)
    except keyring.errors.KeyringError:
        raise ModelTrouble("There is no keyring here, and an API key is kept nowhere else.") from None


def forget_key(llm: Llm) -> None:
    """Forget the key of the server that these settings name, if it has one."""
    with contextlib.suppress(keyring.errors.KeyringError, UsageError):
        if llm.key:
            keyring.delete_password(_SERVICE, _name(server_of(llm).address))


def _name(address: str) -> str:
    return f"llm {address}"
