"""What the program itself is made of is not looked through for garbage, and still is for texts that must go."""

import gc
import threading
from typing import cast

import pytest

from scrubjay.daemon.engine import closed_profiles
from scrubjay.daemon.engine.closed_profiles import let_go
from scrubjay.daemon.engine.note_preparation import Preparation
from scrubjay.daemon.engine.open_models import Models
from scrubjay.daemon.processes.memory import settle, unsettle
from scrubjay.profiles.search.results.plain_text import sentence_bounds


class Forgetful:
    """Stands for what has processes; there are none."""

    def forget_texts(self) -> None:
        pass


@pytest.fixture(autouse=True)
def _as_before() -> object:
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    gc.freeze()  # as `tests/conftest.py` does


def test_what_is_settled_is_not_looked_through() -> None:
    unsettle()
    assert not unsettle()
    known = {"heron": ["weir"]}
    settle()
    assert not any(each is known for each in gc.get_objects())
    assert unsettle()
    assert any(each is known for each in gc.get_objects())


def test_texts_that_were_remembered_before_are_let_go_of_and_all_is_settled_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(closed_profiles, "unsettle", unsettle)  # integration tests of the same run do without it
    sentence_bounds("The heron stands at the weir.")
    settle()
    assert sentence_bounds.cache_info().currsize > 0
    let_go(cast("Models", Forgetful()), cast("Preparation", Forgetful()))
    assert sentence_bounds.cache_info().currsize == 0
    assert gc.get_freeze_count() > 0


@pytest.mark.slow
def test_what_other_threads_are_making_meanwhile_is_not_disturbed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closed_profiles, "wipe", lambda: None)  # half a second each time
    is_over, failed = threading.Event(), list[SystemError]()

    def make_tuples() -> None:
        while not is_over.is_set():
            try:
                tuple(number for number in range(50))
            except SystemError as error:  # by CPython, for a tuple that somebody else has a hold of
                failed.append(error)

    threads = [threading.Thread(target=make_tuples) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(4):
            let_go(cast("Models", Forgetful()), cast("Preparation", Forgetful()))
    finally:
        is_over.set()
        for thread in threads:
            thread.join()
    assert failed == []
