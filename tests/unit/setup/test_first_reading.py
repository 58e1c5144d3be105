"""What `scrubjay setup` says when the notes were read for the first time."""

from typing import Any

import pytest
from msgspec.structs import replace

from scrubjay.daemon.cli.machine import index_progress
from scrubjay.daemon.cli.machine.index_progress import outcome
from scrubjay.daemon.server.endpoints.status import Failure, ProfileStatus, Status

QUIET = ProfileStatus("1", "work", "#123456", (), "idle", 0, 0, None, 2, 3, 0, 0, 0, ())
FAILURE = Failure(vault="v", path="a.md", code="binary", reason="it is no text")


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        (QUIET, "2 notes can be found by word and by meaning."),
        (replace(QUIET, notes=1), "1 note can be found by word and by meaning."),
        (
            replace(QUIET, state="embedding", pending_embeddings=3),
            "2 notes can be found by word.\nFor now by words only: 3 passages; the rest follows in the background.",
        ),
        (
            replace(QUIET, failures=(FAILURE,)),
            "2 notes can be found by word (1 file left out; `scrubjay status` names each) and by meaning.",
        ),
        (
            replace(QUIET, state="reading", notes=900, done=900, total=2_300, pending_embeddings=3),
            "900 notes can be found by word so far, the newest first; 1,400 more are being read in the background.\n"
            "`scrubjay status` says how far.",
        ),
        (replace(QUIET, state="locked", reason="it wants its passphrase"), "work is locked: it wants its passphrase"),
        (replace(QUIET, state="paused"), "work is paused."),
    ],
)
def test_what_can_be_found_now_is_said_in_a_sentence(state: ProfileStatus, sentence: str) -> None:
    assert outcome(state) == sentence


class Reading:
    """A daemon that never comes to an end with its reading; its notes can be found from the third look on."""

    def __init__(self) -> None:
        self.looks = 0

    def ask(self, _: object) -> Status:
        self.looks += 1
        notes = 128 if self.looks > 2 else 0
        profile = replace(
            QUIET, state="reading" if self.looks > 1 else "scanning", notes=notes, done=notes, total=50_000
        )
        return Status("0.1.0", "a1", "bundled", 1.0, 1, 0, (profile,))


def test_a_big_vault_is_not_waited_for_once_some_notes_can_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(index_progress.time, "sleep", slept.append)
    daemon: Any = Reading()
    seen = [state.notes for state in index_progress.states(daemon, "work")]
    assert seen[:2] == [0, 0]
    assert set(seen[2:]) == {128}
    assert sum(slept) < 5
