"""How much of the machine background work takes."""

import os
import threading

import pytest

from scrubjay.daemon.engine.pace import Battery, Pace, bulk_threads, should_wait
from scrubjay.daemon.indexing.supervisor import Supervisor
from scrubjay.daemon.settings import Settings

CORES = os.cpu_count() or 1


@pytest.mark.parametrize(
    ("battery", "threshold", "waits", "expected"),
    [
        pytest.param(None, 30, False, False, id="no-battery"),
        pytest.param(Battery(5, plugged=True), 30, False, False, id="charging"),
        pytest.param(Battery(29, plugged=False), 30, False, True, id="low"),
        pytest.param(Battery(31, plugged=False), 30, False, False, id="high-enough"),
        pytest.param(Battery(31, plugged=False), 30, True, True, id="just-above-while-it-waits"),
        pytest.param(Battery(36, plugged=False), 30, True, False, id="well-above-while-it-waits"),
        pytest.param(Battery(1, plugged=False), 0, False, False, id="never"),
    ],
)
def test_whether_to_wait_for_the_battery(battery: Battery | None, threshold: int, waits: bool, expected: bool) -> None:
    assert should_wait(battery, threshold, waits=waits) is expected


@pytest.mark.parametrize(
    ("settings", "hurried", "threads"),
    [
        pytest.param(Settings(), False, max(1, CORES // 2), id="gentle"),
        pytest.param(Settings(speed="full"), False, CORES, id="full"),
        pytest.param(Settings(embedding_threads=3), False, 3, id="as-set"),
        pytest.param(Settings(embedding_threads=1), True, CORES, id="hurried"),
    ],
)
def test_threads_for_embedding(settings: Settings, hurried: bool, threads: int) -> None:
    assert bulk_threads(settings, hurried=hurried) == threads


class Threads:
    """Remembers how many threads it was told to use."""

    def __init__(self) -> None:
        self.told: list[int] = []
        self.rests: list[float] = []
        self.changed = threading.Condition()

    def use_threads(self, threads: int) -> None:
        with self.changed:
            self.told.append(threads)
            self.changed.notify_all()

    def unload_after(self, seconds: float) -> None:
        self.rests.append(seconds)

    def is_told(self, *threads: int) -> bool:
        with self.changed:
            return self.changed.wait_for(lambda: self.told == list(threads), 60)


def test_a_hurry_ends_when_nothing_waits_any_more() -> None:
    embedder = Threads()
    with Pace(Supervisor(900), embedder, Settings(), battery=lambda: None) as pace:
        pace.hurry()
        assert embedder.is_told(CORES, max(1, CORES // 2))


def test_changed_settings_change_the_threads() -> None:
    embedder = Threads()
    with Pace(Supervisor(900), embedder, Settings(), battery=lambda: None) as pace:
        pace.follow(Settings(embedding_threads=3, model_idle_minutes=0.5))
    assert (embedder.told, embedder.rests) == ([3], [30])


def test_a_low_battery_holds_all_profiles_and_says_why() -> None:
    supervisor = Supervisor(900)
    looked = threading.Event()

    def battery() -> Battery:
        looked.set()
        return Battery(12, plugged=False)

    with Pace(supervisor, Threads(), Settings(), battery):
        assert looked.wait(60)
    assert "12 %" in supervisor.pause_reason("any profile")
