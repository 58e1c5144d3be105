"""`/v1/journal`: what clients had remembered."""

from datetime import datetime, time, timedelta
from typing import Annotated, TypeAlias

from msgspec import Meta

from scrubjay.daemon.engine.journal_limits import LONGEST_TEXT
from scrubjay.daemon.server.endpoint import Ask, Done, Endpoint, Reply
from scrubjay.daemon.server.endpoints.common import Name, Offset, ProfileName, ProfileNames
from scrubjay.profiles.local_time import LOCAL
from scrubjay.profiles.search.types import Relevance, Unanswered

Tag: TypeAlias = Annotated[str, Meta(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]*$")]
EntryId: TypeAlias = Annotated[str, Meta(pattern=r"^#?[0-9a-f]{12}$")]
Moment: TypeAlias = Annotated[datetime, Meta(description="RFC 3339 with its offset, such as 2026-03-01T00:00:00Z.")]


class JournalAsk(Ask, frozen=True):
    """Something to remember. Without `profile`: in the one profile that this client may see."""

    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT, pattern=r"^[^\x00]*$")]
    profile: Name | None = None
    tags: Annotated[tuple[Tag, ...], Meta(max_length=20)] = ()
    replaces: EntryId | None = None  # an entry that is recalled no more, and stays in the log
    valid_from: Moment | None = None  # from when on it holds; left out: from now
    valid_to: Moment | None = None  # until when, not included; left out: no end is known


class RecallAsk(Ask, frozen=True):
    """What to recall, in words. Without `profiles`: from all that take part in searches over all."""

    query: Annotated[str, Meta(min_length=1, max_length=10_000, pattern=r"^[^\x00]*$")]
    profiles: ProfileNames | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 10
    tags: Annotated[tuple[Tag, ...], Meta(max_length=20)] = ()  # all of them
    since: Moment | None = None
    until: Moment | None = None
    author: Name | None = None  # name of the client that saved it
    as_of: Moment | None = None  # what held then; left out: what has not ended or been replaced by now


class LogAsk(Ask, frozen=True):
    """Entries saved from `since` on and before `until`."""

    profile: ProfileName | None = None
    since: Moment | None = None
    until: Moment | None = None
    limit: Annotated[int, Meta(ge=1, le=1_000)] = 100
    offset: Offset = 0


class EntryAsk(Ask, frozen=True):
    """One entry."""

    entry_id: str


class PruneAsk(Ask, frozen=True):
    """Forget everything that was saved in this profile before a time (RFC 3339, with its offset)."""

    profile: Name
    before: Annotated[datetime, Meta(tz=True)]


class EntryReply(Reply, frozen=True):
    """An entry of a journal, credentials taken out."""

    id: str  # 12 hex digits
    profile: str
    saved: datetime  # the last time that it was said
    first_saved: datetime  # the first; the same where it was said once
    author: str  # name of the client that saved it, at that time
    text: str
    tags: tuple[str, ...]
    redactions: int
    replaced_by: str = ""  # id of the entry that took its place; "" where none did
    replaced_at: datetime | None = None  # from when on that holds; None where none did
    valid_from: datetime | None = None  # from when on it holds; None: from when it was first said
    valid_to: datetime | None = None  # until when, not included; None: no end is known

    @property
    def validity(self) -> str:
        """In words, from when on and until when it holds, in local time: "holds from 2026-03-01 to 2026-03-31"."""
        began = f" from {_in_words(self.valid_from)}" if self.valid_from else ""
        ended = f" to {_in_words(self.valid_to, is_end=True)}" if self.valid_to else ""
        if self.replaced_at and self.replaced_at > (self.valid_from or self.first_saved):
            ended += f", until {_in_words(self.replaced_at)}"
        return f"holds{began}{ended}" if began or ended else ""


def _in_words(moment: datetime, *, is_end: bool = False) -> str:
    """A midnight as its day, or with `is_end` as the day before."""
    local = moment.astimezone(LOCAL)
    if local.time() != time():
        return f"{local:%Y-%m-%d %H:%M}"
    return f"{local.date() - timedelta(days=is_end)}"


class RememberedReply(EntryReply, frozen=True, kw_only=True):
    """An entry as it was saved."""

    refreshed: bool = False  # exactly this was remembered already; it counts as saved now
    replaced: str = ""  # id of the entry in whose place it is, which is recalled no more; "" for none
    alike: tuple[EntryReply, ...] = ()  # older entries that say nearly the same: perhaps it should replace one

    @property
    def replacement(self) -> str:
        """One sentence, behind a blank: what becomes of the entry that it replaces; "" where it replaces none."""
        if not self.replaced:
            return ""
        later = self.valid_from if self.valid_from and self.valid_from > self.saved else None
        return f" #{self.replaced} is recalled {f'until {_in_words(later)}' if later else 'no more'}."


class RecalledReply(EntryReply, frozen=True, kw_only=True):
    """An entry in answer to a query."""

    score: float  # in [0, 1]; compares inside one reply only
    relevance: Relevance


class JournalReply(Reply, frozen=True):
    """A page of entries, newest first."""

    entries: tuple[EntryReply, ...]
    total: int  # on all pages
    next_offset: int | None = None  # where the next page begins; None at the end
    unanswered: tuple[Unanswered, ...] = ()  # profiles that are not open


class RecallReply(Reply, frozen=True):
    """Entries, best first."""

    entries: tuple[RecalledReply, ...]
    unanswered: tuple[Unanswered, ...] = ()  # profiles that are not open


class PruneReply(Reply, frozen=True):
    """How many entries were forgotten."""

    forgotten: int


REMEMBER = Endpoint(
    "POST",
    "/v1/journal",
    "journal",
    JournalAsk,
    RememberedReply,
    "Save a text in a profile's journal, perhaps in the place of an older entry; names those that say nearly the same.",
    example={"text": "Ada prefers tables to prose in reviews.", "profile": "work", "tags": ["style"]},
    status=201,
)
ENTRY = Endpoint("GET", "/v1/journal/{entry_id}", "search", EntryAsk, EntryReply, "One entry by its id.")
RECALL = Endpoint(
    "POST",
    "/v1/journal/recall",
    "search",
    RecallAsk,
    RecallReply,
    "The entries that fit a query best, by words and by meaning.",
    example={"query": "how should reviews look", "limit": 5},
)
LOG = Endpoint(
    "GET",
    "/v1/journal",
    "search",
    LogAsk,
    JournalReply,
    "Entries by time, newest first: saved from `since` on and before `until`.",
)
FORGET = Endpoint(
    "DELETE",
    "/v1/journal/{entry_id}",
    "journal",
    EntryAsk,
    Done,
    "Delete an entry for good. A client forgets what it saved itself; one that manages, anything it sees.",
)
PRUNE = Endpoint(
    "POST",
    "/v1/journal/prune",
    "manage",
    PruneAsk,
    PruneReply,
    "Delete for good all that was saved before a time.",
    example={"profile": "work", "before": "2026-01-01T00:00:00Z"},
)
