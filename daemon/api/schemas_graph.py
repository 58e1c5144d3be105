"""The wire, fourth part: links, quotations, days, and where a note went."""

from datetime import date
from typing import Annotated

from msgspec import Meta

from daemon.api.schemas import Body, Folder, Name, NoteRef, ProfileNames, Reply
from daemon.graph.types import Ending, ExcerptWay, Fate, Occasion, Verdict
from daemon.search.types import Mode


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


class VerifyAsk(Body, frozen=True):
    """A quotation, and what it is said to be from: a passage's id, or a note's path."""

    quote: Annotated[str, Meta(min_length=1, max_length=10_000, pattern=r"^[^\x00]*$")]
    id: Annotated[str, Meta(min_length=6, max_length=13)] | None = None
    path: Folder | None = None
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


class ExcerptAsk(Body, frozen=True):
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


class ExplainAsk(Body, frozen=True):
    """A search, and the note that somebody expected it to find."""

    query: Annotated[str, Meta(max_length=10_000, pattern=r"^[^\x00]*$")]
    path: Folder
    vault: Name | None = None  # where several vaults have such a path
    profiles: ProfileNames | None = None
    limit: Annotated[int, Meta(ge=1, le=1_000)] = 10
    mode: Mode = "hybrid"


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
