"""The request and the response of a search; the API's wire format mirrors these."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, TypeAlias

from scrubjay.profiles.kinds import NOTE
from scrubjay.profiles.search.query.query_tree import QueryWarning

Mode: TypeAlias = Literal["hybrid", "lexical", "semantic"]
Group: TypeAlias = Literal["note", "chunk"]
Fusion: TypeAlias = Literal["convex", "rrf"]
Fold: TypeAlias = Literal["none", "copies", "near copies"]
"""What is folded: nothing, passages of one text, or notes that say nearly the same, too."""
"""How the two legs are made one: by their scores (convex combination), or by their ranks (weighted RRF)."""
Relevance: TypeAlias = Literal["high", "medium", "low"]
Stage: TypeAlias = Literal[
    "shown", "folded", "outranked", "cut", "not-found", "filtered", "hidden", "unreadable", "not-indexed", "locked"
]
SemanticState: TypeAlias = Literal["used", "not-asked", "unavailable"]
Sort: TypeAlias = Literal[
    "relevance", "modified", "-modified", "created", "-created", "title", "-title", "path", "-path"
]
"""What results are sorted by; the greatest (the newest) first after a "-"."""
NoticeCode: TypeAlias = Literal[
    "absent-words",
    "absent-password",
    "mended",
    "offered",
    "unfinished",
    "unread",
    "hidden",
    "dismissed",
    "other-language",
    "nothing-asked",
    "only-excluded",
]
ABSENT: frozenset[NoticeCode] = frozenset(("absent-words", "absent-password"))
"""Of words that no note has, which is not known where not all notes were searched."""
MOST_PLACES = 20
"""Named of notes with the same text, or nearly: a template may be in thousands."""
UnansweredCode: TypeAlias = Literal[
    "", "locked", "in-use", "changing", "unusable", "damaged", "away", "denied", "key-changed", "late"
]
WordPlace: TypeAlias = Literal["title", "heading", "tag", "path", "text"]
FoundBy: TypeAlias = Literal["words", "links", "meaning", "filters"]
Signal: TypeAlias = Literal[
    "lexical",
    "semantic",
    "neighbours",
    "completeness",
    "recency",
    "importance",
    "opened",
]


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One search. `profiles=None` means every profile whose owner lets it take part in searches over all."""

    query: str
    profiles: tuple[str, ...] | None = None
    limit: int = 10
    mode: Mode = "hybrid"
    group: Group = "note"
    explain: bool = False
    typing: bool = False  # the last word may be unfinished
    context: int = 0  # passages of the note to give with each result, before its own and after it
    offset: int = 0  # notes (or chunks) of the whole order to pass over; the last answer's `next_offset` goes on
    sort: Sort = "relevance"  # else notes that hold a word, or pass the filters, in this order
    facets: tuple[str, ...] = ()  # folder, tag, profile, month, property:NAME
    mend: bool = True  # words that no note has are searched as those near them
    fold: Fold = "copies"  # which notes are named in a better result on the page in place of one of their own
    habits: bool = False  # what was opened before after the same query stands higher
    hidden: bool = False  # notes that their owner hid are found, too
    fusion: Fusion | None = None  # None: as the searcher is set
    places: int = MOST_PLACES  # of a result: other notes with its text, or nearly, that are named; all are counted
    meaning_seconds: float | None = None  # what the models may take at most; None: as long as a profile may
    ids: tuple[str, ...] = ()  # of `profiles`, where rights were granted: a name may pass to another profile meanwhile


@dataclass(frozen=True, slots=True)
class ScorePart:
    """What one signal gave a result. `points` of all parts sum to the result's score."""

    signal: Signal
    points: float
    rank: int | None = None  # 1-based place in that leg; equal scores share a place; None: not in that leg
    raw: float | None = None  # BM25 of the lexical leg, cosine distance of the semantic one


@dataclass(frozen=True, slots=True)
class Place:
    """Another note that holds the same text, or nearly."""

    profile: str
    vault: str
    path: str


@dataclass(frozen=True, slots=True)
class FormSaid:
    """A word of the query that a note says in another form alone, or that was taken for another: as typed, as said."""

    typed: str
    said: str


@dataclass(frozen=True, slots=True)
class WordsSaid:
    """Which words of the query, as typed, a note says anywhere (title, path and tags too), and which it does not.

    places: of each that it has, where it stands; where it stands in several places, the first of `WordPlace`.
    """

    has: tuple[str, ...]
    lacks: tuple[str, ...]
    forms: tuple[FormSaid, ...] = ()
    places: tuple[WordPlace, ...] = ()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The passages of the note around the one found, whole, in the note's order."""

    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One note (or chunk) found, with its best passage."""

    id: str  # first 12 hex digits of the chunk's digest
    profile: str
    vault: str
    path: str
    title: str
    headings: tuple[str, ...]
    line: int  # 1-based line of the passage's beginning
    snippet: str
    highlights: tuple[tuple[int, int], ...]  # [start, end) in code points of the snippet
    score: float  # higher is better; compares inside one response only
    relevance: Relevance
    tags: tuple[str, ...]
    modified: datetime
    redactions: int  # credentials hidden in the note
    also_in: tuple[Place, ...] = ()  # the first of the notes that hold the same text
    also_in_count: int = 0  # how many there are
    nearly_same: tuple[Place, ...] = ()  # the first of those that would stand below, and say nearly the same
    nearly_same_count: int = 0
    explain: tuple[ScorePart, ...] | None = None
    words: WordsSaid | None = None  # where `explain` was asked for
    context: Surroundings | None = None  # where it was asked for
    about: str = ""  # what the user says of the folder that the note is in
    kind: str = NOTE  # of file: "note", or one of `profiles/kinds.py`
    place: str = ""  # in a file that is no note: page, slide, sheet, chapter, id of a card
    display: str = ""  # the title, with the place in words: "invoice.pdf · page 3"
    open_url: str = ""  # opens the file in Obsidian, at the place where that is possible; "": it is in no vault here
    dated: date | None = None  # the day that the note gives itself, in its properties or its name
    newer: str = ""  # id of a newer result that says the same with another number or date; where `newest` was asked for
    # links: only those of other notes say a word of the query; meaning: nothing says one; filters: it asks for no word
    found_by: FoundBy = "words"


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value, and how many of all matching notes have it."""

    value: str
    count: int


@dataclass(frozen=True, slots=True)
class Facet:
    """The commonest values of a facet, the most notes first."""

    name: str
    values: tuple[FacetValue, ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about the answer that stands before its results.

    words: as typed: those that no note has, or those that were taken for others. query: for `mended`, the query that
    was searched; the same request with `mend` off searches the one that was typed. For `offered`, one with near words
    in the place of words that no note has.
    """

    code: NoticeCode
    text: str
    words: tuple[str, ...]
    query: str = ""


@dataclass(frozen=True, slots=True)
class UnreadNotes:
    """What is allowed and in no index yet: so many notes, and all of these profiles, whose turn has not come."""

    notes: int = 0
    profiles: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.notes or self.profiles)


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A profile that did not answer. reason: why, in a sentence without a path; the searcher leaves it open."""

    profile: str
    reason: str = ""
    code: UnansweredCode = ""  # the same for programs


@dataclass(frozen=True, slots=True)
class SearchResponse:
    """The answer to one search, best result first."""

    results: tuple[SearchResult, ...]
    relevance: Relevance  # of the whole answer: "low" says that nothing here is likely what was meant
    took_ms: float
    pending_embeddings: int  # passages that meaning can't find yet
    semantic: SemanticState = "used"
    unanswered: tuple[Unanswered, ...] = ()
    warnings: tuple[QueryWarning, ...] = ()
    notices: tuple[Notice, ...] = ()
    total_notes: int | None = None  # that hold a word of the query and pass its filters; None: words were not asked
    next_offset: int | None = None  # where the next page begins; None at the end
    facets: tuple[Facet, ...] = ()  # of those notes, as far as they were asked for


@dataclass(frozen=True, slots=True)
class NoteExplanation:
    """What became of one note in one search."""

    stage: Stage  # "cut": a leg finds it, but none returned it; "not-found": no leg does
    message: str
    remedy: str  # "" where there is nothing to do; another search that it names has been tried
    rank: int | None = None  # 1-based, where it was ranked at all
    parts: tuple[ScorePart, ...] = ()
