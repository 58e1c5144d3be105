"""A database of every version that was ever written is opened, brought up to date, and keeps what it holds."""

import gzip
import hashlib
import re
from importlib import resources
from pathlib import Path

import pytest

from scrubjay.profiles.errors import StoreTooNew
from scrubjay.profiles.journal.entries import Journal, JournalEntry
from scrubjay.profiles.journal.searches import History
from scrubjay.profiles.search.words.evidence import LexicalQuery, Term
from scrubjay.profiles.store import backup, encryption, reads
from scrubjay.profiles.store.decisions import decisions_of
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.integrity_check import check
from scrubjay.profiles.store.migrations import scripts
from scrubjay.profiles.store.sqlite import connect
from tests.integration.profiles.make_stored import DECIDED, MODEL, NOTES, SEARCHED
from tests.integration.profiles.notes import VAULT, digest, vector

KEY = bytes(range(32))


def unpacked(stored: Path, folder: Path) -> Path:
    path = folder / "index.sqlite3"
    path.write_bytes(gzip.decompress(stored.read_bytes()))
    return path


def version_of(path: Path, key: bytes | None = None) -> int:
    connection = connect(path, key, "reader")
    try:
        return int(connection.pragma("user_version"))
    finally:
        connection.close()


def number_of(stored: Path) -> int:
    return int(re.findall(r"\d+", stored.name)[0])


STORED = sorted((Path(__file__).parent / "stored").glob("version-*.sqlite3.gz"), key=number_of)


def test_no_two_changes_of_the_schema_have_one_number():
    folder = resources.files("scrubjay.profiles.store") / "schema"
    numbers = sorted(entry.name[:4] for entry in folder.iterdir() if entry.name.endswith(".sql"))
    assert numbers == [f"{number:04}" for number in range(1, len(numbers) + 1)]


def test_every_version_before_this_one_is_stored():
    numbers = [number_of(stored) for stored in STORED]
    assert numbers == sorted(set(numbers))
    assert numbers[0] == 1
    assert numbers[-1] < len(scripts())


@pytest.mark.parametrize(
    ("stored", "key"),
    [(STORED[0], KEY), *((stored, None) for stored in STORED)],
    ids=lambda value: value.name.split(".")[0] if isinstance(value, Path) else "encrypted" if value else "plain",
)
def test_a_stored_database_is_brought_up_to_date_and_keeps_all(tmp_path: Path, stored: Path, key: bytes | None):
    path = unpacked(stored, tmp_path)
    if key is not None:
        encryption.encrypt(path, key)
    assert version_of(path, key) < len(scripts())
    store = FileStore.open(path, key=key)
    assert check(store, digest=digest) == ()
    assert {note.path for note in store.read(reads.recent, 10)} == set(NOTES)
    heron = store.read(reads.note_by_path, VAULT, "Birds/Heron.md")
    assert heron is not None
    assert (heron.aliases, heron.tags, heron.redactions) == (("Ardea",), ("bird", "field/note"), 1)
    assert [chunk.text for chunk in store.read(reads.note_chunks, heron.note_id)] == list(NOTES["Birds/Heron.md"])
    assert [link.text for link in store.read(reads.links_of, heron.note_id)] == ["the jay"]
    found = store.lexical(LexicalQuery((Term("heron"),)), where=None, limit=10).hits
    assert [hit.note_id for hit in found] == [heron.note_id]
    assert len(store.semantic(MODEL, vector(NOTES["Birds/Heron.md"][0]), where=None, limit=9)) == 3
    assert store.counts().embeddings == 3
    assert store.pending_count(MODEL) == 2
    assert History(store).events() == ((SEARCHED,) if number_of(stored) >= 5 else ())
    decided = decisions_of(store, VAULT)
    assert {path: set(of.done) for path, of in decided.by_path.items()} == (
        {"Birds/Heron.md": {DECIDED}} if number_of(stored) >= 6 else {}
    )
    journal = Journal(store)
    journal.append(JournalEntry("0a1b2c3d4e5f", 1, "me", "c", (), "saved after the migration"))
    assert [hit.entry.key for hit in journal.by_words("migration", 5)] == ["0a1b2c3d4e5f"]
    store.close()
    assert version_of(path, key) == len(scripts())


def test_a_migration_that_fails_leaves_the_version_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = unpacked(STORED[0], tmp_path)
    broken = (*scripts()[:-1], "CREATE TABLE half (a); INSERT INTO nowhere VALUES (1);")
    with monkeypatch.context() as patch:
        patch.setattr("scrubjay.profiles.store.migrations.scripts", lambda: broken)
        with pytest.raises(Exception, match="nowhere"):
            FileStore.open(path)
    assert version_of(path) == 1
    store = FileStore.open(path)
    assert check(store, digest=digest) == ()
    store.close()


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
def test_a_database_from_the_future_is_refused_by_every_door_and_untouched(tmp_path: Path, key: bytes | None):
    path = unpacked(STORED[-1], tmp_path)
    FileStore.open(path).close()
    connection = connect(path, None, "writer")
    connection.pragma("user_version", len(scripts()) + 1)
    connection.close()
    if key is not None:
        encryption.encrypt(path, key)
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    with pytest.raises(StoreTooNew, match="newer Scrubjay"):
        FileStore.open(path, key=key)
    with pytest.raises(StoreTooNew, match=r"(?i)update Scrubjay"):
        backup.restore(path, key, tmp_path / "elsewhere" / "index.sqlite3", key)
    assert not (tmp_path / "elsewhere" / "index.sqlite3").exists()
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == [path.name]
