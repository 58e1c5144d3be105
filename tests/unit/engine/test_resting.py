"""What searches left in memory goes when nobody searches, and comes back unasked."""

from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from litestar import Litestar, Request, get
from litestar._parsers import parse_query_string
from litestar.testing import TestClient

from scrubjay.credential_filter import redact_text
from scrubjay.credential_filter.finders import detector
from scrubjay.credential_filter.verdict import passwords
from scrubjay.daemon.engine import pace
from scrubjay.daemon.engine.engine import QUIET_SECONDS, Engine
from scrubjay.daemon.engine.pace import IdleMemory
from scrubjay.profiles.search.results import plain_text
from scrubjay.profiles.search.words import analysis, dictionary, word_lists


@dataclass
class StubSupervisor:
    quiet_seconds: float = 0.0
    idle: bool = True

    def wait_until_idle(self, timeout: float) -> bool:
        assert timeout == 0
        return self.idle


@dataclass
class StubStore:
    rests: int = 0

    def release_memory(self) -> None:
        self.rests += 1


@dataclass
class StubEngine:
    supervisor: StubSupervisor = field(default_factory=StubSupervisor)
    store: StubStore = field(default_factory=StubStore)
    models: StubStore = field(default_factory=StubStore)
    unused: list[float] = field(default_factory=list[float])  # seconds that were said when it was to let go
    keeps: bool = False  # whether it has something that is unused

    def let_go(self, unused_seconds: float) -> bool:
        self.unused.append(unused_seconds)
        return self.keeps

    @property
    def files(self) -> StubSupervisor:
        return self.supervisor

    @property
    def open_profiles(self) -> "StubEngine":
        return self  # the stub is its own part

    def stores(self) -> dict[str, StubStore]:
        return {"notes": self.store}


@pytest.fixture
def engine() -> StubEngine:
    return StubEngine()


def rested(engine: StubEngine, resting: IdleMemory, *quiet: float) -> int:
    """How often the store has rested after looks when nobody had searched for so many seconds."""
    for seconds in quiet:
        engine.supervisor.quiet_seconds = seconds
        resting.look()
    return engine.store.rests


def test_stores_rest_once_after_each_search_when_nobody_has_searched_for_a_while(engine: StubEngine) -> None:
    resting = IdleMemory(cast("Engine", engine))
    assert rested(engine, resting, 0.0) == 0
    engine.supervisor.idle = False
    assert rested(engine, resting, QUIET_SECONDS) == 0  # notes are being indexed
    engine.supervisor.idle = True
    assert rested(engine, resting, *[QUIET_SECONDS] * 3) == engine.models.rests == 1
    assert rested(engine, resting, 1.0, QUIET_SECONDS) == 2


def test_what_takes_memory_without_a_search_is_released_too(engine: StubEngine) -> None:
    resident = 100 << 20
    resting = IdleMemory(cast("Engine", engine), lambda: resident)
    assert rested(engine, resting, QUIET_SECONDS) == 1
    resident += 1 << 20
    assert rested(engine, resting, QUIET_SECONDS) == 1
    resident += 3 << 20
    assert rested(engine, resting, QUIET_SECONDS, QUIET_SECONDS) == 2  # it has not grown since


def test_what_nobody_has_used_for_a_while_goes_and_its_memory_back_to_the_system(engine: StubEngine) -> None:
    resting = IdleMemory(cast("Engine", engine), lambda: 0)
    rested(engine, resting, QUIET_SECONDS)
    engine.keeps = True
    assert rested(engine, resting, QUIET_SECONDS) == 2
    assert engine.unused == [QUIET_SECONDS, QUIET_SECONDS]


def test_free_memory_is_set_aside_at_rest_and_python_has_them_again_with_the_next_search(
    engine: StubEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    monkeypatch.setattr(pace, "set_free_memory_aside", lambda: done.append("aside"))
    monkeypatch.setattr(pace, "use_free_memory_again", lambda: done.append("again"))
    resting = IdleMemory(cast("Engine", engine), lambda: 0)
    rested(engine, resting, QUIET_SECONDS, QUIET_SECONDS)
    assert done == ["again", "aside"]
    rested(engine, resting, 0.0)
    assert done[2:] == ["again"]


def test_at_rest_no_text_that_was_shown_stays_and_no_words_that_were_met(engine: StubEngine) -> None:
    plain_text.sentence_bounds("A passage. Of two sentences.")
    plain_text.plain("A **passage**.", 0, 14)
    assert dictionary.common_in("heron") == dictionary.common_in("heron")
    assert analysis.stems_text("Die Reiher brüten im Schilf", "de")
    passwords.is_password("Tr0ub4dor")
    assert passwords.is_password.cache_info().currsize > 0
    assert word_lists.read_list.cache_info().currsize > 0
    rested(engine, IdleMemory(cast("Engine", engine)), QUIET_SECONDS)
    assert plain_text.sentence_bounds.cache_info().currsize == plain_text.plain.cache_info().currsize == 0
    assert passwords.is_password.cache_info().currsize == word_lists.read_list.cache_info().currsize == 0
    assert analysis.stems_text("Die Reiher brüten im Schilf", "de")


def test_at_rest_what_addresses_asked_for_is_forgotten(engine: StubEngine) -> None:
    @get("/typed", sync_to_thread=False)
    def typed(request: Request[Any, Any, Any]) -> str:
        return request.query_params["prefix"]

    parse_query_string.cache_clear()
    with TestClient(Litestar([typed])) as client:
        assert client.get("/typed", params={"prefix": "heron"}).text == "heron"
    assert parse_query_string.cache_info().currsize == 1
    rested(engine, IdleMemory(cast("Engine", engine)), QUIET_SECONDS)
    assert parse_query_string.cache_info().currsize == 0


def test_at_rest_what_finds_credentials_goes_and_is_made_again(engine: StubEngine) -> None:
    text = f"password: {'tr0ub4'}dor&3"
    found = redact_text(text)
    assert found != text
    matcher: Any = vars(detector)["_matcher"]
    assert matcher.cache_info().currsize > 0
    engine.supervisor.quiet_seconds = QUIET_SECONDS
    IdleMemory(cast("Engine", engine)).look()
    assert matcher.cache_info().currsize == 0
    assert redact_text(text) == found
