"""An index that SQLite itself can't read is set aside, named and built anew, while the other profiles answer."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.home import Home
from daemon.runtime.engine import Engine, OpenProfile
from daemon.runtime.mend import mend, problems_of
from daemon.search.types import SearchRequest
from daemon.settings import Settings
from profiles.connection import PAGE_SIZE
from profiles.journal import Entry, Journal
from profiles.keys import MemoryKeys
from profiles.registry import vault_folder
from tests.helpers.hash_encoder import HashEncoder

WORD = "kittiwake"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = Engine(Home.below(tmp_path / "home"), Settings(), lambda _: HashEncoder(), keys=MemoryKeys())
    for name in ("first", "second"):
        vault = tmp_path / f"vault of {name}"
        vault.mkdir()
        for number in range(20):
            (vault / f"Note {number}.md").write_text(f"A {WORD} nests on cliff {number}. " * 20)
        made.registry.create(name, vaults=(vault_folder(vault, allow=(".",)),))
    made.sync()
    for opened in made.profiles():
        made.indexer(opened).reconcile(threading.Event())
        Journal(opened.store).append(Entry("0a1b2c3d4e5f", 1, "me", "c", (), "remembered for good"))
    yield made
    made.close()


def damaged(engine: Engine, name: str) -> OpenProfile:
    """Noise over the page that every chunk is found through, as a failing disk would leave it."""
    opened = engine.opened(name)
    with opened.store.reading() as connection:
        root = int(str(connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'chunk'").get))
    path = opened.store.path
    engine.custody.lock(opened.profile)
    engine.sync()
    with path.open("r+b") as file:
        file.seek((root - 1) * PAGE_SIZE)
        file.write(b"\xa5" * PAGE_SIZE)
    engine.custody.unlock(opened.profile)
    engine.sync(retry=opened.profile.id)
    return engine.opened(name)


def found(engine: Engine) -> tuple[set[str], tuple[str, ...]]:
    answer = engine.searcher.search(SearchRequest(WORD, limit=100))
    names = {hit.profile for hit in answer.results}
    return names | {place.profile for hit in answer.results for place in hit.also_in}, answer.unanswered


def test_a_damaged_index_is_set_aside_and_built_anew_with_its_journal(engine: Engine) -> None:
    assert found(engine) == ({"first", "second"}, ())
    opened = damaged(engine, "first")
    assert [problem.code for problem in problems_of(engine, opened)] == ["sqlite"]
    assert found(engine) == ({"second"}, ("first",))
    assert mend(engine, opened) == ()
    assert found(engine) == ({"first", "second"}, ())
    store = engine.opened("first").store
    assert [entry.text for entry in Journal(store).log(5)] == ["remembered for good"]
    assert list(store.path.parent.glob("index.sqlite3.damaged-1"))
    (notice,) = engine.warnings({opened.profile.id})
    assert "first" in notice
    assert "damaged-1" in notice
    assert engine.warnings({engine.opened("second").profile.id}) == ()


def test_notes_of_older_rules_are_read_again(engine: Engine) -> None:
    opened = engine.opened("first")
    with opened.store.writing() as writer:
        writer.connection.execute("UPDATE note SET fingerprint = 'older' WHERE id < 5")
    assert [problem.code for problem in problems_of(engine, opened)] == ["fingerprints"]
    assert mend(engine, opened) == ()


def test_a_sound_index_is_left_as_it_is(engine: Engine) -> None:
    opened = engine.opened("first")
    assert mend(engine, opened) == ()
    assert engine.opened("first") is opened
