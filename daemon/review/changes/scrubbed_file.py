"""Credentials taken out of files on disk, and put back: for a process of the user's alone.

Each file is written as `review apply` writes a note: what was read is compared, and nobody's bytes are lost. The way
back has to hold what was taken out, in clear. So it is kept in Scrubjay's own folder, for its owner alone, never beside
the file, and for a few days only.
"""

import contextlib
import time
from collections.abc import Generator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from scrubjay.credential_filter import Rules, mark_for, redact, spans_of
from scrubjay.daemon.home import Home
from scrubjay.daemon.review.changes.change_plan import FilePlan, Group
from scrubjay.daemon.review.changes.note_text import NoteText, TextEdit
from scrubjay.daemon.review.changes.note_writer import NoteWriter
from scrubjay.daemon.review.changes.refusal import ChangeRefused
from scrubjay.daemon.review.changes.swap import disk_errors
from scrubjay.daemon.review.changes.undo_records import Record, UndoRecords, new_run, run_time_ns
from scrubjay.profiles.private_files import locked
from scrubjay.profiles.registry.registry import Profile, VaultFolder
from scrubjay.profiles.store.encryption import shred

KEPT_DAYS = 7
_DAY_NS = 86_400_000_000_000


@dataclass(frozen=True, slots=True)
class Undone:
    """Which files have their credentials again, and why others have not."""

    files: tuple[str, ...]
    refused: tuple[str, ...]


class Scrubber:
    """Takes credentials out of files, and puts them back. One at a time for a home, see `scrubbing`."""

    def __init__(self, records: "_Records") -> None:
        self._records = records
        self._run = new_run(time.time_ns())
        self.put_back = tuple(_path(each) for each in records.all() if each.state != "done")
        """Files at which a process was killed; they are what they were, but for those in `stuck`."""
        self.stuck = tuple(_recovered(records))
        """Of these, those that somebody has edited since, which stay as they are."""

    @property
    def folder(self) -> Path:
        """Where the ways back are kept."""
        return self._records.folder

    def scrub(self, file: Path, rules: Rules, *, undoable: bool = True) -> int:
        """Replace each credential in a file by its mark; how many there were. A link is followed.

        undoable: whether the way back is kept once the file is written. Raises ChangeRefused, with the file as it was.
        """
        with disk_errors(file.name):
            path = file.resolve(strict=True)
            data = path.read_bytes()
        edits = _edits(data, rules)
        if edits:
            folder = str(path.parent)
            plan = FilePlan(vault=folder, path=path.name, to=path.name, before=data, edits=edits, raw=True)
            record = _writer(self._records, folder).apply(Group((), (plan,)), self._run)
            if not undoable:
                self._records.remove(record)
        return len(edits)

    def undo(self) -> Undone:
        """Put back what the last run took out that can be put back; what is refused stays kept."""
        done: list[str] = []
        refused: list[str] = []
        for run in self._records.runs():
            for record in self._records.of_run(run):
                try:
                    _writer(self._records, record.files[0].vault).undo(record)
                    done.append(_path(record))
                except ChangeRefused as refusal:
                    refused.append(f"{_path(record)}: {refusal}")
            if done:
                break
        return Undone(tuple(done), tuple(refused))

    def forget(self) -> int:
        """Forget all ways back, their bytes overwritten; how many files had one."""
        records = self._records.all()
        for record in records:
            self._records.remove(record)
        return len(records)


@contextlib.contextmanager
def scrubbing(home: Home) -> Generator[Scrubber]:
    """What takes credentials out, alone, after whatever a killed process left has been put back.

    Raises FileBusy while another process does.
    """
    records = _records(home)
    with locked(records.folder / "lock"):
        _forget_old(records)
        yield Scrubber(records)


def forget_old(home: Home) -> None:
    """Forget the ways back that are older than KEPT_DAYS. Quick where there are none. Raises OSError, FileBusy."""
    records = _records(home)
    if any(map(_is_old, records.runs())):
        with locked(records.folder / "lock"):
            _forget_old(records)


class _Records(UndoRecords):
    """They hold credentials: where one goes, its bytes are overwritten."""

    def remove(self, record: Record) -> None:
        gone = self.folder / f".{record.id}"  # first, so that no record is read that is half overwritten
        (self.folder / record.id).rename(gone)
        shred(gone)


def _records(home: Home) -> _Records:
    return _Records(home.data, None, "scrub")


def _is_old(run: str) -> bool:
    return time.time_ns() - run_time_ns(run) > KEPT_DAYS * _DAY_NS


def _forget_old(records: _Records) -> None:
    for half in records.folder.glob(".*"):  # left by a process that was killed as it wrote or removed one
        shred(half)
    records.forget([run for run in records.runs() if _is_old(run)])


def _recovered(records: _Records) -> list[str]:
    """Put back what killed processes left; the files that somebody has edited since."""
    folders = {file.vault for record in records.all() for file in record.files if record.state != "done"}
    return _writer(records, *folders).recover() if folders else []


def _writer(records: _Records, *folders: str) -> NoteWriter:
    """Of files in these folders: each is what a vault is to a note, known by its path."""
    vaults = tuple(VaultFolder(id=folder, root=folder, name=folder, allow=(".",)) for folder in folders)
    profile = Profile(id="scrub", name="scrub", colour="", vaults=vaults)
    return NoteWriter(
        profile,
        records,
        lambda data: blake2b(data, digest_size=16).digest(),
        time.time_ns,
        lambda _vault, _path: True,  # its user named the file, which no profile needs to know
    )


def _path(record: Record) -> str:
    return str(Path(record.files[0].vault) / record.files[0].path)


def _edits(data: bytes, rules: Rules) -> tuple[TextEdit, ...]:
    """What hides the credentials of a file, in terms of its bytes: what is no text in any encoding stays as it is."""
    try:
        note = NoteText.of(data)
    except ChangeRefused:
        note = NoteText(data.decode("utf-8", "surrogateescape"))

    def encoded(text: str) -> bytes:
        return text.encode(note.encoding, "surrogateescape")

    findings = redact(note.text, rules).findings
    edits: list[TextEdit] = []
    at, end = len(note.mark), 0
    for finding, (start, stop) in zip(findings, spans_of(note.text, findings), strict=True):
        at += len(encoded(note.text[end:start]))
        secret = note.text[start:stop]
        after = at + len(encoded(secret))
        edits.append(TextEdit(at, after, encoded(mark_for(finding.rule, secret)).decode("latin-1")))
        at, end = after, stop
    return tuple(edits)
