"""What the requests and replies of several subjects share. Times are RFC 3339."""

from datetime import date, datetime
from typing import Annotated, TypeAlias

from msgspec import Meta

from scrubjay.daemon.server.endpoint import Reply
from scrubjay.profiles.kinds import NOTE

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]*$")]
Folder: TypeAlias = Annotated[str, Meta(min_length=1, max_length=4_096, pattern=r"^[^\x00]*$")]
ProfileNames: TypeAlias = Annotated[tuple[Name, ...], Meta(min_length=1, max_length=100)]
Secret: TypeAlias = Annotated[str, Meta(min_length=1, max_length=200)]
ProfileName: TypeAlias = Annotated[str, Meta(max_length=60, description="One profile, not all.")]
VaultName: TypeAlias = Annotated[str, Meta(max_length=200, description="The vault's name.")]
NotePath: TypeAlias = Annotated[str, Meta(max_length=4_096, description="The note's path in the vault.")]
NamedNote: TypeAlias = Annotated[
    str, Meta(max_length=4_096, description="A note: the id of a passage of it, its path, or the end of its path.")
]
Limit: TypeAlias = Annotated[int, Meta(ge=1, le=100)]
Offset: TypeAlias = Annotated[int, Meta(ge=0, le=10_000_000)]
"""Where a page of a list begins: 0, then each reply's `next_offset`."""


class NoteRef(Reply, frozen=True):
    """A note that is offered rather than found. `id` is that of its first or most fitting passage."""

    id: str
    profile: str
    vault: str
    path: str
    title: str
    modified: datetime
    tags: tuple[str, ...] = ()
    kind: str = NOTE  # of file
    dated: date | None = None  # the day that the note gives itself, in its properties or its name


class Accepted(Reply, frozen=True):
    """The work was queued for these profiles."""

    profiles: tuple[str, ...]
