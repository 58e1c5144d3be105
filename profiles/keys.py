"""Where the keys of encrypted profiles come from: the OS keyring, or a passphrase through Argon2id."""

import secrets
from typing import Protocol

import keyring
import keyring.errors
import msgspec
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from profiles.connection import KEY_BYTES
from profiles.errors import StoreLocked

SERVICE = "scrubjay"


class KeyStore(Protocol):
    """Keeps one key for each profile id."""

    def get(self, profile_id: str) -> bytes | None:
        """The key, or None. Raises StoreLocked when keys can't be reached at all."""
        ...

    def put(self, profile_id: str, key: bytes) -> None:
        """Keep a key in place of the one before. Raises StoreLocked as `get`."""
        ...

    def delete(self, profile_id: str) -> None:
        """Forget a key, if there is one. Raises StoreLocked as `get`."""
        ...


class OsKeyring:
    """The keyring of the operating system, under the service "scrubjay"."""

    def get(self, profile_id: str) -> bytes | None:  # noqa: D102 (as KeyStore)
        try:
            value = keyring.get_password(SERVICE, _user(profile_id))
        except keyring.errors.KeyringError as error:
            raise _unreachable() from error
        return None if value is None else bytes.fromhex(value)

    def put(self, profile_id: str, key: bytes) -> None:  # noqa: D102
        try:
            keyring.set_password(SERVICE, _user(profile_id), key.hex())
        except keyring.errors.KeyringError as error:
            raise _unreachable() from error

    def delete(self, profile_id: str) -> None:  # noqa: D102
        try:
            keyring.delete_password(SERVICE, _user(profile_id))
        except keyring.errors.PasswordDeleteError:
            return
        except keyring.errors.KeyringError as error:
            raise _unreachable() from error


class MemoryKeys:
    """Keys for as long as the process lives: those that a passphrase unlocked, and tests."""

    def __init__(self) -> None:
        self._keys: dict[str, bytes] = {}

    def get(self, profile_id: str) -> bytes | None:  # noqa: D102
        return self._keys.get(profile_id)

    def put(self, profile_id: str, key: bytes) -> None:  # noqa: D102
        self._keys[profile_id] = key

    def delete(self, profile_id: str) -> None:  # noqa: D102
        self._keys.pop(profile_id, None)


class PassphraseSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How a passphrase becomes a key; no secret, kept beside the database.

    Defaults: RFC 9106's second recommended option (64 MiB, 3 passes, 4 lanes).
    """

    salt: str  # hex
    memory_kib: int = 65_536
    passes: int = 3
    lanes: int = 4


def new_key() -> bytes:
    """A random key."""
    return secrets.token_bytes(KEY_BYTES)


def new_passphrase_settings() -> PassphraseSettings:
    """Settings with a fresh salt."""
    return PassphraseSettings(salt=secrets.token_hex(16))


def derive_key(passphrase: str, settings: PassphraseSettings) -> bytes:
    """The key that a passphrase stands for, by Argon2id (RFC 9106); takes about half a second, on purpose."""
    derivation = Argon2id(
        salt=bytes.fromhex(settings.salt),
        length=KEY_BYTES,
        iterations=settings.passes,
        lanes=settings.lanes,
        memory_cost=settings.memory_kib,
    )
    return derivation.derive(passphrase.encode())


def _user(profile_id: str) -> str:
    return f"profile:{profile_id}"


def _unreachable() -> StoreLocked:
    return StoreLocked(
        "The system's keyring can't be reached, so encrypted profiles stay locked. Unlock it, or use a passphrase."
    )
