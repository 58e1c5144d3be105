"""`/v1/credentials`: where credentials sit in the notes, and what their user decides about them."""

from typing import Annotated

from msgspec import Meta

from scrubjay.daemon.server.endpoint import Ask, Endpoint, Nothing, Reply
from scrubjay.daemon.server.endpoints.common import NotePath, ProfileName, VaultName
from scrubjay.profiles.search.types import Unanswered
from scrubjay.profiles.store.rows import Standing


class Credential(Reply, frozen=True):
    """Where a credential sits; never the credential. Done: hidden as before. Allowed, everywhere: it stands."""

    profile: str
    vault: str
    path: str
    line: int
    column: int
    rule: str
    about: str  # what the rule looks for, in words
    standing: Standing
    place: str = ""  # in a file that is no note: "page 3", "sheet Budget"


class CredentialsReply(Reply, frozen=True):
    """The credentials that wait to be seen to, and those about which the user has decided."""

    credentials: tuple[Credential, ...]
    decided: tuple[Credential, ...]
    may_decide: bool  # whether this client has the scope for it
    unanswered: tuple[Unanswered, ...] = ()  # profiles that are not open, whose credentials are not among these


class DecideAsk(Ask, frozen=True):
    """How a credential is to stand; "open" takes back what was decided. Without a column: all on that line."""

    path: NotePath
    line: Annotated[int, Meta(ge=1, le=100_000_000)]
    standing: Standing
    column: Annotated[int, Meta(ge=1, le=100_000_000)] | None = None
    profile: ProfileName | None = None
    vault: VaultName | None = None


class DecidedReply(Reply, frozen=True):
    """All places of the note that this concerns: the same values on other lines, too."""

    credentials: tuple[Credential, ...]


CREDENTIALS = Endpoint(
    "GET",
    "/v1/credentials",
    "search",
    Nothing,
    CredentialsReply,
    "Where credentials sit in the notes: path, line and rule, never the credential.",
    is_long=True,
)
DECIDE = Endpoint(
    "POST",
    "/v1/credentials",
    "manage",
    DecideAsk,
    DecidedReply,
    "Let a credential stand, in its note or in all notes of its profile; say that it was seen to; or take that back.",
    example={"profile": "work", "path": "Projects/Router.md", "line": 7, "standing": "done"},
    is_long=True,
)
