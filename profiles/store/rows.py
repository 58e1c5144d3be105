"""The values that cross the store's edge: what indexing writes and what search reads.

Every text in here has been through the credential filter. Paths are vault-relative, "/"-separated and NFC.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Literal, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.local_time import local_day
from scrubjay.profiles.store.columns import Columns

LinkKind: TypeAlias = Literal["wiki", "markdown", "embed"]
Vector: TypeAlias = NDArray[np.float32]  # shape (dim,), L2-normalised
Vectors: TypeAlias = NDArray[np.float32]  # shape (n, dim), rows L2-normalised


class LinkRow(msgspec.Struct, frozen=True, gc=False):
    """One link as written in a note; resolving it to a note is the graph's work."""

    target: str  # note name or path as written, percent-decoded; no heading, no block
    kind: LinkKind
    line: int  # 1-based
    heading: str = ""  # after "#", without it
    block: str = ""  # after "#^", without it
    text: str = ""  # what the reader sees: alias or Markdown link text


Standing: TypeAlias = Literal["open", "done", "allowed", "everywhere"]
"""How a credential stands: hidden, and to be seen to or seen to; or let stand, in this note or in all notes.

The most hidden stands first.
"""


@dataclass(frozen=True, slots=True)
class Decisions:
    """What the user decided about values of one note, known by their keyed digests (hex)."""

    allowed: frozenset[str] = frozenset()  # they stand in this note
    done: frozenset[str] = frozenset()  # they stay hidden, and the user has seen to them


NO_DECISIONS = Decisions()

DECISIONS_WAIT_NS = 86_400 * 10**9
"""How long the decisions about a note that is gone wait for one of the same bytes: a day."""

SAID_WAITS_NS = 90 * DECISIONS_WAIT_NS
"""How long an answer in the review outlives its note, and a suggestion that of a vault that was taken away."""


@dataclass(frozen=True, slots=True)
class RedactionRow:
    """Where a credential sits; never the credential."""

    rule: str
    line: int  # 1-based, in the file as it is on disk
    column: int  # 1-based, code points
    length: int  # code points
    standing: Standing = "open"
    place: str = ""  # page, slide, sheet or chapter of a file that is no note

    @property
    def is_hidden(self) -> bool:
        """Whether it is taken out of what is indexed."""
        return self.standing in ("open", "done")


CHUNK_COLUMNS = (
    *("id", "note_id", "position", "digest", "headings", "line", "end_line", "place", "tokens", "since_ns"),
    "packed",  # the text, by `Connection.packed`
)
"""Columns of `chunk`, in the order in which their values are written."""


class ChunkRow(msgspec.Struct, frozen=True, gc=False):
    """One passage of a note, as it is embedded, indexed and shown."""

    digest: bytes  # keyed blake2b of `text`, 16 bytes
    text: str
    headings: tuple[str, ...]  # heading path down to the passage, outermost first
    line: int  # 1-based line of the file on which the passage begins
    end_line: int  # 1-based, inclusive
    place: str = ""  # page, slide, sheet or chapter of a file that is no note


@dataclass(frozen=True, slots=True)
class NoteRow:
    """A note's own fields, or those of a file of another kind."""

    vault: str  # vault id, see registry.VaultFolder
    path: str
    title: str
    mtime_ns: int
    size: int  # bytes on disk
    digest: bytes  # blake2b of the file's bytes keyed with the installation key, 16 bytes
    fingerprint: str  # of the filter rules and the chunker that prepared it
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()  # without "#", as written, nested ones with "/"
    properties: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict[str, str | tuple[str, ...]])
    created_ns: int | None = None  # from frontmatter or a daily note's name; None where nothing says
    lang: str = ""  # ISO 639-1 where it is clear from the script or frontmatter, else ""
    changed_ns: int = 0  # when the file system saw the file change, in Unix nanoseconds; 0 where it does not say
    payload: int = 0  # code points left out since only programs read them: drawings, pictures, minified code
    kind: str = ""  # "pdf", "sheet", "image" and so on; "" is a Markdown note
    parts: int = 0  # pages, slides, sheets or chapters of a file that is no note
    scans: int = 0  # of a file: pages, or the file itself, that are pictures whose text was not recognised


@dataclass(frozen=True, slots=True)
class NoteBundle:
    """All that is stored of one note."""

    note: NoteRow
    chunks: tuple[ChunkRow, ...]
    links: tuple[LinkRow, ...] = ()
    redactions: tuple[RedactionRow, ...] = ()


@dataclass(frozen=True, slots=True)
class KnownNote:
    """What the store remembers of a file, to tell whether it changed."""

    id: int
    path: str
    mtime_ns: int
    size: int
    digest: bytes
    fingerprint: str
    changed_ns: int = 0  # see NoteRow


@dataclass(frozen=True, slots=True)
class NoteTimes:
    """When a note was written and last changed."""

    note_id: int
    path: str
    mtime_ns: int
    created_ns: int | None


@dataclass(frozen=True, slots=True)
class NoteMove:
    """A note's file under another path: the same name and bytes in another folder of the same vault."""

    note_id: int
    path: str
    mtime_ns: int
    changed_ns: int = 0  # see NoteRow


@dataclass(frozen=True, slots=True)
class FailureRow:
    """A file that could not be indexed, and why; the path has been redacted where it held a credential."""

    vault: str
    path: str
    code: str  # kebab-case, stable
    reason: str  # one sentence for a person, without note text
    mtime_ns: int = 0
    size: int = 0
    changed_ns: int = 0  # see NoteRow
    kind: str = ""  # see NoteRow; "" is a folder or a vault, too


@dataclass(frozen=True, slots=True)
class PendingChunk:
    """A passage that waits for its embedding, with the context it is embedded in."""

    digest: bytes
    title: str
    headings: tuple[str, ...]
    text: str


class LexicalHit(msgspec.Struct, frozen=True, gc=False):
    """A chunk found by words. Higher score is better; scores compare across stores that shared document frequencies."""

    chunk_id: int
    note_id: int
    digest: bytes
    score: float
    query_share: float = 0.0  # share of the query's weight that it holds, and
    title: float = 0.0  # how alike its note's title is to the query: see profiles/search/words/bm25f.py
    named: bool = False  # whether the whole query is what its note is called, see profiles/search/words/lexical_leg.py


class SemanticHit(msgspec.Struct, frozen=True, gc=False):
    """A chunk found by meaning. Cosine distance in [0, 2], exact; lower is better."""

    chunk_id: int
    note_id: int
    digest: bytes
    distance: float


@dataclass(frozen=True, slots=True)
class SemanticCandidates:
    """What the semantic leg of one store returned.

    vectors: those of the hits' texts, and of the other chunks that were asked for, by digest; some may have none yet.
    further: the nearest passages of other notes, a chunk id each, nearest first; distances: theirs.
    """

    hits: Sequence[SemanticHit]
    vectors: Mapping[bytes, Vector]
    further: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    distances: NDArray[np.float64] = field(default_factory=lambda: np.empty(0, np.float64))
    columns: Columns | None = None  # of these chunks


class ChunkView(msgspec.Struct, frozen=True, gc=False):
    """A chunk with what is shown of its note."""

    chunk_id: int
    note_id: int
    digest: bytes
    text: str
    headings: tuple[str, ...]
    line: int
    end_line: int
    position: int  # 0-based place of the chunk in its note
    vault: str
    path: str
    title: str
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    mtime_ns: int
    redactions: int  # credentials hidden in the whole note
    kind: str = ""  # see NoteRow
    place: str = ""  # see ChunkRow
    lang: str = ""  # of the note, see NoteRow
    stemmed: str = ""  # the language that its words are stemmed in beside English
    created_ns: int | None = None  # the date that the note gives itself
    since_ns: int | None = None  # the note's time of change when an edit brought it; None: it was there from the first

    @property
    def modified(self) -> datetime:
        """When the note was changed."""
        return datetime.fromtimestamp(self.mtime_ns / 1e9, UTC)

    @property
    def dated(self) -> date | None:
        """The day that the note gives itself, in its properties or its name."""
        return None if self.created_ns is None else local_day(self.created_ns)


@dataclass(frozen=True, slots=True)
class NoteView:
    """A note as it is listed and opened."""

    note_id: int
    vault: str
    path: str
    title: str
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    properties: Mapping[str, str | tuple[str, ...]]
    mtime_ns: int
    created_ns: int | None
    lang: str
    redactions: int  # credentials hidden in it
    kind: str = ""  # see NoteRow


@dataclass(frozen=True, slots=True)
class RedactionPlace:
    """A `RedactionRow` with its note."""

    vault: str
    path: str
    rule: str
    line: int
    column: int
    length: int
    standing: Standing
    place: str = ""  # see RedactionRow


@dataclass(frozen=True, slots=True)
class KindCounts:
    """How much is stored of the files of one kind."""

    kind: str  # never ""
    files: int
    parts: int  # pages, slides, sheets or chapters
    scans: int  # of the pages, or the files themselves: pictures whose text was not recognised
    passages: int
    size: int  # bytes on disk


@dataclass(frozen=True, slots=True)
class StoreCounts:
    """Sizes, for `status`."""

    notes: int  # without files of other kinds
    chunks: int
    embeddings: int
    pending_embeddings: int
    links: int
    redactions: int  # credentials that are hidden in notes
    redactions_done: int  # of them, how many the user is done with
    failures: int
    payloads: int  # notes of which something was left out since only programs read it
    bytes_on_disk: int = 0


@dataclass(frozen=True, slots=True)
class TermStats:
    """How frequent query terms are in one store, or in all of a federation (`lexical.stats_of`)."""

    chunks: int  # number of chunks in the store
    tokens: int  # number of tokens in them, for the average length
    counts: Mapping[str, tuple[int, ...]]  # analysed term -> in how many documents, by `postings.Field`; these sum up
    frequencies: Mapping[str, int]  # analysed term -> its document frequency
