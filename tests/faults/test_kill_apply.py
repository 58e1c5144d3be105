"""A process that writes into notes is killed at every one of its steps: each note is old or new, and comes back."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from scrubjay.daemon.review.changes import swap as swapping
from scrubjay.daemon.review.changes.change_plan import Group
from tests.integration.review.test_writing import BEFORE, RUN, Vault, move, replace

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a process of its own by fork")

AFTER = {"new/Ä.md": b"A cow.\n", "b/B.md": "[[Ä]] and a cow\r\n".encode(), "private/P.md": b"hers"}
CHANGES = (replace("A.md", "cat", "cow"), move("A.md", "new/Ä.md"), replace("b/B.md", "dog", "cow"))
_OF_OS = [
    "fsync",
    "link",
    "unlink",
    "rename",
    "replace",
    "mkdir",
    "rmdir",
    "open",
    "utime",
    "write",
    "ftruncate",
    "chown",
]
EVERY = pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.slow)], ids=["some steps", "all steps"])

_WAYS = pytest.mark.parametrize(
    "exchanging", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["exchanging", "replacing"]
)


def die_at(step: int) -> Callable[[], int]:
    """Have this process end at its step-th call that changes the disk, as by a kill. For a child process.

    The function returned says how many such calls there were so far.
    """
    left = [step]
    os_write = os.write

    def counted(call: Callable[..., Any]) -> Callable[..., Any]:
        def stepping(*given: Any, **named: Any) -> Any:
            left[0] -= 1
            if left[0] < 0:
                if call is os_write:  # killed in the middle of a text
                    os_write(given[0], bytes(given[1])[: len(given[1]) // 2])
                os._exit(9)
            return call(*given, **named)

        return stepping

    for name in _OF_OS:
        setattr(os, name, counted(getattr(os, name)))
    if native := swapping.native_exchange():
        exchanging = counted(native)
        swapping.native_exchange = lambda: exchanging  # type: ignore[assignment]
    return lambda: step - left[0]


def in_child(step: int, work: Callable[[], object]) -> bool:
    """Whether the work was done before that step came."""
    process = os.fork()
    if process == 0:
        die_at(step)
        work()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0


def notes_of(vault: Vault) -> dict[str, bytes]:
    return {path: data for path, data in vault.bytes().items() if not path.rpartition("/")[2].startswith(".")}


@EVERY
@_WAYS
@pytest.mark.parametrize("undoing", [False, True], ids=["apply", "undo"])
def test_an_apply_or_undo_killed_at_any_step_leaves_old_or_new_and_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, undoing: bool, exchanging: bool, every: int
) -> None:
    if not exchanging:
        monkeypatch.setattr(swapping, "native_exchange", lambda: None)
    for step in range(0, 500, every):
        vault = Vault(tmp_path / str(step))
        write = partial(vault.writer.apply, Group(("key",), vault.group(*CHANGES).files), RUN)
        done = in_child(step, partial(vault.writer.undo, write()) if undoing else write)
        _each_is_old_or_new(vault)
        assert vault.writer.recover() == []
        records = vault.records.all()
        assert undoing or vault.bytes() == (AFTER if records else BEFORE)
        for record in records:
            vault.writer.undo(record)
        assert vault.bytes() == BEFORE
        assert not undoing or not (vault.root / "new").exists()
        if done:
            return
    pytest.fail("it never came to its end")


def _each_is_old_or_new(vault: Vault) -> None:
    found = notes_of(vault)
    assert set(found.values()) <= {*BEFORE.values(), *AFTER.values()}
    assert "A.md" in found or "new/Ä.md" in found
    assert "b/B.md" in found
