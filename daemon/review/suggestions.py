"""What a program puts before the user: checked, its credentials taken out, and kept until it is answered."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import PurePosixPath

import msgspec

from scrubjay.credential_filter import Rules, redact_many
from scrubjay.daemon.printable import is_printable
from scrubjay.daemon.review.changes.property_changes import is_property
from scrubjay.daemon.review.changes.tag_changes import is_tag
from scrubjay.daemon.review.proposal import Change
from scrubjay.profiles.errors import ScrubjayError, UsageError
from scrubjay.profiles.store.review_answers import SuggestionRow, put_suggestion
from scrubjay.profiles.store.store import Store

MOST_WAITING = 200
"""Of one client in one profile."""


class TooManyWaiting(ScrubjayError):
    """The client has put forward all that may wait for the user at a time."""

    code = "too-many-waiting"
    status = 409


@dataclass(frozen=True, slots=True)
class Suggester:
    """The client that puts something forward."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class About:
    """The note that something is put forward about."""

    note_id: int
    vault: str  # name
    path: str


def suggest(
    store: Store,
    rules: Rules,
    suggester: Suggester,
    about: About,
    why: str,
    changes: Sequence[Change],
    clock: Callable[[], int] = time.time_ns,
) -> str:
    """Keep changes for the user to decide about; their key. The same again is kept once.

    They are kept without the place of the note that they are about, and without its vault, so that they stay right
    where it moves; see `changes_of`. Nothing of a credential is kept. Raises TooManyWaiting, or UsageError for a text
    that can't be shown as it is, and for what is no change of any note.
    """
    _check_printable(why, changes)
    for change in changes:
        if wrong := _wrong(change):
            raise UsageError(f"No change of {change.path} can be made of this: {wrong}")
    # Together: a password that one text names may stand in another, where nothing else tells what it is.
    texts = [why, suggester.name, *(text for change in changes for text in _texts(change))]
    hidden = iter(redact_many(texts, rules))
    why, name = next(hidden), next(hidden)
    kept = [_with_texts(change, [next(hidden) for _ in _texts(change)]) for change in changes]
    encoded = msgspec.json.encode(kept)
    key = blake2b(b"\0".join((b"suggested", suggester.id.encode(), why.encode(), encoded)), digest_size=16).hexdigest()
    placed = msgspec.json.encode([_relative(change, about) for change in kept])
    row = SuggestionRow(key, about.note_id, suggester.id, name, clock(), why, placed)
    if not put_suggestion(store, row, most=MOST_WAITING):
        waiting = f"{MOST_WAITING} proposals of this program wait for the user already."
        raise TooManyWaiting(f"{waiting} They are decided in Obsidian or with `scrubjay review`.")
    return key


def changes_of(row: SuggestionRow, vault: str, path: str, is_there: Callable[[str, str], bool]) -> tuple[Change, ...]:
    """What a program put forward, made of the note that it is about where that is now. vault: its name.

    is_there: whether a vault, by its name, has a note at a path. Of what an older Scrubjay kept, a note of the same
    file name that is not there any more is the one that the suggestion is about: that one moved.
    """

    def placed(change: Change) -> Change:
        if not change.vault:
            return msgspec.structs.replace(change, vault=vault, path=change.path or path)
        same_name = PurePosixPath(change.path).name == PurePosixPath(path).name
        if change.vault == vault and change.path != path and same_name and not is_there(vault, change.path):
            return msgspec.structs.replace(change, path=path)
        return change

    return tuple(map(placed, msgspec.json.decode(row.changes, type=tuple[Change, ...])))


def _relative(change: Change, about: About) -> Change:
    """A change without what it has in common with the note that the suggestion is about: the vault, then the path."""
    if change.vault != about.vault:
        return change
    return msgspec.structs.replace(change, vault="", path="" if change.path == about.path else change.path)


def _check_printable(why: str, changes: Sequence[Change]) -> None:
    """Raises UsageError for what a diff would not show as it is."""
    for text in (why, *(text for change in changes for text in _texts(change))):
        if not is_printable(text):
            raise UsageError("A text holds control characters, or marks that turn the direction of writing.")


def _wrong(change: Change) -> str:
    """What is wrong with a change whatever the note says; "" where nothing is."""
    match change.action:
        case "replace" if change.line < 1:
            return "say in `line` on which line of the file the text stands; the first is 1."
        case "replace" if not change.before or len(change.before.splitlines()) != 1 or change.before[-1] in "\r\n":
            return "say in `before` what is replaced, within one line."
        case "append" if not change.after.strip():
            return "say in `after` what is written."
        case "add-tags" | "remove-tags" if not change.tags or not all(map(is_tag, change.tags)):
            return "name tags in `tags`, without #, blanks, commas or line breaks, such as project/boat."
        case "set-property" | "remove-property" if not is_property(change.name) or len(change.value.splitlines()) > 1:
            return "name a property in `name`, with a `value` of one line; tags are added and removed as tags."
        case _:
            return ""


def _texts(change: Change) -> tuple[str, ...]:
    return (change.before, change.after, change.to, change.name, change.value, *change.tags)


def _with_texts(change: Change, texts: Sequence[str]) -> Change:
    before, after, to, name, value, *tags = texts
    return msgspec.structs.replace(change, before=before, after=after, to=to, name=name, value=value, tags=tuple(tags))
