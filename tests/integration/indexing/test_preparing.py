"""Preparing in a process of its own: the same results, and no note holds up the others."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import psutil
import pytest

from scrubjay.credential_filter import BUILT_IN
from scrubjay.daemon.indexing import watched_preparer
from scrubjay.daemon.indexing.prepare import PrepareContext, Skipped, prepare_many
from scrubjay.daemon.indexing.watched_preparer import CannotPrepare, PreparingEnded, WatchedPreparer
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.daemon.models.token_counter import TokenCounter
from scrubjay.daemon.processes import worker_process
from scrubjay.daemon.processes.loops import Conditions
from scrubjay.daemon.processes.scheduler import Scheduler
from scrubjay.daemon.vault.read import RawNote
from scrubjay.profiles.store.rows import NoteBundle
from tests.helpers.waiting import until

TOKENS = TokenCounter(BUNDLED)
SECRET = "ghp" + "_" + "Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7j"


@dataclass(frozen=True)
class Stumbling:
    """Counts tokens, but never comes to an end over a text with this word in it."""

    word: str = "labyrinth"

    def __call__(self, texts: list[str]) -> list[int]:
        for text in texts:
            if self.word in text:
                re.match(r"(a|a)*b", "a" * 60)  # exponential, and holds the interpreter's lock all the while
        return TOKENS.count_many(texts)

    def __reduce__(self) -> tuple[type["Stumbling"], tuple[str]]:
        return Stumbling, (self.word,)


@dataclass(frozen=True)
class Killed:
    """Counts tokens, but is killed over a text with this word in it, the first few times."""

    word: str
    folder: Path  # gets a file each time
    times: int = 1000

    def __call__(self, texts: list[str]) -> list[int]:
        before = len(list(self.folder.iterdir()))
        if before < self.times and any(self.word in text for text in texts):
            (self.folder / str(before)).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return TOKENS.count_many(texts)


def context(stumbling: bool = False) -> PrepareContext:
    count = Stumbling() if stumbling else TOKENS.count_many
    return PrepareContext(b"k" * 32, BUILT_IN, count, 256, tokenizer="stumbling" if stumbling else "bundled")


def raw(path: str, text: str) -> RawNote:
    return RawNote("0a1b2c3d", path, text, len(text), 1, b"d" * 16)


@pytest.fixture(autouse=True)
def _processes_are_started_as_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "subprocess", subprocess)


@pytest.fixture(autouse=True)
def _a_busy_machine_takes_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a note may cost here is so little that the same by the clock, ten times over, would be over too soon."""
    monkeypatch.setattr(worker_process, "_WALL_FACTOR", 1000)


@pytest.fixture
def conditions() -> Conditions:
    return Conditions()


@pytest.fixture
def preparer(monkeypatch: pytest.MonkeyPatch, conditions: Conditions) -> Generator[WatchedPreparer]:
    monkeypatch.setattr(watched_preparer, "_SMALL_CHARACTERS", 0)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))  # the process is given classes of this module
    made = WatchedPreparer(lambda: 1.5, Scheduler(conditions))  # a new process loads what it needs in this time, too
    yield made
    made.close()


def children() -> list[psutil.Process]:
    """The processes that prepare; one that has ended, and is not waited for yet, is none any more."""
    found: list[psutil.Process] = []
    for each in psutil.Process().children():
        with contextlib.suppress(psutil.NoSuchProcess):  # which a zombie counts as
            if "scrubjay.daemon.indexing.prepare_worker" in each.cmdline():
                found.append(each)
    return found


NOTES = (
    raw("a.md", f"# Heron\n\nIt stood by the weir.\n\ntoken: {SECRET}\n"),
    raw("b.md", "---\nscrubjay: false\n---\nNot to be read."),
    raw("c.md", "---\n: [broken\n---\nText."),
    raw("d.md", ""),
)


def test_the_results_are_those_of_this_process_and_the_other_gives_way_to_other_programs(
    preparer: WatchedPreparer,
) -> None:
    assert preparer.prepare(NOTES, context()) == prepare_many(NOTES, context())
    [child] = children()
    assert sys.platform != "linux" or child.nice() >= 10, "only Linux tells a niceness"
    child.kill()
    child.wait()
    assert preparer.prepare(NOTES, context()) == prepare_many(NOTES, context()), "one that was killed is replaced"
    [child] = children()
    allowing = replace(context(), rules=BUILT_IN.with_allow([SECRET]))
    assert preparer.prepare(NOTES, allowing) == prepare_many(NOTES, allowing)
    assert child not in children(), "other rules get a process of their own"
    assert len(children()) == 1


def test_each_profile_s_notes_are_known_by_its_own_key(preparer: WatchedPreparer) -> None:
    team = replace(context(), key=b"t" * 32)
    for each in (context(), team, context()):
        assert preparer.prepare(NOTES, each) == prepare_many(NOTES, each)


def test_a_short_note_is_watched_where_the_user_wrote_a_regex() -> None:
    with closing(WatchedPreparer(lambda: 1.0)) as preparer:
        allowing = replace(context(), rules=BUILT_IN.with_allow(["[a-z]{4}-[0-9]{4}"]))
        assert preparer.prepare(NOTES, context()) == prepare_many(NOTES, context())
        assert children() == [], "few small notes start none"
        assert preparer.prepare(NOTES, allowing) == prepare_many(NOTES, allowing)
        assert len(children()) == 1


def test_a_note_without_end_is_left_out_and_the_others_are_not(preparer: WatchedPreparer) -> None:
    notes = (raw("a.md", "A heron."), raw("endless.md", "A labyrinth."), raw("c.md", "An otter."))
    first, endless, last = preparer.prepare(notes, context(stumbling=True))
    assert isinstance(endless, Skipped)
    assert (endless.path, endless.code) == ("endless.md", "too-slow")
    assert isinstance(first, NoteBundle)
    assert isinstance(last, NoteBundle)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_process_that_is_killed_over_a_batch_blames_no_note(preparer: WatchedPreparer, tmp_path: Path) -> None:
    """As by the system when memory is short."""
    counting = replace(context(), count_many=Killed("heron", tmp_path, times=2), tokenizer="killed")
    assert preparer.prepare(NOTES, counting) == prepare_many(NOTES, replace(counting, count_many=TOKENS.count_many))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_that_the_process_is_ended_over_one_note_after_the_other_is_told_until_one_succeeds(
    preparer: WatchedPreparer, conditions: Conditions, tmp_path: Path
) -> None:
    counting = replace(context(), count_many=Killed("heron", tmp_path), tokenizer="killed")
    preparer.prepare((raw("a.md", "A heron."), raw("b.md", "Another heron.")), counting)
    assert any("ended again and again" in sentence for sentence in conditions.sentences())
    preparer.prepare((raw("c.md", "An otter."),), counting)
    assert conditions.sentences() == ()


def test_where_the_interpreter_is_gone_no_note_is_blamed(
    preparer: WatchedPreparer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(CannotPrepare, match=r"can't be started.*scrubjay restart"):
        preparer.prepare(NOTES, context())
    monkeypatch.undo()
    monkeypatch.setattr(watched_preparer, "_SMALL_CHARACTERS", 0)
    assert preparer.prepare(NOTES, context()) == prepare_many(NOTES, context())


def test_a_process_that_never_answers_is_waited_for_once(
    preparer: WatchedPreparer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watched_preparer, "_START_SECONDS", 0.05)

    def silent(module: str, argument: str) -> list[str]:
        return [sys.executable, "-c", "import time; time.sleep(600)", module, argument]

    monkeypatch.setattr(watched_preparer, "worker_command", silent)
    with pytest.raises(CannotPrepare, match="does not answer within"):
        preparer.prepare(NOTES, context())


def test_closing_ends_what_is_under_way_and_blames_nobody(preparer: WatchedPreparer) -> None:
    threading.Timer(0.5, preparer.close).start()
    with pytest.raises(PreparingEnded):
        preparer.prepare((raw("endless.md", "A labyrinth."),) * 2, context(stumbling=True))


def test_it_goes_when_idle_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched_preparer, "_SMALL_CHARACTERS", 0)
    with closing(WatchedPreparer(lambda: 1.0, idle_seconds=0.05)) as preparer:
        for _ in range(2):
            assert preparer.prepare(NOTES, context()) == prepare_many(NOTES, context())
            until(lambda: not children())
