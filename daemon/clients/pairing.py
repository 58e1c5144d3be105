"""Letting a new client in: it asks with its name, the user approves, it collects its token once.

A user approves in the command line, the tray or the page, comparing a short code. A plugin that runs as the same user
may instead prove that it can read `pairing.key` (mode 0600): as much proof of being that user as there is.
"""

import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from scrubjay.daemon.clients.client_registry import ClientRegistry, NewToken, Scope, VisibleProfiles, checked_name
from scrubjay.daemon.clients.token_hashes import hash_of, new_secret
from scrubjay.daemon.errors import NotFound, ScrubjayError, UsageError
from scrubjay.profiles.private_files import read_or_create_private

REQUEST_SECONDS = 300
_MOST_WAITING = 8
_CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # none that look alike
_CODE_LENGTH = 6
_VAULT_LENGTH = 4_096
_KEY_FILE = "pairing.key"

PairingState: TypeAlias = Literal["waiting", "approved", "refused"]


class PairingNotFound(NotFound):
    """No pairing waits under this id or code: it never did, it is too old, or its token was collected."""

    code = "pairing-not-found"


class PairingBusy(ScrubjayError):
    """Too many requests wait for the user."""

    code = "pairing-busy"
    status = 429


class ProofRefused(ScrubjayError):
    """The proof of reading `pairing.key` is wrong."""

    code = "proof-refused"
    status = 403


@dataclass(frozen=True, slots=True)
class PairingRequest:
    """Somebody asks to be let in."""

    id: str  # 16 hex characters; opens nothing by itself
    code: str  # shown on both sides, for the user to compare
    name: str
    vault: str | None
    scopes: tuple[Scope, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A request just made, with the secret that collects its token; the secret can't be shown again."""

    request: PairingRequest
    secret: str


@dataclass(slots=True)
class _Held:
    request: PairingRequest
    secret_hash: str
    expires: float
    state: PairingState = "waiting"
    token: NewToken | None = None


@dataclass(frozen=True, slots=True)
class Collected:
    """What polling gives; the token comes exactly once."""

    state: PairingState
    token: NewToken | None = None


def pairing_key(state_folder: Path) -> bytes:
    """The key whose knowledge proves to be the same user; made when missing, readable by its owner alone."""
    return read_or_create_private(state_folder / _KEY_FILE, secrets.token_hex(32).encode())


def pairing_proof(key: bytes, request_id: str) -> str:
    """HMAC-SHA256 over the request id, as hex; the key is the file's bytes as they are."""
    return hmac.new(key, request_id.encode(), hashlib.sha256).hexdigest()


class PairingDesk:
    """Holds the requests that wait. In memory alone; thread-safe."""

    def __init__(self, clients: ClientRegistry, key: bytes, clock: Callable[[], float] = time.monotonic) -> None:
        self._clients = clients
        self._key = key
        self._clock = clock
        self._lock = threading.Lock()
        self._held: dict[str, _Held] = {}

    def ask(self, name: str, vault: str | None, scopes: tuple[Scope, ...]) -> Asked:
        """Begin. Raises PairingBusy while too many others wait, UsageError for a bad name or too long a vault."""
        tidy_name = checked_name(name)
        if vault is not None and len(vault) > _VAULT_LENGTH:
            raise UsageError(f"A vault's name or folder has at most {_VAULT_LENGTH} characters.")
        with self._lock:
            self._forget_old()
            if len(self._held) >= _MOST_WAITING:
                raise PairingBusy("Too many requests to pair wait already. Approve or deny them, or wait five minutes.")
            request = PairingRequest(
                id=secrets.token_hex(8),
                code="".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH)),
                name=tidy_name,
                vault=vault,
                scopes=scopes,
            )
            secret = new_secret()
            self._held[request.id] = _Held(request, hash_of(secret), self._clock() + REQUEST_SECONDS)
            return Asked(request, secret)

    def waiting(self) -> tuple[PairingRequest, ...]:
        """What the user has not decided yet, oldest first."""
        with self._lock:
            self._forget_old()
            return tuple(held.request for held in self._held.values() if held.state == "waiting")

    def find(self, id_or_code: str) -> PairingRequest:
        """The waiting request with this id or code (case and dashes aside). Raises PairingNotFound."""
        code = id_or_code.replace("-", "").upper()
        for request in self.waiting():
            if id_or_code == request.id or code == request.code:
                return request
        raise PairingNotFound("No request to pair waits under this code. It may be older than five minutes: ask again.")

    def approve(self, request_id: str, *, scopes: tuple[Scope, ...], profiles: VisibleProfiles) -> None:
        """The user says yes, for these scopes and profiles. Raises PairingNotFound."""
        with self._lock:
            held = self._waiting(request_id)
            held.token = self._clients.create(
                held.request.name, scopes=scopes, profiles=profiles, vault=held.request.vault
            )
            held.state = "approved"

    def deny(self, request_id: str) -> None:
        """The user says no. Raises PairingNotFound."""
        with self._lock:
            self._waiting(request_id).state = "refused"

    def prove(self, request_id: str, answer: str, profiles: VisibleProfiles) -> None:
        """Approve what was asked for because the asker can read the user's private file.

        Raises PairingNotFound or ProofRefused; a wrong proof ends the request, so that none can be tried twice.
        """
        with self._lock:
            held = self._waiting(request_id)
            if not hmac.compare_digest(
                pairing_proof(self._key, request_id).encode(), answer.encode("utf-8", "replace")
            ):
                del self._held[request_id]
                raise ProofRefused("The proof is wrong: it must be made with the pairing key of this user's Scrubjay.")
            held.token = self._clients.create(
                held.request.name, scopes=held.request.scopes, profiles=profiles, vault=held.request.vault
            )
            held.state = "approved"

    def collect(self, request_id: str, secret: str) -> Collected:
        """How the request stands; with its token once approved, then it is forgotten.

        Raises PairingNotFound, for a wrong secret too.
        """
        with self._lock:
            self._forget_old()
            held = self._held.get(request_id)
            if held is None or not hmac.compare_digest(held.secret_hash, hash_of(secret)):
                raise PairingNotFound("No request to pair has this id. It may be older than five minutes: ask again.")
            if held.state != "waiting":
                del self._held[request_id]
            return Collected(held.state, held.token)

    def _waiting(self, request_id: str) -> _Held:
        self._forget_old()
        held = self._held.get(request_id)
        if held is None or held.state != "waiting":
            raise PairingNotFound(
                "No request to pair waits under this id. It may be older than five minutes: ask again."
            )
        return held

    def _forget_old(self) -> None:
        """Drop what is too old; a token that nobody collected is revoked with it."""
        now = self._clock()
        for key, held in list(self._held.items()):
            if held.expires <= now:
                del self._held[key]
                if held.token is not None:
                    self._clients.revoke(held.token.client.id)
