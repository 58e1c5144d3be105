"""How a client verifies that the program on the port is this user's daemon, before it sends a token.

A running daemon writes `daemon.json` (mode 0600) with its address and a secret that lives as long as it does. A client
that can read the file asks `GET /health?challenge=<hex>` and compares the `proof` in the reply. A stranger that grabbed
the port can't read the file, so it can't answer.
"""

import hashlib
import hmac
import re
import secrets
from pathlib import Path

import msgspec

from scrubjay.profiles.private_files import write_private

_CHALLENGE = re.compile(r"[0-9a-f]{32,128}")


class Discovery(msgspec.Struct, frozen=True):
    """What `daemon.json` holds. `secret` proves identity only; it opens nothing."""

    url: str  # "http://127.0.0.1:8642"
    port: int
    pid: int
    instance: str  # 16 hex characters, new at each start
    version: str
    secret: str  # 64 hex characters, new at each start


class Identity(msgspec.Struct, frozen=True):
    """The running daemon's own name for itself."""

    instance: str
    version: str
    secret: str

    @classmethod
    def new(cls, version: str) -> "Identity":
        """A fresh identity for a daemon that starts."""
        return cls(instance=secrets.token_hex(8), version=version, secret=secrets.token_hex(32))

    def discovery(self, port: int, pid: int) -> Discovery:
        """What to write into `daemon.json` once `port` is bound."""
        return Discovery(
            url=f"http://127.0.0.1:{port}",
            port=port,
            pid=pid,
            instance=self.instance,
            version=self.version,
            secret=self.secret,
        )


def new_challenge() -> str:
    """128 random bits as hex."""
    return secrets.token_hex(16)


def is_challenge(text: str) -> bool:
    """Whether a challenge has the shape that is answered: 32 to 128 lower-case hex digits."""
    return _CHALLENGE.fullmatch(text) is not None


def proof(secret: str, challenge: str) -> str:
    """HMAC-SHA256 as hex; key and message are the UTF-8 bytes of `secret` and `challenge` as written (RFC 2104)."""
    return hmac.new(secret.encode(), challenge.encode(), hashlib.sha256).hexdigest()


def proves(secret: str, challenge: str, answer: str) -> bool:
    """Whether `answer` is the proof for `challenge`, compared in constant time."""
    return hmac.compare_digest(proof(secret, challenge).encode(), answer.encode("utf-8", "surrogatepass"))


def write_discovery(path: Path, discovery: Discovery) -> None:
    """Write `daemon.json`, readable by its owner alone."""
    write_private(path, msgspec.json.encode(discovery))


def read_discovery(path: Path) -> Discovery | None:
    """What a daemon wrote; None when there is no such file or it makes no sense."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Discovery)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
