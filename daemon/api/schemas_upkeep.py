"""The wire, last part: pausing and hurrying the background work, and the history of searches."""

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from daemon.api.schemas import Body, Name, Reply


class ProfileChoice(Body, frozen=True):
    """One profile, or (without `profile`) all that this client may see."""

    profile: Name | None = None


class OpenedAsk(Body, frozen=True):
    """A result of a search was opened: which query found it, and the path that the result told."""

    profile: Name
    query: Annotated[str, Meta(min_length=1, max_length=10_000, pattern=r"^[^\x00]*$")]
    path: Annotated[str, Meta(min_length=1, max_length=4_096, pattern=r"^[^\x00]*$")]


class SearchEventReply(Reply, frozen=True):
    """One remembered search. Credentials are taken out of the query."""

    profile: str
    at: datetime
    query: str
    mode: str
    results: int
    took_ms: float
    opened: tuple[str, ...]


class HistoryReply(Reply, frozen=True):
    """Remembered searches, newest first."""

    events: tuple[SearchEventReply, ...]


class Cleared(Reply, frozen=True):
    """How many searches were forgotten."""

    forgotten: int
