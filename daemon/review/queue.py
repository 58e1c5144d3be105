"""The proposals of one profile as they are listed: what was found and what programs put forward, with what was said."""

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast, get_args

from scrubjay.daemon.review.answers_given import Asked, answered
from scrubjay.daemon.review.finder import FoundProposal
from scrubjay.daemon.review.proposal import Answer, Change, Kind, Option, Proposal
from scrubjay.daemon.review.suggestions import changes_of
from scrubjay.profiles.errors import NotFound, UsageError
from scrubjay.profiles.names import fold
from scrubjay.profiles.store import reads, review_answers
from scrubjay.profiles.store.near_copies import sketch_of
from scrubjay.profiles.store.review_answers import AnswerRow, SuggestionRow
from scrubjay.profiles.store.rows import NoteView
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.store.subjects import subject_digest

KINDS: tuple[Kind, ...] = get_args(Kind)
ALL_CHANGES = "all"
"""The id of the one option of what a program put forward."""

_ORDER: Mapping[Kind, int] = {kind: place for place, kind in enumerate(KINDS)}


class ProposalNotFound(NotFound):
    """No proposal of this profile has this key now, and none had that was answered."""

    code = "proposal-not-found"


@dataclass(frozen=True, slots=True)
class ProposalFilter:
    """Which proposals to list; None: any."""

    vault: str | None = None  # name
    kind: Kind | None = None
    folder: str | None = None  # with those below it
    path: str | None = None
    answer: Answer = "open"

    def has(self, proposal: Proposal) -> bool:
        """Whether a proposal is among them."""
        return (
            self.answer == proposal.answer
            and self.kind in (None, proposal.kind)
            and self.vault in (None, proposal.vault)
            and self.path in (None, proposal.path)
            and (self.folder is None or fold(proposal.path).startswith(f"{fold(self.folder).strip('/')}/"))
        )


class Queue:
    """The proposals of one profile. One that is named is looked at alone, however many there are.

    vaults: the names of the profile's vaults, by id. found: by key. why_absent: why what was said yes to about a note
    (vault's id, path) can't be written, though all was looked at; None: not all was.
    """

    def __init__(
        self,
        store: Store,
        profile: str,
        vaults: Mapping[str, str],
        found: Mapping[str, FoundProposal],
        why_absent: Callable[[str, str], str] | None = None,
    ) -> None:
        self._store = store
        self._profile = profile
        self._vaults = vaults
        self._ids = {name: id_ for id_, name in vaults.items()}
        self._found = found
        self._why_absent = why_absent

    def proposals(self) -> list[Proposal]:
        """All of them, in the order of kinds, the surest first within each; also what was said yes to and is absent.

        A suggestion of which a note is not in the index, an excluded one say, is not among them.
        """
        answers = review_answers.answers(self._store)
        by_key = {row.key: row for row in answers}
        asked = self._asked(self._found, answers)
        listed = [self._shown(each) for each in asked]
        listed += self._suggested(review_answers.suggestions(self._store), by_key)
        listed += self._absent(answers, {each.said for each in asked} | {each.key for each in listed})
        return in_order(listed)

    def get(self, key: str) -> Proposal:
        """The proposal with this key, whatever was said of it. Raises ProposalNotFound."""
        said = review_answers.answer_to(self._store, key)
        if found := self._found.get(key):
            rows = self._about(found) if said is None else (said,)
            return self._shown(self._asked({key: found}, rows)[0])
        for suggestion in self._suggested(review_answers.suggestions(self._store, key), {key: said} if said else {}):
            return suggestion
        for absent in self._absent(() if said is None else (said,), ()):
            return absent
        raise ProposalNotFound("There is no such proposal now; its note may have changed. List them again.")

    def _asked(self, found: Mapping[str, FoundProposal], rows: Sequence[AnswerRow]) -> list[Asked]:
        return answered(found, rows, partial(sketch_of, self._store), self._is_there, time.time_ns())

    def _about(self, found: FoundProposal) -> tuple[AnswerRow, ...]:
        return review_answers.answers_about(self._store, found.note.vault, found.note.path, found.note.digest)

    def _is_there(self, vault: str, path: str) -> bool:
        return self._store.read(reads.note_by_path, vault, path) is not None

    def decide(self, key: str, answer: Answer, chosen: Sequence[str] | None) -> None:
        """Keep what the user says of a proposal. chosen: ids of options; None: those that are proposed, or as before.

        What was answered before can be answered again though its note has changed since. Raises ProposalNotFound, or
        UsageError for an option that the proposal does not have, and for a yes to none of its options.
        """
        try:
            proposal = self.get(key)
        except ProposalNotFound:
            if not review_answers.change_answer(self._store, key, None if answer == "open" else answer, chosen):
                raise
            return
        if proposal.absent and answer != "open":
            review_answers.change_answer(self._store, key, answer, chosen)
            return
        options = {option.id: option.chosen for option in proposal.options}
        if unknown := set(chosen or ()) - options.keys():
            raise UsageError(f"The proposal has no such option: {len(unknown)} of those chosen are unknown.")
        if answer == "open":
            self._take_back(key)
            return
        before = review_answers.answer_to(self._store, key)
        kept = (
            chosen if chosen is not None else before.chosen if before else [o for o, is_on in options.items() if is_on]
        )
        if answer == "yes" and options and not kept:
            raise UsageError("Choose one of its options first; none of them is sure enough to be taken unasked.")
        review_answers.put_answers(self._store, [self._row(key, proposal, answer, tuple(kept))])

    def refuse_suggested(self, by: str | None) -> int:
        """Say no to what waits, or is put off, of all programs' proposals, or of those by this name; how many."""
        waiting = [
            each
            for each in self.proposals()
            if each.kind == "suggested" and each.answer in ("open", "later") and by in (None, each.by)
        ]
        review_answers.put_answers(self._store, [self._row(each.key, each, "no", ()) for each in waiting])
        return len(waiting)

    def _take_back(self, key: str) -> None:
        """Ask again. An answer that stands by that of an earlier text is taken back with that one."""
        review_answers.change_answer(self._store, key, None)
        if found := self._found.get(key):
            subject, note = subject_digest(found.subject), found.note
            for row in self._about(found):
                if (row.kind, row.subject) == (found.kind, subject) and (
                    (row.vault, row.path) == (note.vault, note.path)
                    or (row.digest == note.digest and not self._is_there(row.vault, row.path))
                ):
                    review_answers.change_answer(self._store, row.key, None)

    def _row(self, key: str, proposal: Proposal, answer: review_answers.Said, chosen: tuple[str, ...]) -> AnswerRow:
        now = time.time_ns()
        found = self._found.get(key)
        if found is None:
            vault = self._ids.get(proposal.vault, proposal.vault)
            return AnswerRow(key, proposal.kind, vault, proposal.path, b"", b"", b"", answer, chosen, now)
        note = found.note
        sketch = sketch_of(self._store, note.note_id).astype("<u4").tobytes()
        subject = subject_digest(found.subject)
        return AnswerRow(key, proposal.kind, note.vault, note.path, subject, note.digest, sketch, answer, chosen, now)

    def _shown(self, asked: Asked) -> Proposal:
        found = asked.found
        return Proposal(
            key=asked.key,
            kind=found.kind,
            profile=self._profile,
            vault=self._vaults.get(found.note.vault, found.note.vault),
            path=found.note.path,
            title=found.note.title,
            line=found.line,
            quote=found.quote,
            detail=found.detail,
            others=found.others,
            scores=found.scores,
            options=found.options,
            strength=found.strength,
            answer=asked.answer,
            chosen=asked.chosen,
        )

    def _suggested(self, rows: Sequence[SuggestionRow], said: Mapping[str, AnswerRow]) -> Iterator[Proposal]:
        """What programs put forward, where all notes that it would change are in the index."""
        notes = self._store.read(reads.notes, [row.note_id for row in rows])
        for row in rows:
            if (note := notes.get(row.note_id)) is None:
                continue
            vault = self._vaults.get(note.vault, note.vault)
            changes = changes_of(row, vault, note.path, self._has_note)
            places = {(each.vault, each.path) for each in changes} - {(vault, note.path)}
            if all(self._has_note(*place) for place in places):
                yield self._shown_suggestion(row, note, changes, said.get(row.key))

    def _has_note(self, vault: str, path: str) -> bool:
        return self._is_there(self._ids.get(vault, vault), path)

    def _absent(self, answers: Sequence[AnswerRow], used: Collection[str]) -> Iterator[Proposal]:
        """What was said yes to and is no proposal now. used: keys of what is one.

        What was said later of the same thing takes the place of what was said before. A hint changes nothing, so
        nothing of it can be missing.
        """
        if self._why_absent is None:
            return
        last = {(row.kind, row.vault, row.path, row.subject): row.key for row in answers if row.subject}
        for row in answers:
            is_last = last.get((row.kind, row.vault, row.path, row.subject), row.key) == row.key
            if row.answer == "yes" and row.chosen and is_last and row.key not in used:
                yield Proposal(
                    key=row.key,
                    kind=cast("Kind", row.kind),
                    profile=self._profile,
                    vault=self._vaults.get(row.vault, row.vault),
                    path=row.path,
                    title="",
                    answer="yes",
                    chosen=row.chosen,
                    absent=self._why_absent(row.vault, row.path),
                )

    def _shown_suggestion(
        self, row: SuggestionRow, note: NoteView, changes: tuple[Change, ...], said: AnswerRow | None
    ) -> Proposal:
        vault = self._vaults.get(note.vault, note.vault)
        return Proposal(
            key=row.key,
            kind="suggested",
            profile=self._profile,
            vault=vault,
            path=note.path,
            title=note.title,
            detail=f"{row.name}: {row.why}",
            by=row.name,
            options=(Option(id=ALL_CHANGES, label=row.why, changes=changes),),
            answer=said.answer if said else "open",
            chosen=said.chosen if said else (),
        )


def in_order(proposals: Iterable[Proposal]) -> list[Proposal]:
    """In the order of kinds, the surest first within each."""
    return sorted(proposals, key=lambda each: (_ORDER[each.kind], -each.strength, each.profile, each.vault, each.path))


def counts(proposals: Iterable[Proposal], answer: Answer) -> dict[Kind, int]:
    """How many have an answer, of each kind that has any, in the order of kinds."""
    counted = Counter(each.kind for each in proposals if each.answer == answer)
    return {kind: counted[kind] for kind in KINDS if counted[kind]}


def chosen_changes(proposal: Proposal, chosen: Sequence[str] | None) -> tuple[Change, ...]:
    """What a yes changes. chosen: ids of options; None: those that were chosen, or that are proposed.

    Raises UsageError for an option that the proposal does not have.
    """
    if chosen is None:
        chosen = proposal.chosen or [option.id for option in proposal.options if option.chosen]
    options = {option.id: option.changes for option in proposal.options}
    if unknown := set(chosen) - options.keys():
        raise UsageError(f"The proposal has no such option: {len(unknown)} of those chosen are unknown.")
    return tuple(change for option in proposal.options if option.id in chosen for change in options[option.id])
