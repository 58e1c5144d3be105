"""An index that can't be read, or is not what SQLite takes it for, is named and built anew; other profiles answer."""

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.engine.open_profiles import OpenProfile
from scrubjay.daemon.engine.repair import problems_of, repair_and_read
from scrubjay.daemon.home import Home
from scrubjay.daemon.indexing.embedding_pass import embed_pending
from scrubjay.daemon.server.state import status_of
from scrubjay.daemon.settings import Settings
from scrubjay.profiles.errors import StoreCorrupt
from scrubjay.profiles.journal.entries import Journal, JournalEntry
from scrubjay.profiles.registry.keys import MemoryKeys, Protection
from scrubjay.profiles.registry.registry import vault_folder
from scrubjay.profiles.registry.work_lock import work_lock
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.sqlite import PAGE_SIZE, connect, is_encrypted
from tests.helpers.hash_encoder import HashEncoder

WORD = "kittiwake"
NOTES = 20


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = Engine(Home.below(tmp_path / "home"), Settings(), lambda _: HashEncoder(), keys=MemoryKeys())
    for name in ("first", "second"):
        vault = tmp_path / f"vault of {name}"
        vault.mkdir()
        for number in range(NOTES):
            (vault / f"Note {number}.md").write_text(f"A {WORD} nests on cliff {number}. " * 5)
        made.registry.create(name, vaults=(vault_folder(vault, allow=(".",)),))
    made.profile_sync.sync()
    for opened in made.open_profiles.open():
        indexed(made, opened.profile.name)
        Journal(opened.store).append(JournalEntry("0a1b2c3d4e5f", 1, "me", "c", (), "remembered for good"))
    yield made
    made.close()


def indexed(engine: Engine, name: str, *, embeds: bool = False) -> OpenProfile:
    """As the background work does, which does not run here."""
    opened = engine.open_profiles.named(name)
    engine.preparation.indexer(opened).reconcile(threading.Event())
    if embeds:
        embed_pending(opened.store, opened.model.embedder, opened.progress, threading.Event(), lambda: None)
    return opened


def protect(engine: Engine, name: str, wanted: Protection) -> None:
    """As the command does it."""
    profile = engine.registry.get(name)
    if wanted == "none":
        return
    with work_lock(engine.registry.folder_of(profile)):
        engine.profile_sync.sync()
        engine.custody.protect(profile, wanted)
    engine.profile_sync.sync()


def write_noise(engine: Engine, opened: OpenProfile, page: int) -> None:
    """Noise over one page of a profile's closed file; it is opened again by the next `sync`."""
    engine.custody.lock(opened.profile)
    engine.profile_sync.sync()
    with opened.store.path.open("r+b") as file:
        file.seek((page - 1) * PAGE_SIZE)
        file.write(b"\xa5" * PAGE_SIZE)
    engine.custody.unlock(opened.profile)


def damaged(engine: Engine, name: str) -> OpenProfile:
    """Noise over the page that every chunk is found through, as a failing disk would leave it."""
    opened = engine.open_profiles.named(name)
    with opened.store.reading() as connection:
        root = int(str(connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'chunk'").get))
    write_noise(engine, opened, root)
    engine.profile_sync.sync(retry=opened.profile.id)
    return engine.open_profiles.named(name)


def first_page_damaged(engine: Engine, name: str) -> None:
    """Noise over the page that says what the file is, while it is open."""
    with engine.open_profiles.named(name).store.path.open("r+b") as file:
        file.write(b"\xa5" * PAGE_SIZE)


def found(engine: Engine) -> tuple[set[str], tuple[str, ...]]:
    answer = engine.searcher.search(SearchRequest(WORD, limit=100))
    names = {hit.profile for hit in answer.results}
    return names | {place.profile for hit in answer.results for place in hit.also_in}, tuple(
        each.profile for each in answer.unanswered
    )


def test_a_damaged_index_is_set_aside_and_built_anew_with_its_journal(engine: Engine) -> None:
    assert found(engine) == ({"first", "second"}, ())
    opened = damaged(engine, "first")
    assert [problem.code for problem in problems_of(engine, opened)] == ["sqlite"]
    assert found(engine) == ({"second"}, ("first",))
    assert repair_and_read(engine, opened).left == ()
    assert found(engine) == ({"first", "second"}, ())
    store = engine.open_profiles.named("first").store
    assert [hit.entry.text for hit in Journal(store).by_words("remembered", 5)] == ["remembered for good"]
    assert list(store.path.parent.glob("index.sqlite3.damaged-1"))
    (notice,) = engine.warnings({opened.profile.id})
    assert "first" in notice
    assert "damaged-1" in notice
    assert engine.warnings({engine.open_profiles.named("second").profile.id}) == ()
    sound = engine.open_profiles.named("first")
    with sound.store.writing() as writer:
        writer.connection.execute("UPDATE note SET fingerprint = 'older' WHERE id < 5")
    assert [problem.code for problem in problems_of(engine, sound)] == ["fingerprints"]
    assert repair_and_read(engine, sound).left == ()
    assert engine.open_profiles.named("first") is sound


@pytest.mark.parametrize("protection", ["none", "keyring"])
def test_an_index_that_is_damaged_while_it_is_open_is_replaced_once_that_shows(
    engine: Engine, protection: Protection
) -> None:
    protect(engine, "first", protection)
    opened = damaged(engine, "first")
    engine.profile_sync.sync()
    assert engine.open_profiles.named("first") is opened  # nobody has looked yet
    told: list[str] = []
    stop = engine.profile_sync.on_sync(lambda: told.append("changed"))
    if protection == "none":
        assert found(engine) == ({"second"}, ("first",))
    else:  # trouble while notes are stored shows it, too
        (Path(opened.profile.vaults[0].root) / "Note 1.md").write_text(f"The {WORD} has left.")
        with pytest.raises(StoreCorrupt):
            indexed(engine, "first")
    engine.profile_sync.sync()
    engine.profile_sync.sync()
    assert told == ["changed"]
    stop()
    renewed = indexed(engine, "first")
    assert renewed.store is not opened.store
    assert found(engine) == ({"first", "second"}, ())
    assert problems_of(engine, renewed) == ()
    assert [entry.text for entry in Journal(renewed.store).log(5)] == ["remembered for good"]
    assert is_encrypted(renewed.store.path) == (protection == "keyring")
    (notice,) = engine.warnings({opened.profile.id})
    assert "damaged-1" in notice


@pytest.mark.slow
def test_an_index_that_is_damaged_again_and_again_stays_closed_in_the_end(engine: Engine) -> None:
    for _ in range(3):
        indexed(engine, "first")
        damaged(engine, "first")
        found(engine)
        engine.profile_sync.sync()
    indexed(engine, "first")
    damaged(engine, "first")
    found(engine)
    engine.profile_sync.sync()
    assert "disk" in engine.open_profiles.closed()["first"]
    assert found(engine) == ({"second"}, ())
    engine.profile_sync.sync()
    assert "first" in engine.open_profiles.closed()


@pytest.mark.slow
def test_whoever_only_looks_replaces_nothing(engine: Engine) -> None:
    opened = engine.open_profiles.named("first")
    write_noise(engine, opened, 1)
    before = opened.store.path.read_bytes()
    home, settings, keys = engine.home, Settings(), MemoryKeys()
    with closing(Engine(home, settings, lambda _: HashEncoder(), keys=keys, replaces=False)) as looking:
        assert (found(looking)[0], "check --repair" in looking.open_profiles.closed()["first"]) == ({"second"}, True)
    assert opened.store.path.read_bytes() == before
    with closing(Engine(home, settings, lambda _: HashEncoder(), keys=keys)) as mending:
        assert repair_and_read(mending, mending.open_profiles.named("first")).left == ()
        assert found(mending)[0] == {"first", "second"}


def test_an_encrypted_index_that_its_key_does_not_open_is_never_replaced(engine: Engine) -> None:
    """Its first page may be damaged, or the key another's: nobody can tell, so it is left as it is."""
    protect(engine, "first", "keyring")
    opened = engine.open_profiles.named("first")
    first_page_damaged(engine, "first")
    before = opened.store.path.read_bytes()
    assert found(engine) == ({"second"}, ("first",))
    engine.profile_sync.sync()
    assert opened.store.path.read_bytes() == before
    assert engine.warnings({opened.profile.id}) == ()
    status = status_of(engine, engine.open_profiles.all(), instance="test", started=0.0)
    assert {each.name: each.notes for each in status.profiles} == {"first": 0, "second": NOTES}
    assert status.profiles[0].state == "locked"


def test_a_profile_that_another_process_locks_takes_its_passphrase_again(engine: Engine) -> None:
    profile = engine.registry.get("first")
    with work_lock(engine.registry.folder_of(profile)):
        engine.profile_sync.sync()
        profile = engine.custody.protect(profile, "passphrase", "correct horse battery")
    engine.profile_sync.sync()
    assert found(engine)[0] == {"first", "second"}
    for locked in (True, False):  # as the command writes it, and as an editor may
        engine.registry.change(profile.id, lambda now, locked=locked: msgspec.structs.replace(now, locked=locked))
        engine.profile_sync.sync(retry=profile.id)
        assert found(engine)[0] == {"second"}
    assert "asks for it" in engine.open_profiles.closed()["first"]
    engine.custody.unlock(profile, "correct horse battery")
    engine.profile_sync.sync(retry=profile.id)
    assert found(engine)[0] == {"first", "second"}


def test_spoilt_settings_close_one_profile_and_mended_ones_open_it_again(engine: Engine) -> None:
    opened = engine.open_profiles.named("first")
    settings = engine.registry.folder_of(opened.profile) / "profile.toml"
    whole = settings.read_text(encoding="utf-8")
    told: list[str] = []
    engine.profile_sync.on_sync(lambda: told.append("changed"))
    settings.write_text(whole.replace("exclude", "exlude"), encoding="utf-8")
    engine.registry.rename("second", "other")
    engine.profile_sync.sync()
    assert found(engine)[0] == {"other"}
    assert str(settings) in engine.open_profiles.closed()["first"]
    status = status_of(engine, engine.open_profiles.all(), instance="test", started=0.0)
    assert {each.name: each.state == "failed" for each in status.profiles} == {"first": True, "other": False}
    before = list(told)
    engine.profile_sync.sync()
    assert told == before != []
    with closing(Engine(engine.home, Settings(), lambda _: HashEncoder(), keys=MemoryKeys())) as second:
        assert found(second)[0] == {"other"}
        settings.write_text(whole, encoding="utf-8")
        second.profile_sync.sync()
        assert found(second) == ({"first", "other"}, ())
    engine.profile_sync.sync()
    assert found(engine) == ({"first", "other"}, ())


def test_a_profile_whose_folder_cannot_be_written_costs_the_others_nothing(engine: Engine) -> None:
    profile = engine.registry.get("first")
    engine.custody.lock(profile)
    engine.profile_sync.sync()
    lock = engine.registry.folder_of(profile) / "work.lock"
    lock.unlink()
    lock.mkdir()  # no permission keeps whoever runs as root from writing
    engine.custody.unlock(profile)
    engine.profile_sync.sync(retry=profile.id)
    assert "can't be written" in engine.open_profiles.closed()["first"]
    assert found(engine)[0] == {"second"}
    lock.rmdir()
    engine.profile_sync.sync(retry=profile.id)
    assert found(engine) == ({"first", "second"}, ())


SPOILT = {
    "a vector of zeros": "UPDATE embedding SET vector = zeroblob(length(vector))",
    "a text that is not packed": "UPDATE chunk SET packed = x'01ff'",
    "a vector of another length": "UPDATE embedding SET vector = substr(vector, 1, 12)",
    "headings that are no list": "UPDATE chunk SET headings = 'x' || headings",
    "tags that are no list": "UPDATE note SET tags = '{'",
    "no postings": "DROP TABLE posting",
    "no notes": "PRAGMA foreign_keys = OFF; DROP TABLE note",
    "no totals": "DELETE FROM meta WHERE name = 'generation'",
}
QUICK = {"a text that is not packed", "a vector of another length", "no postings"}


@pytest.mark.parametrize(
    "sql", [pytest.param(sql, id=name, marks=[pytest.mark.slow] * (name not in QUICK)) for name, sql in SPOILT.items()]
)
def test_what_sqlite_takes_for_sound_and_is_not_costs_one_profile_its_answer_until_it_is_mended(
    engine: Engine, sql: str
) -> None:
    for name in ("first", "second"):
        indexed(engine, name, embeds=True)
    spoil(engine, "first", sql)
    answering, unanswered = found(engine)
    assert "second" in answering
    assert set(unanswered) <= {"first"}
    assert engine.open_profiles.named("first").store.suspect == bool(unanswered)
    engine.profile_sync.sync()
    mended = indexed(engine, "first", embeds=True)
    assert found(engine) == ({"first", "second"}, ())
    assert problems_of(engine, mended) == ()
    assert [entry.text for entry in Journal(mended.store).log(5)] == ["remembered for good"]


@pytest.mark.parametrize(
    "sql",
    [
        "PRAGMA user_version = 1",
        "",
        pytest.param("DROP TABLE meta", marks=pytest.mark.slow),
        pytest.param("DROP TABLE posting", marks=pytest.mark.slow),
    ],
)
def test_an_index_that_can_not_be_opened_or_brought_up_to_date_is_replaced(engine: Engine, sql: str) -> None:
    """sql: "" damages its first page in place of that."""
    opened = engine.open_profiles.named("first")
    if sql:
        engine.custody.lock(opened.profile)
        engine.profile_sync.sync()
        change(opened.store.path, sql)
        engine.custody.unlock(opened.profile)
    else:
        write_noise(engine, opened, 1)
    engine.profile_sync.sync(retry=opened.profile.id)
    assert engine.open_profiles.closed() == {}
    found(engine)
    engine.profile_sync.sync()
    indexed(engine, "first")
    assert found(engine) == ({"first", "second"}, ())
    assert len(engine.warnings({opened.profile.id})) == 1
    assert engine.open_profiles.named("second").store.read(reads.note_count) == NOTES


def test_a_store_that_is_whole_is_not_suspected_of_the_programs_own_mistakes(engine: Engine) -> None:
    opened = engine.open_profiles.named("first")

    def stumble() -> None:
        with pytest.raises(StoreCorrupt), opened.store.reading():
            raise TypeError

    stumble()
    assert opened.store.suspect
    engine.profile_sync.sync()
    assert engine.open_profiles.named("first") is opened
    stumble()
    assert not opened.store.suspect


def spoil(engine: Engine, name: str, sql: str) -> None:
    """Change what is stored behind the program's back."""
    store = engine.open_profiles.named(name).store
    change(store.path, sql)
    store.forget_arrays()


def change(path: Path, sql: str) -> None:
    with closing(connect(path, None, "writer")) as connection:
        connection.execute(sql)
