"""Applying to real files: written whole, taken back exactly, refused where somebody was there first."""

import contextlib
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from itertools import chain, combinations, count
from pathlib import Path

import msgspec
import pytest

from scrubjay.credential_filter import redact_text
from scrubjay.daemon.review.changes import swap as swapping
from scrubjay.daemon.review.changes.change_plan import Group, plan
from scrubjay.daemon.review.changes.disk_notes import DiskNotes
from scrubjay.daemon.review.changes.note_writer import NoteWriter
from scrubjay.daemon.review.changes.old_file import is_open_for_writing
from scrubjay.daemon.review.changes.preview import preview
from scrubjay.daemon.review.changes.refusal import ChangeRefused
from scrubjay.daemon.review.changes.undo_records import MOST_DAYS, UndoRecords, new_run
from scrubjay.daemon.review.proposal import Change
from scrubjay.profiles.errors import StoreLocked
from scrubjay.profiles.registry.registry import Profile, VaultFolder

NOTES = {"A.md": "A cat.\n", "b/B.md": "[[A]] and a dog\r\n", "private/P.md": "hers"}


class Vault:
    """A vault on disk with its writer."""

    def __init__(self, folder: Path, key: bytes | None = None) -> None:
        self.root = folder / "Notes"
        for path, text in NOTES.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_bytes(text.encode())
        vault = VaultFolder(id="11111111", root=str(self.root), name="V", allow=(".",), exclude=("private",))
        self.profile = Profile(id="0" * 12, name="P", colour="#000000", vaults=(vault,))
        self.records = UndoRecords(folder / "profile", key)
        clock = count(1_700_000_000_000_000_000)
        self.writer = NoteWriter(self.profile, self.records, digest, lambda: next(clock))

    def group(self, *changes: Change) -> Group:
        return Group(("key",), plan(changes, DiskNotes(self.profile)))

    def bytes(self) -> dict[str, bytes]:
        """All files of the vault, those with hidden names too."""
        found = (path for path in self.root.rglob("*") if path.is_file())
        return {path.relative_to(self.root).as_posix(): path.read_bytes() for path in found}


def digest(data: bytes) -> bytes:
    return blake2b(data, key=b"k", digest_size=16).digest()


def replace(path: str, before: str, after: str) -> Change:
    return Change(action="replace", vault="V", path=path, line=1, before=before, after=after)


def move(path: str, to: str) -> Change:
    return Change(action="move", vault="V", path=path, to=to)


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return Vault(tmp_path)


RUN = new_run(1)
DAY = 86_400_000_000_000

BEFORE = {path: text.encode() for path, text in NOTES.items()}


def test_what_is_applied_is_undone_to_the_byte(vault: Vault) -> None:
    note = vault.root / "A.md"
    note.chmod(0o640)
    os.utime(note, ns=(1, 1))
    vault.writer.apply(vault.group(replace("A.md", "cat", "[[Cat]]"), replace("b/B.md", "dog", "cow")), RUN)
    assert vault.bytes() == BEFORE | {"A.md": b"A [[Cat]].\n", "b/B.md": b"[[A]] and a cow\r\n"}
    assert stat.S_IMODE(note.stat().st_mode) == 0o640
    assert note.stat().st_mtime_ns > 1, "sync services and the index look at the time"
    (record,) = vault.records.all()
    vault.writer.undo(record)
    assert vault.bytes() == BEFORE
    assert vault.records.all() == []


def test_a_note_stays_the_file_that_it_was_and_its_times_come_back(vault: Vault) -> None:
    note = vault.root / "A.md"
    then = 1_577_880_000_000_000_000
    os.utime(note, ns=(then, then))
    own = note.stat()
    if is_open_for_writing(note) is None:
        pytest.skip("this system can't say who has a file open")
    record = vault.writer.apply(vault.group(replace("A.md", "cat", "cow"), replace("b/B.md", "dog", "cow")), RUN)
    assert note.read_bytes() == b"A cow.\n"
    assert note.stat().st_ino == own.st_ino, "and so its date of creation"
    assert note.stat().st_mtime_ns > then
    vault.writer.undo(record)
    assert (note.stat().st_ino, note.stat().st_mtime_ns) == (own.st_ino, then)
    assert vault.bytes() == BEFORE


def test_a_note_that_a_program_keeps_open_for_writing_is_left_to_it(vault: Vault) -> None:
    if is_open_for_writing(vault.root / "A.md") is None:
        pytest.skip("this system can't say who has a file open")
    group = vault.group(replace("A.md", "cat", "cow"), replace("b/B.md", "dog", "cow"))
    with (vault.root / "b/B.md").open("ab") as log:
        with pytest.raises(ChangeRefused, match=r"Another program has b/B\.md open"):
            vault.writer.apply(group, RUN)
        log.write(b"its line")
    assert vault.bytes() == BEFORE | {"b/B.md": BEFORE["b/B.md"] + b"its line"}


_SAVED_WHILE_LOOKED_AT = """
import fcntl, os, sys
from pathlib import Path
from scrubjay.daemon.review.changes.old_file import is_open_for_writing

note, as_ever = Path(sys.argv[1]), fcntl.fcntl

def saving_meanwhile(descriptor, command, argument):
    found = as_ever(descriptor, command, argument)
    if (command, argument) == (fcntl.F_SETLEASE, fcntl.F_RDLCK):
        try:
            os.open(note, os.O_WRONLY | os.O_NONBLOCK)
        except BlockingIOError:
            print("tried to save")
    return found

fcntl.fcntl = saving_meanwhile
print(is_open_for_writing(note))
"""


def test_whoever_opens_a_note_while_it_is_looked_at_is_seen_and_ends_no_process(vault: Vault) -> None:
    note = vault.root / "A.md"
    if is_open_for_writing(note) is None:
        pytest.skip("this system can't say who has a file open")
    looked = subprocess.run(
        [sys.executable, "-c", _SAVED_WHILE_LOOKED_AT, str(note)], capture_output=True, text=True, check=False
    )
    assert (looked.returncode, looked.stdout.splitlines()) == (0, ["tried to save", "True"])


def test_a_note_that_a_program_keeps_open_for_writing_is_not_taken_back_either(vault: Vault) -> None:
    note = vault.root / "A.md"
    if is_open_for_writing(note) is None:
        pytest.skip("this system can't say who has a file open")
    record = vault.writer.apply(vault.group(replace("A.md", "cat", "cow")), RUN)
    with note.open("ab") as log:
        with pytest.raises(ChangeRefused, match=r"Another program has A\.md open"):
            vault.writer.undo(record)
        log.write(b"its line")
    assert vault.bytes() == BEFORE | {"A.md": b"A cow.\nits line"}
    assert vault.records.all() == [record]


def no_word(_: Path) -> None:
    """A system that can't say who has a file open."""


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_owner_and_group_stay(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    note = vault.root / "A.md"
    os.chown(note, 65534, 33)
    note.chmod(0o664)
    monkeypatch.setattr(swapping, "is_open_for_writing", no_word)  # as where its own file can't be kept
    record = vault.writer.apply(vault.group(replace("A.md", "cat", "cow")), RUN)
    stats = note.stat()
    assert (stats.st_uid, stats.st_gid, stat.S_IMODE(stats.st_mode)) == (65534, 33, 0o664)
    vault.writer.undo(record)
    assert (note.stat().st_uid, note.stat().st_gid) == (65534, 33)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_a_note_that_would_get_another_owner_is_refused(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    def not_allowed(*_: object) -> None:
        raise PermissionError

    os.chown(vault.root / "A.md", 65534, 65534)
    monkeypatch.setattr("scrubjay.daemon.review.changes.swap.os.chown", not_allowed)
    with pytest.raises(ChangeRefused, match="belongs to another user or group"):
        vault.writer.apply(vault.group(replace("A.md", "cat", "cow")), RUN)
    assert vault.bytes() == BEFORE


def test_a_move_takes_its_links_along_and_back(vault: Vault) -> None:
    vault.writer.apply(vault.group(move("A.md", "new/deep/Ä.md"), replace("A.md", "cat", "cow")), RUN)
    assert vault.bytes() == {
        "new/deep/Ä.md": b"A cow.\n",
        "b/B.md": "[[Ä]] and a dog\r\n".encode(),
        "private/P.md": b"hers",
    }
    vault.writer.undo(vault.records.all()[0])
    assert vault.bytes() == BEFORE
    assert not (vault.root / "new").exists(), "a folder that was made for it goes too"


def test_a_note_that_changed_since_is_not_undone_and_neither_is_its_group(vault: Vault) -> None:
    record = vault.writer.apply(vault.group(replace("A.md", "cat", "cow"), replace("b/B.md", "dog", "cow")), RUN)
    with (vault.root / "b/B.md").open("ab") as file:
        file.write(b"more")
    left = vault.bytes()
    with pytest.raises(ChangeRefused, match=r"b/B\.md has changed since"):
        vault.writer.undo(record)
    assert vault.bytes() == left
    assert vault.records.all() == [record], "it can be tried again"


def test_the_place_of_a_moved_note_may_be_taken_when_it_comes_back(vault: Vault) -> None:
    record = vault.writer.apply(vault.group(move("A.md", "C.md")), RUN)
    (vault.root / "A.md").write_text("another")
    with pytest.raises(ChangeRefused, match="again"):
        vault.writer.undo(record)
    assert (vault.root / "A.md").read_text() == "another"


def test_a_note_saved_after_planning_is_left_as_it_was_saved(vault: Vault) -> None:
    group = vault.group(replace("A.md", "cat", "cow"), replace("b/B.md", "dog", "cow"))
    (vault.root / "b/B.md").write_bytes(b"new")
    with pytest.raises(ChangeRefused, match="changed since"):
        vault.writer.apply(group, RUN)
    assert vault.bytes() == BEFORE | {"b/B.md": b"new"}
    assert vault.records.all() == []


def _save_by_rename(path: Path, data: bytes) -> None:
    other = path.with_name("editor's.tmp")
    other.write_bytes(data)
    other.replace(path)


@pytest.mark.parametrize("save", [Path.write_bytes, _save_by_rename], ids=["in place", "by rename"])
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_save_in_the_very_moment_of_writing_is_kept(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, save: Callable[[Path, bytes], object], when: str
) -> None:
    note = vault.root / "b/B.md"
    native = swapping.native_exchange()  # the one moment that no test could hit from outside
    if native is None:
        pytest.skip("this system can't exchange two names")
    saved: list[bool] = []

    def racing(one: bytes, other: bytes) -> bool:
        mine = other == os.fsencode(note) and not saved
        handle = note.open("r+b") if mine else None
        if handle is not None and when == "before":
            saved.append(True)
            save(note, b"theirs")
        done = native(one, other)
        if handle is not None and when == "after":  # an editor that had the file open before, or saves over ours
            saved.append(True)
            if save is _save_by_rename:
                save(note, b"theirs")
            else:
                handle.truncate()
                handle.write(b"theirs")
                handle.flush()
        if handle is not None:
            handle.close()
        return done

    monkeypatch.setattr(swapping, "native_exchange", lambda: racing)
    group = vault.group(replace("A.md", "cat", "cow"), replace("b/B.md", "dog", "cow"))
    if when == "after" and save is _save_by_rename:
        vault.writer.apply(group, RUN)  # they saved over the new text, which is their right
        assert vault.bytes() == BEFORE | {"A.md": b"A cow.\n", "b/B.md": b"theirs"}
        return
    with pytest.raises(ChangeRefused, match="changed since"):
        vault.writer.apply(group, RUN)
    assert vault.bytes() == BEFORE | {"b/B.md": b"theirs"}


def as_now(call: Callable[[bytes, bytes], bool]) -> Callable[[], Callable[[bytes, bytes], bool]]:
    return lambda: call


def test_what_is_appended_around_any_exchange_of_names_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a log is written: opened by its name, a line more, closed."""
    native = swapping.native_exchange()
    if native is None:
        pytest.skip("this system can't exchange two names")
    for place, when in enumerate(chain(combinations(range(12), 1), combinations(range(12), 2))):
        vault = Vault(tmp_path / str(place))
        note, moments, appended = vault.root / "b/B.md", count(), list[bytes]()

        def append(
            note: Path = note, when: Sequence[int] = when, moments: Iterator[int] = moments, to: list[bytes] = appended
        ) -> None:
            moment = next(moments)
            if moment in when:
                to.append(b"line %d" % moment)
                with note.open("ab") as log:
                    log.write(b"\n" + to[-1])

        def between(one: bytes, other: bytes, append: Callable[[], None] = append) -> bool:
            append()
            done = native(one, other)
            append()
            return done

        monkeypatch.setattr(swapping, "native_exchange", as_now(between))
        with contextlib.suppress(ChangeRefused):
            vault.writer.apply(vault.group(replace("A.md", "cat", "cow"), replace("b/B.md", "dog", "cow")), RUN)
        lines = note.read_bytes().split(b"\n")
        assert [line for line in appended if lines.count(line) != 1] == [], when
        assert [path.name for path in note.parent.iterdir()] == ["B.md"]


def test_it_works_where_names_cannot_be_exchanged(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(swapping, "native_exchange", lambda: None)
    note = vault.root / "A.md"
    os.utime(note, ns=(10**18, 10**18))
    record = vault.writer.apply(vault.group(replace("A.md", "cat", "cow")), RUN)
    assert vault.bytes() == BEFORE | {"A.md": b"A cow.\n"}
    vault.writer.undo(record)
    assert (vault.bytes(), note.stat().st_mtime_ns) == (BEFORE, 10**18)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (replace("private/P.md", "hers", "x"), "gone"),
        (replace("link.md", "x", "y"), "gone"),
        (replace("way/out.md", "x", "y"), "gone"),
        (replace("../outside/out.md", "x", "y"), "gone"),
        (move("A.md", "private/A.md"), "not-allowed"),
        (move("A.md", ".hidden/A.md"), "not-allowed"),
        (move("A.md", "way/A.md"), "not-allowed"),
        (move("A.md", "b/B.md"), "exists"),
    ],
)
def test_nothing_outside_of_what_may_be_read_is_written(vault: Vault, change: Change, reason: str) -> None:
    outside = vault.root.parent / "outside"
    outside.mkdir()
    (outside / "out.md").write_text("x")
    (vault.root / "link.md").symlink_to(outside / "out.md")
    (vault.root / "way").symlink_to(outside)
    with pytest.raises(ChangeRefused) as refused:
        vault.writer.apply(vault.group(change), RUN)
    assert refused.value.reason == reason
    assert [path.name for path in outside.iterdir()] == ["out.md"]


@pytest.mark.parametrize("way", ["read-only", "hard link"])
def test_a_note_that_is_read_only_or_has_another_name_is_left(vault: Vault, tmp_path: Path, way: str) -> None:
    note = vault.root / "A.md"
    if way == "read-only":
        note.chmod(0o444)
    else:
        os.link(note, tmp_path / "elsewhere")
    group = vault.group(replace("A.md", "cat", "lynx"))
    with pytest.raises(ChangeRefused) as refused:
        vault.writer.apply(group, RUN)
    assert way in str(refused.value)
    assert vault.bytes() == BEFORE
    assert vault.records.all() == []


def test_a_full_disk_changes_nothing(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []

    def full(descriptor: int) -> None:
        written.append(descriptor)
        if len(written) == 4:  # those of the record, its folder and the first note went well
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("scrubjay.daemon.review.changes.swap.os.fsync", full)
    with pytest.raises(ChangeRefused, match="No space left"):
        vault.writer.apply(vault.group(replace("A.md", "cat", "cow"), replace("b/B.md", "dog", "cow")), RUN)
    assert vault.bytes() == BEFORE


def test_records_hold_the_places_that_changed_and_nothing_else_of_a_note(vault: Vault) -> None:
    secret = "".join(("AK", "IA", "Q3EGRF7ZT5XK2WNB"))
    (vault.root / "A.md").write_text(f"A cat.\nkey: {secret}\n")
    vault.writer.apply(vault.group(replace("A.md", "cat", "cow")), RUN)
    kept = b"".join(path.read_bytes() for path in vault.records.folder.iterdir())
    assert b"cat" in kept
    assert secret.encode() not in kept
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in vault.records.folder.iterdir())


def test_records_of_an_encrypted_profile_tell_nothing_without_its_key(tmp_path: Path) -> None:
    vault = Vault(tmp_path, key=b"0" * 32)
    vault.writer.apply(vault.group(replace("A.md", "cat", "cow")), RUN)
    kept = b"".join(path.read_bytes() for path in vault.records.folder.iterdir())
    assert b"cat" not in kept
    assert b"A.md" not in kept
    with pytest.raises(StoreLocked):
        UndoRecords(tmp_path / "profile", b"1" * 32).all()
    vault.writer.undo(UndoRecords(tmp_path / "profile", b"0" * 32).all()[0])
    assert vault.bytes() == BEFORE


def test_runs_are_forgotten_when_they_are_old(vault: Vault) -> None:
    for number in range(3):
        vault.writer.apply(vault.group(replace("A.md", "cat", "cat,")), new_run(DAY * number))
    vault.records.forget(vault.records.outdated(DAY * (MOST_DAYS + 1), 1))
    assert [record.id[:16] for record in vault.records.all()] == [new_run(DAY * day)[:16] for day in (1, 2)]


def test_runs_are_kept_or_forgotten_whole_and_never_the_newest(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrubjay.daemon.review.changes.undo_records.MOST_RECORDS", 5)
    runs = [new_run(DAY * number) for number in range(3)]
    for run in runs:
        for _ in range(2):
            vault.writer.apply(vault.group(replace("A.md", "cat", "cat,")), run)
    assert vault.records.outdated(3 * DAY, 1) == runs[:1]
    assert vault.records.outdated(3 * DAY, 2) == runs[:2]
    assert vault.records.outdated(3 * DAY, 900) == runs, "the one that comes is kept, whatever it is"
    ids = [record.id for record in vault.records.of_run(runs[1])]
    assert ids == sorted(ids, reverse=True), "newest first, as they are undone"
    begun = vault.records.of_run(runs[1])[0]
    vault.records.put(msgspec.structs.replace(begun, state="undoing"))
    vault.records.forget(runs[:2])
    assert vault.records.runs() == [runs[2], runs[1]]
    assert len(vault.records.of_run(runs[1])) == 2, "an undo is in the middle of it"


def test_what_was_broken_off_waits_while_one_of_its_notes_is_excluded(vault: Vault) -> None:
    record = vault.writer.apply(vault.group(replace("A.md", "cat", "cow"), replace("b/B.md", "dog", "cow")), RUN)
    vault.records.put(msgspec.structs.replace(record, state="begun"))  # as a process leaves it that is killed here
    written = vault.bytes()
    (folder,) = vault.profile.vaults
    excluded = msgspec.structs.replace(folder, exclude=("private", "b"))
    elsewhere = msgspec.structs.replace(vault.profile, vaults=(excluded,))
    writer = NoteWriter(elsewhere, vault.records, digest, lambda: 1)
    with vault.records.unfinished():
        assert writer.recover() == []
    assert vault.bytes() == written
    assert vault.records.is_unfinished
    with pytest.raises(ChangeRefused, match="may not be read"):
        writer.undo(record)
    assert vault.bytes() == written
    with vault.records.unfinished():
        assert vault.writer.recover() == []
    assert vault.bytes() == BEFORE
    assert not vault.records.is_unfinished


def test_a_preview_shows_the_diff_and_refuses_a_note_that_the_index_knows_otherwise(vault: Vault) -> None:
    def known(_vault: str, path: str) -> bytes | None:
        return digest(BEFORE["A.md"]) if path == "A.md" else None

    (shown,) = preview(
        vault.profile, [replace("A.md", "cat", "cow")], digest=digest, indexed=known, redact=lambda text: text
    )
    assert shown.diff == "--- a/A.md\n+++ b/A.md\n@@ -1 +1 @@\n-A cat.\n+A cow.\n"
    assert shown.digest == digest(BEFORE["A.md"]).hex()
    (vault.root / "A.md").write_text("A cat.\nMore.\n")
    with pytest.raises(ChangeRefused, match="changed since it was read"):
        preview(vault.profile, [replace("A.md", "cat", "cow")], digest=digest, indexed=known, redact=str)


def unknown(_vault: str, _path: str) -> None:
    return None


@pytest.mark.parametrize("instead", ["Colour:", "<!-- scrubjay:allow -->"])
def test_a_change_that_would_bring_a_credential_to_light_is_refused(vault: Vault, instead: str) -> None:
    (vault.root / "A.md").write_text("Password:\n" + "".join(("Heron", "-weir", "-42!\n")))
    with pytest.raises(ChangeRefused, match="come to light"):
        preview(
            vault.profile, [replace("A.md", "Password:", instead)], digest=digest, indexed=unknown, redact=redact_text
        )


def test_what_is_hidden_cannot_be_guessed_by_proposing_changes_of_it(vault: Vault) -> None:
    word = "".join(("Heron", "-weir", "-42!"))
    (vault.root / "A.md").write_text(f"Password: {word}\nA cat.\n")

    def told(before: str) -> str:
        change = Change(action="replace", vault="V", path="A.md", line=1, before=before, after="x")
        with pytest.raises(ChangeRefused) as refused:
            preview(vault.profile, [change], digest=digest, indexed=unknown, redact=redact_text)
        return f"{refused.value.code} {refused.value}"

    assert {told(guess) for guess in (word, word[:1], word[:9], "not there")} == {told("Password")}
