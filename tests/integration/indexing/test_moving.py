"""A large folder that is renamed is taken in in parts, each whole: what a kill left is taken in with the next look."""

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from scrubjay.profiles.store import reads
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.integrity_check import check
from scrubjay.profiles.store.rows import NoteMove
from scrubjay.profiles.store.writer import Writer
from tests.integration.indexing.test_forgetting import MOST_AT_ONCE, VAULT, indexer

NOTES = 1_300


class Killed(BaseException):
    """The process ends here."""


@pytest.fixture
def root(tmp_path: Path, file_store: FileStore) -> Path:
    """A vault in the index, whose only folder has got another name since."""
    root = tmp_path / "vault"
    (root / "old").mkdir(parents=True)
    for number in range(NOTES):
        (root / "old" / f"{number}.md").write_text(f"A heron stood at weir {number}.", encoding="utf-8")
    indexer(root, file_store).reconcile(threading.Event())
    (root / "old").rename(root / "new")
    return root


def ids_by_name(store: FileStore) -> dict[str, int]:
    return {path.rpartition("/")[2]: note.id for path, note in store.read(reads.known_notes, VAULT).items()}


def folders(store: FileStore) -> dict[str, int]:
    paths = store.read(reads.known_notes, VAULT)
    return {folder: sum(path.startswith(f"{folder}/") for path in paths) for folder in ("old", "new")}


def test_a_rename_that_is_killed_between_two_parts_is_finished_by_the_next_look(
    root: Path, file_store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, moved = ids_by_name(file_store), list[int]()
    move_notes = Writer.move_notes

    def counted(writer: Writer, moves: Sequence[NoteMove]) -> None:
        moved.append(len(moves))
        move_notes(writer, moves)
        if len(moved) == 2:
            raise Killed

    monkeypatch.setattr(Writer, "move_notes", counted)
    with pytest.raises(Killed):
        indexer(root, file_store).reconcile(threading.Event())
    assert folders(file_store) == {"old": NOTES - MOST_AT_ONCE, "new": MOST_AT_ONCE}, "the part under way is undone"
    assert list(check(file_store)) == []
    indexer(root, file_store).reconcile(threading.Event())
    assert max(moved) <= MOST_AT_ONCE
    assert folders(file_store) == {"old": 0, "new": NOTES}
    assert ids_by_name(file_store) == before, "no note was read anew"
    assert list(check(file_store)) == []
