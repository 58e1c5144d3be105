"""`/v1/pairing`: how a new client gets a token with the user's consent."""

from typing import Literal

from scrubjay.daemon.server.access.client_registry import Scope
from scrubjay.daemon.server.endpoint import Ask, Endpoint, Nothing, Reply
from scrubjay.daemon.server.endpoints.clients import Granted, Scopes
from scrubjay.daemon.server.endpoints.common import Folder, Name, Secret


class PairingAsk(Ask, frozen=True):
    """A program asks to be let in. `vault` is the vault's folder or name; its profile is what the client will see."""

    client: Name
    vault: Folder | None = None
    scopes: Scopes = ("search",)


class PairingBegun(Reply, frozen=True):
    """Show `code` to the user, keep `secret`, and collect the token with it."""

    id: str
    code: str
    secret: str
    seconds: int


class PairingReply(Reply, frozen=True):
    """A request that waits for the user."""

    id: str
    client: str
    code: str
    vault: str | None
    scopes: tuple[Scope, ...]
    profiles: tuple[str, ...]  # those that hold the vault, as a proposal


class PairingsReply(Reply, frozen=True):
    """What waits for the user."""

    pairings: tuple[PairingReply, ...]


class PairingDecision(Ask, frozen=True):
    """The user's word. Without `profiles`: those that hold the asker's vault; without `scopes`: what was asked for."""

    id_or_code: str
    approve: bool
    profiles: Granted | None = None
    scopes: Scopes | None = None


class PairingSecret(Ask, frozen=True):
    """The secret that came when the request was made."""

    request_id: str
    secret: Secret


class PairingProof(Ask, frozen=True):
    """HMAC-SHA256 over the request's id with the bytes of `pairing.key`, as hex."""

    request_id: str
    proof: Secret


class PairingState(Reply, frozen=True, omit_defaults=True):
    """How a request stands; the token comes once."""

    state: Literal["waiting", "approved", "refused"]
    token: str | None = None


ASK_PAIRING = Endpoint(
    "POST",
    "/v1/pairing",
    None,
    PairingAsk,
    PairingBegun,
    "Ask to be let in. Show the code to the user, who compares it with the one that Scrubjay shows.",
    example={"client": "Obsidian", "vault": "/home/ada/Work"},
    status=201,
)
LIST_PAIRINGS = Endpoint("GET", "/v1/pairing", "manage", Nothing, PairingsReply, "Requests that wait for the user.")
DECIDE_PAIRING = Endpoint(
    "POST",
    "/v1/pairing/{id_or_code}",
    "manage",
    PairingDecision,
    PairingState,
    "The user's word on a request, named by its id or its code.",
    example={"approve": True, "profiles": ["work"]},
)
PROVE_PAIRING = Endpoint(
    "POST",
    "/v1/pairing/{request_id}/proof",
    None,
    PairingProof,
    PairingState,
    "Approve one's own request by proof of being the same user; the client sees the profiles that hold its vault.",
    example={"proof": "64 hexadecimal digits"},
)
COLLECT_PAIRING = Endpoint(
    "POST",
    "/v1/pairing/{request_id}/collect",
    None,
    PairingSecret,
    PairingState,
    "How one's own request stands. Once approved, this gives the token, exactly once.",
    example={"secret": "43 characters, as they came"},
)
