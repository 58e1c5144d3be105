"""What becomes of a file beside notes that was indexed and then can't be read or prepared: each of the failures."""

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from errno import EACCES, EIO, ELOOP, ENOENT, ENXIO
from io import FileIO
from pathlib import Path

import pytest

from scrubjay.daemon.documents.document_bundles import RawFile, prepare_files
from scrubjay.daemon.documents.document_indexer import FileIndexer
from scrubjay.daemon.documents.document_source import FileContext
from scrubjay.daemon.documents.extracted import DocumentPart, Extracted, Kind, Reason, unreadable
from scrubjay.daemon.failures import FailureReason
from scrubjay.daemon.indexing.prepare import PrepareContext, Prepared, Skipped
from scrubjay.daemon.vault import read
from scrubjay.profiles.registry.profile_settings import FileSettings
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.search.words.evidence import LexicalQuery, Term
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.decisions import decide
from scrubjay.profiles.store.rows import FailureRow, Standing
from scrubjay.profiles.store.store import Store
from tests.integration.indexing.test_indexer import CONTEXT, PASSWORD


@dataclass(slots=True)
class Shelf:
    """A vault with files, a store and what keeps them in step; `extract` and `prepare` may be made to fail."""

    root: Path
    store: Store
    refuses: Reason | None = None  # why the box reads nothing that has an otter in it
    skips: FailureReason | None = None  # why such a file is not prepared, but for its name
    prepares: Callable[[Sequence[RawFile], PrepareContext], Prepared] = prepare_files
    meanwhile: Callable[[], None] = lambda: None  # done while the box reads
    allow: tuple[str, ...] = (".",)

    def extract(self, extension: str, data: FileIO, size: int) -> Extracted:
        self.meanwhile()
        text = data.read(size).decode()
        if self.refuses and "otter" in text:
            return Extracted(Kind.TEXT, unreadable=unreadable(self.refuses))
        return Extracted(Kind.TEXT, parts=(DocumentPart("1", "", text),))

    def prepare(self, raws: Sequence[RawFile], context: PrepareContext) -> Prepared:
        made = self.prepares(raws, context)
        for at, raw in enumerate(raws):
            if self.skips and "otter" in raw.text:
                made[at] = Skipped(raw.vault, raw.path, self.skips, "It failed.")
        return made

    def write(self, path: str, text: str) -> None:
        (self.root / path).write_text(text, encoding="utf-8")

    @property
    def indexer(self) -> FileIndexer:
        vault = VaultFolder(id="0a1b2c3d", root=str(self.root), name="v", allow=self.allow)
        return FileIndexer([vault], self.store, FileContext(CONTEXT, FileSettings(), self, self.prepare))

    def look(self) -> None:
        self.indexer.reconcile(threading.Event())

    def found(self, word: str) -> set[str]:
        hits = self.store.lexical(LexicalQuery((Term(word),)), where=None, limit=10).hits
        return {view.path for view in self.store.read(reads.chunks, [hit.chunk_id for hit in hits]).values()}

    def problems(self) -> set[tuple[str, str]]:
        return {(row.path, row.code) for row in self.store.read(reads.failures)}


@pytest.fixture
def shelf(tmp_path: Path, store: Store) -> Shelf:
    (tmp_path / "vault").mkdir()
    shelf = Shelf(tmp_path / "vault", store)
    shelf.write("a.txt", "A heron stood.")
    shelf.write("b.txt", "A heron stood.")
    shelf.look()
    assert shelf.found("heron") == {"a.txt", "b.txt"}
    shelf.write("a.txt", "An otter swam by.")
    return shelf


def healed(shelf: Shelf) -> None:
    """The failure is over, and the file is as it was: what is in it now is found."""
    shelf.refuses = shelf.skips = None
    shelf.look()
    assert (shelf.found("heron"), shelf.found("otter"), shelf.problems()) == ({"b.txt"}, {"a.txt"}, set())


def changed(shelf: Shelf) -> None:
    """The same for a failure that does not pass: the file is mended."""
    shelf.refuses = shelf.skips = None
    shelf.write("a.txt", "An otter swam by again.")
    shelf.look()
    assert (shelf.found("heron"), shelf.found("otter"), shelf.problems()) == ({"b.txt"}, {"a.txt"}, set())


@pytest.mark.parametrize("reason", Reason, ids=str)
def test_what_the_box_can_not_read_leaves_what_was_found_where_it_passes_and_its_name_where_not(
    shelf: Shelf, reason: Reason
) -> None:
    shelf.refuses = reason
    for _ in range(2):
        shelf.look()
        assert shelf.found("heron") == ({"a.txt", "b.txt"} if FailureReason(reason).passes else {"b.txt"})
        assert shelf.problems() == {("a.txt", reason)}
        assert "a.txt" in shelf.store.read(reads.known_notes, "0a1b2c3d", files=True)
    (healed if FailureReason(reason).passes else changed)(shelf)


@pytest.mark.parametrize("failure", [FailureReason.PROCESS_ENDED, FailureReason.TOO_SLOW])
def test_what_can_not_be_taken_apart_leaves_what_was_found_where_it_passes_and_its_name_where_not(
    shelf: Shelf, failure: FailureReason
) -> None:
    shelf.skips = failure
    shelf.look()
    assert shelf.found("heron") == ({"a.txt", "b.txt"} if failure.passes else {"b.txt"})
    assert shelf.problems() == {("a.txt", failure)}
    (healed if failure.passes else changed)(shelf)


@pytest.mark.parametrize("is_known", [True, False])
def test_a_file_over_which_preparing_goes_wrong_unforeseen_is_named_and_the_others_go_in(
    shelf: Shelf, is_known: bool
) -> None:
    path = "a.txt" if is_known else "new.txt"
    shelf.write("a.txt", "A heron stood.")
    shelf.write(path, "An otter swam by.")
    shelf.write("c.txt", "A kestrel hung.")

    def go_wrong(raws: Sequence[RawFile], context: PrepareContext) -> Prepared:
        if any("otter" in raw.text for raw in raws):
            raise RuntimeError
        return prepare_files(raws, context)

    shelf.prepares = go_wrong
    shelf.look()
    assert (shelf.found("heron"), shelf.found("kestrel")) == ({"a.txt", "b.txt"}, {"c.txt"})
    assert shelf.problems() == {(path, "unexpected")}
    shelf.prepares = prepare_files
    shelf.look()
    assert (shelf.found("otter"), shelf.problems()) == ({path}, set())


@pytest.mark.parametrize("where", ["box", "preparing"])
def test_a_new_file_over_which_a_process_was_ended_is_found_by_its_name_and_read_at_the_next_look(
    shelf: Shelf, where: str
) -> None:
    shelf.write("a.txt", "A heron stood.")
    shelf.write("new.txt", "An otter swam by.")
    shelf.refuses = Reason.PROCESS_ENDED if where == "box" else None
    shelf.skips = FailureReason.PROCESS_ENDED
    shelf.look()
    assert "new.txt" in shelf.store.read(reads.known_notes, "0a1b2c3d", files=True)
    assert shelf.problems() == {("new.txt", "process-ended")}
    shelf.refuses = shelf.skips = None
    shelf.look()
    assert (shelf.found("otter"), shelf.problems()) == ({"new.txt"}, set())


@pytest.mark.parametrize("told", [["birds", "plants"], ["plants", "birds"]], ids=["old-first", "new-first"])
def test_files_of_an_allowed_folder_that_moved_into_another_are_there_once(shelf: Shelf, told: list[str]) -> None:
    shelf.allow = ("birds", "plants")
    for folder in shelf.allow:
        (shelf.root / folder).mkdir()
        shelf.write(f"{folder}/{folder}.txt", f"About {folder}.")
    shelf.look()
    (shelf.root / "birds").rename(shelf.root / "plants/birds")
    for part in told:
        indexer = shelf.indexer
        indexer.read("0a1b2c3d", indexer.look("0a1b2c3d", [part]), lambda: True)
    assert set(shelf.store.read(reads.known_notes, "0a1b2c3d", files=True)) == {
        "plants/birds/birds.txt",
        "plants/plants.txt",
    }


def test_a_failure_is_over_where_the_file_is_as_it_was_before(shelf: Shelf) -> None:
    shelf.refuses = Reason.PROCESS_ENDED
    shelf.look()
    shelf.write("a.txt", "A heron stood.")
    shelf.look()
    assert (shelf.found("heron"), shelf.problems()) == ({"a.txt", "b.txt"}, set())


def test_what_a_look_could_not_see_of_a_file_is_over_when_the_next_one_does(shelf: Shelf) -> None:
    shelf.look()
    with shelf.store.writing() as writer:
        writer.put_failure(FailureRow("0a1b2c3d", "a.txt", "unreadable-file", "It is.", kind="text"))
    shelf.look()
    assert (shelf.found("otter"), shelf.problems()) == ({"a.txt"}, set())


@pytest.mark.skipif(os.name == "nt", reason="errors of POSIX")
@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (ENOENT, FailureReason.GONE),
        (ELOOP, FailureReason.IS_LINK),
        (EACCES, FailureReason.NO_PERMISSION),
        (ENXIO, FailureReason.NOT_A_FILE),
        (EIO, FailureReason.READ_ERROR),
    ],
    ids=str,
)
def test_a_file_that_can_not_be_opened_stays_as_it_was_found_where_that_passes(
    shelf: Shelf, error: int, failure: FailureReason, monkeypatch: pytest.MonkeyPatch
) -> None:
    opens: Callable[..., int] = os.open

    def refuse(path: str, flags: int, *more: int, dir_fd: int | None = None) -> int:
        if path == "a.txt":
            raise OSError(error, os.strerror(error), path)
        return opens(path, flags, *more, dir_fd=dir_fd)

    with monkeypatch.context() as damaged:
        damaged.setattr(os, "open", refuse)
        shelf.look()
    assert shelf.found("heron") == ({"a.txt", "b.txt"} if failure.passes else {"b.txt"})
    assert shelf.problems() == ({("a.txt", failure)} if failure is not FailureReason.GONE else set())
    (healed if failure.passes else changed)(shelf)


def test_a_file_in_the_cloud_stays_as_it_was_found(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    away = (shelf.root / "a.txt").stat().st_ino

    def is_placeholder(stats: os.stat_result) -> bool:
        return stats.st_ino == away

    with monkeypatch.context() as damaged:
        damaged.setattr(read, "is_placeholder", is_placeholder)
        shelf.look()
        assert shelf.found("heron") == {"a.txt", "b.txt"}
        assert shelf.problems() == {("a.txt", "not-downloaded")}
    healed(shelf)


def test_a_decision_made_while_its_file_is_being_read_holds_and_so_does_what_became_of_the_file(shelf: Shelf) -> None:
    secret = f"password: {PASSWORD}\n"
    shelf.write("keys.txt", secret)
    shelf.look()
    [row] = shelf.store.read(reads.redactions)
    digests = {each.digest for each in shelf.indexer.credentials_in("0a1b2c3d", "keys.txt")}
    made: list[Standing] = ["done", "allowed"]

    def decided_meanwhile(raws: Sequence[RawFile], context: PrepareContext) -> Prepared:
        if made:
            decide(shelf.store, "0a1b2c3d", "keys.txt", digests, made.pop(), [])
        return prepare_files(raws, context)

    shelf.write("keys.txt", f"A kestrel.\n{secret}")
    shelf.prepares = decided_meanwhile
    shelf.look()
    [after] = shelf.store.read(reads.redactions)
    assert (made, after.standing, after.line) == ([], "done", row.line + 1)
    assert shelf.found("kestrel") == {"keys.txt"}


def test_a_file_that_is_written_while_it_is_read_is_read_as_a_whole_at_the_next_look(shelf: Shelf) -> None:
    shelf.write("a.txt", "heron")
    shelf.meanwhile = lambda: shelf.write("a.txt", "weir and otter")
    shelf.look()
    assert (shelf.found("weir"), shelf.problems()) == (set(), set())
    shelf.meanwhile = lambda: None
    shelf.look()
    assert shelf.found("weir") == shelf.found("otter") == {"a.txt"}
