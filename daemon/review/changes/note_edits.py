"""The edits that changes of one note come to, gathered change by change: each costs the same however many there are."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from scrubjay.credential_filter import MARK_START
from scrubjay.daemon.review.changes.frontmatter_text import yaml_span
from scrubjay.daemon.review.changes.note_text import NoteText, TextEdit, collision
from scrubjay.daemon.review.changes.property_changes import with_properties
from scrubjay.daemon.review.changes.refusal import ChangeRefused
from scrubjay.daemon.review.changes.tag_changes import retagged
from scrubjay.daemon.review.proposal import Change

_LINE_ENDS = frozenset("\r\n")


class NoteEdits:
    """What becomes of one note. Moves aside, which are no edits of it."""

    def __init__(self, before: bytes) -> None:
        """Raises ChangeRefused for what is no text."""
        self.before = before
        self._note = NoteText.of(before)
        self._replaced: list[TextEdit] = []  # in order, none over another
        self._front = _Front()
        self._appended: list[str] = []

    @property
    def edits(self) -> list[TextEdit]:
        """Edits of the note as it was; those at one place in the order in which they are to stand there."""
        return [*self._front.edits, *self._replaced, *([self._added()] if self._appended else [])]

    def check(self, changes: Sequence[Change]) -> None:
        """Raises ChangeRefused where one of these can't be made, also beside those that there are."""
        self._checked(changes)

    def add(self, changes: Sequence[Change]) -> None:
        """Have these made too. Raises ChangeRefused, with all as before, as `check`."""
        replaced, front = self._checked(changes)
        for edit in replaced:
            insort(self._replaced, edit, key=_place_of)
        self._front = front
        self._appended += (change.after for change in changes if change.action == "append")

    def _checked(self, changes: Sequence[Change]) -> tuple[list[TextEdit], "_Front"]:
        """The edits by which text is replaced, and what becomes of the frontmatter by all changes."""
        for change in changes:
            texts = (change.before, change.after, change.name, change.value, *change.tags)
            if any(MARK_START in text for text in texts):
                raise ChangeRefused(
                    "credential", f"A hidden credential in {change.path} would be touched; edit the note by hand."
                )
        replaced = [self._replacement(change) for change in changes if change.action == "replace"]
        replaced.sort(key=_place_of)
        front = self._front.with_changes(self._note, changes)
        _check(replaced, replaced)
        _check(replaced, self._replaced)
        _check(front.edits, replaced)
        if front is not self._front:
            _check(front.edits, self._replaced)
        return replaced, front

    def _replacement(self, change: Change) -> TextEdit:
        note = self._note
        span = note.line(change.line) if change.line > 0 else None
        if not change.before or _LINE_ENDS & set(change.before):
            raise ChangeRefused(
                "invalid", f"The change of {change.path} does not say what it replaces, within one line."
            )
        if span is None:
            raise _differs(change)
        start, stop = span
        if change.column == 0:
            if note.text[start:stop].count(change.before) != 1:
                raise _differs(change)
            at = note.text.index(change.before, start, stop)
        else:
            at = start + change.column - 1
        end = at + len(change.before)
        if end > stop or note.text[at:end] != change.before:
            raise _differs(change)
        return TextEdit(at, end, note.in_its_line_ends(change.after))

    def _added(self) -> TextEdit:
        text = self._note.text
        lines = "".join(each if each.endswith(("\n", "\r")) else f"{each}\n" for each in self._appended)
        gap = "" if not text or text.endswith(("\n", "\r")) else self._note.line_end
        return TextEdit(len(text), len(text), gap + self._note.in_its_line_ends(lines))


@dataclass(frozen=True, slots=True)
class _Front:
    """What becomes of a note's frontmatter. edits: in order, none over another."""

    add: tuple[str, ...] = ()  # tags
    remove: tuple[str, ...] = ()
    properties: Mapping[str, str | None] = field(default_factory=dict[str, str | None])  # None: to be removed
    edits: tuple[TextEdit, ...] = ()

    def with_changes(self, note: NoteText, changes: Sequence[Change]) -> "_Front":
        """The same with more changes; itself where none is of the frontmatter. Raises ChangeRefused."""
        add = (*self.add, *_named(changes, "add-tags"))
        remove = (*self.remove, *_named(changes, "remove-tags"))
        properties = dict(self.properties)
        for change in changes:
            if change.action in ("set-property", "remove-property"):
                value = change.value if change.action == "set-property" else None
                if properties.setdefault(change.name, value) != value:
                    raise collision()
        if (add, remove, properties) == (self.add, self.remove, self.properties):
            return self
        of_tags, of_properties = retagged(note, add, remove), with_properties(note, properties)
        if of_tags and of_properties and yaml_span(note.text) is None:
            raise collision()  # each would begin a frontmatter
        edits = sorted((*of_tags, *of_properties), key=_place_of)
        _check(edits, edits)
        return _Front(add, remove, properties, tuple(edits))


def _named(changes: Iterable[Change], action: str) -> tuple[str, ...]:
    return tuple(tag for change in changes if change.action == action for tag in change.tags)


def _check(edits: Sequence[TextEdit], others: Sequence[TextEdit]) -> None:
    """Raises ChangeRefused where an edit touches one of the others, which are in order and touch none of their own."""
    for edit in edits:
        at = bisect_left(others, _place_of(edit), key=_place_of)
        beside = [each for each in others[max(at - 1, 0) : at + 2] if each is not edit]
        if any(each.start < edit.stop and edit.start < each.stop for each in beside):
            raise collision()


def _place_of(edit: TextEdit) -> tuple[int, int]:
    return edit.start, edit.stop


def _differs(change: Change) -> ChangeRefused:
    return ChangeRefused(
        "differs", f"Line {change.line} of {change.path} does not hold what would be replaced; it has changed."
    )
