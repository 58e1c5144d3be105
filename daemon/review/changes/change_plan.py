"""Changes and the notes as they are, made into what each file would become; or a reason why not. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from scrubjay.daemon.review.changes.link_changes import follow, may_matter
from scrubjay.daemon.review.changes.note_edits import NoteEdits
from scrubjay.daemon.review.changes.note_text import NoteText, TextEdit, edited
from scrubjay.daemon.review.changes.refusal import ChangeRefused
from scrubjay.daemon.review.proposal import Change
from scrubjay.daemon.vault.read import is_note
from scrubjay.profiles.errors import InvalidProfile
from scrubjay.profiles.registry.registry import relative_path

Place: TypeAlias = tuple[str, str]  # vault's name, path


class VaultFiles(Protocol):
    """The files of a profile's vaults, as they are now."""

    def read(self, place: Place) -> bytes:
        """A note's bytes. Raises ChangeRefused where there is none that may be read."""
        ...

    def check_target(self, place: Place, source: Place) -> None:
        """Raises ChangeRefused unless the note at `source` may be moved to `place`, and nothing is there."""
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
    edits: tuple[TextEdit, ...]  # of the text in `before`
    raw: bool = False  # whether the edits are of its bytes, see `NoteText.of`

    @property
    def after(self) -> bytes:
        """The note's bytes as they would be."""
        note = NoteText.of(self.before, raw=self.raw)
        return note.encoded(edited(note.text, self.edits))


@dataclass(frozen=True, slots=True)
class ProposalChanges:
    """The changes of one proposal, which are made together or not at all."""

    key: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Proposals that touch the same notes, and what becomes of these: one unit, made and undone as a whole."""

    keys: tuple[str, ...]
    files: tuple[FilePlan, ...]


def plan(changes: Sequence[Change], notes: VaultFiles) -> tuple[FilePlan, ...]:
    """What the changes make of the notes, those included whose links follow one that moves. Raises ChangeRefused.

    Empty where everything is already as wanted.
    """
    touched = _by_place(changes)
    befores = {place: notes.read(place) for place in touched}
    made = {place: NoteEdits(before) for place, before in befores.items()}
    _add(touched, made)
    edits = {place: each.edits for place, each in made.items()}
    moves = check_moves(changes, notes)
    for place, to in moves.items():
        for path, found in _following(place, to, notes, befores).items():
            edits.setdefault((place[0], path), []).extend(found)
    plans = (
        FilePlan(*place, moves.get(place, place[1]), befores[place], tuple(found))
        for place, found in edits.items()
        if found or place in moves
    )
    return tuple(each for each in plans if each.to != each.path or each.after != each.before)


def check_moves(changes: Sequence[Change], notes: VaultFiles) -> Mapping[Place, str]:
    """Where the note that moves, if any, goes. Reads no note. Raises ChangeRefused for a place where no note can go."""
    touched = _by_place(changes)
    moves = {place: to for place, found in touched.items() if (to := _target(place, found)) != place[1]}
    if len(moves) > 1:
        raise ChangeRefused("invalid", "More than one note would move; notes are moved one at a time.")
    for place, to in moves.items():
        notes.check_target((place[0], to), place)
    return moves


def plan_together(wanted: Iterable[ProposalChanges], notes: VaultFiles) -> tuple[list[Group], dict[str, ChangeRefused]]:
    """The plans of many proposals over one state of the notes: groups to be written each at once, and who was refused.

    Proposals that touch the same note are merged where their edits do not meet; where they do, the later one is
    refused. None of them may move a note: a move changes what the others stand on, and is planned alone.
    """
    accepted: list[ProposalChanges] = []
    refused: dict[str, ChangeRefused] = {}
    made: dict[Place, NoteEdits] = {}
    for each in wanted:
        by_place = _by_place(each.changes)
        try:
            for place in by_place.keys() - made.keys():
                made[place] = NoteEdits(notes.read(place))
            _add(by_place, made)
        except ChangeRefused as error:
            refused[each.key] = error
            continue
        accepted.append(each)
    return [_group(members, made) for members in _joined(accepted)], refused


def _by_place(changes: Iterable[Change]) -> dict[Place, list[Change]]:
    found: dict[Place, list[Change]] = {}
    for change in changes:
        found.setdefault((change.vault, change.path), []).append(change)
    return found


def _add(by_place: Mapping[Place, Sequence[Change]], made: Mapping[Place, NoteEdits]) -> None:
    """Add changes to what becomes of their notes: all or, where that is refused, none."""
    for place, changes in by_place.items():
        made[place].check(changes)
    for place, changes in by_place.items():
        made[place].add(changes)


def _target(place: Place, changes: Sequence[Change]) -> str:
    """Where the note of these changes goes. Raises ChangeRefused for two places, or one outside of the vault."""
    named = {change.to for change in changes if change.action == "move"}
    if not named:
        return place[1]
    if len(named) > 1:
        raise ChangeRefused("collides", f"{place[1]} can't move to two places.")
    (to,) = named
    try:
        clean = relative_path(to)
    except InvalidProfile:
        clean = ""
    if clean != to or not is_note(to):
        raise ChangeRefused(
            "invalid", f"{place[1]} can't move there: a path inside the vault, with a note's ending, is needed."
        )
    return to


def _following(
    place: Place, to: str, notes: VaultFiles, befores: dict[Place, bytes]
) -> Mapping[str, tuple[TextEdit, ...]]:
    """The edits of links. Notes that can't be read now have none: what is not allowed is not written."""
    vault, old = place

    def text_of(path: str) -> NoteText | None:
        try:
            data = befores[place] if path == old else notes.read((vault, path))
            if path != old and not may_matter(data, old, to):
                return None
            befores[vault, path] = data
            return NoteText.of(data)
        except ChangeRefused:
            return None

    return follow(notes.paths(vault), old, to, text_of)


def _group(members: Sequence[ProposalChanges], made: Mapping[Place, NoteEdits]) -> Group:
    places = dict.fromkeys((change.vault, change.path) for each in members for change in each.changes)
    plans = (FilePlan(*place, place[1], made[place].before, tuple(made[place].edits)) for place in places)
    return Group(tuple(each.key for each in members), tuple(one for one in plans if one.after != one.before))


def _joined(wanted: Sequence[ProposalChanges]) -> Iterable[list[ProposalChanges]]:
    """Those that share a note, directly or by others, together; otherwise in the order given."""
    leaders = list(range(len(wanted)))  # of each the number of one that it goes together with; of the first, its own

    def leader(number: int) -> int:
        while leaders[number] != number:
            leaders[number] = leaders[leaders[number]]
            number = leaders[number]
        return number

    of_place: dict[Place, int] = {}
    for number, each in enumerate(wanted):
        for change in each.changes:
            one, other = leader(of_place.setdefault((change.vault, change.path), number)), leader(number)
            leaders[max(one, other)] = min(one, other)
    groups: dict[int, list[ProposalChanges]] = {}
    for number, each in enumerate(wanted):
        groups.setdefault(leader(number), []).append(each)
    return groups.values()


def moves(wanted: ProposalChanges) -> bool:
    """Whether a note would go elsewhere."""
    return any(change.action == "move" for change in wanted.changes)
