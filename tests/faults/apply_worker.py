"""Random changes written into a copy of a vault and taken back, while another process edits the same notes.

Usage: python -m tests.faults.apply_worker TIMES [VAULT]. Prints what happened; raises AssertionError where a byte was
lost or an undo was not exact.
"""

import contextlib
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from scrubjay.daemon.review.changes.change_plan import Group, ProposalChanges, moves, plan, plan_together
from scrubjay.daemon.review.changes.disk_notes import DiskNotes
from scrubjay.daemon.review.changes.note_writer import NoteWriter
from scrubjay.daemon.review.changes.refusal import ChangeRefused
from scrubjay.daemon.review.changes.undo_records import Record, UndoRecords, new_run
from scrubjay.daemon.review.proposal import Change
from scrubjay.profiles.registry.registry import Profile, VaultFolder

_MOST_NOTES = 150
_TOKEN = b"%%edited "


@dataclass(slots=True)
class Figures:
    """What happened."""

    applied: int = 0
    undone: int = 0
    edits: int = 0
    refused: Counter[str] = field(default_factory=Counter[str])


class Copy:
    """A copy of some notes of a vault, with a writer."""

    def __init__(self, folder: Path, notes: list[Path], seed: int) -> None:
        self.root = folder / "vault"
        for number, note in enumerate(notes):
            target = self.root / f"folder {number % 7}" / note.name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(note, target)
        vault = VaultFolder(id="11111111", root=str(self.root), name="V", allow=(".",))
        profile = Profile(id="0" * 12, name="P", colour="#000000", vaults=(vault,))
        self.profile = profile
        self.records = UndoRecords(folder / "profile", None)
        self.writer = NoteWriter(profile, self.records, _digest, time.time_ns)
        self.random = random.Random(seed)
        self.figures = Figures()

    def paths(self) -> list[str]:
        return sorted(path.relative_to(self.root).as_posix() for path in self.root.rglob("*.md"))

    def bytes(self) -> dict[str, bytes]:
        """All files, those with hidden names too."""
        files = (path for path in self.root.rglob("*") if path.is_file())
        return {path.relative_to(self.root).as_posix(): path.read_bytes() for path in files}

    def apply(self) -> Record | None:
        """One random group; None where it was refused."""
        paths = self.paths()
        changes = tuple(self._change(path, paths) for path in self.random.sample(paths, self.random.randint(1, 3)))
        changes = changes[:1] if changes[0].action == "move" else tuple(c for c in changes if c.action != "move")
        wanted = ProposalChanges("key", changes)
        try:
            groups = self._groups(wanted)
            record = None
            for group in groups:
                if group.files:
                    record = self.writer.apply(group, new_run(time.time_ns()))
                    self.figures.applied += 1
        except ChangeRefused as refusal:
            self.figures.refused[refusal.reason] += 1
            return None
        return record

    def undo(self, record: Record) -> bool:
        try:
            self.writer.undo(record)
        except ChangeRefused as refusal:
            self.figures.refused[f"undo: {refusal.reason}"] += 1
            return False
        self.figures.undone += 1
        return True

    def _groups(self, wanted: ProposalChanges) -> list[Group]:
        notes = DiskNotes(self.profile)
        if moves(wanted):
            return [Group(("key",), plan(wanted.changes, notes))]
        groups, refused = plan_together([wanted], notes)
        for error in refused.values():
            raise error
        return groups

    def _change(self, path: str, paths: list[str]) -> Change:
        chance = self.random
        action = chance.choice(("replace", "replace", "replace", "add-tags", "remove-tags", "append", "move"))
        if action == "move":
            stem = chance.choice((Path(path).stem, f"renamed {chance.randint(0, 10**6)}"))
            return Change(action="move", vault="V", path=path, to=f"folder {chance.randint(0, 8)}/{stem}.md")
        if action == "append":
            return Change(action="append", vault="V", path=path, after="A line of ours.\n")
        if action != "replace":
            return Change(action=action, vault="V", path=path, tags=(chance.choice(("one", "two/three", "四")),))
        with contextlib.suppress(OSError, UnicodeDecodeError):
            lines = (self.root / path).read_bytes().decode().replace("\r\n", "\n").split("\n")
            number = chance.randrange(len(lines))
            words = [word for word in lines[number].split() if _TOKEN.decode()[:8] not in lines[number]]
            if words:
                word = chance.choice(words)
                return Change(
                    action="replace",
                    vault="V",
                    path=path,
                    line=number + 1,
                    column=lines[number].index(word) + 1,
                    before=word,
                    after=chance.choice((f"[[{chance.choice(paths)}|{word}]]", "", "猫", word * 2)),
                )
        return Change(action="append", vault="V", path=path, after="Another line.\n")


def undo_is_exact(copy: Copy, times: int) -> None:
    """Applies in runs of up to ten, each taken back: the vault is what it was, byte for byte."""
    while copy.figures.applied < times:
        before = copy.bytes()
        records = [record for _ in range(copy.random.randint(1, 10)) if (record := copy.apply()) is not None]
        for record in reversed(copy.records.all()):
            assert copy.undo(record), "nobody else was there"
        assert copy.bytes() == before, records


def no_byte_is_lost(copy: Copy, times: int) -> None:
    """Applies and undos while an editor saves as fast as it can: each of its edits is there in the end."""
    log = copy.root.parent / "edits"
    with _editing(copy.root, log, copy.random.random()):
        kept: list[Record] = []
        begun = copy.figures.applied
        while copy.figures.applied - begun < times:
            if (record := copy.apply()) is not None:
                kept.append(record)
            while kept and copy.random.random() < 0.5:
                copy.undo(kept.pop())
    written = [line for line in log.read_bytes().split(b"\n") if line]
    copy.figures.edits += len(written)
    now = copy.bytes()
    lost = set(written) - {line for data in now.values() for line in data.replace(b"\r", b"\n").split(b"\n")}
    assert not lost, f"{len(lost)} of {len(written)} edits are lost"
    assert [path for path in now if ".scrubjay" in path] == []
    assert copy.writer.recover() == []


@contextlib.contextmanager
def _editing(root: Path, log: Path, seed: float) -> Generator[None]:
    process = os.fork()
    if process == 0:
        try:
            _edit(root, log, random.Random(seed))
        finally:
            os._exit(1)
    try:
        yield
    finally:
        os.kill(process, signal.SIGTERM)
        os.waitpid(process, 0)


def _edit(root: Path, log: Path, chance: random.Random) -> None:
    """Append numbered lines, or rename files with one over notes, until told to stop or until the parent is gone."""
    stopped: list[int] = []
    parent = os.getppid()

    def stop(number: int, _: object) -> None:
        stopped.append(number)

    signal.signal(signal.SIGTERM, stop)
    with log.open("wb", buffering=0) as told:
        number = 0
        while not stopped and os.getppid() == parent:
            notes = sorted(root.rglob("*.md"))
            for note in chance.sample(notes, min(20, len(notes))):
                number += 1
                line = _TOKEN + str(number).encode()
                with contextlib.suppress(FileNotFoundError):
                    (_append if chance.random() < 0.5 else _save)(note, b"\n" + line + b"\n")
                    told.write(line + b"\n")
                time.sleep(chance.random() * 0.001)


def _append(note: Path, data: bytes) -> None:
    handle = os.open(note, os.O_WRONLY | os.O_APPEND)
    try:
        os.write(handle, data)
    finally:
        os.close(handle)


def _save(note: Path, data: bytes) -> None:
    mine = note.with_name(f".editor-{note.name}"[:200])
    mine.write_bytes(note.read_bytes() + data)
    mine.replace(note)


def _digest(data: bytes) -> bytes:
    return blake2b(data, key=b"worker", digest_size=16).digest()


def notes_of(vault: Path, seed: int) -> list[Path]:
    """Some notes of a vault that are text."""
    found = [note for note in sorted(vault.rglob("*.md")) if note.is_file() and note.stat().st_size < 100_000]
    return random.Random(seed).sample(found, min(_MOST_NOTES, len(found)))


def run(folder: Path, vault: Path, times: int, seed: int = 7) -> Figures:
    """Half of the applies alone and half beside an editor. Raises AssertionError."""
    copy = Copy(folder, notes_of(vault, seed), seed)
    undo_is_exact(copy, times // 2)
    no_byte_is_lost(copy, times - times // 2)
    return copy.figures


def main() -> None:
    vault = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(__file__).parents[2] / "packaging" / "sample_vault"
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        print(run(Path(folder), vault, int(sys.argv[1])), f"{time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
