"""A process that takes credentials out of files, or puts them back, is killed at every one of its steps."""

import os
from pathlib import Path

import pytest

from scrubjay.credential_filter import BUILT_IN
from scrubjay.credential_filter.rules.templates import expand
from scrubjay.daemon.home import Home
from scrubjay.daemon.review.changes.scrubbed_file import scrubbing
from tests.faults.test_kill_apply import EVERY, in_child

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a process of its own by fork")

TOKEN = expand("ghp_{alnum:36}", "kill").encode()
HIDDEN = b"[REDACTED:github-token]"
BEFORE = {
    "a.md": b"token: " + TOKEN + b"\r\n",
    "b.txt": b"Caf\xe9 " + TOKEN + b" and " + TOKEN,
    "c.md": b"nothing\n",
}
AFTER = {name: data.replace(TOKEN, HIDDEN) for name, data in BEFORE.items()}


class Desk:
    """A home, and files that are in no vault."""

    def __init__(self, folder: Path) -> None:
        self.home = Home.below(folder / "home").make()
        self.files = folder / "files"
        self.files.mkdir(parents=True)
        for name, data in BEFORE.items():
            (self.files / name).write_bytes(data)

    def scrub(self, *, undoable: bool = True) -> None:
        with scrubbing(self.home) as scrubber:
            for name in BEFORE:
                scrubber.scrub(self.files / name, BUILT_IN, undoable=undoable)

    def undo(self) -> None:
        with scrubbing(self.home) as scrubber:
            scrubber.undo()

    def now(self) -> dict[str, bytes]:
        """The files, without what is written beside them for a moment."""
        return {path.name: path.read_bytes() for path in self.files.iterdir() if not path.name.startswith(".")}

    def comes_back(self, *, is_kept: bool = True) -> None:
        """After a kill each file is old or new, and all can be old again."""
        now = self.now()
        assert now.keys() == BEFORE.keys()
        assert all(data in (BEFORE[name], AFTER[name]) for name, data in now.items())
        with scrubbing(self.home) as scrubber:
            assert scrubber.stuck == ()
            while scrubber.undo().files:
                pass
        assert {path.name for path in self.files.iterdir()} == BEFORE.keys()
        assert not is_kept or self.now() == BEFORE
        assert [path for path in self.home.data.rglob("*") if path.is_file() and TOKEN in path.read_bytes()] == []


@EVERY
@pytest.mark.parametrize("undoable", [True, False], ids=["undoable", "not undoable"])
def test_a_scrub_that_is_killed_at_any_step_leaves_old_or_new(tmp_path: Path, undoable: bool, every: int) -> None:
    for step in range(0, 500, every):
        desk = Desk(tmp_path / str(step))
        done = in_child(step, lambda desk=desk: desk.scrub(undoable=undoable))
        desk.comes_back(is_kept=undoable)
        if done:
            assert step > 50, "there are so many steps"
            return
    pytest.fail("it never came to its end")


@EVERY
def test_an_undo_that_is_killed_at_any_step_can_be_done_again(tmp_path: Path, every: int) -> None:
    for step in range(0, 500, every):
        desk = Desk(tmp_path / str(step))
        desk.scrub()
        done = in_child(step, desk.undo)
        desk.comes_back()
        if done:
            return
    pytest.fail("it never came to its end")
