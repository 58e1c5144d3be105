"""What must be done to bring the index in step with the disk."""

import random
import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.failures import FailureReason
from scrubjay.daemon.indexing.moved_notes import find_moves, move_candidates
from scrubjay.daemon.indexing.plan import IndexingPlan, plan
from scrubjay.daemon.vault.read import FileStamp, redact_path
from scrubjay.daemon.vault.scan import ScanResult
from scrubjay.profiles.store.rows import FailureRow, KnownNote
from tests.helpers.counted import lines_run

NOW = "fingerprint"


def stamp(path: str, mtime_ns: int = 1, size: int = 1) -> FileStamp:
    return FileStamp(path, mtime_ns, size)


def known(path: str, mtime_ns: int = 1, size: int = 1, fingerprint: str = NOW, digest: bytes = b"d") -> KnownNote:
    return KnownNote(1, path, mtime_ns, size, digest, fingerprint)


def failure(path: str, code: str = "binary", mtime_ns: int = 1, size: int = 1) -> FailureRow:
    return FailureRow("0a1b2c3d", path, code, "It is.", mtime_ns, size)


def found(
    *files: FileStamp,
    problems: tuple[FailureRow, ...] = (),
    unseen: tuple[str, ...] = (),
    away: tuple[str, ...] = (),
) -> ScanResult:
    return ScanResult(files, problems, unseen, away)


def prepared(notes: Iterable[KnownNote], fingerprint: str = NOW) -> frozenset[str]:
    return frozenset(note.path for note in notes if note.fingerprint == fingerprint)


def decide(
    scanned: ScanResult,
    notes: tuple[KnownNote, ...] = (),
    failed: tuple[FailureRow, ...] = (),
    *,
    full: bool = False,
    retry: bool = False,
) -> IndexingPlan:
    by_path: Mapping[str, KnownNote] = {note.path: note for note in notes}
    return plan(scanned, by_path, {row.path: row for row in failed}, prepared(notes), full=full, retry=retry)


@pytest.mark.parametrize(
    ("notes", "failed", "full", "read"),
    [
        pytest.param((), (), False, True, id="new"),
        pytest.param((known("a.md"),), (), False, False, id="as-before"),
        pytest.param((known("a.md", mtime_ns=2),), (), False, True, id="another-time"),
        pytest.param((known("a.md", mtime_ns=0),), (), False, True, id="an-older-file-put-back"),
        pytest.param((known("a.md", size=2),), (), False, True, id="another-size"),
        pytest.param((), (failure("a.md", mtime_ns=2),), False, True, id="failed-and-changed"),
        pytest.param((known("a.md", fingerprint="old"),), (), False, True, id="other-rules"),
        pytest.param((known("a.md"),), (), True, True, id="full"),
        pytest.param((), (failure("a.md"),), False, False, id="failed-as-before"),
        pytest.param((), (failure("a.md", "no-permission"),), False, True, id="failed-for-now"),
        pytest.param((), (failure("a.md"),), True, True, id="failed-and-full"),
        pytest.param(
            (known("b.md", fingerprint="old"),), (failure("a.md"),), False, True, id="failed-under-other-rules"
        ),
        pytest.param(
            (known("a.md"),), (failure("a.md", "broken-frontmatter"),), False, False, id="indexed-with-a-flaw"
        ),
    ],
)
def test_what_is_read(notes: tuple[KnownNote, ...], failed: tuple[FailureRow, ...], full: bool, read: bool) -> None:
    work = decide(found(stamp("a.md")), notes, failed, full=full)
    assert [each.path for each in work.read] == ["a.md"] * read


@pytest.mark.parametrize(
    ("code", "retry", "read"),
    [
        (FailureReason.ENCRYPTED, False, False),
        (FailureReason.ENCRYPTED, True, True),
        (FailureReason.BROKEN_FRONTMATTER, True, False),
        (FailureReason.PROCESS_ENDED, False, True),
        ("unreadable-file", False, True),
    ],
)
def test_what_is_known_with_a_failure_is_read_again_when_that_may_be_over_or_is_asked_for(
    code: str, retry: bool, read: bool
) -> None:
    work = decide(found(stamp("a.pdf")), (known("a.pdf"),), (failure("a.pdf", code),), retry=retry)
    assert [each.path for each in work.read] == ["a.pdf"] * read


def test_the_newest_is_read_first() -> None:
    files = (stamp("b.md", 5), stamp("c.md", 9), stamp("a.md", 5))
    assert [each.path for each in decide(found(*files)).read] == ["c.md", "a.md", "b.md"]


def test_of_notes_that_changed_at_once_the_new_are_read_first_and_the_others_as_they_were_stored() -> None:
    minute = 60 * 10**9
    times = {"a.md": 2, "b.md": 1, "c.md": 3, "new.md": 0, "newer.md": 4, "later.md": minute, "long ago.md": -1}
    ids = {"a.md": 3, "b.md": 1, "c.md": 2, "later.md": 4, "long ago.md": 0}
    notes = tuple(replace(known(path, -2 * minute), id=number) for path, number in ids.items())
    work = decide(found(*(stamp(path, time) for path, time in times.items())), notes)
    expected = ["later.md", "newer.md", "new.md", "b.md", "c.md", "a.md", "long ago.md"]
    assert [each.path for each in work.read] == expected


@pytest.mark.parametrize(
    ("unseen", "kept"),
    [("", True), ("b", True), ("b/c/d.md", True), ("b/c/d", False), ("b/c/d.md.md", False), ("b/cc", False)],
)
def test_what_could_not_be_seen_is_kept_and_nothing_else(unseen: str, kept: bool) -> None:
    notes, failures = (known("b/c/d.md"),), (failure("b/c/d.md"),)
    work = decide(found(unseen=(unseen,)), notes, failures)
    assert (work.forget, work.cleared) == ((), ()) if kept else work.forget == notes


@pytest.mark.parametrize("away", ["b", "b/c", "B"])
def test_what_lies_in_an_allowed_folder_that_is_away_is_kept(away: str) -> None:
    work = decide(found(away=(away,)), (known("b/c/d.md"), known("e.md")), (failure("b/c/d.md"),))
    assert ([note.path for note in work.away], [note.path for note in work.forget]) == (["b/c/d.md"], ["e.md"])
    assert work.cleared == ()


def test_a_note_of_a_folder_that_is_away_is_forgotten_where_another_is_the_same() -> None:
    notes = (known("b/d.md"), known("b/e.md"), known("c/d.md"))
    failed = (failure("b/d.md"), failure("b/f.md"), failure("gone.md"))
    work = decide(found(stamp("c/d.md"), away=("b",)), notes, failed)
    assert ([note.path for note in work.away], [note.path for note in work.forget]) == (["b/e.md"], ["b/d.md"])
    assert work.cleared == (failed[2],), "that of a note that is forgotten goes with the note"
    files, missing = move_candidates(
        decide(found(stamp("c/d.md"), away=("b",)), notes[:1]), {"b/d.md": notes[0]}, {}, prepared(notes)
    )
    assert ([file.path for file in files], missing) == (["c/d.md"], notes[:1]), "it may have turned up elsewhere"


def test_failures_of_what_is_no_longer_there_are_cleared() -> None:
    failed = (failure("gone.md"), failure("a.md"), failure("closed", "unreadable-folder"), failure("open", "x"))
    work = decide(found(stamp("a.md"), problems=(failure("closed", "unreadable-folder"),)), failed=failed)
    assert work.cleared == (failed[0], failed[3])


def test_a_note_with_a_credential_in_its_name_is_not_read_again_and_again() -> None:
    token = "ghp" + "_" + "".join(random.Random(7).choices(string.ascii_letters + string.digits, k=36))
    shown = redact_path(f"{token}.md")[0]
    assert shown != f"{token}.md"
    assert decide(found(stamp(f"{token}.md")), failed=(failure(shown, FailureReason.SECRET_IN_NAME),)) == IndexingPlan(
        (), (), ()
    )
    work = decide(found(stamp("a.md")), failed=(failure(shown, FailureReason.SECRET_IN_NAME),))
    assert [row.path for row in work.cleared] == [shown]


@pytest.mark.parametrize(
    ("forget", "arrived", "moves"),
    [
        pytest.param(["a.md"], {"x/a.md": b"d"}, [("a.md", "x/a.md")], id="moved"),
        pytest.param(
            ["x/a.md", "x/y/b.md"],
            {"z/a.md": b"d", "z/y/b.md": b"d"},
            [("x/a.md", "z/a.md"), ("x/y/b.md", "z/y/b.md")],
            id="folder",
        ),
        pytest.param(["a.md"], {"y/a.md": b"d", "x/a.md": b"d"}, [("a.md", "x/a.md")], id="first-by-path"),
        pytest.param(["x/a.md", "y/a.md"], {"z/a.md": b"d"}, [("x/a.md", "z/a.md")], id="one-place-for-two"),
        pytest.param(["a.md"], {"b.md": b"d"}, [], id="another-name"),
        pytest.param(["x/a.md"], {"x/A.md": b"d"}, [], id="case-only"),
        pytest.param(["a.md"], {"x/a.md": b"other"}, [], id="other-bytes"),
        pytest.param([], {"b.md": b"d"}, [], id="a-copy-is-no-move"),
    ],
)
def test_moves(forget: list[str], arrived: dict[str, bytes], moves: list[tuple[str, str]]) -> None:
    found_moves = find_moves([known(path) for path in forget], arrived)
    assert [(move.note.path, move.path) for move in found_moves] == moves


@pytest.mark.parametrize(
    ("note", "failed", "files"),
    [
        pytest.param(known("a.md"), (), ["x/a.md"], id="same-name-and-size"),
        pytest.param(known("a.md", size=2), (), [], id="another-size"),
        pytest.param(known("b.md"), (), [], id="another-name"),
        pytest.param(known("a.md", fingerprint="old"), (), [], id="other-rules"),
        pytest.param(known("a.md"), (failure("a.md", "broken-frontmatter"),), [], id="with-a-failure-to-its-name"),
    ],
)
def test_only_files_like_a_vanished_note_may_be_it(
    note: KnownNote, failed: tuple[FailureRow, ...], files: list[str]
) -> None:
    work = decide(found(stamp("x/a.md")), (note,), failed)
    read, notes = move_candidates(work, {note.path: note}, {row.path: row for row in failed}, prepared([note]))
    assert ([each.path for each in read], notes) == (files, (note,) if files else ())


# ---- histories: the index ends where a full rescan would -------------------------------------------------------------


@dataclass
class World:
    """A disk, and an index that follows the plan: path to content, as a store keeps it."""

    disk: dict[str, tuple[bytes, int]] = field(default_factory=dict[str, tuple[bytes, int]])
    index: dict[str, KnownNote] = field(default_factory=dict[str, KnownNote])
    failures: dict[str, FailureRow] = field(default_factory=dict[str, FailureRow])
    clock: int = 0
    ids: int = 0
    rules: str = "rules 1"
    hidden: str | None = None

    def write(self, path: str, content: bytes) -> None:
        self.clock += 1
        self.disk[path] = (content, self.clock)

    def move(self, path: str, other: str) -> None:
        if path in self.disk and path != other:
            self.disk[other] = self.disk.pop(path)

    def scan(self) -> ScanResult:
        files = [
            FileStamp(path, mtime, len(content))
            for path, (content, mtime) in sorted(self.disk.items())
            if self.hidden is None or not path.startswith(f"{self.hidden}/")
        ]
        return ScanResult(tuple(files), (), () if self.hidden is None else (self.hidden,))

    def prepared(self) -> frozenset[str]:
        return prepared(self.index.values(), self.rules)

    def plan(self) -> IndexingPlan:
        return plan(self.scan(), self.index, self.failures, self.prepared())

    def reconcile(self) -> None:
        work = self.plan()
        for row in work.cleared:
            del self.failures[row.path]
        files, notes = move_candidates(work, self.index, self.failures, self.prepared())
        moves = find_moves(notes, {each.path: self.disk[each.path][0] for each in files})
        moved = {move.note.path for move in moves}
        for note in work.forget:
            del self.index[note.path]
        ids = {move.path: move.note.id for move in moves}
        assert len(ids) == len(moved)
        for each in work.read:
            content, mtime = self.disk[each.path]
            if content.startswith(b"\0"):
                self.index.pop(each.path, None)
                self.failures[each.path] = failure(each.path, "binary", mtime, len(content))
                continue
            self.failures.pop(each.path, None)
            before = self.index.get(each.path)
            self.ids += 1
            note_id = ids.get(each.path, before.id if before else self.ids)
            self.index[each.path] = KnownNote(note_id, each.path, mtime, len(content), content, self.rules)

    def expected(self) -> dict[str, bytes]:
        return {path: content for path, (content, _) in self.disk.items() if not content.startswith(b"\0")}


NAMES = st.sampled_from(["a.md", "b.md", "x/a.md", "x/b.md", "x/y/a.md"])
CONTENTS = st.sampled_from(["one", "two", "three", "\0bad"])
STEPS = st.one_of(
    st.tuples(st.just("write"), NAMES, CONTENTS),
    st.tuples(st.just("delete"), NAMES),
    st.tuples(st.just("move"), NAMES, NAMES),
    st.tuples(st.just("rules")),
    st.tuples(st.just("hide")),
    st.tuples(st.just("reconcile")),
)


@given(st.lists(STEPS, max_size=25))
def test_the_index_ends_where_a_full_rescan_would(steps: list[tuple[str, ...]]) -> None:
    check(steps)


def check(steps: list[tuple[str, ...]]) -> None:
    world = World()
    for name, *args in steps:
        match name:
            case "write":
                world.write(args[0], args[1].encode())
            case "delete":
                world.disk.pop(args[0], None)
            case "move":
                world.move(args[0], args[1])
            case "rules":
                world.rules += "+"
            case "hide":
                world.hidden = None if world.hidden else "x"
            case _:
                world.reconcile()
    world.hidden = None
    world.reconcile()
    assert {path: note.digest for path, note in world.index.items()} == world.expected()
    assert {note.fingerprint for note in world.index.values()} <= {world.rules}
    assert len({note.id for note in world.index.values()}) == len(world.index)
    assert set(world.failures) == set(world.disk) - set(world.expected())
    assert world.plan() == IndexingPlan((), (), ())


def test_four_times_the_notes_are_planned_with_four_times_the_work() -> None:
    def work(count: int) -> int:
        """Of each kind as many: as they were, changed, new, failed, gone, and in a folder that is away."""
        numbers = range(count)
        stays = [f"stays/{number}.md" for number in numbers]
        files = [
            *(stamp(path, 2 if number % 2 else 1) for number, path in enumerate(stays)),
            *(stamp(f"new/{number}.md") for number in numbers),
            *(stamp(f"failed/{number}.md") for number in numbers),
        ]
        notes = tuple(
            known(path) for path in (*stays, *(f"{place}/{n}.md" for place in ("gone", "away") for n in numbers))
        )
        failures = tuple(failure(f"{place}/{number}.md") for place in ("failed", "gone") for number in numbers)
        scanned = found(*files, away=("away",))
        return lines_run(lambda: decide(scanned, notes, failures))

    one, two, four = (work(count) for count in (20, 40, 80))
    assert two < 2.2 * one
    assert four < 4.4 * one
