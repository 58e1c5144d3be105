"""All of the daemon's models embed with as many threads as the user wants at the moment."""

import gc

import pytest

from scrubjay.daemon.models import worker_embedder
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.daemon.models.worker_embedder import Workers
from scrubjay.daemon.processes.scheduler import Scheduler
from scrubjay.profiles.search.meaning.embedder import EmbeddingModel


class Stub:
    """Notes how many threads it was told to use."""

    def __init__(self, spec: EmbeddingModel, *, threads: int, idle_seconds: float, scheduler: Scheduler) -> None:
        self.told = [threads]
        self.made_for = (spec, idle_seconds)

    def use_threads(self, threads: int) -> None:
        self.told.append(threads)


@pytest.fixture(autouse=True)
def no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_embedder, "WorkerEmbedder", Stub)


def made_by(pool: Workers) -> Stub:
    made = pool.embedder(BUNDLED)
    assert isinstance(made, Stub)
    return made


def test_a_change_of_threads_reaches_every_model_and_those_to_come() -> None:
    pool = Workers(threads=1, idle_seconds=5)
    first, second = made_by(pool), made_by(pool)
    pool.use_threads(4)
    assert [each.told for each in (first, second, made_by(pool))] == [[1, 4], [1, 4], [4]]
    assert first.made_for == (BUNDLED, 5)


def test_a_model_that_was_let_go_is_not_held_on_to() -> None:
    pool = Workers(threads=1, idle_seconds=5)
    told = made_by(pool).told
    gc.collect()
    pool.use_threads(4)
    assert told == [1]
