"""The watcher where the system gives no events, or refuses to."""

import os
import sys
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from watchfiles import Change, watch
from watchfiles.main import FileChange

from scrubjay.daemon.processes.loops import Conditions
from scrubjay.daemon.vault import watcher as watch_module
from scrubjay.daemon.vault.watch_method import Mount, watch_limit_is_reached
from scrubjay.daemon.vault.watcher import Watcher
from tests.helpers.waiting import PATIENCE_SECONDS, until


class Heard:
    """What the watcher told, and a way to wait for more."""

    def __init__(self) -> None:
        self._told = threading.Condition()
        self.paths: set[Path] = set()

    def __call__(self, paths: frozenset[Path]) -> None:
        with self._told:
            self.paths |= paths
            self._told.notify_all()

    def waits_for(self, path: Path, seconds: float = PATIENCE_SECONDS) -> bool:
        with self._told:
            return self._told.wait_for(lambda: path in self.paths, seconds)

    def forget(self) -> None:
        with self._told:
            self.paths.clear()


@contextmanager
def watching(folder: Path, *, poll_seconds: float, conditions: Conditions | None = None) -> Generator[Heard]:
    heard = Heard()
    watcher = Watcher([folder], heard, poll_seconds=poll_seconds, conditions=conditions)
    watcher.start()
    try:
        yield heard
    finally:
        watcher.stop()


def test_a_network_folder_is_looked_at_from_time_to_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch_module, "mounts", lambda: (Mount(str(tmp_path), "nfs4"),))
    with watching(tmp_path, poll_seconds=0.1) as heard:
        assert heard.waits_for(tmp_path)


def test_where_the_system_refuses_to_watch_folders_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("OS file watch limit reached")

    monkeypatch.setattr(watch_module, "watch", refuse)
    conditions = Conditions()
    with watching(tmp_path, poll_seconds=0.1, conditions=conditions) as heard:
        assert heard.waits_for(tmp_path)
        assert "every half minute" in " ".join(conditions.sentences())
    assert conditions.sentences() == ()


def test_while_the_limit_of_watches_is_reached_folders_are_looked_at_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    conditions, reached = Conditions(), threading.Event()
    monkeypatch.setattr(watch_module, "_LOOK_SECONDS", 0.05)

    def watch_limit_is_reached(_: Path) -> bool:
        return reached.is_set()

    monkeypatch.setattr(watch_module, "watch_limit_is_reached", watch_limit_is_reached)
    with watching(tmp_path, poll_seconds=0.1, conditions=conditions) as heard:
        assert heard.waits_for(tmp_path)  # once, at the beginning
        assert conditions.sentences() == ()
        reached.set()
        for _ in range(3):
            heard.forget()
            assert heard.waits_for(tmp_path)
        assert "every half minute" in " ".join(conditions.sentences())
        reached.clear()
        until(lambda: not conditions.sentences())


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such limit")
def test_the_limit_of_this_machine_is_not_reached_by_a_folder(tmp_path: Path) -> None:
    assert not watch_limit_is_reached(tmp_path)


def test_a_folder_that_comes_later_is_told_of_and_watched(tmp_path: Path) -> None:
    folder = tmp_path / "later"
    with watching(folder, poll_seconds=3600) as heard:
        folder.mkdir()
        assert heard.waits_for(folder)
        note, deadline = folder / "a.md", time.monotonic() + PATIENCE_SECONDS
        while not heard.waits_for(note, 0.3):  # it is watched a moment after it was told of
            assert time.monotonic() < deadline
            note.write_text("text", encoding="utf-8")


def test_a_folder_that_came_and_went_between_two_looks_is_told_of_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def quiet(*_: object, stop_event: threading.Event, **__: object) -> Iterator[set[FileChange]]:
        while not stop_event.wait(0.01):
            yield set()

    here, away, elsewhere = (tmp_path / name for name in ("here", "away", "elsewhere"))
    here.mkdir()
    elsewhere.mkdir()
    os.utime(tmp_path, (1, 1))  # else all may happen in one tick of the clock
    told: list[bool] = []  # whether the folder was there, whenever it was told of

    def tell(paths: frozenset[Path]) -> None:
        if away in paths and not told:
            elsewhere.rename(away)
            told.append(away.exists())
            away.rename(elsewhere)
        elif away in paths:
            told.append(away.exists())

    monkeypatch.setattr(watch_module, "watch", quiet)
    watcher = Watcher([here, away], tell, poll_seconds=3600)
    watcher.start()
    try:
        until(lambda: len(told) > 1)
    finally:
        watcher.stop()
    assert told[:2] == [True, False]


def test_what_changed_before_the_system_began_to_watch_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object, stop_event: threading.Event, **__: object) -> Iterator[set[FileChange]]:
        (tmp_path / "early.md").write_text("text", encoding="utf-8")
        yield set()  # no event comes of it
        stop_event.wait()

    monkeypatch.setattr(watch_module, "watch", late)
    with watching(tmp_path, poll_seconds=3600) as heard:
        assert heard.waits_for(tmp_path)


def test_events_that_were_told_of_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reported = list[set[FileChange]]()

    def watch_and_keep(*folders: Path, stop_event: threading.Event, **how: Any) -> Iterator[set[FileChange]]:
        for changes in watch(*folders, stop_event=stop_event, **how):
            reported.append(changes)
            yield changes

    monkeypatch.setattr(watch_module, "watch", watch_and_keep)
    note = tmp_path / "a.md"
    with watching(tmp_path, poll_seconds=3600) as heard:
        assert heard.waits_for(tmp_path)  # it is watched by then
        note.write_text("text", encoding="utf-8")
        assert heard.waits_for(note)
        until(lambda: not any(reported), seconds=30)


def test_many_events_at_once_make_the_folder_be_looked_at_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The events are made up: how many the system reports together depends on how busy it is."""
    single, burst = tmp_path / "single.md", [tmp_path / f"{number}.md" for number in range(4)]
    told, all_reported = list[frozenset[Path]](), threading.Event()

    def reported(*_: object, stop_event: threading.Event, **__: object) -> Iterator[set[FileChange]]:
        yield set()
        for paths in ([single], burst, [single]):
            yield {(Change.modified, str(path)) for path in paths}
        all_reported.set()
        stop_event.wait()

    monkeypatch.setattr(watch_module, "watch", reported)
    monkeypatch.setattr(watch_module, "_BURST", 3)
    watcher = Watcher([tmp_path], told.append, poll_seconds=3600)
    watcher.start()
    assert all_reported.wait(PATIENCE_SECONDS)
    watcher.stop()
    assert told[:4] == [{tmp_path}, {single}, {tmp_path}, {single}]
