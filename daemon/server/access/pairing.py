"""Pairing a new client: it gives its name, the user approves, it collects its token once.

A user approves in the command line, the tray or the page, comparing a short code. A plugin that runs as the same user
may instead prove that it can read `pairing.key` (mode 0600): as much proof of being that user as there is.
"""

import contextlib
import hashlib
import hmac
import os
import secrets
import stat
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from scrubjay.daemon.server.access.client_registry import (
    Client,
    ClientNotFound,
    ClientRegistry,
    NewToken,
    Scope,
    VisibleProfiles,
    checked_name,
    hash_of,
    new_secret,
)
from scrubjay.profiles.errors import NotFound, ScrubjayError, UsageError
from scrubjay.profiles.private_files import stored_key

REQUEST_SECONDS = 300
_MOST_WAITING = 1_024  # when there are more, the oldest go: who floods the desk can't close it
_MOST_SHOWN = 20
_CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # none that look alike
_CODE_LENGTH = 6
_VAULT_LENGTH = 4_096
NO_SUCH_REQUEST = "No request to pair waits under this code. It may be older than five minutes: ask again."
_KEY_FILE = "pairing.key"

PairingState: TypeAlias = Literal["waiting", "approved", "refused"]


class PairingNotFound(NotFound):
    """No pairing waits under this id or code: it never did, it is too old, or its token was collected."""

    code = "pairing-not-found"


class NotAVault(UsageError):
    """The folder that a request names is no vault."""

    code = "not-a-vault"


class ProofRefused(ScrubjayError):
    """The proof of reading `pairing.key` is wrong."""

    code = "proof-refused"
    status = 403


@dataclass(frozen=True, slots=True)
class PairingRequest:
    """A program requests access."""

    id: str  # 16 hex characters; opens nothing by itself
    code: str  # shown on both sides, for the user to compare
    name: str
    vault: str | None
    scopes: tuple[Scope, ...]


@dataclass(frozen=True, slots=True)
class StartedPairing:
    """A request just made, with the secret that collects its token; the secret can't be shown again."""

    request: PairingRequest
    secret: str


@dataclass(slots=True)
class _PairingRecord:
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
    """The key whose knowledge proves to be the same user; made when missing or damaged, readable by its owner alone."""
    return stored_key(state_folder / _KEY_FILE, lambda: secrets.token_hex(32).encode())


def pairing_proof(key: bytes, request_id: str) -> str:
    """HMAC-SHA256 over the request id, as hex; the key is the file's bytes as they are."""
    return hmac.new(key, request_id.encode(), hashlib.sha256).hexdigest()


class PairingDesk:
    """The pending pairing requests, in memory only. Thread-safe."""

    def __init__(self, clients: ClientRegistry, key: bytes, clock: Callable[[], float] = time.monotonic) -> None:
        self._clients = clients
        self._key = key
        self._clock = clock
        self._lock = threading.Lock()
        self._records: dict[str, _PairingRecord] = {}

    def ask(self, name: str, vault: str | None, scopes: tuple[Scope, ...]) -> StartedPairing:
        """Begin. Raises UsageError for a bad name or too long a vault, NotAVault for what all can see to be none."""
        tidy_name = checked_name(name)
        if vault is not None and len(vault) > _VAULT_LENGTH:
            raise UsageError(f"A vault's name or folder has at most {_VAULT_LENGTH} characters.")
        if vault is not None and is_plainly_no_vault(vault):
            raise NotAVault("That folder is no vault of Obsidian's: it holds no .obsidian folder.")
        with self._lock:
            self._forget_old()
            while len(self._records) >= _MOST_WAITING:
                self._forget(next(iter(self._records)))
            request = PairingRequest(
                id=secrets.token_hex(8),
                code="".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH)),
                name=tidy_name,
                vault=vault,
                scopes=scopes,
            )
            secret = new_secret()
            self._records[request.id] = _PairingRecord(request, hash_of(secret), self._clock() + REQUEST_SECONDS)
            return StartedPairing(request, secret)

    def waiting(self) -> tuple[PairingRequest, ...]:
        """The newest requests that the user has not decided yet, the oldest of them first."""
        return self._undecided()[-_MOST_SHOWN:]

    def vault_of(self, request_id: str) -> str | None:
        """The vault that a waiting request named, if it did and there is such a request."""
        return next((request.vault for request in self._undecided() if request.id == request_id), None)

    def find(self, id_or_code: str) -> PairingRequest:
        """The waiting request with this id or code (case and dashes aside). Raises PairingNotFound."""
        code = id_or_code.replace("-", "").upper()
        for request in self._undecided():
            if id_or_code == request.id or code == request.code:
                return request
        raise PairingNotFound(NO_SUCH_REQUEST)

    def approve(self, request_id: str, *, scopes: tuple[Scope, ...], profiles: VisibleProfiles) -> None:
        """The user says yes, for these scopes and profiles. Raises PairingNotFound."""
        with self._lock:
            record = self._waiting(request_id)
            record.token = self._clients.create(
                record.request.name, scopes=scopes, profiles=profiles, vault=record.request.vault
            )
            record.state = "approved"

    def deny(self, request_id: str) -> None:
        """The user says no. Raises PairingNotFound."""
        with self._lock:
            self._waiting(request_id).state = "refused"

    def prove(self, request_id: str, answer: str, profiles: VisibleProfiles) -> None:
        """Approve a request because its sender can read the user's private file.

        Raises PairingNotFound or ProofRefused; a wrong proof ends the request, so that none can be tried twice.
        """
        with self._lock:
            record = self._waiting(request_id)
            if not hmac.compare_digest(
                pairing_proof(self._key, request_id).encode(), answer.encode("utf-8", "replace")
            ):
                del self._records[request_id]
                raise ProofRefused("The proof is wrong: it must be made with the pairing key of this user's Scrubjay.")
            record.token = self._clients.create(
                record.request.name, scopes=record.request.scopes, profiles=profiles, vault=record.request.vault
            )
            record.state = "approved"

    def collect(self, request_id: str, secret: str) -> Collected:
        """How the request stands; with its token once approved, then it is forgotten.

        Raises PairingNotFound, for a wrong secret too.
        """
        with self._lock:
            self._forget_old()
            record = self._records.get(request_id)
            if record is None or not hmac.compare_digest(record.secret_hash, hash_of(secret)):
                raise PairingNotFound("No request to pair has this id. It may be older than five minutes: ask again.")
            if record.state != "waiting":
                del self._records[request_id]
            if record.token is not None:
                self._retire_before(record.token.client)
            return Collected(record.state, record.token)

    def _retire_before(self, new: Client) -> None:
        """Who pairs again for the same vault under the same name has no use for the token before."""
        for old in self._clients.list():
            is_same = (old.name, old.vault) == (new.name, new.vault) and new.vault is not None
            if is_same and old.id != new.id and not old.own:
                with contextlib.suppress(ClientNotFound):  # revoked meanwhile
                    self._clients.revoke(old.id)

    def _undecided(self) -> tuple[PairingRequest, ...]:
        with self._lock:
            self._forget_old()
            return tuple(record.request for record in self._records.values() if record.state == "waiting")

    def _waiting(self, request_id: str) -> _PairingRecord:
        self._forget_old()
        record = self._records.get(request_id)
        if record is None or record.state != "waiting":
            raise PairingNotFound(
                "No request to pair waits under this id. It may be older than five minutes: ask again."
            )
        return record

    def _forget_old(self) -> None:
        """Drop expired requests; a token that was never collected is revoked."""
        now = self._clock()
        for key in [key for key, record in self._records.items() if record.expires <= now]:
            self._forget(key)

    def _forget(self, request_id: str) -> None:
        """A token that nobody collected is revoked with its request."""
        record = self._records.pop(request_id)
        if record.token is not None:
            with contextlib.suppress(ClientNotFound):
                self._clients.revoke(record.token.client.id)


def is_plainly_no_vault(vault: str) -> bool:
    """Whether every user of this machine can see that the folder `vault` is no vault of Obsidian's.

    Whoever asks to pair is not known yet. So nothing is said of what only some can see: the answer would tell a
    stranger which folders of the user there are. A name that is no absolute path is none of a folder's.
    """
    folder = Path(vault)
    if os.name != "posix" or not folder.is_absolute():
        return False
    try:
        for parent in reversed(folder.parents):
            if not parent.stat().st_mode & stat.S_IXOTH:
                return False
        mode = folder.stat().st_mode
        all_see_in = stat.S_ISDIR(mode) and mode & stat.S_IROTH and mode & stat.S_IXOTH
        return not stat.S_ISDIR(mode) or bool(all_see_in and not (folder / ".obsidian").is_dir())
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False
