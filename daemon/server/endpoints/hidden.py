"""`/v1/hidden`: notes that are hidden from every search, or from one query."""

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from scrubjay.daemon.server.endpoint import Ask, Done, Endpoint, Reply
from scrubjay.daemon.server.endpoints.common import Name, NotePath, VaultName
from scrubjay.daemon.server.endpoints.upkeep import Cleared, ProfileChoice


class HideAsk(Ask, frozen=True):
    """The note that is to be hidden. query: from this query alone; "": from every search."""

    path: NotePath
    profile: Name | None = None
    vault: VaultName | None = None
    query: Annotated[str, Meta(max_length=10_000, pattern=r"^[^\x00]*$")] = ""


class HiddenNoteReply(Reply, frozen=True):
    """A note that is hidden. query: that it is hidden from, credentials taken out; "": from every search."""

    profile: str
    vault: str
    path: str
    query: str
    asked: str  # what tells this query from others, in hexadecimal digits; "": every search
    at: datetime


class HiddenReply(Reply, frozen=True):
    """The notes that are hidden, those hidden last first in each profile."""

    notes: tuple[HiddenNoteReply, ...]


class UnhideAsk(Ask, frozen=True):
    """A hidden note as it is listed."""

    profile: Name
    vault: VaultName
    path: NotePath
    asked: Annotated[str, Meta(max_length=64, pattern=r"^([0-9a-f]{2})*$")] = ""


class ForgetOpenedAsk(Ask, frozen=True):
    """Of which profile, and of which note (without: of all), to forget that it was opened from results."""

    profile: Name | None = None
    path: NotePath | None = None


HIDDEN = Endpoint(
    "GET",
    "/v1/hidden",
    "manage",
    ProfileChoice,
    HiddenReply,
    "The notes that are hidden from every search, or from one query.",
)
HIDE = Endpoint(
    "POST",
    "/v1/hidden",
    "manage",
    HideAsk,
    HiddenNoteReply,
    "Hide a note from every search, or from one query. Lists of filters alone, searches with `path:` or `file:` and"
    " those with `hidden` still find what is hidden from every search.",
    example={"profile": "work", "path": "Templates/Daily.md"},
)
UNHIDE = Endpoint("DELETE", "/v1/hidden", "manage", UnhideAsk, Done, "Have a hidden note found again.")
FORGET_OPENED = Endpoint(
    "DELETE",
    "/v1/opened",
    "manage",
    ForgetOpenedAsk,
    Cleared,
    "Forget which results were opened, so that they stand higher no more; the searches stay in the history.",
)
