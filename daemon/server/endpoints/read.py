"""`/v1/read`, `/v1/changes`: notes in parts, as they are indexed, and what is new in one."""

from datetime import date, datetime
from typing import Annotated

from msgspec import Meta

from scrubjay.daemon.server.endpoint import Ask, Endpoint, Reply
from scrubjay.daemon.server.endpoints.common import ProfileName, ProfileNames
from scrubjay.daemon.server.endpoints.notes import Passage
from scrubjay.profiles.kinds import NOTE

MOST_TOKENS = 25_000
"""Of one reply, unless more are asked for."""

NO_RANGE = "Lines count from 1, and the first stands before the last."
"""What is told whoever asks for lines backwards."""

LONGEST_NAME = 4_096
NoteName = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME, pattern=r"^[^\x00]*$")]
LineNumber = Annotated[int, Meta(ge=1, le=100_000_000)]


def is_range(first: int | None, last: int | None) -> bool:
    """Whether two lines stand in their order, where both are named."""
    return first is None or last is None or first <= last


class ReadAsk(Ask, frozen=True):
    """Notes to read: ids of passages, paths (or their end, or the start of a name), or patterns: `Projects/*.md`.

    The id of a journal's entry gives the entry, as a note of one passage.

    `from_line` and `to_line` (both included), or `around` a line; alone they need a single note. `around` 0: the line
    of the passage that an id names.
    """

    notes: Annotated[tuple[NoteName, ...], Meta(min_length=1, max_length=50)]
    profiles: ProfileNames | None = None
    from_line: LineNumber | None = None
    to_line: LineNumber | None = None
    around: Annotated[int, Meta(ge=0, le=100_000_000)] | None = None
    max_tokens: Annotated[int, Meta(ge=50, le=1_000_000)] = MOST_TOKENS  # of the whole reply, estimated


class PartOfNote(Reply, frozen=True):
    """Some or all lines of a note: credentials taken out."""

    id: str  # of its first passage
    profile: str
    vault: str
    path: str
    title: str
    tags: tuple[str, ...]
    modified: datetime
    redactions: int
    passages: tuple[Passage, ...]  # those that stand in the lines, the first and last perhaps cut
    lines: int  # of the file, up to the last with text
    next_line: int | None = None  # where to go on; None: nothing that was asked for is left
    lines_left: int = 0
    was: str = ""  # the id asked for, where the passage it named was edited since
    kind: str = NOTE  # of file; lines of another one are those of its text, page after page
    dated: date | None = None  # the day that the note gives itself, in its properties or its name


class ChangesAsk(Ask, frozen=True):
    """A note by the id of a passage, its path, or the start of its name; and since when."""

    note: NoteName
    since: Annotated[datetime, Meta(tz=True)]
    profile: ProfileName | None = None


class ChangedPassage(Passage, frozen=True, kw_only=True):
    """A passage that an edit brought, or that is of a new note, as it is now."""

    changed: datetime  # the note's time of change when an edit brought it; of a new note's others, its last


class ChangesReply(Reply, frozen=True):
    """What is new in a note since a time, as far as Scrubjay saw its edits; of what went no text is kept."""

    id: str  # of its first passage
    profile: str
    vault: str
    path: str
    title: str
    modified: datetime
    passages: tuple[ChangedPassage, ...]  # new or edited, in the order of the note
    gone: tuple[str, ...] = ()  # ids of passages that went, where nothing in `passages` took their place
    kept: int = 0  # passages that are as they were, or as when the note was first read
    kind: str = NOTE
    dated: date | None = None


class NoSuchNote(Reply, frozen=True):
    """A name that means no note."""

    name: str
    reason: str  # one sentence, perhaps with what is called alike


class ReadReply(Reply, frozen=True):
    """Parts of notes in the order of their names."""

    notes: tuple[PartOfNote, ...]
    missing: tuple[NoSuchNote, ...] = ()
    unread: tuple[str, ...] = ()  # paths of notes that found no room


READ = Endpoint(
    "POST",
    "/v1/read",
    "search",
    ReadAsk,
    ReadReply,
    "Notes by id, path or pattern, whole or in parts, within a budget of tokens; says where to go on.",
    example={"notes": ["Projects/Atlas.md"], "from_line": 41, "to_line": 80},
)
CHANGES = Endpoint(
    "GET",
    "/v1/changes",
    "search",
    ChangesAsk,
    ChangesReply,
    "What an edit brought into a note since a time, passage by passage; and which went.",
)
