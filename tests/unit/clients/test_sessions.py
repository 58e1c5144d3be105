"""Tickets work once and for a moment; sessions end when they are not used."""

import pytest

from scrubjay.daemon.clients.sessions import SESSION_SECONDS, TICKET_SECONDS, Sessions, TicketRefused


def test_a_ticket_opens_one_session() -> None:
    sessions = Sessions()
    ticket = sessions.mint_ticket("c1")
    opened = sessions.redeem(ticket)
    assert opened.session.client_id == "c1"
    assert sessions.find(opened.cookie) == opened.session
    with pytest.raises(TicketRefused):
        sessions.redeem(ticket)


@pytest.mark.parametrize("ticket", ["", "guess", "\ud800"])
def test_what_is_no_ticket_opens_nothing(ticket: str) -> None:
    sessions = Sessions()
    sessions.mint_ticket("c1")
    with pytest.raises(TicketRefused):
        sessions.redeem(ticket)


def test_cookie_csrf_and_ticket_are_three_different_secrets() -> None:
    sessions = Sessions()
    ticket = sessions.mint_ticket("c1")
    opened = sessions.redeem(ticket)
    assert len({ticket, opened.cookie, opened.session.csrf}) == 3
    assert sessions.find(ticket) is None
    assert sessions.find(opened.session.csrf) is None


def test_tickets_and_unused_sessions_grow_old() -> None:
    now = [0.0]
    sessions = Sessions(lambda: now[0])
    late = sessions.mint_ticket("c1")
    opened = sessions.redeem(sessions.mint_ticket("c1"))
    now[0] += TICKET_SECONDS
    with pytest.raises(TicketRefused):
        sessions.redeem(late)
    now[0] += SESSION_SECONDS - TICKET_SECONDS - 1
    assert sessions.find(opened.cookie) is not None
    now[0] += SESSION_SECONDS - 1
    assert sessions.find(opened.cookie) is not None
    now[0] += SESSION_SECONDS
    assert sessions.find(opened.cookie) is None


def test_memory_stays_small_however_many_are_asked_for() -> None:
    sessions = Sessions()
    first = sessions.mint_ticket("c1")
    newest = [sessions.mint_ticket("c1") for _ in range(1_000)][-1]
    with pytest.raises(TicketRefused):
        sessions.redeem(first)
    assert sessions.redeem(newest).session.client_id == "c1"
