"""Changes and the notes as they are, made into what each file would become; or a reason why not. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from scrubjay.credential_filter import MARK_START
from scrubjay.daemon.review.applying.follow_links import follow, may_matter
from scrubjay.daemon.review.applying.frontmatter_tags import retagged
from scrubjay.daemon.review.applying.note_text import Edit, NoteText, edited
from scrubjay.daemon.review.applying.refusal import Refused
from scrubjay.daemon.review.proposal import Change
from scrubjay.daemon.vault.read import is_note
from scrubjay.profiles.errors import InvalidProfile
from scrubjay.profiles.registry.registry import relative_path

Place: TypeAlias = tuple[str, str]  # vault's name, path

_LINE_ENDS = frozenset("\r\n")


class Notes(Protocol):
    """The files of a profile's vaults, as they are now."""

    def read(self, place: Place) -> bytes:
        """A note's bytes. Raises Refused where there is none that may be read."""
        ...

    def check_target(self, place: Place, source: Place) -> None:
        """Raises Refused unless the note at `source` may be moved to `place`, and nothing is there."""
        ...

    def paths(self, vault: str) -> Sequence[str]:
        """All files of a vault that links can mean."""
        ...


@dataclass(frozen=True, slots=True)
class FilePlan:
    """What becomes of one note."""

    vault: str
    path: str
    to: str  # `path` where it does not move
    before: bytes
    edits: tuple[Edit, ...]  # of the text in `before`

    @property
    def after(self) -> bytes:
        """The note's bytes as they would be."""
        note = NoteText.of(self.before)
        return note.encoded(edited(note.text, self.edits))


@dataclass(frozen=True, slots=True)
class Wanted:
    """The changes of one proposal, which are made together or not at all."""

    key: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Proposals that touch the same notes, and what becomes of these: one unit, made and undone as a whole."""

    keys: tuple[str, ...]
    files: tuple[FilePlan, ...]


def plan(changes: Sequence[Change], notes: Notes) -> tuple[FilePlan, ...]:
    """What the changes make of the notes, those included whose links follow one that moves. Raises Refused.

    Empty where everything is already as wanted.
    """
    touched = _by_place(changes)
    befores = {place: notes.read(place) for place in touched}
    edits = {place: file_edits(befores[place], found) for place, found in touched.items()}
    moves = check_moves(changes, notes)
    for place, to in moves.items():
        for path, found in _following(place, to, notes, befores).items():
            edits.setdefault((place[0], path), []).extend(found)
    made = (
        FilePlan(*place, moves.get(place, place[1]), befores[place], tuple(found))
        for place, found in edits.items()
        if found or place in moves
    )
    return tuple(each for each in made if each.to != each.path or each.after != each.before)


def check_moves(changes: Sequence[Change], notes: Notes) -> Mapping[Place, str]:
    """Where the note that moves, if any, goes. Reads no note. Raises Refused for a place where no note can go."""
    touched = _by_place(changes)
    moves = {place: to for place, found in touched.items() if (to := _target(place, found)) != place[1]}
    if len(moves) > 1:
        raise Refused("invalid", "More than one note would move; notes are moved one at a time.")
    for place, to in moves.items():
        notes.check_target((place[0], to), place)
    return moves


def plan_together(wanted: Iterable[Wanted], notes: Notes) -> tuple[list[Group], dict[str, Refused]]:
    """The plans of many proposals over one state of the notes: groups to be written each at once, and who was refused.

    Proposals that touch the same note are merged where their edits do not meet; where they do, the later one is
    refused. None of them may move a note: a move changes what the others stand on, and is planned alone.
    """
    accepted: list[Wanted] = []
    refused: dict[str, Refused] = {}
    by_place: dict[Place, list[Change]] = {}
    befores: dict[Place, bytes] = {}
    for each in wanted:
        places = {(change.vault, change.path) for change in each.changes}
        try:
            for place in places - befores.keys():
                befores[place] = notes.read(place)
            together = {
                place: [*by_place.get(place, ()), *(c for c in each.changes if (c.vault, c.path) == place)]
                for place in places
            }
            for place, changes in together.items():
                edited(NoteText.of(befores[place]).text, file_edits(befores[place], changes))
        except Refused as error:
            refused[each.key] = error
            continue
        by_place.update(together)
        accepted.append(each)
    return [_group(members, by_place, befores) for members in _joined(accepted)], refused


def file_edits(before: bytes, changes: Sequence[Change]) -> list[Edit]:
    """The edits that the changes of one note, a move aside, come to. Raises Refused."""
    note = NoteText.of(before)
    for change in changes:
        if any(MARK_START in text for text in (change.before, change.after, *change.tags)):
            raise Refused(
                "credential", f"A hidden credential in {change.path} would be touched; edit the note by hand."
            )
    edits = [_replaced(note, change) for change in changes if change.action == "replace"]
    added = [change.after for change in changes if change.action == "append"]
    if added:
        edits.append(_appended(note, added))
    add = [tag for change in changes if change.action == "add-tags" for tag in change.tags]
    remove = [tag for change in changes if change.action == "remove-tags" for tag in change.tags]
    return [*(retagged(note, add, remove) if add or remove else ()), *edits]


def _replaced(note: NoteText, change: Change) -> Edit:
    span = note.line(change.line) if change.line > 0 else None
    if not change.before or _LINE_ENDS & set(change.before):
        raise Refused("invalid", f"The change of {change.path} does not say what it replaces, within one line.")
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
    return Edit(at, end, note.in_its_line_ends(change.after))


def _appended(note: NoteText, added: Sequence[str]) -> Edit:
    lines = "".join(text if text.endswith(("\n", "\r")) else f"{text}\n" for text in added)
    end = len(note.text)
    gap = "" if not note.text or note.text.endswith(("\n", "\r")) else note.line_end
    return Edit(end, end, gap + note.in_its_line_ends(lines))


def _by_place(changes: Sequence[Change]) -> Mapping[Place, Sequence[Change]]:
    touched: dict[Place, list[Change]] = {}
    for change in changes:
        touched.setdefault((change.vault, change.path), []).append(change)
    return touched


def _target(place: Place, changes: Sequence[Change]) -> str:
    """Where the note of these changes goes. Raises Refused for two places, or one outside of the vault."""
    named = {change.to for change in changes if change.action == "move"}
    if not named:
        return place[1]
    if len(named) > 1:
        raise Refused("collides", f"{place[1]} can't move to two places.")
    (to,) = named
    try:
        clean = relative_path(to)
    except InvalidProfile:
        clean = ""
    if clean != to or not is_note(to):
        raise Refused(
            "invalid", f"{place[1]} can't move there: a path inside the vault, with a note's ending, is needed."
        )
    return to


def _following(place: Place, to: str, notes: Notes, befores: dict[Place, bytes]) -> Mapping[str, tuple[Edit, ...]]:
    """The edits of links. Notes that can't be read now have none: what is not allowed is not written."""
    vault, old = place

    def text_of(path: str) -> NoteText | None:
        try:
            data = befores[place] if path == old else notes.read((vault, path))
            if path != old and not may_matter(data, old, to):
                return None
            befores[vault, path] = data
            return NoteText.of(data)
        except Refused:
            return None

    return follow(notes.paths(vault), old, to, text_of)


def _group(members: Sequence[Wanted], by_place: Mapping[Place, list[Change]], befores: Mapping[Place, bytes]) -> Group:
    places = dict.fromkeys((change.vault, change.path) for each in members for change in each.changes)
    plans = (
        FilePlan(*place, place[1], befores[place], tuple(file_edits(befores[place], by_place[place])))
        for place in places
    )
    return Group(tuple(each.key for each in members), tuple(one for one in plans if one.after != one.before))


def _joined(wanted: Sequence[Wanted]) -> list[list[Wanted]]:
    """Those that share a note, directly or by others, together; otherwise in the order given."""
    groups: list[tuple[set[Place], list[Wanted]]] = []
    for each in wanted:
        places = {(change.vault, change.path) for change in each.changes}
        meeting = [group for group in groups if group[0] & places]
        groups = [group for group in groups if not group[0] & places]
        members = [member for group in meeting for member in group[1]]
        groups.append((places.union(*(group[0] for group in meeting)), [*members, each]))
    return [members for _, members in groups]


def moves(wanted: Wanted) -> bool:
    """Whether a note would go elsewhere."""
    return any(change.action == "move" for change in wanted.changes)


def _differs(change: Change) -> Refused:
    return Refused(
        "differs", f"Line {change.line} of {change.path} does not hold what would be replaced; it has changed."
    )
