"""The few things worth a desktop notification, each once."""

import msgspec
import pytest

from scrubjay.daemon.sentences.sentences import words_of
from scrubjay.daemon.server.endpoints.status import ProfileStatus, Status
from scrubjay.daemon.tray.appearance import DaemonSnapshot, Pairing, notices

IDLE = ProfileStatus("p1", "notes", "#3b82c4", ("vault",), "idle", 0, 0, None, 1200, 5000, 0, 1, 0, ())
EMPTY = msgspec.structs.replace(IDLE, notes=0, redactions=0, state="reading")
FAILED = msgspec.structs.replace(IDLE, state="failed", reason="The disk is full.")
ASKING = Pairing("0123456789abcdef", "Obsidian", "421-907")


def known(profile: ProfileStatus, *pairings: Pairing) -> DaemonSnapshot:
    return DaemonSnapshot(Status("1.0", "i", "m", 1.0, 1, 0, (profile,)), pairings)


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        pytest.param(None, known(IDLE, ASKING), None, id="nothing-was-known"),
        pytest.param(known(IDLE), known(IDLE), None, id="nothing-changed"),
        pytest.param(known(IDLE), DaemonSnapshot(None), None, id="stopped"),
        pytest.param(known(IDLE), known(IDLE, ASKING), "421-907", id="somebody-asks"),
        pytest.param(known(IDLE, ASKING), known(IDLE, ASKING), None, id="still-asking"),
        pytest.param(known(IDLE), known(FAILED), "disk is full", id="failed"),
        pytest.param(known(FAILED), known(FAILED), None, id="still-failed"),
        pytest.param(known(EMPTY), known(IDLE), "1,200 notes", id="first-time-searchable"),
        pytest.param(
            known(IDLE), known(msgspec.structs.replace(IDLE, redactions=2)), "credential", id="a-new-credential"
        ),
        pytest.param(
            known(IDLE),
            known(msgspec.structs.replace(IDLE, redactions=2, redactions_done=1)),
            None,
            id="a-credential-that-is-done-with",
        ),
        pytest.param(
            known(msgspec.structs.replace(IDLE, redactions_done=1)),
            known(IDLE),
            None,
            id="a-credential-that-is-reopened",
        ),
        pytest.param(DaemonSnapshot(None), known(IDLE), None, id="started"),
    ],
)
def test_notices(before: DaemonSnapshot | None, now: DaemonSnapshot, said: str | None) -> None:
    found = notices(before, now, words_of("en"))
    assert len(found) == (0 if said is None else 1)
    assert all(said is not None and said in notice for notice in found)
