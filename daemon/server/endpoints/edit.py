"""`/v1/edit`: one edit of every note that a search finds. Who writes is the user's program, never an agent."""

from typing import Annotated

from msgspec import Meta

from scrubjay.daemon.review.changes.result_edit import ResultEdit
from scrubjay.daemon.review.changes.write_report import ApplyReport, NotWritten
from scrubjay.daemon.review.proposal import Change
from scrubjay.daemon.server.endpoint import Ask, Endpoint, Reply
from scrubjay.daemon.server.endpoints.common import ProfileNames
from scrubjay.daemon.server.endpoints.review import FileDiff
from scrubjay.profiles.search.types import Unanswered

MOST_NOTES = 4_000
"""That one edit is about."""

ShownKey = Annotated[str, Meta(pattern=r"^[0-9a-f]{10}$")]


class EditAsk(Ask, frozen=True, kw_only=True):
    """What is to be done to every note that a query finds by its words and filters."""

    query: Annotated[str, Meta(min_length=1, max_length=10_000, pattern=r"^[^\x00]*$")]
    edit: ResultEdit
    profiles: ProfileNames | None = None


class NoteEdit(Reply, frozen=True):
    """What becomes of one note. key: what it is named by to be written as it was shown."""

    key: str
    profile: str
    changes: tuple[Change, ...]
    file: FileDiff


class EditReply(Reply, frozen=True):
    """Every note that was found is edited, refused with the reason, or stays as it is.

    in_links: how often a text that is replaced stands in the target of a link, which leads elsewhere then.
    left_lines: lines that hold it and are left alone, since a credential is hidden on them.
    """

    edited: tuple[NoteEdit, ...]
    refused: tuple[NotWritten, ...]
    unchanged: int
    in_links: int = 0
    left_lines: int = 0
    unanswered: tuple[Unanswered, ...] = ()


class EditWriteAsk(EditAsk, frozen=True, kw_only=True):
    """The same edit, to be written into the notes that were shown, where they are as they were."""

    shown: Annotated[tuple[ShownKey, ...], Meta(min_length=1, max_length=MOST_NOTES)]


EDIT = Endpoint(
    "POST",
    "/v1/edit",
    "manage",
    EditAsk,
    EditReply,
    "What an edit of all notes that a search finds would change, as diffs with secrets hidden. Not for agents.",
    example={"query": "tag:boats ferry", "edit": {"action": "replace", "find": "ferry", "after": "boat"}},
    is_long=True,
)
EDIT_WRITE = Endpoint(
    "POST",
    "/v1/edit/write",
    "manage",
    EditWriteAsk,
    ApplyReport,
    "Have `scrubjay edit` write an edit as it was shown. The search page's user alone may ask for it.",
    example={
        "query": "tag:boats ferry",
        "edit": {"action": "add-tag", "name": "boats"},
        "shown": ["0011223344"],
    },
    is_long=True,
)
