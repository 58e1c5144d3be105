"""Taking back what was applied: the last run, or one that is named; and the list of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from scrubjay.daemon.cli.profile.common import Passphrases, registry
from scrubjay.daemon.cli.review.apply import mark, records_of, writing_into
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.review.changes.note_writer import NoteWriter
from scrubjay.daemon.review.changes.refusal import ChangeRefused
from scrubjay.daemon.review.changes.undo_records import Record, UndoRecords, run_time_ns
from scrubjay.daemon.review.changes.write_report import ApplyReport, NotWritten, RunShown, short_name
from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.registry.registry import Profile


def runs(name: str | None, passphrases: Passphrases) -> list[RunShown]:
    """All that can be taken back, in one profile or in all, newest first. Raises ProfileError."""
    found: list[RunShown] = []
    for profile in _profiles(name):
        if not records_of(profile, None).runs() or passphrases.leave_closed(profile):
            continue
        with writing_into(profile, passphrases) as (_, writer, records):
            undoing = _Undoing(writer, records)
            found += [_shown(profile, run, records.of_run(run), undoing) for run in records.runs()]
    return sorted(found, key=lambda each: each.applied, reverse=True)


def undo_run(client: ScrubjayClient, name: str | None, run: str | None, passphrases: Passphrases) -> ApplyReport | None:
    """Take back a run, in one profile or in all; None where there is none.

    run: as `runs` names it; None: the newest of which anything can be taken back. What is blocked stays recorded, and
    is in the report; the rest of its run does not wait for it. Raises UsageError for a run that is not there,
    ApiError, ProfileError.
    """
    profiles = [each for each in _profiles(name) if not passphrases.leave_closed(each)]
    there = {profile.name: records_of(profile, None).runs() for profile in profiles}
    ids = sorted({each for of_profile in there.values() for each in of_profile}, reverse=True)
    if run is not None:
        ids = [each for each in ids if each.endswith(run.lower())]
        if len(ids) != 1 or not run:
            raise UsageError(f"{run!r} is no run that can be taken back. `scrubjay review undo --list` shows them.")
    if not ids:
        return None
    report = ApplyReport()
    for each in ids:
        for profile in (one for one in profiles if each in there[one.name]):
            with writing_into(profile, passphrases) as (_, writer, records):
                _take_back(client, profile, _Undoing(writer, records), each, report)
        if report.notes:
            break
    return report


@dataclass(slots=True)
class _Undoing:
    """The way back of one profile. `later`: the newest record of each note, read when the first is blocked."""

    writer: NoteWriter
    records: UndoRecords
    later: dict[tuple[str, str], str] | None = None

    def blocked(self, record: Record, refusal: ChangeRefused) -> NotWritten:
        """Why a record can't be taken back. Where that is what was written after it, that is said."""
        if self.later is None:
            self.later = {place: each.id for each in self.records.all() for place in _places(each)}
        after = next((each for place in _places(record) if (each := self.later.get(place, "")) > record.id), None)
        reason = str(refusal)
        if refusal.reason in ("changed", "gone") and after is not None:
            reason += f" A later apply wrote into it: take back {short_name(after.partition('-')[0])} first."
        return NotWritten(", ".join(file.path for file in record.files), record.keys, reason)


def _take_back(client: ScrubjayClient, profile: Profile, undoing: _Undoing, run: str, report: ApplyReport) -> None:
    for record in undoing.records.of_run(run):
        try:
            undoing.writer.undo(record)
        except ChangeRefused as refusal:
            report.refused.append(undoing.blocked(record, refusal))
            continue
        report.keys += record.keys
        report.notes += [file.path for file in record.files]
        mark(client, profile.name, record.keys, "open")


def _shown(profile: Profile, run: str, records: list[Record], undoing: _Undoing) -> RunShown:
    blocked: list[NotWritten] = []
    for record in records:
        try:
            undoing.writer.check_undo(record)
        except ChangeRefused as refusal:
            blocked.append(undoing.blocked(record, refusal))
    return RunShown(
        run=short_name(run),
        applied=datetime.fromtimestamp(run_time_ns(run) / 1e9).astimezone(),
        profile=profile.name,
        proposals=sum(len(record.keys) for record in records),
        notes=len({place for record in records for place in ((file.vault, file.to) for file in record.files)}),
        blocked=tuple(blocked),
    )


def _places(record: Record) -> Iterable[tuple[str, str]]:
    return {(file.vault, path) for file in record.files for path in (file.path, file.to)}


def _profiles(name: str | None) -> list[Profile]:
    return [registry().get(name)] if name else list(registry().list())
