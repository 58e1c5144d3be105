"""What the daemon does in the background outlives an unforeseen exception, is done again, and says so meanwhile."""

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from scrubjay.daemon.engine import engine as engine_
from scrubjay.daemon.engine import pace as pace_
from scrubjay.daemon.engine import profile_watch as following_
from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.engine.open_profiles import Opener
from scrubjay.daemon.engine.pace import Pace
from scrubjay.daemon.engine.profile_sync import ProfileSync
from scrubjay.daemon.engine.profile_watch import Configuration, Following
from scrubjay.daemon.engine.query_matrices import QueryMatrices
from scrubjay.daemon.engine.search_log import SearchLog
from scrubjay.daemon.indexing import supervisor
from scrubjay.daemon.indexing.supervisor import Supervisor
from scrubjay.daemon.models import worker_embedder
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.daemon.models.worker_embedder import WorkerEmbedder
from scrubjay.daemon.processes.scheduler import Job
from scrubjay.daemon.processes.worker_process import WorkerProcess
from scrubjay.daemon.review.link_maps import LinkMaps
from scrubjay.daemon.review.proposals_found import ComparedNotes
from scrubjay.daemon.server.access.client_registry import ClientRegistry
from scrubjay.daemon.server.access.identity import Identity
from scrubjay.daemon.server.daemon_process import Telling, background_jobs
from scrubjay.daemon.server.services import searches_of
from scrubjay.daemon.server.state import status_of
from scrubjay.daemon.settings import Settings
from scrubjay.daemon.vault import watcher
from tests.helpers.waiting import until
from tests.integration.engine.living import Living, living


class Once:
    """Stands before a method and fails the first time it is called after `arm`; counts the calls that went well."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> None:
        self.went_well = 0
        self.failed = False
        self._armed = False
        before = getattr(owner, name)

        def stumbling(*args: Any, **options: Any) -> Any:
            if self._armed:
                self._armed, self.failed = False, True
                raise ZeroDivisionError("the text of a note")
            found = before(*args, **options)
            self.went_well += self.failed
            return found

        monkeypatch.setattr(owner, name, stumbling)

    def arm(self) -> None:
        self._armed = True


class NoThreads:
    def use_threads(self, threads: int) -> None: ...
    def unload_after(self, seconds: float) -> None: ...


@pytest.fixture
def alive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Living]:
    monkeypatch.setattr(following_, "_EVERY_SECONDS", 0.05)
    monkeypatch.setattr(watcher, "_LOOK_SECONDS", 0.05)
    with living(tmp_path) as made:
        yield made


@contextlib.contextmanager
def following_configuration(engine: Engine) -> Generator[None]:
    """The daemon's own job that follows settings and profiles, done until the block ends."""
    following = Following(engine, lambda _: None)
    job = Job("following", "Taking over changed settings and profiles", following.look, every=following.pause)
    engine.scheduler.add(job)
    yield
    engine.scheduler.remove(job)


def jobs_of(alive: Living) -> Sequence[Job]:
    """The daemon's own table over an engine that is open."""
    engine = alive.engine
    pace = Pace(engine.supervisor, NoThreads(), Settings(), lambda: None)
    telling = Telling(engine.home, Identity.new("1.2.3").discovery(1, 1), lambda: None)
    clients = ClientRegistry(engine.home.clients)
    return background_jobs(engine, Following(engine, lambda _: None), pace, searches_of(engine), clients, telling)


def warnings(alive: Living) -> str:
    return " ".join(status_of(alive.engine, alive.engine.open_profiles.all(), instance="test", started=0.0).warnings)


def is_survived(alive: Living, once: Once, part: str, nudge: Callable[[], object] = lambda: None) -> None:
    """The status tells of the trouble, and no more when the work has been done again."""
    assert warnings(alive) == ""
    once.arm()
    nudge()
    until(lambda: f"{part} failed (ZeroDivisionError)" in warnings(alive))
    nudge()
    until(lambda: once.went_well > 0)
    until(lambda: warnings(alive) == "", lambda: warnings(alive))


JOBS: tuple[tuple[str, type, str], ...] = (
    ("telling", Telling, "look"),
    ("following", Configuration, "look"),
    ("following", pace_.IdleMemory, "look"),
    ("pace", Supervisor, "pause_all"),
    ("history", SearchLog, "flush"),
    ("last-seen", ClientRegistry, "write_seen"),
    ("tuning", QueryMatrices, "look"),
    ("near-copies", ComparedNotes, "look"),
    ("maps", LinkMaps, "renew"),
)


def test_every_job(alive: Living, monkeypatch: pytest.MonkeyPatch) -> None:
    assert {name for name, _, _ in JOBS} == {job.name for job in jobs_of(alive)}
    for name, owner, method in JOBS:
        with monkeypatch.context() as patch:
            once = Once(patch, owner, method)
            [found] = [each for each in jobs_of(alive) if each.name == name]
            job = replace(found, every=0.05)
            alive.engine.scheduler.add(job)
            is_survived(alive, once, found.part)
            alive.engine.scheduler.remove(job)


def test_what_needs_an_idle_machine_waits_for_one(alive: Living, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    monkeypatch.setattr(QueryMatrices, "look", partial(looked.append, "tuning"))
    monkeypatch.setattr(ComparedNotes, "look", partial(looked.append, "near-copies"))
    monkeypatch.setattr(LinkMaps, "renew", partial(looked.append, "maps"))
    jobs = [replace(job, every=0.01) for job in jobs_of(alive) if job.takes == "minutes"]
    alive.engine.supervisor.searched()
    alive.engine.scheduler.add(*jobs)
    turns = [threading.Event(), threading.Event()]
    alive.engine.scheduler.add(*(Job("turn", "A turn", turn.set, every=0.05, takes="minutes") for turn in turns))
    assert all(turn.wait(60) for turn in turns)
    assert looked == []
    monkeypatch.setattr(engine_, "QUIET_SECONDS", 0.0)
    until(lambda: set(looked) == {"tuning", "near-copies", "maps"})


def test_settings_that_could_not_be_taken_over_are_tried_again(alive: Living, monkeypatch: pytest.MonkeyPatch) -> None:
    once = Once(monkeypatch, alive.engine, "reload")
    with following_configuration(alive.engine):
        once.arm()
        alive.engine.home.settings.write_text("reconcile_minutes = 7\n")
        until(lambda: alive.engine.settings.reconcile_minutes == 7)


def test_watching(alive: Living, monkeypatch: pytest.MonkeyPatch) -> None:
    once = Once(monkeypatch, Supervisor, "paths_changed")
    edits = iter("abcdefgh")
    is_survived(alive, once, "Watching folders", lambda: alive.write("heron.md", f"A heron {next(edits)}"))
    alive.until_paths("heron.md")
    once.failed = False
    once.arm()
    alive.write("kite.md", "A kite")  # is told of again
    until(lambda: once.failed)
    alive.until_paths("heron.md", "kite.md")


def test_choosing_what_to_read(alive: Living, monkeypatch: pytest.MonkeyPatch) -> None:
    for method, part in (("_next_to_read", "Indexing"), ("_next_to_embed", "Embedding")):
        is_survived(alive, Once(monkeypatch, Supervisor, method), part, alive.engine.supervisor.request)


def test_giving_memory_back_after_indexing(alive: Living, monkeypatch: pytest.MonkeyPatch) -> None:
    once = Once(monkeypatch, supervisor, "give_back")
    once.arm()
    alive.engine.supervisor.request()
    until(lambda: once.failed)
    alive.write("heron.md", "A heron")
    alive.until_paths("heron.md")


def test_ending_a_process_that_has_nothing_to_do(alive: Living, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = WorkerEmbedder(BUNDLED, scheduler=alive.engine.scheduler)
    embedder.embed_query("heron")
    once = Once(monkeypatch, WorkerProcess, "close")
    with contextlib.closing(embedder):
        is_survived(alive, once, "Ending an idle process", lambda: embedder.unload_after(0.01))
    assert embedder.worker_pid is None


@pytest.mark.slow
def test_replies_of_a_worker(alive: Living, monkeypatch: pytest.MonkeyPatch) -> None:
    once = Once(monkeypatch, worker_embedder, "reply_of")
    with contextlib.closing(WorkerEmbedder(BUNDLED, scheduler=alive.engine.scheduler)) as embedder:
        once.arm()
        assert embedder.embed_query("heron").shape == (BUNDLED.dim,)  # by another process
        assert once.failed
        assert warnings(alive) == ""


def test_a_worker_that_was_killed_is_no_trouble_of_a_loop(alive: Living) -> None:
    with contextlib.closing(WorkerEmbedder(BUNDLED, scheduler=alive.engine.scheduler)) as embedder:
        embedder.embed_query("heron")
        os.kill(embedder.worker_pid or 0, signal.SIGKILL)
        until(lambda: embedder.worker_pid is None)
        assert warnings(alive) == ""


@pytest.mark.parametrize("model", ["m" * 300, "a\0b"], ids=["long", "nul"])
def test_a_model_that_can_not_be_costs_its_profile_alone(alive: Living, tmp_path: Path, model: str) -> None:
    engine = alive.engine
    with following_configuration(engine):
        engine.registry.change(engine.registry.get("notes").id, lambda now: msgspec.structs.replace(now, model=model))
        until(lambda: engine.open_profiles.named("notes").profile.model == model)
        alive.write("heron.md", "A heron")
        until(lambda: alive.found("heron") == {"heron.md"})
        engine.registry.create("other")
        until(lambda: "other" in engine.open_profiles.stores())
    engine.close()
    with living(tmp_path) as again:
        assert set(again.engine.open_profiles.stores()) == {"notes", "other"}
        assert again.found("heron") == {"heron.md"}
        assert (
            "No model can have such a name"
            in again.engine.supervisor.last_errors()[again.engine.open_profiles.named("notes").profile.id]
        )


@pytest.mark.parametrize("broken", [ProfileSync, Opener], ids=["admitting", "opening"])
def test_a_profile_that_fails_to_open_costs_the_others_nothing(
    alive: Living, monkeypatch: pytest.MonkeyPatch, broken: type
) -> None:
    name = "_take_in" if broken is ProfileSync else "open"
    once = Once(monkeypatch, broken, name)
    with following_configuration(alive.engine):
        once.arm()
        alive.engine.registry.create("other")
        until(lambda: "ZeroDivisionError" in alive.engine.open_profiles.closed().get("other", ""))
        assert set(alive.engine.open_profiles.stores()) == {"notes"}
        until(lambda: set(alive.engine.open_profiles.stores()) == {"notes", "other"})
