"""The wire, second part: profiles, indexing, clients, pairing."""

from datetime import datetime
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from daemon.api.schemas import Body, Folder, Name, Reply, Secret
from daemon.clients.registry import Scope

Granted: TypeAlias = Annotated[tuple[Name, ...], Meta(max_length=100)] | Literal["all"]
Scopes: TypeAlias = Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=3)]


# --- profiles, indexing


class VaultReply(Reply, frozen=True):
    """A folder of a profile. `root` is told to clients that manage."""

    id: str
    name: str
    allow: tuple[str, ...]
    exclude: tuple[str, ...]
    root: str | None = None


class ProfileReply(Reply, frozen=True):
    """One profile."""

    id: str
    name: str
    colour: str
    vaults: tuple[VaultReply, ...]
    federate: bool
    encrypted: bool
    model: str
    locked: bool = False  # its owner closed it


class ProfilesReply(Reply, frozen=True):
    """The profiles that this client may see."""

    profiles: tuple[ProfileReply, ...]


class VaultAsk(Body, frozen=True):
    """A vault of a profile. Nothing is read but what lies below `allow` ("." is all); `exclude` always wins."""

    root: Folder
    allow: Annotated[tuple[Folder, ...], Meta(max_length=1_000)] = ()
    exclude: Annotated[tuple[Folder, ...], Meta(max_length=1_000)] = ()


class ProfileAsk(Body, frozen=True):
    """A new profile."""

    name: Name
    vaults: Annotated[tuple[VaultAsk, ...], Meta(max_length=50)]
    colour: Annotated[str, Meta(max_length=20)] | None = None


class ProfileChange(Body, frozen=True):
    """What to change of a profile; what is left out stays."""

    name: Name | None = None
    vaults: Annotated[tuple[VaultAsk, ...], Meta(max_length=50)] | None = None
    colour: Annotated[str, Meta(max_length=20)] | None = None
    federate: bool | None = None


class UnlockAsk(Body, frozen=True):
    """The passphrase, where one opens the profile; nothing where the keyring has its key."""

    passphrase: Secret | None = None


class IndexAsk(Body, frozen=True):
    """Look at the vaults again: of one profile, or of all that this client may see. `full` reads every note anew."""

    profile: Name | None = None
    full: bool = False


class Accepted(Reply, frozen=True):
    """The work was queued for these profiles."""

    profiles: tuple[str, ...]


# --- clients and pairing


class ClientReply(Reply, frozen=True):
    """A client, without its token."""

    id: str
    name: str
    scopes: tuple[Scope, ...]
    profiles: tuple[str, ...]  # names, of those that the asker may see
    all_profiles: bool
    created: datetime
    last_used: datetime | None
    vault: str | None
    own: bool


class ClientsReply(Reply, frozen=True):
    """The clients that this client may manage."""

    clients: tuple[ClientReply, ...]


class ClientAsk(Body, frozen=True):
    """A new client. It sees only the profiles named."""

    name: Name
    profiles: Granted
    scopes: Scopes = ("search",)


class ClientChange(Body, frozen=True):
    """What to change of a client; what is left out stays."""

    name: Name | None = None
    scopes: Scopes | None = None
    profiles: Granted | None = None


class TokenReply(Reply, frozen=True):
    """A token, shown this once."""

    client: ClientReply
    token: str


class PairingAsk(Body, frozen=True):
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


class PairingDecision(Body, frozen=True):
    """The user's word. Without `profiles`: those that hold the asker's vault; without `scopes`: what was asked for."""

    approve: bool
    profiles: Granted | None = None
    scopes: Scopes | None = None


class PairingSecret(Body, frozen=True):
    """The secret that came when the request was made."""

    secret: Secret


class PairingProof(Body, frozen=True):
    """HMAC-SHA256 over the request's id with the bytes of `pairing.key`, as hex."""

    proof: Secret


class PairingState(Reply, frozen=True, omit_defaults=True):
    """How a request stands; the token comes once."""

    state: Literal["waiting", "approved", "refused"]
    token: str | None = None


class Done(Reply, frozen=True):
    """Nothing to add."""

    done: bool = True
