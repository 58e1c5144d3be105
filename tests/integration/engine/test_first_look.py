"""A profile whose notes were never looked at is not said to be idle, whatever holds the first look up."""

import gc
import threading
import weakref
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.home import Home
from scrubjay.daemon.indexing import supervisor
from scrubjay.daemon.indexing.indexer import Indexer
from scrubjay.daemon.server.state import status_of
from scrubjay.daemon.settings import Settings
from scrubjay.profiles.registry.keys import MemoryKeys
from scrubjay.profiles.registry.registry import vault_folder
from scrubjay.profiles.search.types import SearchRequest
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.waiting import PATIENCE_SECONDS


class Held:
    """A call that comes to its end only when it is told to."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.may_go = threading.Event()

    def wait(self) -> None:
        self.begun.set()
        assert self.may_go.wait(PATIENCE_SECONDS)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "Heron.md").write_text("A heron stood.")
    made = Engine(Home.below(tmp_path / "home"), Settings(), lambda _: HashEncoder(), keys=MemoryKeys())
    with closing(made):
        made.supervisor.start()
        made.registry.create("notes", vaults=(vault_folder(tmp_path / "vault", allow=(".",)),))
        yield made


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    """Lets looks at all vaults begin to look."""
    held, looks = Held(), Indexer.reconciling

    def looks_late(indexer: Indexer, *given: Any, **named: Any) -> Iterator[None]:
        held.wait()
        return looks(indexer, *given, **named)

    monkeypatch.setattr(Indexer, "reconciling", looks_late)
    return held


def state(engine: Engine) -> str:
    (profile,) = status_of(engine, engine.open_profiles.all(), instance="here", started=0.0).profiles
    return profile.state


def test_a_profile_that_is_just_opened_is_not_idle(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    held, makes = Held(), engine.preparation.indexer

    def made_late(opened: Any) -> Indexer:
        held.wait()
        return makes(opened)

    monkeypatch.setattr(engine.preparation, "indexer", made_late)
    opening = threading.Thread(target=engine.profile_sync.sync)
    opening.start()
    assert held.begun.wait(PATIENCE_SECONDS)
    assert state(engine) == "scanning"
    held.may_go.set()
    opening.join()
    assert engine.supervisor.wait_until_idle(PATIENCE_SECONDS)
    assert state(engine) == "idle"


def asked(engine: Engine, query: str) -> list[tuple[str, str]]:
    (profile,) = engine.open_profiles.all()
    answer = engine.searcher.search(SearchRequest(query, mode="lexical", ids=(profile.id,)))
    return [(notice.code, notice.text) for notice in answer.notices]


UNREAD = [("unread", "Profile notes has not been read yet, so there may be more.")]
ABSENT = [("absent-words", 'No note says "bittern".')]


def test_until_its_first_look_has_come_to_its_end_a_profile_is_not_idle_and_calls_no_word_absent(
    engine: Engine, held: Held
) -> None:
    engine.profile_sync.sync()
    assert held.begun.wait(PATIENCE_SECONDS)
    assert (state(engine), asked(engine, "bittern")) == ("scanning", UNREAD)
    held.may_go.set()
    assert engine.supervisor.wait_until_idle(PATIENCE_SECONDS)
    assert (state(engine), asked(engine, "bittern")) == ("idle", ABSENT)


def test_a_profile_is_embedding_only_where_a_text_waits_for_its_vector(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, embeds = Held(), supervisor.embed_pending

    def embeds_late(*given: Any, **named: Any) -> int:
        held.wait()
        return embeds(*given, **named)

    monkeypatch.setattr(supervisor, "embed_pending", embeds_late)
    engine.profile_sync.sync()
    for expected in ("embedding", "idle"):
        assert held.begun.wait(PATIENCE_SECONDS)
        assert state(engine) == expected
        held.begun.clear()
        held.may_go.set()
        assert engine.supervisor.wait_until_idle(PATIENCE_SECONDS)
        held.may_go.clear()
        engine.supervisor.embed(engine.open_profiles.all()[0].id)
    held.may_go.set()


def test_a_profile_into_which_a_note_comes_while_its_state_is_asked_for_is_not_idle(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, embeds = Held(), supervisor.embed_pending
    engine.profile_sync.sync()
    assert engine.supervisor.wait_until_idle(PATIENCE_SECONDS)
    (opened,) = engine.open_profiles.open()
    asks = engine.supervisor.state

    def embeds_late(*given: Any, **named: Any) -> int:
        held.wait()
        return embeds(*given, **named)

    def asked_late(profile_id: str) -> str:
        (tmp_path / "vault" / "Bittern.md").write_text("A bittern called.")
        engine.supervisor.request(opened.profile.id)
        assert held.begun.wait(PATIENCE_SECONDS)
        return asks(profile_id)

    monkeypatch.setattr(supervisor, "embed_pending", embeds_late)
    monkeypatch.setattr(engine.supervisor, "state", asked_late)
    try:
        assert state(engine) == "embedding"
    finally:
        held.may_go.set()


def test_nothing_keeps_the_store_of_a_profile_that_is_closed(engine: Engine) -> None:
    engine.profile_sync.sync()
    assert engine.supervisor.wait_until_idle(PATIENCE_SECONDS)
    (profile,) = engine.open_profiles.all()
    store = weakref.ref(engine.open_profiles.open()[0].store)
    engine.custody.lock(profile)
    engine.profile_sync.sync()
    gc.collect()
    assert store() is None


def test_a_profile_that_is_paused_before_its_first_look_is_named(engine: Engine) -> None:
    engine.supervisor.pause_all("Paused.")
    engine.profile_sync.sync()
    assert asked(engine, "bittern") == UNREAD


def test_an_empty_vault_that_was_looked_at_is_known_to_be_empty_after_a_restart(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    home, keys = Home.below(tmp_path / "home"), MemoryKeys()
    for is_looked_at in (False, True):
        with closing(Engine(home, Settings(), lambda _: HashEncoder(), keys=keys)) as engine:
            if not is_looked_at:
                engine.registry.create("notes", vaults=(vault_folder(tmp_path / "vault", allow=(".",)),))
                engine.profile_sync.sync()
            (opened,) = engine.open_profiles.open()
            (shown,) = status_of(engine, engine.open_profiles.all(), instance="here", started=0.0).profiles
            assert (opened.awaits_first_look(), shown.on_disk is None) == (not is_looked_at, not is_looked_at)
            assert asked(engine, "bittern") == (ABSENT if is_looked_at else UNREAD)
            engine.preparation.indexer(opened).reconcile(threading.Event())
            assert asked(engine, "bittern") == ABSENT
