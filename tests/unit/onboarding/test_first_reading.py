"""What `scrubjay setup` says when the notes were read for the first time."""

from typing import Any

import pytest

from scrubjay.daemon.api.endpoints.status import Failure, ProfileStatus
from scrubjay.daemon.cli.upkeep.first_reading import outcome


def status(**said: Any) -> ProfileStatus:
    quiet: dict[str, Any] = {
        "id": "1",
        "name": "work",
        "colour": "#123456",
        "vaults": (),
        "state": "idle",
        "done": 0,
        "total": 0,
        "eta_seconds": None,
        "notes": 2,
        "chunks": 3,
        "pending_embeddings": 0,
        "redactions": 0,
        "bytes_on_disk": 0,
        "failures": (),
    }
    return ProfileStatus(**(quiet | said))


FAILURE = Failure(vault="v", path="a.md", code="binary", reason="it is no text")


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        (status(), "2 notes can be found by word and by meaning."),
        (status(notes=1), "1 note can be found by word and by meaning."),
        (
            status(state="embedding", pending_embeddings=3),
            "2 notes can be found by word.\nBy meaning soon: 3 passages to go, in the background.",
        ),
        (
            status(failures=(FAILURE,)),
            "2 notes can be found by word (1 file left out; `scrubjay status` names each) and by meaning.",
        ),
        (status(state="locked", reason="it wants its passphrase"), "work is locked: it wants its passphrase"),
        (status(state="paused"), "work is paused."),
    ],
)
def test_what_can_be_found_now_is_said_in_a_sentence(state: ProfileStatus, sentence: str) -> None:
    assert outcome(state) == sentence
