"""What a member's machine knows of a team's profile and tells nobody: the password, and the keys.

Kept in the keyring in one entry; where there is none, in a file that a passphrase opens.
"""

import secrets
from pathlib import Path

import msgspec

from scrubjay.profiles.errors import StoreLocked
from scrubjay.profiles.private_files import write_private
from scrubjay.profiles.store.encryption import shred

SEALED = "team.sealed"
"""The file, in the profile's folder."""

_NONCE = 12


class TeamCredentials(msgspec.Struct, frozen=True):
    """Never printed: `repr` tells nothing of it."""

    password: str  # of the member's role on the server
    key: bytes  # this and `words_key`: as `TeamKeys`
    words_key: bytes = b""

    def __repr__(self) -> str:
        return "TeamCredentials(…)"


def packed(credentials: TeamCredentials) -> bytes:
    """As the keyring keeps it."""
    return msgspec.msgpack.encode(credentials)


def unpacked(data: bytes) -> TeamCredentials:
    """What was packed. Raises StoreLocked for anything else."""
    try:
        return msgspec.msgpack.decode(data, type=TeamCredentials)
    except msgspec.MsgspecError:
        raise StoreLocked(
            "What the keyring has under the name of this team's profile is no password. `scrubjay team join` puts it"
            " there again."
        ) from None


def seal(folder: Path, credentials: TeamCredentials, key: bytes) -> None:
    """Write the file of a profile, encrypted under `key`, 32 bytes that a passphrase gave. Raises OSError."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # noqa: PLC0415 - 6 MB

    nonce = secrets.token_bytes(_NONCE)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    sealed = ChaCha20Poly1305(key).encrypt(nonce, packed(credentials), folder.name.encode())
    write_private(folder / SEALED, nonce + sealed)


def unseal(folder: Path, key: bytes) -> TeamCredentials | None:
    """What is in the file of a profile; None with another key, or without a file."""
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # noqa: PLC0415 - 6 MB

    try:
        data = (folder / SEALED).read_bytes()
        return unpacked(ChaCha20Poly1305(key).decrypt(data[:_NONCE], data[_NONCE:], folder.name.encode()))
    except (FileNotFoundError, InvalidTag, ValueError):
        return None


def forget_sealed(folder: Path) -> None:
    """Overwrite and delete the file, if there is one."""
    shred(folder / SEALED)
