"""Where the keys of encrypted profiles come from: the OS keyring, or a passphrase through Argon2id."""

import secrets
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import Protocol

import keyring
import keyring.errors

from scrubjay.profiles.database.connection import KEY_BYTES
from scrubjay.profiles.errors import StoreLocked
from scrubjay.profiles.registry.registry import PassphraseSettings

SERVICE = "scrubjay"


class KeyStore(Protocol):
    """Keeps keys by name, and whatever else must not be in a file."""

    def get(self, key_id: str) -> bytes | None:
        """The key, or None. Raises StoreLocked when keys can't be reached at all."""
        ...

    def put(self, key_id: str, key: bytes) -> None:
        """Keep a key in place of the one before. Raises StoreLocked as `get`."""
        ...

    def delete(self, key_id: str) -> None:
        """Forget a key, if there is one. Raises StoreLocked as `get`."""
        ...


class OsKeyring:
    """The keyring of the operating system, under the service "scrubjay"."""

    def get(self, key_id: str) -> bytes | None:  # noqa: D102 (as KeyStore)
        with _reaching():
            value = keyring.get_password(SERVICE, _user(key_id))
        return None if value is None else _kept_bytes(value)

    def put(self, key_id: str, key: bytes) -> None:  # noqa: D102
        with _reaching():
            keyring.set_password(SERVICE, _user(key_id), key.hex())

    def delete(self, key_id: str) -> None:  # noqa: D102
        with _reaching(), suppress(keyring.errors.PasswordDeleteError):
            keyring.delete_password(SERVICE, _user(key_id))


class MemoryKeys:
    """Keys for as long as the process lives: those that a passphrase unlocked, and tests."""

    def __init__(self) -> None:
        self._keys: dict[str, bytes] = {}

    def get(self, key_id: str) -> bytes | None:  # noqa: D102
        return self._keys.get(key_id)

    def put(self, key_id: str, key: bytes) -> None:  # noqa: D102
        self._keys[key_id] = key

    def delete(self, key_id: str) -> None:  # noqa: D102
        self._keys.pop(key_id, None)


def new_key() -> bytes:
    """A random key."""
    return secrets.token_bytes(KEY_BYTES)


def new_passphrase_settings() -> PassphraseSettings:
    """Settings with a fresh salt."""
    return PassphraseSettings(salt=secrets.token_hex(16))


def derive_key(passphrase: str, settings: PassphraseSettings) -> bytes:
    """The key that a passphrase stands for, by Argon2id (RFC 9106); takes about half a second, on purpose."""
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id  # noqa: PLC0415 - 6 MB, for profiles with a passphrase

    derivation = Argon2id(
        salt=bytes.fromhex(settings.salt),
        length=KEY_BYTES,
        iterations=settings.passes,
        lanes=settings.lanes,
        memory_cost=settings.memory_kib,
    )
    return derivation.derive(passphrase.encode())


def _user(key_id: str) -> str:
    return f"profile:{key_id}"


def checked_key(key: bytes) -> bytes:
    """The key itself. Raises StoreLocked for what is none."""
    if len(key) != KEY_BYTES:
        raise StoreLocked("What the system's keyring has under the name of this profile's key is no key.")
    return key


def _kept_bytes(value: str) -> bytes:
    try:
        return bytes.fromhex(value)
    except ValueError:
        return b""


@contextmanager
def _reaching() -> Generator[None]:
    try:
        yield
    except Exception as error:  # backends let through whatever their libraries raise
        raise StoreLocked(
            "The system's keyring can't be reached, so profiles whose keys are in it stay locked. Unlock it, or use a"
            " passphrase (`--passphrase`)."
        ) from error
