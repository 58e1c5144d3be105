"""Sessions outlive the daemon, end when they are not used, and give nothing to a stranger on the port."""

import errno
import hashlib
import hmac
from pathlib import Path
from unittest.mock import Mock

import pytest

from scrubjay.daemon.server.access.sessions import SESSION_DAYS, OpenedSession, Sessions
from scrubjay.daemon.server.access.tickets import TicketRefused, TicketUsedTwice

DAY = 86_400.0
PORT = 8642


class Clock:
    """Seconds since 1970, as the test says."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sessions(tmp_path: Path, clock: Clock) -> Sessions:
    return Sessions(tmp_path, "one", clock)


def opened_in(sessions: Sessions, client_id: str = "c1", port: int = PORT) -> OpenedSession:
    return sessions.redeem(sessions.mint_ticket(client_id), port)


def answer(key: str, instance: str) -> str:
    """What the page makes of its key."""
    return hmac.new(key.encode(), instance.encode(), hashlib.sha256).hexdigest()


def test_a_ticket_opens_one_session(sessions: Sessions) -> None:
    opened = opened_in(sessions)
    found = sessions.find(opened.cookie, PORT)
    assert found is not None
    assert (found.id, found.client_id) == (opened.session.id, "c1")
    assert found.csrf == answer(opened.key, "one")


def test_a_session_goes_on_after_a_restart_with_another_answer(
    sessions: Sessions, tmp_path: Path, clock: Clock
) -> None:
    opened = opened_in(sessions)
    sessions.close()
    restarted = Sessions(tmp_path, "two", clock)
    found = restarted.find(opened.cookie, PORT)
    assert found is not None
    assert found.csrf == answer(opened.key, "two") != opened.session.csrf


def test_a_session_is_good_at_its_own_port_alone(sessions: Sessions) -> None:
    opened = opened_in(sessions)
    assert sessions.find(opened.cookie, PORT + 1) is None


def test_nothing_that_opens_a_session_is_in_its_file(sessions: Sessions, tmp_path: Path) -> None:
    opened = opened_in(sessions)
    content = (tmp_path / "sessions.json").read_text()
    assert [secret for secret in (opened.cookie, opened.key, opened.session.csrf) if secret in content] == []
    assert len({opened.cookie, opened.key, opened.session.csrf}) == 3


def test_a_ticket_that_comes_twice_ends_the_session_that_it_opened_and_raises_the_alarm(sessions: Sessions) -> None:
    ticket, other = sessions.mint_ticket("c1"), opened_in(sessions)
    stolen = sessions.redeem(ticket, PORT)
    with pytest.raises(TicketUsedTwice):
        sessions.redeem(ticket, PORT)
    assert sessions.find(stolen.cookie, PORT) is None
    assert sessions.find(other.cookie, PORT) is not None
    assert len(sessions.alarms()) == 1


def test_a_guess_raises_no_alarm(sessions: Sessions) -> None:
    with pytest.raises(TicketRefused):
        sessions.redeem("guess", PORT)
    assert sessions.alarms() == ()


def test_unused_sessions_grow_old(sessions: Sessions, clock: Clock) -> None:
    opened = opened_in(sessions)
    clock.now += SESSION_DAYS * DAY - 1
    assert sessions.find(opened.cookie, PORT) is not None
    clock.now += SESSION_DAYS * DAY
    assert sessions.find(opened.cookie, PORT) is None


def test_a_cookie_is_renewed_day_by_day_and_the_old_one_dies(sessions: Sessions, clock: Clock) -> None:
    opened = opened_in(sessions)
    assert sessions.renew(opened.session) is None
    clock.now += DAY
    renewed = sessions.renew(opened.session)
    assert renewed is not None
    assert sessions.find(opened.cookie, PORT) is not None, "what was on its way is still heard"
    clock.now += 61
    assert sessions.find(opened.cookie, PORT) is None
    found = sessions.find(renewed, PORT)
    assert found is not None
    assert found.csrf == opened.session.csrf


def test_a_session_that_was_ended_is_dead_at_once_and_after_a_restart(
    sessions: Sessions, tmp_path: Path, clock: Clock
) -> None:
    one, two, other = opened_in(sessions), opened_in(sessions), opened_in(sessions, "c2")
    assert sessions.end(one.session.id)
    assert not sessions.end(one.session.id)
    sessions.end_all_of("c2")
    for now in (sessions, Sessions(tmp_path, "two", clock)):
        assert [each.id for each in now.list()] == [two.session.id]
        assert now.find(one.cookie, PORT) is None
        assert now.find(other.cookie, PORT) is None


def test_a_session_that_was_ended_on_a_full_disk_does_not_come_back(
    sessions: Sessions, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = opened_in(sessions)
    monkeypatch.setattr("tempfile.mkstemp", Mock(side_effect=OSError(errno.ENOSPC, "no space")))
    assert sessions.end(opened.session.id)
    assert Sessions(tmp_path, "two", clock).find(opened.cookie, PORT) is None


def test_who_ends_a_session_on_a_disk_that_takes_nothing_is_told(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = opened_in(sessions)
    read_only = Mock(side_effect=OSError(errno.EROFS, "read-only"))
    monkeypatch.setattr("tempfile.mkstemp", read_only)
    monkeypatch.setattr("pathlib.Path.unlink", read_only)
    with pytest.raises(OSError, match="read-only"):
        sessions.end(opened.session.id)
    assert sessions.find(opened.cookie, PORT) is None, "until the daemon ends, it is over all the same"


def test_a_damaged_file_lets_nobody_in(sessions: Sessions, tmp_path: Path, clock: Clock) -> None:
    opened = opened_in(sessions)
    (tmp_path / "sessions.json").write_bytes(b"half")
    assert Sessions(tmp_path, "two", clock).find(opened.cookie, PORT) is None


def test_there_are_never_too_many(sessions: Sessions, clock: Clock) -> None:
    opened: list[OpenedSession] = []
    for _ in range(70):
        clock.now += 1
        opened.append(opened_in(sessions))
    assert [sessions.find(one.cookie, PORT) is not None for one in (opened[0], opened[-1])] == [False, True]
    assert len(sessions.list()) == 64
