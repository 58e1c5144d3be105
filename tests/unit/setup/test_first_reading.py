"""What `scrubjay setup`, and the daemon in the foreground, say when the notes are read for the first time."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace

from scrubjay.daemon.cli.machine import index_progress
from scrubjay.daemon.cli.machine.index_progress import outcome
from scrubjay.daemon.server.endpoints.status import Failure, ProfileStatus, Status
from scrubjay.profiles.errors import StoreError

QUIET = ProfileStatus("1", "work", "#123456", (), "idle", 0, 0, None, 2, 3, 0, 0, 0, ())
FAILURE = Failure(vault="v", path="a.md", code="binary", reason="it is no text")


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ({}, "2 notes can be found by word and by meaning."),
        ({"notes": 1}, "1 note can be found by word and by meaning."),
        (
            {"state": "embedding", "pending_embeddings": 3},
            "2 notes can be found by word.\nFor now by words only: 3 passages; the rest follows in the background.",
        ),
        (
            {"failures": (FAILURE,)},
            "2 notes can be found by word (1 file left out; `scrubjay status` names each) and by meaning.",
        ),
        (
            {"state": "reading", "notes": 900, "done": 900, "total": 2_300, "pending_embeddings": 3},
            "900 notes can be found by word so far, the newest first; 1,400 more are being read in the background.\n"
            "`scrubjay status` says how far.",
        ),
        ({"state": "locked", "reason": "it wants its passphrase"}, "work is locked: it wants its passphrase"),
        ({"state": "paused"}, "work is paused."),
    ],
)
def test_what_can_be_found_now_is_said_in_a_sentence(state: dict[str, Any], sentence: str) -> None:
    assert outcome(replace(QUIET, **state)) == sentence


class Reading:
    """A daemon that never comes to an end with its reading; its notes can be found from the third look on."""

    looks = 0

    def ask(self, _: object) -> Status:
        self.looks += 1
        notes = 128 if self.looks > 2 else 0
        state = "reading" if self.looks > 1 else "scanning"
        profile = replace(QUIET, state=state, notes=notes, done=notes, total=50_000)
        return Status("0.1.0", "a1", "bundled", 1.0, 1, 0, (profile,))


def test_a_big_vault_is_not_waited_for_once_some_notes_can_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(index_progress.time, "sleep", slept.append)
    seen = [state.notes for state in index_progress.states(cast(Any, Reading()), "work")]
    assert seen[:2] == [0, 0]
    assert set(seen[2:]) == {128}
    assert sum(slept) < 5


def opened(pending: int | None) -> Any:
    """A profile whose store has so many texts to embed; None: it has been closed."""

    def counts() -> object:
        if pending is None:
            raise StoreError("It has been closed.")
        return SimpleNamespace(notes=1, pending_embeddings=pending)

    def nothing(_: object) -> tuple[object, ...]:
        return ()

    return SimpleNamespace(store=SimpleNamespace(counts=counts, read=nothing))


@pytest.mark.parametrize(
    ("later", "is_said"),
    [((0, 0), True), ((0, 7), False), ((0, None), False), ((0,), False), ((), False)],
    ids=["done", "paused", "closed meanwhile", "one of two closed", "stopped"],
)
def test_that_all_is_found_by_meaning_is_said_only_where_it_is_true(
    later: tuple[int | None, ...], is_said: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []

    def say(sentence: str, **_: object) -> None:
        heard.append(sentence)

    def wait(*_: object, **__: object) -> bool:
        return True  # nothing waits, for whatever reason

    monkeypatch.setattr(index_progress, "_say", say)
    profiles = iter([[*map(opened, pending)] for pending in ((3, 3), (3, 3), later)])
    engine = SimpleNamespace(
        supervisor=SimpleNamespace(wait_until_idle=wait),
        open_profiles=SimpleNamespace(open=lambda: next(profiles)),
    )
    index_progress.follow(cast(Any, engine))
    everything = ["All notes can be found by meaning."] if is_said else []
    assert heard == ["2 notes can be found by word.", *everything]
