"""`/v1/credentials`: where credentials sit in the notes, and what their user decides about them."""

from typing import Annotated

from msgspec import Meta

from scrubjay.daemon.server.endpoint import Ask, Endpoint, Reply
from scrubjay.daemon.server.endpoints.common import NotePath, Offset, ProfileName, VaultName
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


class CredentialsAsk(Ask, frozen=True):
    """A page of the credentials of one profile, or of all that a client sees: those that wait, then the decided."""

    profile: ProfileName | None = None
    offset: Offset = 0
    limit: Annotated[int, Meta(ge=1, le=1_000)] = 1_000


class CredentialsReply(Reply, frozen=True):
    """A page of the credentials that wait to be seen to, and of those about which the user has decided."""

    credentials: tuple[Credential, ...]
    decided: tuple[Credential, ...]
    may_decide: bool  # whether this client has the scope for it
    unanswered: tuple[Unanswered, ...] = ()  # profiles that are not open, whose credentials are not among these
    waiting: int = 0  # of all pages, those that wait to be seen to
    next_offset: int | None = None  # where the next page begins, if there is one


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
    CredentialsAsk,
    CredentialsReply,
    "Where credentials sit in the notes, page by page: path, line and rule, never the credential.",
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
