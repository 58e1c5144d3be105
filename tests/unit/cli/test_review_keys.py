"""A proposal that is named by its key is got without a wait for what may yet be found, where it was found before."""

from typing import cast

import pytest

from scrubjay.daemon.cli.review import requests
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.review.proposal import Proposal
from scrubjay.daemon.server.endpoints.review import ReviewAsk, ReviewReply

FOUND = Proposal(key="ab12" * 8, kind="broken-link", profile="home", vault="Notes", path="Weir.md", title="Weir")


class Daemon:
    """Has found one proposal, and looks on for ever; its time passes while somebody waits."""

    def __init__(self, waiting: int) -> None:
        self.waiting = waiting
        self.waits = 0

    def ask(self, _: object, ask: ReviewAsk) -> ReviewReply:
        found = (FOUND,) if ask.answer == "open" else ()
        return ReviewReply(proposals=found, total=len(found), counts=(), may_decide=True, waiting=self.waiting)

    def sleep(self, _: float) -> None:
        self.waits += 1

    def monotonic(self) -> float:
        return float(self.waits)


@pytest.fixture(params=[0, 7])
def daemon(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Daemon:
    made = Daemon(request.param)
    monkeypatch.setattr(requests, "time", made)
    return made


def by_key(daemon: Daemon, key: str) -> list[Proposal]:
    return requests.by_key(cast("ScrubjayClient", daemon), (key,), None)


def test_one_that_was_found_is_not_waited_for(daemon: Daemon) -> None:
    assert by_key(daemon, "AB1") == [FOUND]
    assert daemon.waits == 0


def test_of_one_that_is_not_there_it_is_said_whether_it_may_come(daemon: Daemon) -> None:
    with pytest.raises(requests.ProposalNotFound) as refused:
        by_key(daemon, "ffff")
    is_told = "not all notes have been looked through yet" in str(refused.value)
    assert (is_told, daemon.waits > 0) == ((True, True) if daemon.waiting else (False, False))
