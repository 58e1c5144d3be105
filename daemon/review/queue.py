"""The proposals of one profile as they are listed: what was found and what programs put forward, with what was said."""

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import msgspec

from scrubjay.daemon.review.answers_given import LATER_NS
from scrubjay.daemon.review.note_sketch import sketch_now
from scrubjay.daemon.review.proposal import KINDS, Answer, Change, Kind, Option, Proposal
from scrubjay.daemon.review.suggestions import changes_of
from scrubjay.profiles.errors import NotFound, UsageError
from scrubjay.profiles.names import fold
from scrubjay.profiles.store import proposals, reads, review_answers
from scrubjay.profiles.store.proposals import KeptProposal, ProposalQuery
from scrubjay.profiles.store.review_answers import AnswerRow, Said, SuggestionRow
from scrubjay.profiles.store.rows import NoteView
from scrubjay.profiles.store.store import Store

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


@dataclass(frozen=True, slots=True)
class Listed:
    """A proposal's place in the order of all profiles: of kinds, the surest first within each."""

    order: tuple[int, float, str, str, str]
    key: str


@dataclass(frozen=True, slots=True)
class Listing:
    """Some of a profile's proposals: the first of them in order, how many there are in all, and of each kind."""

    first: Sequence[Listed]
    total: int
    counts: Mapping[Kind, int]  # that have the answer asked for, whatever else is asked for


class Queue:
    """The proposals of one profile: what was found last, what programs put forward, and what was said yes to and is
    absent. Each is looked at by itself.

    vaults: the names of the profile's vaults, by id. why_absent: why what was said yes to about a note (vault's id,
    path) can't be written, though all was looked at; None: not all was.
    """

    def __init__(
        self,
        store: Store,
        profile: str,
        vaults: Mapping[str, str],
        why_absent: Callable[[str, str], str] | None = None,
    ) -> None:
        self._store = store
        self._profile = profile
        self._vaults = vaults
        self._ids = {name: id_ for id_, name in vaults.items()}
        self._why_absent = why_absent

    def listing(self, wanted: ProposalFilter, most: int) -> Listing:
        """The first `most` of those that are wanted, how many there are, and how many of each kind have the answer."""
        machine, asked = self._store.machine, _asked(wanted)
        of_answer = ProposalQuery(asked.answer, asked.later_ns)
        of_kind = replace(of_answer, kind=asked.kind)
        with self._store.one_snapshot():
            found = self._store.read(proposals.places, machine, asked, most)
            counted = self._store.read(proposals.counts, machine, of_answer)
            passing = counted if asked == of_kind else self._store.read(proposals.counts, machine, asked)
            others = [each for each in self._others(wanted.answer) if each.answer == wanted.answer]
        total = sum(count for kind, count in passing.items() if asked.kind in (None, kind))
        last = list(filter(wanted.has, others))
        first = [
            Listed((each.kind, -each.strength, self._profile, each.vault_name, each.path), each.key) for each in found
        ]
        first += [Listed((_ORDER[each.kind], 0.0, self._profile, each.vault, each.path), each.key) for each in last]
        first.sort(key=lambda each: each.order)
        counts: Counter[Kind] = Counter({KINDS[kind]: count for kind, count in counted.items()})
        counts.update(each.kind for each in others)
        return Listing(first[:most], total + len(last), counts)

    def shown(self, keys: Iterable[str]) -> dict[str, Proposal]:
        """The proposals with these keys, as far as they are still there, by key."""
        wanted = list(keys)
        found = self._store.read(proposals.with_keys, self._store.machine, wanted, _later_ns())
        shown = {key: self._proposal(each) for key, each in found.items()}
        if len(shown) < len(wanted):
            shown |= {each.key: each for each in self._others() if each.key in wanted}
        return shown

    def get(self, key: str) -> Proposal:
        """The proposal with this key, whatever was said of it. Raises ProposalNotFound."""
        if found := self._found(key):
            return self._proposal(found)
        for proposal in (*self.suggested(key), *self._absent(review_answers.answers_to(self._store, [key]), ())):
            return proposal
        raise ProposalNotFound("There is no such proposal now; its note may have changed. List them again.")

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
        if chosen is None:
            before = review_answers.answers_to(self._store, [key])
            chosen = before[0].chosen if before else [id_ for id_, is_on in options.items() if is_on]
        if answer == "yes" and options and not chosen:
            raise UsageError(
                "Choose one of its options first (`scrubjay review show` numbers them, `--only 1` takes the first):"
                " none is sure enough to be taken unasked."
            )
        review_answers.put_answers(self._store, [self._answer(key, proposal, answer, tuple(chosen))])

    def refuse_suggested(self, by: str | None) -> int:
        """Say no to what waits, or is put off, of all programs' proposals, or of those by this name; how many."""
        waiting = [each for each in self.suggested() if each.answer in ("open", "later") and by in (None, each.by)]
        review_answers.put_answers(self._store, [self._answer(each.key, each, "no", ()) for each in waiting])
        return len(waiting)

    def suggested(self, key: str | None = None) -> list[Proposal]:
        """What programs put forward, the oldest first; or the one with a key.

        A suggestion of which a note is not in the index, an excluded one say, is not among them.
        """
        rows = review_answers.suggestions(self._store, key)
        notes = self._store.read(reads.notes, [row.note_id for row in rows])
        said = {answer.key: answer for answer in review_answers.answers_to(self._store, [row.key for row in rows])}
        found: list[Proposal] = []
        for row in rows:
            if (note := notes.get(row.note_id)) is None:
                continue
            vault = self._vaults.get(note.vault, note.vault)
            changes = changes_of(row, vault, note.path, self._has_note)
            places = {(each.vault, each.path) for each in changes} - {(vault, note.path)}
            if all(self._has_note(*place) for place in places):
                found.append(self._shown_suggestion(row, note, changes, said.get(row.key)))
        return found

    def _others(self, answer: Answer = "yes") -> list[Proposal]:
        """All that was not found: what programs put forward, and (of yes alone) what was said yes to and is absent."""
        suggested = self.suggested()
        if self._why_absent is None or answer != "yes":
            return suggested
        accepted = review_answers.accepted(self._store)
        keys = [row.key for row in accepted]
        used = self._store.read(proposals.stand_for, self._store.machine, keys) | {each.key for each in suggested}
        return [*suggested, *self._absent(accepted, used)]

    def _absent(self, answers: Iterable[AnswerRow], used: Collection[str]) -> Iterator[Proposal]:
        """What was said yes to and is no proposal now. used: keys of what is one.

        A hint changes nothing, so nothing of it can be missing.
        """
        if self._why_absent is None:
            return
        for row in answers:
            if row.answer == "yes" and row.chosen and row.key not in used:
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

    def _has_note(self, vault: str, path: str) -> bool:
        return self._is_there(self._ids.get(vault, vault), path)

    def _is_there(self, vault: str, path: str) -> bool:
        return self._store.read(reads.note_by_path, vault, path) is not None

    def _found(self, key: str) -> KeptProposal | None:
        return self._store.read(proposals.with_keys, self._store.machine, [key], _later_ns()).get(key)

    def _take_back(self, key: str) -> None:
        """Ask again. An answer that stands by that of an earlier text is taken back with that one."""
        found = self._found(key)
        review_answers.change_answer(self._store, key, None)
        if found is None:
            return
        row, kind = found.row, KINDS[found.row.kind]
        for said in review_answers.answers_about(self._store, row.vault, row.path, row.digest):
            if (said.kind, said.subject) == (kind, row.subject) and (
                (said.vault, said.path) == (row.vault, row.path)
                or (said.digest == row.digest and not self._is_there(said.vault, said.path))
            ):
                review_answers.change_answer(self._store, said.key, None)

    def _answer(self, key: str, proposal: Proposal, said: Said, chosen: tuple[str, ...]) -> AnswerRow:
        now, found = time.time_ns(), self._found(key)
        if found is None:
            vault = self._ids.get(proposal.vault, proposal.vault)
            return AnswerRow(key, proposal.kind, vault, proposal.path, b"", b"", b"", said, chosen, now)
        row = found.row
        sketch = sketch_now(self._store, row.note_id).astype("<u4").tobytes()
        return AnswerRow(key, proposal.kind, row.vault, row.path, row.subject, row.digest, sketch, said, chosen, now)

    def _proposal(self, kept: KeptProposal) -> Proposal:
        shown = msgspec.json.decode(kept.row.body, type=Proposal)
        said = {"answer": kept.answer, "chosen": kept.chosen, "profile": self._profile}
        return msgspec.structs.replace(shown, **said)

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


def _asked(wanted: ProposalFilter) -> ProposalQuery:
    kind = None if wanted.kind is None else _ORDER[wanted.kind]
    return ProposalQuery(wanted.answer, _later_ns(), kind, wanted.vault, wanted.path, wanted.folder)


def _later_ns() -> int:
    return time.time_ns() - LATER_NS


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
