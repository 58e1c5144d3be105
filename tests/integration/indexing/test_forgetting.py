"""Many notes that are gone, or have moved, are taken in in parts: what is done is done, the rest with the next look."""

import shutil
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from scrubjay.credential_filter import BUILT_IN
from scrubjay.daemon.indexing import pipeline
from scrubjay.daemon.indexing.indexer import Indexer
from scrubjay.daemon.indexing.prepare import PrepareContext
from scrubjay.daemon.indexing.progress import Progress
from scrubjay.daemon.vault.read import ReadLimits
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.store import fts, reads
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.integrity_check import check
from scrubjay.profiles.store.rows import NoteMove
from scrubjay.profiles.store.writer import Writer

CONTEXT = PrepareContext(b"k" * 32, BUILT_IN, lambda texts: [len(text.split()) for text in texts], 100)
VAULT = "0a1b2c3d"
NOTES, GONE, MOST_AT_ONCE = 60, 30, 16


@pytest.fixture
def indexed(tmp_path: Path, file_store: FileStore, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A vault in the index, whose notes lie in two folders; few are many here."""
    monkeypatch.setattr(pipeline, "_CHANGED_AT_ONCE", MOST_AT_ONCE)
    root = tmp_path / "vault"
    for number in range(NOTES):
        path = root / ("old" if number < GONE else "kept") / f"{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"A heron stood at weir {number}.", encoding="utf-8")
    indexer(root, file_store).reconcile(threading.Event())
    assert file_store.read(reads.note_count) == NOTES
    return root


@pytest.fixture
def root(indexed: Path) -> Path:
    """Many of its notes have gone since."""
    shutil.rmtree(indexed / "old")
    return indexed


def indexer(root: Path, store: FileStore, allow: tuple[str, ...] = (".",)) -> Indexer:
    vault = VaultFolder(id=VAULT, root=str(root), name="v", allow=allow)
    return Indexer([vault], store, CONTEXT, Progress(), ReadLimits())


def test_no_transaction_forgets_more_than_a_part(root: Path, file_store: FileStore) -> None:
    steps = indexer(root, file_store).reconciling(threading.Event())
    left = [NOTES, *(file_store.read(reads.note_count) for _ in steps)]
    assert left[-1] == NOTES - GONE
    assert max(before - after for before, after in pairwise(left)) <= MOST_AT_ONCE


def test_what_a_stop_left_is_forgotten_with_the_next_look(root: Path, file_store: FileStore) -> None:
    stop = threading.Event()
    for _ in indexer(root, file_store).reconciling(stop):
        stop.set()
    assert NOTES - GONE < file_store.read(reads.note_count) < NOTES
    assert list(check(file_store)) == []
    indexer(root, file_store).reconcile(threading.Event())
    assert file_store.read(reads.note_count) == NOTES - GONE
    assert list(check(file_store)) == []


def is_on_disk(store: FileStore, word: str) -> bool:
    store.release_memory()  # and empties the log
    files = store.path.parent.glob(f"{store.path.name}*")
    return any(word.encode() in path.read_bytes().lower() for path in files)


def stopped_and_looked_at_again(root: Path, store: FileStore) -> None:
    shutil.rmtree(root / "old")
    stop = threading.Event()
    for _ in indexer(root, store).reconciling(stop):
        stop.set()
    assert store.read(fts.is_merge_owed), "some are only marked as gone"
    indexer(root, store).reconcile(threading.Event())


def deleted(root: Path, store: FileStore) -> None:
    shutil.rmtree(root / "old")
    indexer(root, store).reconcile(threading.Event())


def excluded(root: Path, store: FileStore) -> None:
    indexer(root, store, allow=("kept",)).forget_excluded()


def of_a_vault_taken_away(root: Path, store: FileStore) -> None:
    del root
    Indexer([], store, CONTEXT, Progress(), ReadLimits()).forget_excluded()


def written_anew(root: Path, store: FileStore) -> None:
    for path in (root / "old").iterdir():
        path.write_text("An otter.", encoding="utf-8")
    indexer(root, store).reconcile(threading.Event())


@pytest.mark.parametrize(
    "go",
    [deleted, stopped_and_looked_at_again, excluded, of_a_vault_taken_away, written_anew],
    ids=lambda go: go.__name__,
)
def test_of_many_notes_that_went_no_byte_stays(
    indexed: Path, file_store: FileStore, monkeypatch: pytest.MonkeyPatch, go: Callable[[Path, FileStore], None]
) -> None:
    monkeypatch.setattr(fts, "_FEW", 3)
    for path in (indexed / "old").iterdir():
        path.write_text(f"A quagga stood at weir {path.stem}.", encoding="utf-8")
    indexer(indexed, file_store).reconcile(threading.Event())
    assert is_on_disk(file_store, "quagga")
    go(indexed, file_store)
    assert not is_on_disk(file_store, "quagga")
    assert list(check(file_store)) == []


def test_what_goes_in_many_small_transactions_is_merged_as_what_goes_in_one(
    indexed: Path, file_store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each passage that is overwritten alone takes milliseconds, and more in a larger vault."""
    monkeypatch.setattr(fts, "_FEW", 3)
    monkeypatch.setattr(fts, "_PASSAGES_A_ROW", 3)
    monkeypatch.setattr(pipeline, "_FIRST_NOTES", 8)
    monkeypatch.setattr(pipeline, "_BATCH_NOTES", 8)
    for path in (indexed / "old").iterdir():
        path.write_text("An otter.", encoding="utf-8")
    owed = [file_store.read(fts.is_merge_owed) for _ in indexer(indexed, file_store).reconciling(threading.Event())]
    assert (owed[0], owed[-1]) == (False, True)
    assert not file_store.read(fts.is_merge_owed)
    with file_store.writing() as writer:
        writer.forget_notes([note.id for note in file_store.read(reads.known_notes, VAULT).values()][:1])
    assert not file_store.read(fts.is_merge_owed), "what went before counts no more"


def test_a_folder_s_old_name_goes_from_the_file_with_the_last_part(
    indexed: Path, file_store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fts, "_FEW", 3)
    for before, after in (("old", "quagga"), ("quagga", "new")):
        (indexed / before).rename(indexed / after)
        indexer(indexed, file_store).reconcile(threading.Event())
        assert is_on_disk(file_store, "quagga") == (after == "quagga")
    assert list(check(file_store)) == []


def test_the_notes_of_a_vault_that_was_taken_away_all_go(root: Path, file_store: FileStore) -> None:
    Indexer([], file_store, CONTEXT, Progress(), ReadLimits()).reconcile(threading.Event())
    assert file_store.read(reads.note_count) == 0


def test_what_is_wrong_with_a_note_is_known_until_the_note_is_forgotten(tmp_path: Path, file_store: FileStore) -> None:
    """A look that is broken off between the two leaves both; and the note, moved meanwhile, still has its flaw."""
    root = tmp_path / "vault"
    (root / "old").mkdir(parents=True)
    broken = root / "old/broken.md"
    broken.write_text("---\n[broken: {yaml\n---\nA heron.", encoding="utf-8")
    indexer(root, file_store).reconcile(threading.Event())
    left_out = file_store.read(reads.failures)
    assert [(row.path, row.code) for row in left_out] == [("old/broken.md", "broken-frontmatter")]
    broken.rename(tmp_path / "broken.md")
    (root / "new.md").write_text("An otter.", encoding="utf-8")
    stop = threading.Event()
    for _ in indexer(root, file_store).reconciling(stop):
        stop.set()
    assert file_store.read(reads.note_count) == 2
    assert file_store.read(reads.failures) == left_out
    (tmp_path / "broken.md").rename(root / "broken.md")
    indexer(root, file_store).reconcile(threading.Event())
    assert [row.path for row in file_store.read(reads.failures)] == ["broken.md"]
    (root / "broken.md").unlink()
    indexer(root, file_store).reconcile(threading.Event())
    assert len(file_store.read(reads.failures)) == 0


class Killed(BaseException):
    """The process ends here."""


def test_a_rename_that_is_killed_between_two_parts_is_finished_by_the_next_look(
    indexed: Path, file_store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ids() -> dict[str, int]:
        known = file_store.read(reads.known_notes, VAULT)
        return {path.rpartition("/")[2]: note.id for path, note in known.items()}

    def folders() -> Counter[str]:
        return Counter(path.partition("/")[0] for path in file_store.read(reads.known_notes, VAULT))

    (indexed / "old").rename(indexed / "new")
    before, moved = ids(), list[int]()
    move_notes = Writer.move_notes

    def counted(writer: Writer, moves: Sequence[NoteMove]) -> None:
        moved.append(len(moves))
        move_notes(writer, moves)
        if len(moved) == 2:
            raise Killed

    monkeypatch.setattr(Writer, "move_notes", counted)
    with pytest.raises(Killed):
        indexer(indexed, file_store).reconcile(threading.Event())
    parts = {"old": GONE - MOST_AT_ONCE, "new": MOST_AT_ONCE, "kept": NOTES - GONE}
    assert folders() == parts, "the part under way is undone"
    assert list(check(file_store)) == []
    indexer(indexed, file_store).reconcile(threading.Event())
    assert max(moved) <= MOST_AT_ONCE
    assert folders() == {"new": GONE, "kept": NOTES - GONE}
    assert ids() == before, "no note was read anew"
    assert list(check(file_store)) == []
