"""The keys of a team's profile, how they reach members without the server learning them, and what they seal.

The owner wraps the keys with a secret of 128 random bits that only the invitation has; the server keeps what comes out.
Wrapping is ChaCha20-Poly1305 (RFC 8439) under a key that HKDF (RFC 5869) makes of the secret.
"""

import base64
import binascii
import re
import secrets
from dataclasses import dataclass
from hashlib import blake2b

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from scrubjay.profiles.errors import InvalidProfile
from scrubjay.profiles.server_address import ServerAddress

KEY_BYTES = 32
SECRET_BYTES = 16
PREFIX = "scrubjay-team-1:"
_NONCE_BYTES, _NAME_BYTES = 12, 16
_PURPOSE, _OF_TEXTS = b"scrubjay team key 1", b"scrubjay team text 1"
_LONGEST = 4096  # that a terminal takes as one line


class WrongSecret(InvalidProfile):
    """The secret is not the one that the key was wrapped with, or what was wrapped has changed."""

    code = "wrong-secret"


def new_key() -> bytes:
    """A random key, for a new profile."""
    return secrets.token_bytes(KEY_BYTES)


def new_secret() -> bytes:
    """A random secret, for one invitation."""
    return secrets.token_bytes(SECRET_BYTES)


@dataclass(frozen=True, slots=True)
class TeamKeys:
    """What a profile's members have and its server has not.

    key: 32 bytes that digests of texts are made with, and that seals; it stays. words_key: those that words are hashed
    with, another key each time a laptop was lost; empty until then, when it is `key`.
    """

    key: bytes
    words_key: bytes = b""

    def __repr__(self) -> str:
        return "TeamKeys(…)"

    @property
    def of_words(self) -> bytes:
        """What words are hashed with."""
        return self.words_key or self.key

    @property
    def words_name(self) -> str:
        """By what the server tells one `words_key` from another; it says nothing else of it. "" where that is empty."""
        if not self.words_key:
            return ""
        return blake2b(key=self.words_key, digest_size=_NAME_BYTES, person=b"name").hexdigest()


NO_KEYS = TeamKeys(b"")
"""Of a profile that nobody else shares."""


def wrap(keys: TeamKeys, secret: bytes) -> bytes:
    """The keys as only the secret opens them: a nonce and what is behind it; another one each time."""
    return _wrap(keys.key + keys.words_key, secret, _PURPOSE)


def unwrap(wrapped: bytes, secret: bytes) -> TeamKeys:
    """The keys that were wrapped. Raises WrongSecret."""
    found = _unwrap(wrapped, secret, _PURPOSE)
    if found is None or len(found) not in (KEY_BYTES, 2 * KEY_BYTES):
        raise WrongSecret(
            "The invitation does not open this profile's key: it is an old one, or was changed on its way. Ask the"
            " owner for a new one."
        )
    return TeamKeys(found[:KEY_BYTES], found[KEY_BYTES:])


def wrap_text(text: str, key: bytes) -> bytes:
    """A text as only the team's key opens it; another one each time."""
    return _wrap(text.encode("utf-8", "surrogatepass"), key, _OF_TEXTS)


def unwrap_text(wrapped: bytes, key: bytes) -> str:
    """The text that was wrapped. Raises WrongSecret."""
    text = _unwrap(wrapped, key, _OF_TEXTS)
    if text is None:
        raise WrongSecret("This was not wrapped with this team's key, or has changed since.")
    return text.decode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class Invitation:
    """What a new member is given, in one line; whoever has it can come in as the member.

    password: empty where the member's role was there before, and keeps its own. root: the certificate that the server's
    is checked with, as PEM; empty where the system knows it. The address names no file of the owner's.
    """

    address: ServerAddress
    profile: int
    name: str
    password: str
    secret: bytes
    root: str = ""

    def __repr__(self) -> str:
        # Neither password nor secret: a repr ends up in logs and tracebacks.
        return f"Invitation(address={self.address}, profile={self.profile}, name={self.name!r})"

    def text(self) -> str:
        """The line, of characters that survive any message."""
        line = [str(self.address), self.profile, self.name, self.password, self.secret]
        if self.root:  # without one, versions that know of none read the line, too
            line.append(self.root)
        return PREFIX + base64.urlsafe_b64encode(msgspec.json.encode(line)).decode().rstrip("=")

    @classmethod
    def parse(cls, text: str) -> "Invitation":
        """What `text` wrote, whatever is around it and space in it. Raises InvalidProfile, which repeats none of it."""
        _, prefix, behind = text.partition(PREFIX)
        token = re.match(r"[\w-]*", behind, re.ASCII)
        line = prefix and (_read("".join(behind.split())) or _read(token[0] if token else ""))
        if not line:
            raise InvalidProfile(
                f"This is no whole invitation: it is one line that begins with {PREFIX}, as `scrubjay team grant`"
                " prints it."
            )
        return cls(ServerAddress.parse(line.address), line.profile, line.name, line.password, line.secret, line.root)


class _Line(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    address: str
    profile: int
    name: str
    password: str
    secret: bytes
    root: str = ""


def _read(body: str) -> _Line | None:
    if len(body) > _LONGEST:
        return None
    try:
        packed = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
        line = msgspec.json.decode(packed, type=_Line)
    except (binascii.Error, msgspec.DecodeError, ValueError):
        return None
    return line if line.profile > 0 and line.name and len(line.secret) == SECRET_BYTES else None


def _wrap(data: bytes, secret: bytes, purpose: bytes) -> bytes:
    nonce = secrets.token_bytes(_NONCE_BYTES)
    return nonce + _cipher(secret, purpose).encrypt(nonce, data, purpose)


def _unwrap(wrapped: bytes, secret: bytes, purpose: bytes) -> bytes | None:
    try:
        return _cipher(secret, purpose).decrypt(wrapped[:_NONCE_BYTES], wrapped[_NONCE_BYTES:], purpose)
    except (InvalidTag, ValueError):
        return None


def _cipher(secret: bytes, purpose: bytes) -> ChaCha20Poly1305:
    return ChaCha20Poly1305(HKDF(SHA256(), KEY_BYTES, salt=None, info=purpose).derive(secret))
