"""`/v1/search`, `/v1/explain`, `/v1/context`. A search's answer: see `profiles/search/types.py`."""

from typing import Annotated

from msgspec import Meta

from scrubjay.daemon.server.endpoint import Ask, Endpoint, Reply
from scrubjay.daemon.server.endpoints.common import Folder, Name, ProfileNames
from scrubjay.profiles.search.types import MOST_PLACES, Fusion, Group, Mode, NoteExplanation, SearchResponse, Sort

FacetName = Annotated[str, Meta(pattern=r"^(folder|tag|kind|profile|month|property:[^\x00]{1,100})$", examples=["tag"])]


class SearchAsk(Ask, frozen=True):
    """One search. Without `profiles`: all that this client may see and that take part in searches over all."""

    query: Annotated[str, Meta(max_length=10_000, pattern=r"^[^\x00]*$", examples=["vector index tag:database"])]
    profiles: ProfileNames | None = None
    limit: Annotated[int, Meta(ge=1, le=1_000)] = 10
    mode: Mode = "hybrid"
    group: Group = "note"
    explain: bool = False
    typing: bool = False  # the last word may be unfinished
    context: Annotated[int, Meta(ge=0, le=5)] = 0  # passages of the note to give before and after each result's own
    offset: Annotated[int, Meta(ge=0, le=10_000_000)] = 0  # where the page begins: 0, then each reply's `next_offset`
    sort: Sort = "relevance"  # else every note that holds a word, or passes the filters, in this order
    facets: Annotated[tuple[FacetName, ...], Meta(max_length=10)] = ()  # count the values of all notes that match
    mend: bool = True  # search words that no note has as those near them
    fold: bool = True  # name notes with a better result's text, or (by the settings) nearly the same, in it
    habits: bool = True  # what was opened before after the same query stands higher; never for an agent
    hidden: bool = False  # find notes that their owner hid, too
    fusion: Fusion | None = None  # by scores (convex) or by ranks (rrf); null: as the settings say
    places: Annotated[int, Meta(ge=0, le=1_000)] = MOST_PLACES  # named of other notes with a result's text, or nearly
    newest: bool = False  # where first results give another number or date for the same, the newest before the others
    remember: bool = True  # off: a program looks something up for itself, which is no search of the user's history


class ExplainAsk(Ask, frozen=True):
    """A search, and the note that somebody expected it to find."""

    query: Annotated[str, Meta(max_length=10_000, pattern=r"^[^\x00]*$")]
    path: Folder
    vault: Name | None = None  # where several vaults have such a path
    profiles: ProfileNames | None = None
    limit: Annotated[int, Meta(ge=1, le=1_000)] = 10
    mode: Mode = "hybrid"
    fusion: Fusion | None = None  # as in the search


class ContextAsk(Ask, frozen=True):
    """A prompt, to be answered with what the notes say about it."""

    prompt: Annotated[str, Meta(min_length=1, max_length=10_000, pattern=r"^[^\x00]*$")]
    profiles: ProfileNames | None = None
    max_tokens: Annotated[int, Meta(ge=50, le=20_000)] = 500
    unasked: bool = False  # put to another program: nothing is said but where a note clearly answers, and at once


class ContextReply(Reply, frozen=True):
    """A Markdown block with its sources. The same index and prompt give the same bytes."""

    markdown: str
    tokens: int  # estimated
    sources: tuple[str, ...]  # chunk ids, in the order in which they appear
    silent: str = ""  # why nothing is said of notes that were not asked, in a sentence


SEARCH = Endpoint(
    "POST",
    "/v1/search",
    "search",
    SearchAsk,
    SearchResponse,
    "Search the notes of the profiles that this client may see.",
    example={"query": '"vector index" tag:database -draft', "limit": 5, "mode": "hybrid"},
    typed=True,
)
EXPLAIN = Endpoint(
    "POST",
    "/v1/explain",
    "search",
    ExplainAsk,
    NoteExplanation,
    "Why a note is, or is not, among the results of a search: which stage dropped it, and what would bring it back.",
    example={"query": "vector index", "path": "Projects/Search.md", "vault": "Notes"},
)
CONTEXT = Endpoint(
    "POST",
    "/v1/context",
    "search",
    ContextAsk,
    ContextReply,
    "What the notes say about a prompt: one Markdown block within a budget of tokens. Deterministic.",
    example={"prompt": "What did we decide about the vector index?", "max_tokens": 500},
)
