import random
import secrets
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest

from scrubjay.profiles.errors import StoreBusy, StoreCorrupt, StoreError, StoreLocked
from scrubjay.profiles.registry import export
from scrubjay.profiles.registry.registry import Registry
from scrubjay.profiles.search.words.evidence import LexicalQuery, Term
from scrubjay.profiles.store import backup, encryption, reads
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.sqlite import PAGE_SIZE, is_encrypted
from scrubjay.profiles.store.store import Store
from tests.integration.profiles.notes import bundle

WORD = "marmalade"
KEY, OTHER = bytes(range(32)), bytes(range(1, 33))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "profile" / "index.sqlite3"


def make(path: Path, key: bytes | None) -> None:
    store = FileStore.open(path, key=key)
    with store.writing() as writer:
        for n in range(20):
            writer.put_note(bundle(f"{WORD}-{n}.md", f"{WORD} {n} " * 30))
    store.close()


def finds(path: Path, key: bytes | None) -> int:
    store = FileStore.open(path, key=key)
    found = store.lexical(LexicalQuery((Term("marmalad"),)), where=None, limit=100).hits
    store.close()
    return len(found)


def plain_bytes(folder: Path) -> bool:
    return any(WORD.encode() in file.read_bytes().lower() for file in folder.rglob("*") if file.is_file())


def test_an_encrypted_store_works_and_shows_no_word_on_disk(path: Path):
    store = FileStore.open(path, key=KEY)
    with store.reading() as reader:  # so that the log is not emptied
        assert reader.execute("SELECT count(*) FROM note").get == 0
        with store.writing() as writer:
            writer.put_note(bundle("a.md", WORD * 50))
        assert not plain_bytes(path.parent)
        assert (path.parent / f"{path.name}-wal").stat().st_size > 0
    store.close()
    assert is_encrypted(path)


def only(path: Path) -> bool:
    """Whether nothing is left beside a store."""
    return [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_store_is_encrypted_given_another_key_and_decrypted_and_loses_nothing(path: Path):
    make(path, None)
    with pytest.raises(StoreError, match="not encrypted"):
        FileStore.open(path, key=KEY)
    assert plain_bytes(path.parent)
    encryption.encrypt(path, KEY)
    assert (plain_bytes(path.parent), only(path), finds(path, KEY)) == (False, True, 20)
    before = path.read_bytes()
    for key in (None, OTHER):
        with pytest.raises(StoreLocked, match="encrypted"):
            FileStore.open(path, key=key)
    with pytest.raises(StoreLocked):
        encryption.change_key(path, OTHER, KEY)
    assert path.read_bytes() == before
    encryption.change_key(path, KEY, OTHER)
    with pytest.raises(StoreLocked):
        FileStore.open(path, key=KEY)
    encryption.decrypt(path, OTHER)
    assert (is_encrypted(path), only(path), finds(path, None)) == (False, True, 20)


def test_a_database_in_use_or_without_room_beside_it_is_left_as_it_is(path: Path, monkeypatch: pytest.MonkeyPatch):
    make(path, None)
    monkeypatch.setattr("scrubjay.profiles.store.sqlite.BUSY_TIMEOUT_MS", 0)
    store = FileStore.open(path)
    with store.reading():
        for change in (lambda: encryption.encrypt(path, KEY), lambda: encryption.compact(path, None)):
            with pytest.raises(StoreBusy):
                change()
    store.close()
    nearly_full = SimpleNamespace(free=path.stat().st_size - 1)
    monkeypatch.setattr("shutil.disk_usage", MagicMock(return_value=nearly_full))
    with pytest.raises(StoreError, match="no room"):
        encryption.compact(path, None)
    assert finds(path, None) == 20


@pytest.mark.parametrize("step", ["_change_key", "verify", "replace"])
def test_a_crash_while_encrypting_leaves_a_store_that_works(path: Path, step: str, monkeypatch: pytest.MonkeyPatch):
    make(path, None)

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(encryption, step, crash)
        with pytest.raises(KeyboardInterrupt):
            encryption.encrypt(path, KEY)
    assert finds(path, None) == 20
    encryption.encrypt(path, KEY)
    assert finds(path, KEY) == 20
    assert not plain_bytes(path.parent)


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
def test_a_database_written_anew_is_smaller_and_complete(path: Path, key: bytes | None):
    make(path, key)
    store = FileStore.open(path, key=key)
    with store.writing() as writer:
        ids = [writer.put_note(bundle(f"gone-{n}.md", f"{n} other words {'a b c d e f g h ' * 90}")) for n in range(60)]
        writer.forget_notes(ids)
    store.close()
    before = path.stat().st_size
    encryption.compact(path, key)
    assert path.stat().st_size < before
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert is_encrypted(path) == (key is not None)
    assert finds(path, key) == 20


@pytest.mark.parametrize(("forgotten", "is_smaller"), [(90, True), (3, False)], ids=["most", "few"])
def test_the_disk_gets_its_room_back_at_the_next_start_where_much_was_forgotten(
    path: Path, forgotten: int, is_smaller: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("scrubjay.profiles.store.repack._LEAST_GIVEN_BACK", 0)
    make(path, KEY)
    store = FileStore.open(path, key=KEY)
    with store.writing() as writer:
        ids = [writer.put_note(bundle(f"gone-{n}.md", secrets.token_hex(4_000))) for n in range(90)]
    with store.writing() as writer:
        writer.forget_notes(ids[:forgotten])
    store.close()
    before = path.stat().st_size
    assert finds(path, KEY) == 20
    assert (path.stat().st_size < before / 2) == is_smaller
    assert is_encrypted(path)


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
def test_a_backup_of_a_store_in_use_is_complete(path: Path, tmp_path: Path, key: bytes | None):
    make(path, key)
    store = FileStore.open(path, key=key)
    with store.writing() as writer:
        writer.put_note(bundle("late.md", WORD))
    backup.backup(path, key, tmp_path / "backup.sqlite3")
    store.close()
    assert finds(tmp_path / "backup.sqlite3", key) == 21
    assert is_encrypted(tmp_path / "backup.sqlite3") is (key is not None)


def test_an_export_that_fails_leaves_neither_a_file_nor_an_open_database(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    make(path, None)
    opened: list[Store] = []

    def disk_is_full(store: Store, name: str, value: str) -> None:
        opened.append(store)
        raise StoreError("The disk is full.")

    monkeypatch.setattr(Store, "set_meta", disk_is_full)
    profile = Registry(tmp_path / "profiles").create("Field")
    with pytest.raises(StoreError, match="full"):
        export.pack(profile, path, None, tmp_path / "field.scrubjay", None)
    assert not (tmp_path / "field.scrubjay").exists()
    with pytest.raises(StoreError, match="closed"):
        opened[0].read(reads.meta, "anything")


@pytest.mark.parametrize(
    ("pages", "first_byte", "error"),
    [
        pytest.param(40, None, StoreLocked, id="noise-may-be-encrypted"),
        pytest.param(40, 13, StoreCorrupt, id="pages-of-a-plain-database-are-not"),
        pytest.param(6, 13, StoreLocked, id="few-pages-tell-nothing"),
    ],
)
def test_a_file_whose_first_page_says_nothing_is_told_by_the_others(
    tmp_path: Path, pages: int, first_byte: int | None, error: type[StoreError]
) -> None:
    rng = random.Random(1)
    content = bytearray(rng.randbytes(pages * PAGE_SIZE))
    if first_byte is not None:
        content[::PAGE_SIZE] = bytes([first_byte]) * pages
    path = tmp_path / "index.sqlite3"
    path.write_bytes(content)
    with pytest.raises(error):
        FileStore.open(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("key", "export_key"), [(None, OTHER), (KEY, None)], ids=["plain-to-own-key", "encrypted-to-readable"]
)
def test_an_export_can_be_restored_elsewhere(path: Path, tmp_path: Path, key: bytes | None, export_key: bytes | None):
    make(path, key)
    parcel = tmp_path / "parcel.sqlite3"
    backup.export(path, key, parcel, export_key=export_key)
    assert is_encrypted(parcel) is (export_key is not None)
    there = tmp_path / "elsewhere" / "index.sqlite3"
    make(there, KEY)
    restored = backup.restore(parcel, export_key, there, KEY)
    assert finds(there, KEY) == 20
    assert {file.name for file in there.parent.iterdir()} == {there.name, f"{there.name}.before-restore-1"}
    assert restored.aside is not None
    assert finds(restored.aside, KEY) == 20


def test_what_lies_beside_a_store_is_mended_swept_and_set_aside(path: Path):
    make(path, None)
    content = path.read_bytes()
    path.rename(path.with_name(path.name + ".replaced"))  # a crash between two renames
    assert finds(path, None) == 20
    path.with_name(path.name + ".replaced").hardlink_to(path)
    encryption.sweep(path)
    assert (finds(path, None), only(path)) == (20, True)  # no byte in use was overwritten
    path.write_bytes(b"noise" * 1000)
    assert backup.set_aside(path).read_bytes().startswith(b"noise")
    assert finds(path, None) == 0
    path.write_bytes(content)
    with path.open("rb") as before:
        encryption.destroy(path)
        assert before.read() == bytes(len(content))
    assert not path.exists()
