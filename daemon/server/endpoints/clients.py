"""`/v1/clients`: who may ask."""

from datetime import datetime
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from scrubjay.daemon.server.access.client_registry import Scope
from scrubjay.daemon.server.endpoint import Ask, Done, Endpoint, Nothing, Reply
from scrubjay.daemon.server.endpoints.common import Name

Granted: TypeAlias = Annotated[tuple[Name, ...], Meta(max_length=100)] | Literal["all"]
Scopes: TypeAlias = Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=3)]


class ClientId(Ask, frozen=True):
    """One client, by its id."""

    client_id: str


class ClientAsk(Ask, frozen=True):
    """A new client. It sees only the profiles named."""

    name: Name
    profiles: Granted
    scopes: Scopes = ("search",)


class ClientChange(Ask, frozen=True):
    """What to change of a client; what is left out stays."""

    client_id: str
    name: Name | None = None
    scopes: Scopes | None = None
    profiles: Granted | None = None


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


class TokenReply(Reply, frozen=True):
    """A token, shown this once."""

    client: ClientReply
    token: str


LIST_CLIENTS = Endpoint(
    "GET", "/v1/clients", "manage", Nothing, ClientsReply, "The clients that this client may manage."
)
CREATE_CLIENT = Endpoint(
    "POST",
    "/v1/clients",
    "manage",
    ClientAsk,
    TokenReply,
    "A new client and its token, which is shown this once.",
    example={"name": "editor", "profiles": ["work"], "scopes": ["search"]},
    status=201,
)
CHANGE_CLIENT = Endpoint(
    "POST",
    "/v1/clients/{client_id}",
    "manage",
    ClientChange,
    ClientReply,
    "Change a client's name, scopes or profiles. Takes effect at once.",
    example={"profiles": "all"},
)
ROTATE_TOKEN = Endpoint(
    "POST",
    "/v1/clients/{client_id}/rotate",
    "manage",
    ClientId,
    TokenReply,
    "A new token for this client; the old one is dead at once.",
)
SHOW_SELF = Endpoint("GET", "/v1/clients/self", None, Nothing, ClientReply, "Who asks, and what it may see and do.")
REVOKE_SELF = Endpoint(
    "DELETE",
    "/v1/clients/self",
    None,
    Nothing,
    Done,
    "Give one's own token back; it is dead at once. For whoever holds a token, whatever it may do.",
)
REVOKE_CLIENT = Endpoint(
    "DELETE",
    "/v1/clients/{client_id}",
    "manage",
    ClientId,
    Done,
    "Forget the client; its token, its pages and its event streams are dead at once.",
)
