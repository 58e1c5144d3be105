"""How much of the machine background work takes."""

import os

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

    def use_threads(self, threads: int) -> None:
        self.told.append(threads)

    def unload_after(self, seconds: float) -> None:
        self.rests.append(seconds)


def test_a_hurry_takes_every_core_until_nothing_waits_any_more_which_is_looked_at_more_often() -> None:
    embedder, supervisor, woken = Threads(), Supervisor(900), list[None]()
    supervisor.request("a profile")  # which no thread takes on
    pace = Pace(supervisor, embedder, Settings(), battery=lambda: None, wake=lambda: woken.append(None))
    pace.look()
    slow = pace.pause()
    pace.hurry()
    pace.look()
    assert (embedder.told, len(woken)) == ([max(1, CORES // 2), CORES], 1)
    assert pace.pause() < slow
    supervisor.remove("a profile")
    pace.look()
    assert embedder.told[-1] == max(1, CORES // 2)
    assert pace.pause() == slow


def test_changed_settings_change_the_threads() -> None:
    embedder = Threads()
    pace = Pace(Supervisor(900), embedder, Settings(), battery=lambda: None)
    pace.follow(Settings(embedding_threads=3, model_idle_minutes=0.5))
    pace.look()
    assert (embedder.told, embedder.rests) == ([3], [30])


def test_a_low_battery_holds_all_profiles_and_says_why() -> None:
    supervisor = Supervisor(900)
    Pace(supervisor, Threads(), Settings(), lambda: Battery(12, plugged=False)).look()
    assert "12 %" in supervisor.pause_reason
    assert supervisor.is_paused("any profile")
