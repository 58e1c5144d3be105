"""`/v1/review`: small decisions that tidy a vault. Nothing here writes a note: who applies is the user's program."""

from typing import Annotated

from msgspec import Meta

from scrubjay.daemon.review.changes.write_report import ApplyReport, RunShown
from scrubjay.daemon.review.proposal import Answer, Change, Kind, Proposal
from scrubjay.daemon.server.endpoint import Ask, Done, Endpoint, Nothing, Reply
from scrubjay.daemon.server.endpoints.common import Folder, Limit, NotePath, ProfileName, VaultName
from scrubjay.profiles.search.types import Unanswered

Key = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}$", description="A proposal's key.")]
Chosen = Annotated[tuple[str, ...], Meta(max_length=100, description="Ids of the options; left out: as proposed.")]


class ReviewAsk(Ask, frozen=True):
    """Which proposals to list."""

    profile: ProfileName | None = None
    vault: VaultName | None = None
    kind: Kind | None = None
    folder: Folder | None = None
    path: NotePath | None = None
    answer: Annotated[Answer, Meta(description="Those that wait, or those that were answered so.")] = "open"
    limit: Limit = 20
    offset: Annotated[int, Meta(ge=0, le=1_000_000)] = 0


class KindCount(Reply, frozen=True):
    """How many proposals of a kind have the answer that was asked for, whatever the filters."""

    kind: Kind
    count: int


class ReviewReply(Reply, frozen=True):
    """Proposals in the order of kinds, the surest first within each."""

    proposals: tuple[Proposal, ...]
    total: int  # that pass the filters
    counts: tuple[KindCount, ...]
    may_decide: bool
    waiting: int  # notes that are not compared yet; 0: this is all
    unanswered: tuple[Unanswered, ...] = ()
    written: bool = False  # whether notes were written for an answer, which can be taken back


class ReviewDecideAsk(Ask, frozen=True):
    """What the user says of a proposal."""

    profile: ProfileName
    key: Key
    answer: Answer
    chosen: Chosen | None = None


class PreviewAsk(Ask, frozen=True):
    """What yes would change."""

    profile: ProfileName
    key: Key
    chosen: Chosen | None = None


class FileDiff(Reply, frozen=True):
    """What would become of one note."""

    vault: str
    path: str
    to: str  # its new path, as before where it does not move; of a near copy, the other note
    diff: str  # unified, secrets hidden; empty where it only moves
    digest: str  # hex, of the file's bytes, keyed with the installation key: refuse where those on disk have another


class PreviewReply(Reply, frozen=True):
    """The changes, and the notes as they would be. `refused` says why nothing can be changed, in a sentence."""

    changes: tuple[Change, ...]
    files: tuple[FileDiff, ...]
    refused: str = ""


class WritableAsk(Ask, frozen=True):
    """Where a program of the user's is about to write. paths: of notes as they are named, or will be."""

    profile: ProfileName
    vault: VaultName
    paths: Annotated[tuple[NotePath, ...], Meta(max_length=10_000)]


class WritableReply(Reply, frozen=True):
    """Those of the paths that the profile may not read by its settings as they are on disk now: leave them alone."""

    refused: tuple[str, ...]


class WriteAsk(Ask, frozen=True):
    """The accepted proposals whose changes were shown to the user, and are to be written: their keys."""

    keys: Annotated[tuple[Key, ...], Meta(min_length=1, max_length=100)]


class UndoAsk(Ask, frozen=True):
    """Which writing is to be taken back, as it was named."""

    run: Annotated[str, Meta(pattern=r"^[0-9a-z]{4,32}$")]


class RunsReply(Reply, frozen=True):
    """What was written and can be taken back, newest first."""

    runs: tuple[RunShown, ...]


class ProposeAsk(Ask, frozen=True):
    """A change that a program puts before the user. Nobody but the user applies it."""

    vault: VaultName
    path: NotePath
    why: Annotated[str, Meta(min_length=1, max_length=400)]
    changes: Annotated[tuple[Change, ...], Meta(min_length=1, max_length=20)]
    profile: ProfileName | None = None


class ProposedReply(Reply, frozen=True):
    """The proposal as it waits; credentials in it are hidden."""

    proposal: Proposal


class ClearAsk(Ask, frozen=True):
    """Whose proposals to refuse."""

    by: Annotated[str, Meta(min_length=1, max_length=200, description="The program's name; left out: all.")] | None = (
        None
    )
    profile: ProfileName | None = None


class ClearedReply(Reply, frozen=True):
    """How many were refused."""

    count: int


class MapAsk(Ask, frozen=True):
    """Whose links to draw."""

    profile: ProfileName | None = None
    limit: Annotated[int, Meta(ge=1, le=200, description="Most clusters.")] = 40


class MapNote(Reply, frozen=True):
    """A note on the map."""

    vault: str
    path: str
    title: str
    links: int


class Cluster(Reply, frozen=True):
    """Notes that link to each other more than to others."""

    id: int
    profile: str
    name: str  # the tag, folder or note that tells it best
    size: int
    notes: tuple[MapNote, ...]  # the best linked, ten at most


class Bridge(Reply, frozen=True):
    """A note without which parts of the graph would not hang together."""

    note: MapNote
    profile: str
    parts: int  # into how many pieces its neighbourhood would fall
    joins: tuple[int, ...]  # ids of the clusters that it joins


class ClusterLink(Reply, frozen=True):
    """How many links go between two clusters, either way."""

    one: int
    other: int
    count: int


class MapReply(Reply, frozen=True):
    """The clusters and bridges of the links of the profiles that the client sees."""

    clusters: tuple[Cluster, ...]
    links: tuple[ClusterLink, ...]
    bridges: tuple[Bridge, ...]
    unlinked: int  # notes without any link
    unanswered: tuple[Unanswered, ...] = ()
    waiting: int = 0  # notes that came, went or changed since the map was made; a new one is being made then


REVIEW = Endpoint(
    "GET",
    "/v1/review",
    "search",
    ReviewAsk,
    ReviewReply,
    "Small decisions that would tidy the notes.",
    is_long=True,
)
REVIEW_DECIDE = Endpoint(
    "POST",
    "/v1/review",
    "manage",
    ReviewDecideAsk,
    Done,
    "Say yes, no or later to a proposal. No note is written: `scrubjay review apply` or Obsidian does that.",
    example={"profile": "work", "key": "00112233445566778899aabbccddeeff", "answer": "later"},
)
REVIEW_PREVIEW = Endpoint(
    "POST",
    "/v1/review/preview",
    "search",
    PreviewAsk,
    PreviewReply,
    "The notes as they would be after a yes, as a diff with secrets hidden.",
    example={"profile": "work", "key": "00112233445566778899aabbccddeeff"},
    is_long=True,
)
REVIEW_WRITABLE = Endpoint(
    "POST",
    "/v1/review/writable",
    "manage",
    WritableAsk,
    WritableReply,
    "Which of these notes must not be written, since an exclusion keeps them from the profile. Ask before each write.",
    example={"profile": "work", "vault": "Notes", "paths": ["Projects/Ferry.md"]},
)
REVIEW_WRITE = Endpoint(
    "POST",
    "/v1/review/write",
    "manage",
    WriteAsk,
    ApplyReport,
    "Have `scrubjay review apply` write accepted changes that were shown. The search page's user alone may ask for it.",
    example={"keys": ["00112233445566778899aabbccddeeff"]},
    is_long=True,
)
REVIEW_RUNS = Endpoint(
    "GET",
    "/v1/review/runs",
    "manage",
    Nothing,
    RunsReply,
    "What was written into notes and can be taken back. The search page's user alone may ask for it.",
    is_long=True,
)
REVIEW_UNDO = Endpoint(
    "POST",
    "/v1/review/undo",
    "manage",
    UndoAsk,
    ApplyReport,
    "Have `scrubjay review undo` take one writing back. The search page's user alone may ask for it.",
    example={"run": "1f0c9a77"},
    is_long=True,
)
REVIEW_PROPOSE = Endpoint(
    "POST",
    "/v1/review/propose",
    "journal",
    ProposeAsk,
    ProposedReply,
    "Put a change of a note before the user, among the other proposals. It waits there until the user decides.",
    example={
        "vault": "Notes",
        "path": "Projects/Ferry.md",
        "why": "It is about boats.",
        "changes": [{"action": "add-tags", "vault": "Notes", "path": "Projects/Ferry.md", "tags": ["boats"]}],
    },
)
REVIEW_CLEAR = Endpoint(
    "POST",
    "/v1/review/clear",
    "manage",
    ClearAsk,
    ClearedReply,
    "Say no to everything that programs, or one of them, put forward and that still waits.",
    example={"by": "Cursor (MCP)"},
)
REVIEW_MAP = Endpoint(
    "GET",
    "/v1/review/map",
    "search",
    MapAsk,
    MapReply,
    "Clusters of notes that link to each other, and their bridges.",
)
