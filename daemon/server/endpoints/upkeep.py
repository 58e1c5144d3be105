"""Steering the background work (`/v1/pause` and its like), and the history of searches."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta

from scrubjay.daemon.server.endpoint import Ask, Done, Endpoint, Nothing, Reply
from scrubjay.daemon.server.endpoints.common import Accepted, Name
from scrubjay.profiles.journal.search_event import Missed, SearchSource
from scrubjay.profiles.search.types import Relevance


class ClearHistoryAsk(Ask, frozen=True):
    """Whose searches to forget: of one profile, or of all that this client may see."""

    profile: Annotated[str, Meta(max_length=60)] | None = None


class HistoryAsk(Ask, frozen=True):
    """Which searches to list; `slow`: only those slower than `slow_search_ms`; `missed`: only those that seem to
    have found nothing of use.
    """

    profile: Annotated[str, Meta(max_length=60)] | None = None
    limit: Annotated[int, Meta(ge=1, le=1_000)] = 50
    slow: bool = False
    missed: bool = False


class ProfileChoice(Ask, frozen=True):
    """One profile, or (without `profile`) all that this client may see."""

    profile: Name | None = None


class OpenedAsk(Ask, frozen=True):
    """A result of a search was opened: which query found it, as it was mended, and the path that the result told."""

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
    source: SearchSource  # where it came from; "" of searches that were remembered before this was
    client: str  # the name that this client had; one of `clients`
    relevance: Relevance | Literal[""]  # of the answer; "" where it was not noted
    missed: tuple[Missed, ...]  # why it seems to have found nothing of use; empty where it does not


class HistoryReply(Reply, frozen=True):
    """Remembered searches, newest first."""

    events: tuple[SearchEventReply, ...]


class TunedReply(Reply, frozen=True):
    """What a profile's aliases and link texts have taught of how its notes are asked for.

    state: `used`; `no-gain`, where it does not find notes by their names clearly better; `too-few` names; `waiting`,
    where it is learned when there is rest; `off`.
    """

    profile: str
    state: Literal["used", "no-gain", "too-few", "waiting", "off"]
    pairs: int = 0  # names with their notes, when it was learned
    ridge: float = 0.0  # how strongly it was kept to changing nothing
    before: float = 0.0  # mean reciprocal rank of notes left out, asked for by their names, without it
    gain: float = 0.0  # what it adds to that
    low: float = 0.0  # 95 % interval of the gain
    high: float = 0.0


class TuningReply(Reply, frozen=True):
    """The open profiles, as far as they were asked for."""

    profiles: tuple[TunedReply, ...]


class Cleared(Reply, frozen=True):
    """How many searches were forgotten."""

    forgotten: int


PAUSE = Endpoint(
    "POST",
    "/v1/pause",
    "manage",
    ProfileChoice,
    Accepted,
    "Hold the background work of one profile, or of all visible ones, until it is resumed or the daemon restarts.",
    example={"profile": "work"},
)
RESUME = Endpoint(
    "POST",
    "/v1/resume",
    "manage",
    ProfileChoice,
    Accepted,
    "Let the background work go on.",
    example={"profile": "work"},
)
RETRY = Endpoint(
    "POST",
    "/v1/retry",
    "manage",
    ProfileChoice,
    Accepted,
    "Read the files again that could not be indexed.",
    example={"profile": "work"},
    status=202,
)
HURRY = Endpoint(
    "POST", "/v1/hurry", "manage", Nothing, Done, "Index at full speed until nothing waits any more.", status=202
)
HISTORY = Endpoint(
    "GET",
    "/v1/history",
    "manage",
    HistoryAsk,
    HistoryReply,
    "The searches that were remembered, newest first, and who made them; `slow` gives only those slower than"
    " `slow_search_ms`, `missed` those with an answer of low relevance, with nothing opened, or asked again in other"
    " words within a minute.",
)
CLEAR_HISTORY = Endpoint(
    "DELETE",
    "/v1/history",
    "manage",
    ClearHistoryAsk,
    Cleared,
    "Forget the searches of one profile, or of all visible ones.",
)
TUNING = Endpoint(
    "GET",
    "/v1/tuning",
    "manage",
    ProfileChoice,
    TuningReply,
    "What each profile's aliases and link texts have taught of how its notes are asked for, and whether it is used.",
)
OPENED = Endpoint(
    "POST",
    "/v1/opened",
    "search",
    OpenedAsk,
    Done,
    "Remember that a result was opened, in the history of its profile if that is kept.",
    example={"profile": "work", "query": "vector index", "path": "Projects/Search.md"},
)
