"""`/v1/related`, `/v1/traverse`, `/v1/timeline`, `/v1/verify`, `/v1/excerpt`: links, days, quotations."""

from datetime import date, datetime
from typing import Annotated

from msgspec import Meta

from scrubjay.daemon.links.answer_words import AnswerStatus, Ending, ExcerptWay, Fate, Occasion, QuoteVerdict, Verdict
from scrubjay.daemon.server.endpoint import Ask, Endpoint, Reply
from scrubjay.daemon.server.endpoints.common import (
    Folder,
    Limit,
    Name,
    NamedNote,
    NotePath,
    NoteRef,
    ProfileName,
    ProfileNames,
    VaultName,
)


class RelatedAsk(Ask, frozen=True):
    """Notes related to the note at a path of a vault, or to the one that `note` names."""

    vault: VaultName | None = None
    path: NotePath | None = None
    note: NamedNote | None = None
    profile: ProfileName | None = None
    limit: Limit = 10
    line: Annotated[int, Meta(ge=1, description="Near the section that this line is in.")] | None = None


class TraverseAsk(Ask, frozen=True):
    """A walk along links. It begins with the note that holds the passage `id`, is at `path`, or that `note` names.

    Or it begins with the best results of a `search`: three, or eight if it is `deep`.
    """

    id: (
        Annotated[str, Meta(max_length=13, description="A passage of the note to begin with; or its `path`.")] | None
    ) = None
    path: Annotated[str, Meta(max_length=4_096, description="The note's path in its vault.")] | None = None
    note: NamedNote | None = None
    search: Annotated[str, Meta(max_length=2_000, description="A query that finds where to begin.")] | None = None
    profile: ProfileName | None = None
    vault: (
        Annotated[str, Meta(max_length=200, description="The vault's name, where several have such a note.")] | None
    ) = None
    about: (
        Annotated[str, Meta(max_length=2_000, description="What the walk is about; left out: the note itself.")] | None
    ) = None
    depth: Annotated[int, Meta(ge=1, le=4, description="Most hops.")] = 2
    deep: Annotated[bool, Meta(description="Keep everything within reach.")] = False
    limit: Annotated[int, Meta(ge=1, le=2_000)] = 200


class TimelineAsk(Ask, frozen=True):
    """Some days."""

    since: Annotated[date, Meta(description="The first day; six before the last if left out.")] | None = None
    until: Annotated[date, Meta(description="The last day; today if left out.")] | None = None
    profile: ProfileName | None = None


class RelatedRef(NoteRef, frozen=True, kw_only=True):
    """A note that is related to another, and why."""

    headings: tuple[str, ...]
    line: int
    score: float  # compares inside one reply only
    reasons: tuple[str, ...]  # in words, the weightiest first
    unlinked: bool  # so much alike that a link may be missing
    excerpt: str  # how the passage begins, in one line that reads as the note does


class RelatedReply(Reply, frozen=True):
    """Related notes, best first."""

    notes: tuple[RelatedRef, ...]


class StepReply(Reply, frozen=True):
    """A note that a walk looked at."""

    note: NoteRef
    hop: int  # 0 for the note that the walk began with
    via: str | None  # path of the note from which it was reached
    likeness: float | None  # cosine to what the walk is about; None: not measured, or not embedded
    fate: Fate  # kept, or why it was dropped


class WalkReply(Reply, frozen=True):
    """A walk along links: by hop, kept notes first, most alike first."""

    steps: tuple[StepReply, ...]
    ending: Ending  # why it went no further
    omitted: int  # steps beyond the limit, the last ones


class VerifyAsk(Ask, frozen=True):
    """A quotation, and what it is said to be from: a passage's id, a note's path, or what `note` names."""

    quote: Annotated[str, Meta(min_length=1, max_length=10_000, pattern=r"^[^\x00]*$")]
    id: Annotated[str, Meta(min_length=6, max_length=13)] | None = None
    path: Folder | None = None
    note: NamedNote | None = None
    vault: Name | None = None  # where several vaults have such a path
    profile: Name | None = None


class QuotedAt(Reply, frozen=True):
    """Where a part of a quotation stands."""

    id: str  # of the passage
    line: int  # of the file; of a part in a heading, the line on which the passage below it begins


class VerifyReply(Reply, frozen=True):
    """Whether the words are in the note, and where."""

    verdict: Verdict
    reason: str  # one sentence for a person
    profile: str
    vault: str
    path: str
    title: str
    places: tuple[QuotedAt, ...]  # one for each part, in order, if and only if it is verified
    modified: datetime
    dated: date | None = None  # the day that the note gives itself, in its properties or its name


class VerifyAnswerAsk(Ask, frozen=True):
    """A whole answer in Markdown: its quotations, each with the `[#id]` of a passage beside it."""

    text: Annotated[str, Meta(min_length=1, max_length=200_000, pattern=r"^[^\x00]*$")]
    profiles: ProfileNames | None = None


class CheckedQuote(Reply, frozen=True):
    """A quotation of an answer, and whether one of the notes it cites says it."""

    quote: str
    answer_line: int  # of the answer, on which it begins
    ids: tuple[str, ...]  # that it cites
    verdict: QuoteVerdict
    reason: str  # one sentence for a person
    profile: str = ""
    vault: str = ""
    path: str = ""  # of the note that says it, or nearly; "" where none does
    line: int | None = None
    says: str = ""  # what the note says in its place, where it says nearly the same
    modified: datetime | None = None  # of that note; None where there is none
    dated: date | None = None  # the day that it gives itself, in its properties or its name


class CitedSource(Reply, frozen=True):
    """A source of which nothing is quoted where the answer cites it."""

    id: str
    answer_line: int


class VerifyAnswerReply(Reply, frozen=True):
    """One status for the whole: the worst of what follows."""

    status: AnswerStatus
    reason: str  # one sentence for a person
    quotes: tuple[CheckedQuote, ...]
    unknown: tuple[str, ...] = ()  # ids that no visible passage has
    edited: tuple[str, ...] = ()  # ids of passages that were edited since: their notes were read as they are now
    unquoted: tuple[CitedSource, ...] = ()  # where a source is cited and none of its words are quoted


class ExcerptAsk(Ask, frozen=True):
    """A passage, and the question that its sentences are to answer."""

    id: Annotated[str, Meta(min_length=6, max_length=13)]
    query: Annotated[str, Meta(min_length=1, max_length=2_000, pattern=r"^[^\x00]*$")]


class SentenceReply(Reply, frozen=True):
    """A sentence of a passage."""

    text: str
    line: int  # of the file


class ExcerptReply(Reply, frozen=True):
    """The sentences of a passage that answer best, at most two, in the order of the text."""

    sentences: tuple[SentenceReply, ...]
    way: ExcerptWay  # what chose them: the words of the query, or its meaning where these say little
    profile: str
    vault: str
    path: str


class NoteOfDay(Reply, frozen=True):
    """A note on a day."""

    note: NoteRef
    occasion: Occasion  # it is that day's daily note, or was written or last changed then


class DayReply(Reply, frozen=True):
    """What one day has."""

    day: date
    notes: tuple[NoteOfDay, ...]


class TimelineReply(Reply, frozen=True):
    """Days with notes, newest first."""

    days: tuple[DayReply, ...]


RELATED = Endpoint(
    "GET",
    "/v1/related",
    "search",
    RelatedAsk,
    RelatedReply,
    "Notes related to a note by meaning, links and tags, and why.",
)
TRAVERSE = Endpoint(
    "GET",
    "/v1/traverse",
    "search",
    TraverseAsk,
    WalkReply,
    """Walk from a note along links in either direction, keeping what stays on the subject.

Every note that was looked at is named, with its likeness and why it was kept or dropped.""",
)
TIMELINE = Endpoint(
    "GET",
    "/v1/timeline",
    "search",
    TimelineAsk,
    TimelineReply,
    "Notes by day: daily notes on the day that they are named for, others when they were written and last changed.",
)
VERIFY = Endpoint(
    "POST",
    "/v1/verify",
    "search",
    VerifyAsk,
    VerifyReply,
    "Whether a quotation really is in the note that it cites. No model is asked: the same answer every time.",
    example={"quote": "We keep the index in one file.", "id": "a1b2c3d4e5f6"},
)
VERIFY_ANSWER = Endpoint(
    "POST",
    "/v1/verify/answer",
    "search",
    VerifyAnswerAsk,
    VerifyAnswerReply,
    "Whether each quotation of an answer stands in a note that it cites, and one status for all. No model is asked.",
    example={"text": 'It is one file: "We keep the index in one file." [#a1b2c3d4e5f6]'},
)
EXCERPT = Endpoint(
    "POST",
    "/v1/excerpt",
    "search",
    ExcerptAsk,
    ExcerptReply,
    "The two sentences of a passage that answer a query best: by its words, by meaning where these say little.",
    example={"id": "a1b2c3d4e5f6", "query": "where is the index kept?"},
)
