"""What SQLite takes for sound, and is not: one profile is named, mended or built anew, and the others answer."""

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.engine.open_profiles import OpenProfile
from scrubjay.daemon.engine.repair import problems_of
from scrubjay.daemon.home import Home
from scrubjay.daemon.indexing.embedding_pass import embed_pending
from scrubjay.daemon.settings import Settings
from scrubjay.profiles.errors import StoreCorrupt
from scrubjay.profiles.journal.entries import Journal, JournalEntry
from scrubjay.profiles.registry.keys import MemoryKeys
from scrubjay.profiles.registry.registry import vault_folder
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.sqlite import connect
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


def indexed(engine: Engine, name: str) -> OpenProfile:
    """As the background work does, which does not run here."""
    opened = engine.open_profiles.named(name)
    engine.preparation.indexer(opened).reconcile(threading.Event())
    embed_pending(opened.store, opened.model.embedder, opened.progress, threading.Event(), lambda: None)
    return opened


def found(engine: Engine) -> tuple[set[str], tuple[str, ...]]:
    answer = engine.searcher.search(SearchRequest(WORD, limit=100))
    names = {hit.profile for hit in answer.results}
    return names | {place.profile for hit in answer.results for place in hit.also_in}, tuple(
        each.profile for each in answer.unanswered
    )


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
    spoil(engine, "first", sql)
    answering, unanswered = found(engine)
    assert "second" in answering
    assert set(unanswered) <= {"first"}
    assert engine.open_profiles.named("first").store.suspect == bool(unanswered)
    engine.profile_sync.sync()
    mended = indexed(engine, "first")
    assert found(engine) == ({"first", "second"}, ())
    assert problems_of(engine, mended) == ()
    assert [entry.text for entry in Journal(mended.store).log(5)] == ["remembered for good"]


@pytest.mark.parametrize(
    "sql",
    [
        "PRAGMA user_version = 1",
        pytest.param("DROP TABLE meta", marks=pytest.mark.slow),
        pytest.param("DROP TABLE posting", marks=pytest.mark.slow),
    ],
)
def test_an_index_that_can_not_be_brought_up_to_date_is_replaced_when_it_is_opened(engine: Engine, sql: str) -> None:
    profile = engine.open_profiles.named("first").profile
    engine.custody.lock(profile)
    engine.profile_sync.sync()
    change(engine.registry.store_path(profile), sql)
    engine.custody.unlock(profile)
    engine.profile_sync.sync(retry=profile.id)
    assert engine.open_profiles.closed() == {}
    found(engine)
    engine.profile_sync.sync()
    indexed(engine, "first")
    assert found(engine) == ({"first", "second"}, ())
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
