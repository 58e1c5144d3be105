"""New notes in the folder that a vault names as its inbox: how good they are, where they belong, with what.

Four grounds, each a number from 0 to 1 with its reason in a few words; and a folder, tags and links from the notes that
are nearest in meaning. Nothing moves by itself.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scrubjay.daemon.review.finder import FoundProposal
from scrubjay.daemon.review.finders.tag_evidence import TagEvidence
from scrubjay.daemon.review.finders.tag_model import TagModel, learned
from scrubjay.daemon.review.finders.untagged import tag_option
from scrubjay.daemon.review.proposal import Change, Ground, Kind, Option, Other, Score
from scrubjay.daemon.review.review_notes import ReviewNotes
from scrubjay.daemon.vault.read import name_of
from scrubjay.profiles.names import fold, link_key
from scrubjay.profiles.store.note_texts import StoredNote

MOST_NOTES = 500
"""New notes of one inbox that are looked at, the newest first."""

_NEIGHBOURS = 15
_FOLDERS = 3  # offered; the first is chosen where it has this share of the neighbours' weight
_CHOSEN_SHARE, _LEAST_SHARE = 0.5, 0.2
_LINKS, _LINK_FROM = 3, 0.5  # cosine of the mean vectors
_FAR, _NEAR = 0.2, 0.6  # cosine of a note about nothing that the vault knows, and of one about just that
_NEW, _KNOWN_ALREADY = 0.75, 0.97  # cosine of the nearest note: it says something else; it says the same
_ENOUGH_LINKS = 3
_ENOUGH_WORDS = 60
_UNFINISHED = re.compile(r"\b(?:TODO|FIXME|TBD|XXX)\b|^#{1,6}[ \t]*$|[-*][ \t]\[ \]|\.\.\.\s*$|…\s*$", re.MULTILINE)
_NO_NAME = re.compile(r"(?:untitled|unbenannt|sans titre|sin título|无标题|無題|未命名)(?:\s*\d+)?")


@dataclass(frozen=True, slots=True)
class _Near:
    note: StoredNote
    likeness: float  # cosine


class Intake:
    """Looks at the notes in the inboxes."""

    kinds: tuple[Kind, ...] = ("intake",)

    def find(self, notes: ReviewNotes) -> Iterator[FoundProposal]:
        """One proposal a note that waits in an inbox."""
        for vault, inbox in sorted(notes.inboxes.items()):
            members = notes.by_vault.get(vault, ())
            inside = f"{link_key(inbox)}/"
            waiting = [note for note in members if link_key(note.path).startswith(inside)]
            waiting = sorted(waiting, key=lambda note: (-note.mtime_ns, note.path))[:MOST_NOTES]
            if waiting:
                look = _Look(notes, members, {note.note_id for note in waiting}, inside)
                for note in waiting:
                    yield look.proposal(note)


class _Look:
    """One look at an inbox, with what its vault knows."""

    def __init__(self, notes: ReviewNotes, members: Sequence[StoredNote], waiting: set[int], inside: str) -> None:
        self._notes = notes
        self._waiting = waiting
        self._view = notes.link_view
        self._evidence = TagEvidence(notes, members)
        model = learned(self._evidence, members)
        self._model: TagModel | None = model if model is not None and model.checked.is_good_enough else None
        self._paths = {link_key(note.path) for note in members}
        self._inside = inside

    def proposal(self, note: StoredNote) -> FoundProposal:
        """What there is to say of a note."""
        near = [
            _Near(self._notes.by_id[other], likeness)
            for other, likeness in self._evidence.nearest(note.note_id, _NEIGHBOURS + len(self._waiting))
            if not link_key(self._notes.by_id[other].path).startswith(self._inside)
        ][:_NEIGHBOURS]
        scores = (self._known(near), self._new(near), self._linked(note), self._complete(note))
        options = (*self._folders(note, near), *self._tags(note), *self._links(note, near))
        return FoundProposal(
            kind="intake",
            note=note,
            detail=note.path.rpartition("/")[0],
            others=tuple(self._other(each) for each in near[:_LINKS]),
            scores=scores,
            options=options,
            strength=round(sum(score.value for score in scores) / len(scores), 3),
        )

    def _other(self, near: _Near) -> Other:
        return self._notes.other(near.note, score=round(max(near.likeness, 0.0), 3))

    def _known(self, near: Sequence[_Near]) -> Score:
        """Whether it is about something that the vault knows: how near its nearest five notes are."""
        five = [each.likeness for each in near[:5]]
        mean = sum(five) / len(five) if five else 0.0
        return _score("known", (mean - _FAR) / (_NEAR - _FAR), ", ".join(each.note.title for each in near[:2]))

    def _new(self, near: Sequence[_Near]) -> Score:
        """Whether it is not there already: how far the nearest note is."""
        nearest = near[0].likeness if near else 0.0
        says_it = near[0].note.title if nearest > _NEW else ""
        return _score("new", (_KNOWN_ALREADY - nearest) / (_KNOWN_ALREADY - _NEW), says_it)

    def _linked(self, note: StoredNote) -> Score:
        graph = self._notes.graph
        row = graph.row_of.get(note.note_id)
        count = 0 if row is None else len(graph.both.of(row))
        return _score("linked", count / _ENOUGH_LINKS, str(count))

    def _complete(self, note: StoredNote) -> Score:
        """Whether it has a name, some text, and nothing that says that it goes on."""
        texts = [passage.text for _, passages in self._notes.passages([note.note_id]) for passage in passages]
        open_ends = [match[0].strip() for text in texts for match in _UNFINISHED.finditer(text)]
        has_name = not _NO_NAME.fullmatch(fold(note.title))
        length = min(note.words / _ENOUGH_WORDS, 1.0)
        value = length * (1.0 if has_name else 0.5) * (1.0 if not open_ends else 0.5)
        why = open_ends[0] if open_ends and open_ends[0] else note.title if not has_name else str(note.words)
        return _score("complete", value, why)

    def _folders(self, note: StoredNote, near: Sequence[_Near]) -> Iterator[Option]:
        weights: defaultdict[str, float] = defaultdict(float)
        for each in near:
            weights[each.note.path.rpartition("/")[0]] += max(each.likeness, 0.0) ** 4
        whole = sum(weights.values()) or 1.0
        best = sorted(weights, key=lambda folder: (-weights[folder], folder))[:_FOLDERS]
        for place, folder in enumerate(best):
            share = weights[folder] / whole
            to = f"{folder}/{name_of(note.path)}" if folder else name_of(note.path)
            if share < _LEAST_SHARE or link_key(to) in self._paths:
                continue
            change = Change(action="move", vault=self._notes.vault_name(note), path=note.path, to=to)
            is_chosen = place == 0 and share >= _CHOSEN_SHARE
            yield Option(
                id=f"folder:{folder}", label=folder or "/", changes=(change,), chosen=is_chosen, score=round(share, 3)
            )

    def _tags(self, note: StoredNote) -> Iterator[Option]:
        if self._model is None:
            return
        own = {fold(tag) for tag in note.tags}
        for tag, likelihood in self._model.likely([note.note_id]).get(note.note_id, []):
            if fold(tag) not in own:
                yield tag_option(self._notes.vault_name(note), note.path, tag, likelihood)

    def _links(self, note: StoredNote, near: Sequence[_Near]) -> Iterator[Option]:
        """Links at the end of the note to the notes nearest to it; none is chosen until a person does."""
        graph = self._notes.graph
        row = graph.row_of.get(note.note_id)
        if row is None:
            return
        linked: set[int] = set(graph.ids[graph.both.of(row)].tolist())
        for each in near[:_LINKS]:
            if each.likeness < _LINK_FROM or each.note.note_id in linked or each.note.note_id not in self._view.names:
                continue
            written = self._view.writer.written(note.note_id, each.note.note_id, each.note.title)
            if written is None:
                continue
            change = Change(action="append", vault=self._notes.vault_name(note), path=note.path, after=f"- {written}")
            yield Option(
                id=f"link:{each.note.path}",
                label=written,
                changes=(change,),
                chosen=False,
                score=round(min(each.likeness, 1.0), 3),
            )


def _score(ground: Ground, value: float, why: str) -> Score:
    return Score(ground=ground, value=round(min(max(value, 0.0), 1.0), 2), why=why)
