"""The wire, first part: sessions, searching, reading, status. A search's answer: see `daemon/search/types.py`.

Requests refuse unknown fields and convert nothing ("5" is not 5). Times are RFC 3339. `obsidian-plugin/src/api/wire.ts`
mirrors this.
"""

from datetime import datetime
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from daemon.clients.registry import Scope
from daemon.indexing.progress import ProgressReport
from daemon.search.types import Group, Mode

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]*$")]
Folder: TypeAlias = Annotated[str, Meta(min_length=1, max_length=4_096, pattern=r"^[^\x00]*$")]
ProfileNames: TypeAlias = Annotated[tuple[Name, ...], Meta(min_length=1, max_length=100)]
Secret: TypeAlias = Annotated[str, Meta(min_length=1, max_length=200)]


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of all request bodies."""


class Reply(msgspec.Struct, frozen=True):
    """Base of all replies."""


# --- health and sessions


class Health(Reply, frozen=True, omit_defaults=True):
    """Who answers here. `proof` is HMAC-SHA256 of the challenge, see daemon/clients/identity.py."""

    name: str
    version: str
    instance: str
    proof: str | None = None


class TicketReply(Reply, frozen=True):
    """A ticket opens the search page once, within `seconds`."""

    ticket: str
    path: str  # to open in a browser, below the daemon's address
    seconds: int


class SessionAsk(Body, frozen=True):
    """A ticket, to be turned into a session."""

    ticket: Secret


class SessionReply(Reply, frozen=True):
    """What the search page may do.

    `key` comes once, with the ticket; the page keeps it. HMAC-SHA256 of the `instance` that `/health` names, with `key`
    as it is written, goes as hex into the header X-Scrubjay-Csrf of every other request.
    """

    client: str
    scopes: tuple[Scope, ...]
    profiles: tuple[str, ...]
    key: str | None = None


# --- searching and reading


class SearchAsk(Body, frozen=True):
    """One search. Without `profiles`: all that this client may see and that take part in searches over all."""

    query: Annotated[str, Meta(max_length=10_000, pattern=r"^[^\x00]*$", examples=["vector index tag:database"])]
    profiles: ProfileNames | None = None
    limit: Annotated[int, Meta(ge=1, le=1_000)] = 10
    mode: Mode = "hybrid"
    group: Group = "note"
    explain: bool = False
    typing: bool = False  # the last word may be unfinished
    context: Annotated[int, Meta(ge=0, le=5)] = 0  # passages of the note to give before and after each result's own


class ContextAsk(Body, frozen=True):
    """A prompt, to be answered with what the notes say about it."""

    prompt: Annotated[str, Meta(min_length=1, max_length=10_000, pattern=r"^[^\x00]*$")]
    profiles: ProfileNames | None = None
    max_tokens: Annotated[int, Meta(ge=50, le=20_000)] = 500


class ContextReply(Reply, frozen=True):
    """A Markdown block with its sources. The same index and prompt give the same bytes."""

    markdown: str
    tokens: int  # estimated
    sources: tuple[str, ...]  # chunk ids, in the order in which they appear


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
    also_in: tuple[PlaceReply, ...] = ()


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


class NoteRef(Reply, frozen=True):
    """A note that is offered rather than found. `id` is that of its first or most fitting passage."""

    id: str
    profile: str
    vault: str
    path: str
    title: str
    modified: datetime
    tags: tuple[str, ...] = ()


class RelatedRef(NoteRef, frozen=True, kw_only=True):
    """A note that is related to another, and why."""

    headings: tuple[str, ...]
    line: int
    score: float  # compares inside one reply only
    reasons: tuple[str, ...]  # in words, the weightiest first
    unlinked: bool  # so much alike that a link may be missing


class RelatedReply(Reply, frozen=True):
    """Related notes, best first."""

    notes: tuple[RelatedRef, ...]


class NotesReply(Reply, frozen=True):
    """Notes, best or newest first."""

    notes: tuple[NoteRef, ...]


class Suggestion(Reply, frozen=True):
    """A way to complete a filter, and how many notes it would keep."""

    value: str
    notes: int


class SuggestReply(Reply, frozen=True):
    """Completions, most used first."""

    suggestions: tuple[Suggestion, ...]


class Credential(Reply, frozen=True):
    """Where a credential sits; never the credential."""

    profile: str
    vault: str
    path: str
    line: int
    rule: str
    about: str  # what the rule looks for, in words


class CredentialsReply(Reply, frozen=True):
    """Every credential that was taken out of a note."""

    credentials: tuple[Credential, ...]


# --- status


class Failure(Reply, frozen=True):
    """A file that was left out, and why."""

    vault: str
    path: str
    code: str
    reason: str


class ProfileStatus(Reply, frozen=True):
    """What the daemon does for one profile, and how much it holds."""

    id: str
    name: str
    colour: str
    vaults: tuple[str, ...]
    state: Literal["idle", "scanning", "reading", "embedding", "paused", "locked", "failed"]
    done: int  # of `total`, in the unit of the state: notes while reading, chunks while embedding
    total: int
    eta_seconds: float | None
    notes: int
    chunks: int
    pending_embeddings: int
    redactions: int
    bytes_on_disk: int
    failures: tuple[Failure, ...]
    reason: str = ""  # why it is locked, paused or failed
    progress: ProgressReport = ProgressReport()  # since the last look at the vaults began


class Status(Reply, frozen=True):
    """How the daemon does."""

    version: str
    instance: str
    model: str
    uptime_seconds: float
    memory_bytes: int
    pending_embeddings: int
    profiles: tuple[ProfileStatus, ...]
    warnings: tuple[str, ...] = ()

    @property
    def idle(self) -> bool:
        """Whether nothing waits to be read or embedded."""
        return self.pending_embeddings == 0 and all(
            profile.state in ("idle", "locked", "failed") for profile in self.profiles
        )
