"""Secrets that this program mints: bearer tokens, tickets, session ids. Only their hashes are kept."""

import hashlib
import re
import secrets

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
