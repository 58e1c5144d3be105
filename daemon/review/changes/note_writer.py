"""Writing what was planned, all of a group or nothing, and taking it back. For a process of the user's alone.

A record of the way back is on the disk before the first note changes. A process that is killed leaves each note old or
new, under one of its two names; `recover` then brings all of them back to what they were. What is written beside a note
has a name that begins with a dot, which keeps Obsidian and the index away.
"""

import contextlib
import os
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path

import msgspec

from scrubjay.daemon.program import this_platform
from scrubjay.daemon.review.changes.change_plan import Group
from scrubjay.daemon.review.changes.disk_notes import DiskNotes
from scrubjay.daemon.review.changes.note_text import NoteText, edited, reverse
from scrubjay.daemon.review.changes.refusal import ChangeRefused
from scrubjay.daemon.review.changes.swap import (
    Swap,
    bytes_of,
    changed,
    disk_errors,
    give_back,
    move_to_free,
    names_in,
    put_in_place,
    settle,
    take_back,
)
from scrubjay.daemon.review.changes.undo_records import FileRecord, Record, UndoRecords
from scrubjay.daemon.vault.allowlist import Allowance
from scrubjay.daemon.vault.paths import literal, spellings
from scrubjay.profiles.registry.registry import Profile, VaultFolder


class NoteWriter:
    """Writes into the notes of one profile. One at a time for each profile: lock the folder of its records."""

    def __init__(
        self,
        profile: Profile,
        records: UndoRecords,
        digest: Callable[[bytes], bytes],
        now_ns: Callable[[], int],
        allows: Callable[[VaultFolder, str], bool] = lambda vault, path: Allowance.of_vault(vault).allows(path),
    ) -> None:
        """digest: keyed, of a file's bytes. allows: whether the file at a path of a vault may be written now."""
        self._profile = profile
        self._records = records
        self.digest = digest
        self._now_ns = now_ns
        self._allows = allows
        self._vaults = {vault.id: vault for vault in profile.vaults}

    def apply(self, group: Group, run: str) -> Record:
        """Write what a group's notes become, and keep the way back, as a part of a run (see `new_run`).

        Raises ChangeRefused, with all notes as they were.
        """
        notes = DiskNotes(self._profile)
        record = self._record(group, run, notes)
        swaps: list[Swap] = []
        for number, (file, kept) in enumerate(zip(group.files, record.files, strict=True)):
            path = self._inside(kept.vault, kept.path)
            if file.to != file.path:
                notes.check_target((file.vault, file.to), (file.vault, file.path))
            if file.edits:
                swaps.append(Swap(file.path, path, _beside(path, record, number), file.before, file.after))
        self._records.put(record)
        try:
            put_in_place(swaps)
            self._make_folders(record)
            for file in record.files:
                if file.to != file.path:
                    move_to_free(self._inside(file.vault, file.path), self._inside(file.vault, file.to))
        except BaseException:
            _take_back(swaps)
            self._put_back(record)
            raise
        for swap in swaps:
            swap.beside.unlink(missing_ok=True)
        done = msgspec.structs.replace(record, state="done")
        self._records.put(done)
        return done

    def check_undo(self, record: Record) -> None:
        """Raises ChangeRefused where what a record says can't be taken back as the notes are now."""
        self._swaps_back(record)

    def undo(self, record: Record) -> None:
        """Take back what a record says. Raises ChangeRefused, and writes nothing, where one has changed since."""
        swaps = self._swaps_back(record)
        self._records.put(msgspec.structs.replace(record, state="undoing"))
        try:
            put_in_place(swaps)
        except BaseException:
            _take_back(swaps)
            self._records.put(record)
            raise
        for swap in swaps:
            swap.beside.unlink(missing_ok=True)
        for file in record.files:
            if file.to != file.path:
                move_to_free(self._inside(file.vault, file.to), self._inside(file.vault, file.path))
        self._remove_folders(record)
        self._records.remove(record)

    def _swaps_back(self, record: Record) -> list[Swap]:
        if path := self._not_allowed(record):
            raise ChangeRefused(
                "not-allowed",
                f"{path} may not be read any more, so it stays as it is. Once the profile may read it again, so can "
                "this be taken back.",
            )
        swaps: list[Swap] = []
        for number, file in enumerate(record.files):
            path, now = self._as_left(file)
            if file.to != file.path and self._is_taken(file):
                raise ChangeRefused("exists", f"There is a file at {file.path} again; move it away first.")
            if file.back:
                swaps.append(
                    Swap(file.to, path, _beside(path, record, number), now, self._before(file, now), file.modified_ns)
                )
        return swaps

    def recover(self) -> list[str]:
        """Bring notes back to what they were before a process that was killed; the paths of those that somebody has
        edited since, which stay as they are. A record of which a note may not be read now waits, and all its notes.
        """
        unfinished = [record for record in reversed(self._records.all()) if record.state != "done"]
        return [path for record in unfinished if not self._not_allowed(record) for path in self._put_back(record)]

    def _not_allowed(self, record: Record) -> str:
        """The first place of a record's notes, now or before, at which no note may be read; "" where all may be."""
        places = chain.from_iterable(((file.vault, file.to), (file.vault, file.path)) for file in record.files)
        vaults = self._vaults  # of one that the profile has no more, nobody knows
        return next((path for id_, path in places if id_ in vaults and not self._allows(vaults[id_], path)), "")

    def _record(self, group: Group, run: str, notes: DiskNotes) -> Record:
        files: list[FileRecord] = []
        folders: dict[tuple[str, str], None] = {}
        for file in group.files:
            vault = notes.vault(file.vault)
            before, after = (self.digest(data).hex() for data in (file.before, file.after))
            back = reverse(NoteText.of(file.before, raw=file.raw).text, file.edits)
            with disk_errors(file.path):
                modified = self._inside(vault.id, file.path).stat().st_mtime_ns
            files.append(FileRecord(vault.id, file.path, file.to, before, after, back, modified, file.raw))
            above = [folder.as_posix() for folder in reversed(Path(file.to).parents)][1:]
            missing = [folder for folder in above if not self._inside(vault.id, folder).exists()]
            folders |= dict.fromkeys((vault.id, folder) for folder in missing)
        return Record(
            id=self._records.next_id(run),
            made_ns=self._now_ns(),
            state="begun",
            keys=group.keys,
            files=tuple(files),
            folders=tuple(folders),
        )

    def _as_left(self, file: FileRecord) -> tuple[Path, bytes]:
        """The note that a record is about, as it was written. Raises ChangeRefused where it is not that any more."""
        path = self._inside(file.vault, file.to)
        now = bytes_of(path)
        if now is None:
            raise ChangeRefused("gone", f"{file.to} is not there any more, or can't be read.")
        if self._named(now) != file.after:
            raise changed(file.to)
        return path, now

    def _before(self, file: FileRecord, after: bytes) -> bytes:
        """The bytes that a note had before. Raises ChangeRefused where the record does not lead there."""
        note = NoteText.of(after, raw=file.raw)
        before = note.encoded(edited(note.text, file.back))
        if self._named(before) != file.before:
            raise changed(file.to)
        return before

    def _put_back(self, record: Record) -> list[str]:
        """Bring each note of an unfinished record back, wherever that stopped, and forget the record.

        The paths of those that somebody has edited since it began, which stay as they are.
        """
        stuck: list[str] = []
        for number, file in enumerate(record.files):
            try:
                if not self._put_one_back(record, number, file):
                    stuck.append(file.path)
            except ChangeRefused:
                stuck.append(file.path)
        self._remove_folders(record)
        self._records.remove(record)
        return stuck

    def _put_one_back(self, record: Record, number: int, file: FileRecord) -> bool:
        """Whether the note is what it was."""
        self._move_one_back(file)
        path, moved = self._inside(file.vault, file.path), self._inside(file.vault, file.to)
        places = [_beside(at, record, number) for at in (path, moved)]
        for place in places:
            with disk_errors(file.path):
                settle(place, path, lambda data: self._named(data) in (file.before, file.after))
        beside = next((place for place in places if place.exists()), None)
        now = bytes_of(path)
        is_before = now is not None and self._named(now) == file.before
        is_after = now is not None and self._named(now) == file.after
        is_swapped = is_after if record.state == "begun" else is_before
        if beside is not None and now is not None and is_swapped:
            # What was in the note's place is beside, with what was saved into it late. It goes back, except where it is
            # just what an undoing took out.
            if record.state == "undoing" and self._holds(beside, file.after):
                beside.unlink()
                return True
            give_back(beside, path, now, beside.read_bytes())
            return self._holds(path, file.before)
        if beside is not None and not is_before and self._holds(beside, file.before) and now is None:
            beside.rename(path)  # somebody has deleted the note meanwhile; its text is not ours to drop
            return False
        if beside is not None:
            beside.unlink()  # ours, whole or not, or the old text of a note that was saved anew
        if is_after and now is not None and file.back:
            swap = Swap(file.path, path, _beside(path, record, number), now, self._before(file, now), file.modified_ns)
            try:
                put_in_place([swap])
            except BaseException:
                _take_back([swap])
                raise
            swap.beside.unlink(missing_ok=True)
        return is_before or is_after

    def _move_one_back(self, file: FileRecord) -> None:
        """Give a note its old name again, if it has the new one and nobody has edited it there."""
        path, target = self._inside(file.vault, file.path), self._inside(file.vault, file.to)
        if file.to == file.path or not os.path.lexists(target):
            return
        names = names_in(path.parent) | names_in(target.parent)
        if os.path.lexists(path) and path.samefile(target) and {path.name, target.name} <= names:
            target.unlink()  # it stopped between giving the new name and taking the old one
        elif self._holds(target, file.before) or self._holds(target, file.after):
            with contextlib.suppress(ChangeRefused):
                move_to_free(target, path)

    def _is_taken(self, file: FileRecord) -> bool:
        path, target = self._inside(file.vault, file.path), self._inside(file.vault, file.to)
        return os.path.lexists(path) and not (path.parent == target.parent and path.samefile(target))

    def _holds(self, path: Path, digest: str) -> bool:
        data = bytes_of(path)
        return data is not None and self._named(data) == digest

    def _named(self, data: bytes) -> str:
        return self.digest(data).hex()

    def _make_folders(self, record: Record) -> None:
        for vault, folder in record.folders:
            with disk_errors(folder):
                self._inside(vault, folder).mkdir(exist_ok=True)

    def _remove_folders(self, record: Record) -> None:
        for vault, folder in reversed(record.folders):
            with contextlib.suppress(OSError):  # something else is in it by now
                self._inside(vault, folder).rmdir()

    def _inside(self, vault_id: str, path: str) -> Path:
        """A file of a vault, there or not, as the disk spells it. Raises ChangeRefused where a link leads elsewhere."""
        vault = self._vault(vault_id)
        root = Path(literal(str(Path(vault.root).resolve()), this_platform()))
        found = spellings(root, root / path)[0]
        if not found.exists():
            found = spellings(root, (root / path).parent)[0] / found.name
        if found.parent.resolve() != found.parent or found.is_symlink():
            raise ChangeRefused("not-allowed", f"{path} lies behind a link, and links are not followed.")
        return found

    def _vault(self, vault_id: str) -> VaultFolder:
        if vault_id not in self._vaults:
            raise ChangeRefused("gone", "The profile does not have the vault any more in which this was changed.")
        return self._vaults[vault_id]


def _beside(path: Path, record: Record, number: int) -> Path:
    """Where a note's other text is meanwhile; not named after it, since names may be as long as names can be."""
    return path.with_name(f".scrubjay-{record.id}-{number}")


def _take_back(swaps: Sequence[Swap]) -> None:
    """Undo each exchange of those that was made; what fails is left to `recover`."""
    for swap in swaps:
        with contextlib.suppress(ChangeRefused):
            take_back(swap)
