"""Work that fails is done again until it succeeds, and its trouble is told for just as long."""

import threading
import time
from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import contextmanager
from typing import Any, cast

import pytest

from scrubjay.daemon.indexing import supervisor as supervisor_
from scrubjay.daemon.indexing import work_queue
from scrubjay.daemon.indexing.progress import Progress
from scrubjay.daemon.indexing.supervisor import SupervisedProfile, Supervisor
from scrubjay.profiles.errors import StoreError
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.stopped_clock import StoppedClock
from tests.helpers.waiting import PATIENCE_SECONDS, until

FULL = "The disk is full."


class Vault:
    """Stands in for an indexer and for what embeds: fails for as long as it is told to, and notes what was done."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.loaded: list[int] = []  # how much was done each time that what searches need was loaded
        self.words_loaded = 0
        self.tried = 0
        self.broken: set[str] = set()
        self.progress = Progress()
        self.goes_on = threading.Event()  # unset: what has begun stores a part, and waits before the rest
        self.goes_on.set()

    def refreshing(self, vault: str, paths: Collection[str], stop: threading.Event) -> Iterator[None]:
        for path in sorted(paths):
            self.do(path)
            yield

    def reconciling(self, stop: threading.Event, *, full: bool, retry: bool, forget_missing: bool) -> Iterator[None]:
        del forget_missing
        yield
        self.progress.reading(scanned=2, to_read=2, size=2, new=2)
        what = " ".join(["reconcile", *(["full"] if full else []), *(["retry"] if retry else [])])
        if what not in self.broken:
            self.progress.stored(read=1, size=1, new=1, redacted=0, failed=0, chunked=1)
            yield
            self.goes_on.wait(PATIENCE_SECONDS)
        self.do(what)

    def load_arrays(self, before_words: Callable[[], None] = lambda: None) -> None:
        self.loaded.append(len(self.done))
        before_words()
        self.words_loaded += 1

    def embed(self, *_: object, has_turn: Callable[[], bool], **_by_name: object) -> int:
        has_turn()
        if "embed" not in self.broken:
            self.progress.embedded(1, waiting=1, seconds=1)
            has_turn()
            self.goes_on.wait(PATIENCE_SECONDS)
        self.do("embed")
        return 0

    def pending_count(self, model: str) -> int:
        del model
        return 0

    def do(self, what: str) -> None:
        self.tried += 1
        if what in self.broken:
            raise StoreError(FULL)
        self.done.append(what)


@pytest.fixture(autouse=True)
def short_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_queue, "_LONGEST_PAUSE_SECONDS", 0.02)


@pytest.fixture
def vault(monkeypatch: pytest.MonkeyPatch) -> Vault:
    made = Vault()
    monkeypatch.setattr(supervisor_, "embed_pending", made.embed)
    return made


@pytest.fixture
def supervisor(vault: Vault) -> Iterator[Supervisor]:
    with running(vault) as made:
        yield made


@contextmanager
def running(vault: Vault, clock: Callable[[], float] = time.monotonic) -> Generator[Supervisor]:
    """A supervisor that has read and embedded all."""
    made = Supervisor(900, clock)
    made.start()
    try:
        made.add("p", SupervisedProfile(cast(Any, vault), cast(Any, vault), HashEncoder(32), vault.progress))
        until(lambda: vault.done == ["reconcile", "embed"])
        assert made.wait_until_idle(PATIENCE_SECONDS)
        assert vault.loaded == [0, 1], "what searches need: before the first look, and when all is read"
        vault.done.clear()
        yield made
    finally:
        made.stop()


def test_the_first_search_goes_before_what_it_does_not_need_for_some_seconds_at_most(vault: Vault) -> None:
    clock = StoppedClock()
    supervisor = Supervisor(900, clock)
    indexed = SupervisedProfile(cast(Any, vault), cast(Any, vault), HashEncoder(32), Progress())
    supervisor.searched()
    supervisor.start()
    try:
        supervisor.add("p", indexed)
        until(lambda: vault.loaded == [0])
        for _ in range(6):  # each time somebody searches anew
            assert (vault.words_loaded, vault.done) == (0, [])
            clock.seconds += 0.9
            supervisor.searched()
        until(lambda: vault.words_loaded > 0)
        clock.seconds += 10
        until(lambda: "reconcile" in vault.done)
    finally:
        supervisor.stop()


def test_a_change_that_could_not_be_taken_in_is_taken_in_as_soon_as_that_is_possible(
    supervisor: Supervisor, vault: Vault
) -> None:
    vault.broken.add("a.md")
    supervisor.paths_changed("p", "v", ["a.md"])
    until(lambda: vault.tried > 5)
    supervisor.paths_changed("p", "v2", ["b.md"])
    until(lambda: "b.md" in vault.done)
    assert supervisor.last_errors() == {"p": FULL}, "what goes in meanwhile hides no trouble"
    assert vault.done.count("b.md") == 1, "and is not done again with it"
    vault.broken.clear()
    until(lambda: "a.md" in vault.done)
    until(lambda: supervisor.last_errors() == {})


@pytest.mark.parametrize("kind", ["indexing", "embedding"])
def test_trouble_is_over_once_something_is_stored_again_however_much_there_is_to_do(
    supervisor: Supervisor, vault: Vault, kind: str
) -> None:
    broken = "reconcile" if kind == "indexing" else "embed"
    vault.broken.add(broken)
    supervisor.request("p")
    until(lambda: supervisor.last_errors() == {"p": FULL})
    vault.goes_on.clear()
    vault.broken.clear()
    until(lambda: supervisor.last_errors() == {})
    assert broken not in vault.done, "it is still at it"
    vault.goes_on.set()
    until(lambda: broken in vault.done)


def test_a_comparison_that_failed_keeps_what_was_wanted_of_it(vault: Vault) -> None:
    with running(vault, StoppedClock()) as supervisor:  # by itself it is not tried again
        vault.broken.add("reconcile full")
        supervisor.request("p", full=True)
        until(lambda: supervisor.last_errors() != {})
        supervisor.request("p", retry=True)
        until(lambda: "reconcile full retry" in vault.done)
        until(lambda: supervisor.last_errors() == {})


def test_what_was_done_before_the_failure_is_not_done_again(supervisor: Supervisor, vault: Vault) -> None:
    vault.broken.add("reconcile")
    supervisor.pause_all("for a moment")
    supervisor.paths_changed("p", "v", ["a.md"])
    supervisor.request("p")
    supervisor.pause_all("")
    until(lambda: vault.tried > 8)
    assert vault.done.count("a.md") == 1


def test_failed_work_counts_as_idle_and_goes_with_its_profile(supervisor: Supervisor, vault: Vault) -> None:
    vault.broken.update({"a.md", "embed"})
    supervisor.paths_changed("p", "v", ["a.md"])
    until(lambda: supervisor.last_errors() != {})
    supervisor.remove("p")
    assert supervisor.last_errors() == {}
    assert supervisor.wait_until_idle(PATIENCE_SECONDS)
    vault.broken.clear()
    other = cast(Any, Vault())
    supervisor.add("other", SupervisedProfile(other, other, HashEncoder(32), Progress()))
    until(lambda: "embed" in vault.done)  # the other's: by then what failed would have been tried again
    assert "a.md" not in vault.done


def test_stopping_in_the_middle_of_an_embedding_is_no_trouble(
    supervisor: Supervisor, vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended = threading.Event(), threading.Event()

    def embed(*_: object, **_by_name: object) -> int:
        begun.set()
        assert ended.wait(PATIENCE_SECONDS)
        raise StoreError("It was closed.")

    monkeypatch.setattr(supervisor_, "embed_pending", embed)
    supervisor.request("p")
    assert begun.wait(PATIENCE_SECONDS)
    supervisor.stop(ended.set)
    assert supervisor.last_errors() == {}


@pytest.mark.parametrize("last", ["a.md", "embed"])
def test_stopping_waits_until_what_was_begun_has_ended(supervisor: Supervisor, vault: Vault, last: str) -> None:
    begun, cut_short, ended = threading.Event(), threading.Event(), threading.Event()

    def do(what: str) -> None:
        if what == last:
            begun.set()
            assert cut_short.wait(PATIENCE_SECONDS)
            ended.wait(0.05)
            ended.set()

    vault.do = do
    supervisor.paths_changed("p", "v", ["a.md"])
    assert begun.wait(PATIENCE_SECONDS)
    supervisor.stop(cut_short.set)
    assert ended.is_set()


def test_profiles_that_wait_are_embedded_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, turns = StoppedClock(), list[str]()
    begin = threading.Event()

    def embed(store: Vault, *_: object, has_turn: Callable[[], bool], **_by_name: object) -> int:
        assert begin.wait(PATIENCE_SECONDS)
        for _batch in range(3 if store is large else 1):
            turns.append("large" if store is large else "small")
            clock.seconds += 2.0
            if not has_turn():
                return 0
        return 0

    large, small = Vault(), Vault()
    monkeypatch.setattr(supervisor_, "embed_pending", embed)
    supervisor = Supervisor(900, clock)
    supervisor.start()
    try:
        supervisor.add("large", SupervisedProfile(cast(Any, large), cast(Any, large), HashEncoder(32), Progress()))
        until(lambda: large.done == ["reconcile"])
        supervisor.add("small", SupervisedProfile(cast(Any, small), cast(Any, small), HashEncoder(32), Progress()))
        until(lambda: supervisor.state("small") == "embedding")
        begin.set()
        until(lambda: supervisor.wait_until_idle(0))
    finally:
        supervisor.stop()
    assert turns == ["large", "large", "small", "large", "large", "large"]
