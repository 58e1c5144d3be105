"""What a client that may not manage Scrubjay is told of a team's profile: how it is, without its address."""

import pytest
from msgspec.structs import replace

from scrubjay.daemon.server.endpoints.status import ProfileStatus, State
from scrubjay.daemon.server.handlers.status import reason_on_server

TEAM = ProfileStatus("1", "team", "#123456", (), "idle", 0, 0, None, 2, 3, 0, 0, 0, ())
READER = "It can be searched; nothing is written to it from here."
WRONG = "Something is wrong with it; who may manage Scrubjay is told what."


@pytest.mark.parametrize(
    ("state", "only_read", "said"),
    [
        *((state, True, READER) for state in ("idle", "scanning", "reading", "embedding")),
        ("failed", True, WRONG),
        ("failed", False, WRONG),
        ("reading", False, WRONG),
        ("paused", True, "db.example.org is why."),
        ("away", True, "Its server can't be reached now. It is tried again by itself."),
    ],
)
def test_a_reader_s_profile_that_is_busy_is_not_called_wrong(state: State, only_read: bool, said: str) -> None:
    assert reason_on_server(replace(TEAM, state=state, reason="db.example.org is why."), only_read=only_read) == said


@pytest.mark.parametrize("state", ["idle", "scanning", "reading", "embedding"])
@pytest.mark.parametrize("only_read", [False, True])
def test_where_there_is_no_reason_none_is_made_up(state: State, only_read: bool) -> None:
    assert reason_on_server(replace(TEAM, state=state), only_read=only_read) == ""
