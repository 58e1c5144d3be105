"""Sessions outlive the daemon, end when they are not used, and give nothing to a stranger on the port."""

import errno
import hashlib
import hmac
from pathlib import Path
from unittest.mock import Mock

import pytest

from scrubjay.daemon.server.access.sessions import SESSION_DAYS, OpenedSession, Sessions
from scrubjay.daemon.server.access.tickets import TicketRefused, TicketUsedTwice
from tests.helpers.stopped_clock import StoppedClock

DAY = 86_400.0
PORT = 8642


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock(1_800_000_000.0)


@pytest.fixture
def sessions(tmp_path: Path, clock: StoppedClock) -> Sessions:
    return Sessions(tmp_path, "one", clock)


@pytest.fixture
def opened(sessions: Sessions) -> OpenedSession:
    return opened_in(sessions)


def opened_in(sessions: Sessions, client_id: str = "c1") -> OpenedSession:
    return sessions.redeem(sessions.mint_ticket(client_id), PORT)


def is_open(sessions: Sessions, cookie: str, port: int = PORT) -> bool:
    return sessions.find(cookie, port) is not None


def answer(key: str, instance: str) -> str:
    """What the page makes of its key."""
    return hmac.new(key.encode(), instance.encode(), hashlib.sha256).hexdigest()


def test_a_session_goes_on_after_a_restart_with_another_answer(
    sessions: Sessions, opened: OpenedSession, tmp_path: Path, clock: StoppedClock
) -> None:
    sessions.close()
    found = Sessions(tmp_path, "two", clock).find(opened.cookie, PORT)
    assert found is not None
    assert (found.id, found.client_id) == (opened.session.id, "c1")
    assert found.csrf == answer(opened.key, "two") != opened.session.csrf == answer(opened.key, "one")


def test_a_session_is_good_at_its_own_port_alone(sessions: Sessions, opened: OpenedSession) -> None:
    assert [is_open(sessions, opened.cookie, port) for port in (PORT, PORT + 1)] == [True, False]


def test_nothing_that_opens_a_session_is_in_its_file(opened: OpenedSession, tmp_path: Path) -> None:
    content = (tmp_path / "sessions.json").read_text()
    secrets = {opened.cookie, opened.key, opened.session.csrf}
    assert len(secrets) == 3
    assert not any(secret in content for secret in secrets)


def test_a_ticket_that_comes_twice_ends_the_session_that_it_opened_and_raises_the_alarm(
    sessions: Sessions, opened: OpenedSession
) -> None:
    with pytest.raises(TicketRefused):
        sessions.redeem("guess", PORT)
    assert sessions.alarms() == ()
    ticket = sessions.mint_ticket("c1")
    stolen = sessions.redeem(ticket, PORT)
    with pytest.raises(TicketUsedTwice):
        sessions.redeem(ticket, PORT)
    assert [is_open(sessions, cookie) for cookie in (stolen.cookie, opened.cookie)] == [False, True]
    assert len(sessions.alarms()) == 1


def test_unused_sessions_grow_old(sessions: Sessions, opened: OpenedSession, clock: StoppedClock) -> None:
    clock.seconds += SESSION_DAYS * DAY - 1
    assert is_open(sessions, opened.cookie)
    clock.seconds += SESSION_DAYS * DAY
    assert not is_open(sessions, opened.cookie)


def test_a_cookie_is_renewed_day_by_day_and_the_old_one_dies(
    sessions: Sessions, opened: OpenedSession, clock: StoppedClock
) -> None:
    assert sessions.renew(opened.session) is None
    clock.seconds += DAY
    renewed = sessions.renew(opened.session)
    assert renewed is not None
    assert is_open(sessions, opened.cookie), "what was on its way is still heard"
    clock.seconds += 61
    assert not is_open(sessions, opened.cookie)
    found = sessions.find(renewed, PORT)
    assert found is not None
    assert found.csrf == opened.session.csrf


def test_a_session_that_was_ended_is_dead_at_once_and_after_a_restart(
    sessions: Sessions, tmp_path: Path, clock: StoppedClock
) -> None:
    one, two, other = opened_in(sessions), opened_in(sessions), opened_in(sessions, "c2")
    assert sessions.end(one.session.id)
    assert not sessions.end(one.session.id)
    sessions.end_all_of("c2")
    for now in (sessions, Sessions(tmp_path, "two", clock)):
        assert [each.id for each in now.list()] == [two.session.id]
        assert not any(is_open(now, ended.cookie) for ended in (one, other))


def test_a_session_that_was_ended_on_a_full_disk_does_not_come_back(
    sessions: Sessions, opened: OpenedSession, tmp_path: Path, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.mkstemp", Mock(side_effect=OSError(errno.ENOSPC, "no space")))
    assert sessions.end(opened.session.id)
    assert not is_open(Sessions(tmp_path, "two", clock), opened.cookie)


def test_who_ends_a_session_on_a_disk_that_takes_nothing_is_told(
    sessions: Sessions, opened: OpenedSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_only = Mock(side_effect=OSError(errno.EROFS, "read-only"))
    monkeypatch.setattr("tempfile.mkstemp", read_only)
    monkeypatch.setattr("pathlib.Path.unlink", read_only)
    with pytest.raises(OSError, match="read-only"):
        sessions.end(opened.session.id)
    assert not is_open(sessions, opened.cookie), "until the daemon ends, it is over all the same"


def test_a_damaged_file_lets_nobody_in(opened: OpenedSession, tmp_path: Path, clock: StoppedClock) -> None:
    (tmp_path / "sessions.json").write_bytes(b"half")
    assert not is_open(Sessions(tmp_path, "two", clock), opened.cookie)


def test_there_are_never_too_many(sessions: Sessions, clock: StoppedClock) -> None:
    opened: list[OpenedSession] = []
    for _ in range(70):
        clock.seconds += 1
        opened.append(opened_in(sessions))
    assert [is_open(sessions, one.cookie) for one in (opened[0], opened[-1])] == [False, True]
    assert len(sessions.list()) == 64
