"""`/v1/chunks`, `/v1/notes`, `/v1/recent`, `/v1/suggest`: reading what is indexed."""

from datetime import date, datetime
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from scrubjay.daemon.server.endpoint import Ask, Endpoint, Reply
from scrubjay.daemon.server.endpoints.common import Limit, NoteRef, Offset, ProfileName
from scrubjay.profiles import kinds
from scrubjay.profiles.search.types import Unanswered

SuggestKind: TypeAlias = Literal["tag", "folder", "property", "title", "named-folder"]


class ChunksAsk(Ask, frozen=True):
    """Passages wanted, 1 to 50."""

    ids: Annotated[str, Meta(max_length=800, description="Ids or short ids (6 to 12 hex digits), separated by commas.")]
    profile: ProfileName | None = None


class ChunkAsk(Ask, frozen=True):
    """The passage wanted: its id, or the first six or more digits of it."""

    chunk_id: str


class NoteAsk(Ask, frozen=True):
    """The note that holds a passage; of several that do, the one of this profile or path."""

    chunk_id: str
    profile: ProfileName | None = None
    path: Annotated[str, Meta(max_length=4_096, description="Which of several notes.")] | None = None


class PageAsk(Ask, frozen=True):
    """A page of a PDF: the one that a passage stands on, or another of the same file."""

    chunk_id: str
    profile: ProfileName | None = None
    path: Annotated[str, Meta(max_length=4_096, description="Which of several files.")] | None = None
    page: Annotated[int, Meta(ge=1, le=100_000)] | None = None
    width: Annotated[int, Meta(ge=100, le=2_000, description="In pixels.")] = 1_000


class PageReply(Reply, frozen=True):
    """A page as a picture. It is drawn from the file, and so has NOT been through the credential filter."""

    page: int
    png: bytes  # in base64


class RecentAsk(Ask, frozen=True):
    """The newest notes."""

    limit: Limit = 20
    offset: Offset = 0
    profile: ProfileName | None = None


class NotesAsk(Ask, frozen=True):
    """Notes that pass a filter."""

    filter: Annotated[
        str, Meta(max_length=500, pattern=r"^[^\x00]*$", description="`path:Projects tag:recipe`; or empty.")
    ] = ""
    limit: Limit = 50
    offset: Offset = 0
    profile: ProfileName | None = None


class SuggestAsk(Ask, frozen=True):
    """What is to be completed."""

    kind: SuggestKind
    prefix: Annotated[str, Meta(max_length=200)] = ""
    limit: Limit = 10
    profile: ProfileName | None = None


class PlaceReply(Reply, frozen=True):
    """Where a text stands."""

    profile: str
    vault: str
    path: str


class ChunkReply(Reply, frozen=True):
    """One passage as indexed: credentials taken out."""

    id: str
    profile: str
    vault: str
    path: str
    title: str
    headings: tuple[str, ...]
    line: int
    end_line: int
    text: str
    tags: tuple[str, ...]
    modified: datetime
    redactions: int
    also_in: tuple[PlaceReply, ...] = ()  # the first of the notes that hold the same text
    also_in_count: int = 0  # how many there are
    kind: str = kinds.NOTE  # of file
    place: str = ""  # in a file that is no note: page, slide, sheet, chapter
    was: str = ""  # the id asked for, where the passage it named was edited since; this stands in its place
    dated: date | None = None  # the day that the note gives itself, in its properties or its name


class ChunksReply(Reply, frozen=True):
    """Several passages, in the order asked for; ids that nothing visible has are named in `missing`."""

    chunks: tuple[ChunkReply, ...]
    missing: tuple[str, ...]


class Passage(Reply, frozen=True):
    """One chunk of a note."""

    id: str
    headings: tuple[str, ...]
    line: int
    text: str
    place: str = ""  # in a file that is no note: page, slide, sheet, chapter


class LinkReply(Reply, frozen=True):
    """A link as written in the note."""

    target: str
    line: int
    text: str


class NoteReply(Reply, frozen=True):
    """A note as the index holds it: credentials taken out."""

    profile: str
    vault: str
    path: str
    title: str
    tags: tuple[str, ...]
    modified: datetime
    redactions: int
    passages: tuple[Passage, ...]
    links: tuple[LinkReply, ...]
    kind: str = kinds.NOTE  # of file


class NotesReply(Reply, frozen=True):
    """A page of a list of notes, newest first; best first where the filter has words, too."""

    notes: tuple[NoteRef, ...]
    total: int  # on all pages
    next_offset: int | None = None  # where the next page begins; None at the end
    order: Literal["newest", "best"] = "newest"
    warnings: tuple[str, ...] = ()  # sentences: what of the filter was not taken as written
    unanswered: tuple[Unanswered, ...] = ()  # profiles whose notes are not among these


class Suggestion(Reply, frozen=True):
    """A way to complete a filter, and how many notes it would keep."""

    value: str
    notes: int


class SuggestReply(Reply, frozen=True):
    """Completions, most used first."""

    suggestions: tuple[Suggestion, ...]


CHUNKS = Endpoint("GET", "/v1/chunks", "search", ChunksAsk, ChunksReply, "Several passages by id.")
CHUNK = Endpoint(
    "GET",
    "/v1/chunks/{chunk_id}",
    "search",
    ChunkAsk,
    ChunkReply,
    "One passage by its id, or by the first six or more digits of it, from any visible profile.",
)
NOTES = Endpoint(
    "GET",
    "/v1/notes",
    "search",
    NotesAsk,
    NotesReply,
    "Notes that pass a filter of the query language, the newest first; with words in it too, the best first.",
)
NOTE = Endpoint(
    "GET",
    "/v1/notes/{chunk_id}",
    "search",
    NoteAsk,
    NoteReply,
    "The whole note that holds a passage, as indexed: credentials taken out.",
)
PAGE = Endpoint(
    "GET",
    "/v1/notes/{chunk_id}/page",
    "manage",
    PageAsk,
    PageReply,
    "A page of a PDF as a picture, where no credential was hidden on it; 404 `no-picture` with the reason otherwise.",
)
RECENT = Endpoint("GET", "/v1/recent", "search", RecentAsk, NotesReply, "The notes modified last.")
SUGGEST = Endpoint(
    "GET",
    "/v1/suggest",
    "search",
    SuggestAsk,
    SuggestReply,
    "Completions for `tag:`, `path:`, `[property]` and `file:`, or folders that words name, from the profiles that a"
    " search over all asks.",
)
