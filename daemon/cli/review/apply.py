"""Writing what was accepted into the notes, by this process of the user's, and taking it back."""

import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from scrubjay.credential_filter import redact_text
from scrubjay.daemon.cli.output import plural, warn
from scrubjay.daemon.cli.profile.common import Passphrases, custody, digest_key, opened, registry
from scrubjay.daemon.cli.review import requests
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.review.changes.change_plan import (
    FilePlan,
    Group,
    Place,
    ProposalChanges,
    moves,
    plan,
    plan_together,
)
from scrubjay.daemon.review.changes.diff import patch
from scrubjay.daemon.review.changes.disk_notes import DiskNotes
from scrubjay.daemon.review.changes.note_writer import NoteWriter
from scrubjay.daemon.review.changes.refusal import ChangeRefused
from scrubjay.daemon.review.changes.undo_records import UndoRecords, is_old, new_run, run_time_ns
from scrubjay.daemon.review.changes.write_report import ApplyReport, NotWritten, short_name
from scrubjay.daemon.review.proposal import Answer, Proposal
from scrubjay.daemon.server.endpoints.edit import NoteEdit
from scrubjay.daemon.server.endpoints.review import REVIEW_DECIDE, ReviewDecideAsk
from scrubjay.daemon.transport import ApiError
from scrubjay.profiles.digests import bytes_digest
from scrubjay.profiles.private_files import locked
from scrubjay.profiles.registry.registry import Profile


@dataclass(slots=True)
class Patch:
    """The changes as a patch, and why some are not in it."""

    text: str = ""
    refused: list[str] = field(default_factory=list[str])


def apply_all(
    client: ScrubjayClient,
    accepted: list[Proposal],
    profile: str | None,
    *,
    consents: Callable[[str], bool],
    passphrases: Passphrases,
) -> ApplyReport:
    """Write these proposals, each as it was accepted, and mark those that were written as done.

    What a killed process left is put back first, in the one profile or all, also where nothing is written now.
    consents: asked before anything of a profile is written, where that ends the way back of earlier runs; nothing of it
    is written where it says no. Raises ApiError, ProfileError.
    """
    report = ApplyReport()
    run = new_run(time.time_ns())
    wanted = dict.fromkeys(each.profile for each in accepted)
    for each in [registry().get(profile)] if profile else registry().list():
        if each.name in wanted or (records_of(each, None).is_unfinished and not passphrases.leave_closed(each)):
            with writing_into(each, passphrases) as (profile_now, writer, records):
                of_profile = [proposal for proposal in accepted if proposal.profile == each.name]
                if of_profile:
                    _apply(client, profile_now, of_profile, _Run(writer, records, run, report), consents)
    return report


def put_back_unfinished(profiles: Sequence[str], passphrases: Passphrases) -> list[str]:
    """Put back what a killed process left in notes of these profiles, or of all; the names of those that had some.

    Raises ProfileError.
    """
    had: list[str] = []
    for each in [registry().get(name) for name in profiles] or registry().list():
        if records_of(each, None).is_unfinished and not passphrases.leave_closed(each):
            with writing_into(each, passphrases):
                had.append(each.name)
    return had


def write_edit(edited: Sequence[NoteEdit], *, consents: Callable[[str], bool], passphrases: Passphrases) -> ApplyReport:
    """Write one edit of many notes as it was shown, each note by itself: one that is another by now is left out, and
    named. All of it is one run. consents: as `apply_all`. Raises ProfileError.
    """
    report = ApplyReport()
    run_id = new_run(time.time_ns())
    for name in dict.fromkeys(each.profile for each in edited):
        of_profile = [each for each in edited if each.profile == name]
        with writing_into(registry().get(name), passphrases) as (profile, writer, records):
            run = _Run(writer, records, run_id, report)
            shown = {(each.file.vault, each.file.path): each.file.digest for each in of_profile}
            notes = _AsShown(profile, shown, run)
            now = time.time_ns()
            outdated = records.outdated(now, len(of_profile))
            if not _may_forget(profile, [each for each in outdated if not is_old(each, now)], consents):
                continue
            for each in of_profile:
                try:
                    run.write(Group((), plan(each.changes, notes)))
                except ChangeRefused as refusal:
                    report.refused.append(NotWritten(each.file.path, (), str(refusal)))
            if run.left:
                records.forget(outdated)
    return report


def whole_patch(client: ScrubjayClient, accepted: list[Proposal], vault: str | None) -> Patch:
    """What apply would write, as a patch of one vault; what holds a credential is left out."""
    made = Patch()
    files: list[FilePlan] = []
    for name in dict.fromkeys(each.profile for each in accepted):
        profile = registry().get(name)
        wanted, _, refused = _wanted(client, [each for each in accepted if each.profile == name])
        groups, more = plan_together((each for each in wanted if not moves(each)), DiskNotes(profile))
        made.refused += [each.reason for each in refused] + [str(error) for error in more.values()]
        files += [file for group in groups for file in group.files]
        for each in filter(moves, wanted):
            made.refused.append(f"{each.changes[0].path} moves, which `scrubjay review apply` does.")
    vaults = {file.vault for file in files if vault in (None, file.vault)}
    if len(vaults) > 1:
        raise ChangeRefused(
            "invalid", f"The changes are in several vaults: {', '.join(sorted(vaults))}. Name one (--vault)."
        )
    for file in (file for file in files if file.vault in vaults):
        try:
            text = patch(file)
        except ChangeRefused as refusal:
            made.refused.append(str(refusal))
            continue
        if redact_text(text) != text:
            made.refused.append(f"{file.path}: a credential stands near; a patch would hold it. Use review apply.")
        else:
            made.text += text
    return made


@dataclass(slots=True)
class _Run:
    """One call of a command in one profile."""

    writer: NoteWriter
    records: UndoRecords
    id: str
    report: ApplyReport
    written: list[str] = field(default_factory=list[str])  # keys
    left: dict[Place, bytes] = field(default_factory=dict[Place, bytes])  # what it wrote

    def write(self, group: Group) -> None:
        """Write a group; the report says so, or why not."""
        try:
            self.writer.apply(group, self.id)
        except ChangeRefused as refusal:
            paths = ", ".join(file.path for file in group.files)
            self.report.refused.append(NotWritten(paths, group.keys, str(refusal)))
            return
        self.written += group.keys
        self.report.keys += group.keys
        self.report.notes += [file.to for file in group.files]
        self.report.run = short_name(self.id)
        self.left |= {(file.vault, file.to): file.after for file in group.files}


def _apply(
    client: ScrubjayClient, profile: Profile, accepted: list[Proposal], run: _Run, consents: Callable[[str], bool]
) -> None:
    wanted, shown, refused = _wanted(client, accepted)
    written = {key for record in run.records.all() if record.state == "done" for key in record.keys}
    told = [each for each in refused if not written.issuperset(each.keys)]
    # Written before, by a process that was ended before it could say so.
    mark(client, profile.name, (key for each in refused if each not in told for key in each.keys), "done")
    run.report.refused += told
    paths = {each.key: each.path for each in accepted}
    mark(client, profile.name, tuple(each.key for each in wanted if not each.changes), "done")  # hints: seen to
    wanted = [each for each in wanted if each.changes]
    notes = _AsShown(profile, shown, run)
    groups, not_planned = plan_together((each for each in wanted if not moves(each)), notes)
    now = time.time_ns()
    outdated = run.records.outdated(now, len(groups) + sum(map(moves, wanted)))
    if not _may_forget(profile, [each for each in outdated if not is_old(each, now)], consents):
        return
    coming = {each.key for each in wanted}
    for each in accepted:  # under its key of today: once its note is written, only an answer is still known by it
        if each.key in coming:
            mark(client, profile.name, (each.key,), "yes", each.chosen)
    for group in groups:
        run.write(group)
    for each in filter(moves, wanted):  # one after the other: each changes what the next stands on
        try:
            group = Group((each.key,), plan(each.changes, _AsShown(profile, shown, run)))
        except ChangeRefused as refusal:
            not_planned[each.key] = refusal
            continue
        run.write(group)
    if run.written:
        run.records.forget(outdated)
    mark(client, profile.name, run.written, "done")
    run.report.refused += [NotWritten(paths[key], (key,), str(error)) for key, error in not_planned.items()]


def _may_forget(profile: Profile, runs: list[str], consents: Callable[[str], bool]) -> bool:
    """Whether these runs of a profile may be forgotten for one that is to be written."""
    if not runs:
        return True
    first, last = (datetime.fromtimestamp(run_time_ns(run) / 1e9).astimezone() for run in (runs[0], runs[-1]))
    when = f"of {first:%d %B %Y %H:%M}" if len(runs) == 1 else f"from {first:%d %B %Y %H:%M} to {last:%d %B %Y %H:%M}"
    return consents(
        f"There is no room for so many ways back: {plural(len(runs), 'earlier apply', 'earlier applies')} in "
        f"{profile.name} ({when}) can't be taken back after this one. What is written now can."
    )


class _AsShown(DiskNotes):
    """The notes on disk, as long as they are what the preview was made from, or what was written since in this run."""

    def __init__(self, profile: Profile, shown: Mapping[Place, str], run: _Run) -> None:
        super().__init__(profile)
        self._shown = shown
        self._left = run.left
        self._digest = run.writer.digest

    def read(self, place: Place) -> bytes:
        data = super().read(place)
        known = self._shown.get(place)
        if known not in (None, self._digest(data).hex()) and self._left.get(place) != data:
            raise ChangeRefused("changed", f"{place[1]} has changed since it was shown; look again.")
        return data


def _wanted(
    client: ScrubjayClient, accepted: list[Proposal]
) -> tuple[list[ProposalChanges], dict[Place, str], list[NotWritten]]:
    """What was accepted as changes, the digests of the notes that these are about, and what is refused at once."""
    wanted: list[ProposalChanges] = []
    shown: dict[Place, str] = {}
    refused: list[NotWritten] = []
    for each in accepted:
        try:
            reply = requests.preview(client, each)
        except ApiError as error:
            refused.append(NotWritten(each.path, (each.key,), str(error)))
            continue
        if reply.refused:
            refused.append(NotWritten(each.path, (each.key,), reply.refused))
            continue
        wanted.append(ProposalChanges(each.key, reply.changes))
        shown |= {(file.vault, file.path): file.digest for file in reply.files}
    return wanted, shown, refused


@contextmanager
def writing_into(profile: Profile, passphrases: Passphrases) -> Generator[tuple[Profile, NoteWriter, UndoRecords]]:
    """A profile as it is now and its writer, alone, after whatever a killed process left has been put back.

    Raises StoreLocked, ProfileError.
    """
    keys = custody(registry())
    key = keys.key(opened(keys, profile, passphrases)) if profile.encrypted else None
    records = records_of(profile, key)
    of_notes = digest_key(profile, passphrases)
    with locked(records.folder / "lock"):
        profile = registry().current(profile)  # what was excluded while a passphrase was typed is excluded
        writer = NoteWriter(profile, records, lambda data: bytes_digest(data, of_notes), time.time_ns)
        for path in writer.recover():
            warn(f"{path} was edited after an apply that was broken off; it stays as it is.", style="yellow")
        for waiting in (record for record in records.all() if record.state != "done"):
            paths = ", ".join(file.path for file in waiting.files)
            warn(
                f"{paths}: an apply or undo was broken off; put back once all of it may be read again.", style="yellow"
            )
        with records.unfinished():
            yield profile, writer, records


def records_of(profile: Profile, key: bytes | None) -> UndoRecords:
    """The records of a profile; what their names tell can be had without its key."""
    return UndoRecords(registry().folder_of(profile), key)


def mark(
    client: ScrubjayClient, profile: str, keys: Iterable[str], said: Answer, chosen: tuple[str, ...] | None = None
) -> None:
    """Tell the queue. The notes are written whatever it says: a text that changed may have other proposals by now."""
    for key in keys:
        try:
            client.ask(REVIEW_DECIDE, ReviewDecideAsk(profile=profile, key=key, answer=said, chosen=chosen))
        except ApiError as error:
            if error.status != 404:
                raise
