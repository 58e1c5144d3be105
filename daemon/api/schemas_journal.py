"""The wire, third part: the journal."""

from datetime import datetime
from typing import Annotated, TypeAlias

from msgspec import Meta

from daemon.api.schemas import Body, Name, ProfileNames, Reply
from daemon.journal import LONGEST_TEXT
from daemon.search.types import Relevance

Tag: TypeAlias = Annotated[str, Meta(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]*$")]


class JournalAsk(Body, frozen=True):
    """Something to remember. Without `profile`: in the one profile that this client may see."""

    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT, pattern=r"^[^\x00]*$")]
    profile: Name | None = None
    tags: Annotated[tuple[Tag, ...], Meta(max_length=20)] = ()


class RecallAsk(Body, frozen=True):
    """What to recall, in words. Without `profiles`: from all that take part in searches over all."""

    query: Annotated[str, Meta(min_length=1, max_length=10_000, pattern=r"^[^\x00]*$")]
    profiles: ProfileNames | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 10


class PruneAsk(Body, frozen=True):
    """Forget everything that was saved in this profile before a time (RFC 3339, with its offset)."""

    profile: Name
    before: Annotated[datetime, Meta(tz=True)]


class EntryReply(Reply, frozen=True):
    """An entry of a journal, credentials taken out."""

    id: str  # 12 hex digits
    profile: str
    saved: datetime
    author: str  # name of the client that saved it, at that time
    text: str
    tags: tuple[str, ...]
    redactions: int


class RecalledReply(EntryReply, frozen=True, kw_only=True):
    """An entry in answer to a query."""

    score: float  # in [0, 1]; compares inside one reply only
    relevance: Relevance


class JournalReply(Reply, frozen=True):
    """Entries, newest first."""

    entries: tuple[EntryReply, ...]
    unanswered: tuple[str, ...] = ()  # profiles that are not open


class RecallReply(Reply, frozen=True):
    """Entries, best first."""

    entries: tuple[RecalledReply, ...]
    unanswered: tuple[str, ...] = ()  # profiles that are not open


class PruneReply(Reply, frozen=True):
    """How many entries were forgotten."""

    forgotten: int
