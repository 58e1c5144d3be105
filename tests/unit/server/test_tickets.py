"""Tickets work once and for a moment, whether the daemon made them or the page file."""

import hashlib
import hmac

import pytest

from scrubjay.daemon.server.access.tickets import TICKET_SECONDS, TicketRefused, Tickets, TicketUsedTwice

NOW = 1_800_000_000.0


def made(secret: str, at: float = NOW, nonce: str = "0" * 32) -> str:
    """What the script of the page file makes."""
    said = f"{at * 1000:.0f}.{nonce}"
    return f"{said}.{hmac.new(secret.encode(), said.encode(), hashlib.sha256).hexdigest()}"


def test_a_ticket_lets_in_once_and_its_second_use_is_told_apart() -> None:
    tickets = Tickets(lambda: NOW)
    for ticket in (tickets.mint("c1"), made(tickets.opener("c1"))):
        assert tickets.spend(ticket) == "c1"
        with pytest.raises(TicketUsedTwice):
            tickets.spend(ticket)


@pytest.mark.parametrize("ticket", ["", "guess", "\ud800", f"1800000000000.{'0' * 32}.{'0' * 64}"])
def test_what_is_no_ticket_lets_nobody_in(ticket: str) -> None:
    tickets = Tickets(lambda: NOW)
    tickets.mint("c1")
    tickets.opener("c1")
    with pytest.raises(TicketRefused) as refused:
        tickets.spend(ticket)
    assert not isinstance(refused.value, TicketUsedTwice)


def test_a_ticket_lives_for_seconds() -> None:
    now = [NOW]
    tickets = Tickets(lambda: now[0])
    minted, filed = tickets.mint("c1"), made(tickets.opener("c1"))
    now[0] += TICKET_SECONDS
    for ticket in (minted, filed):
        with pytest.raises(TicketRefused):
            tickets.spend(ticket)


def test_a_ticket_of_the_future_is_refused() -> None:
    tickets = Tickets(lambda: NOW)
    with pytest.raises(TicketRefused):
        tickets.spend(made(tickets.opener("c1"), at=NOW + TICKET_SECONDS + 1))


def test_a_new_page_file_ends_the_one_before() -> None:
    tickets = Tickets(lambda: NOW)
    old = tickets.opener("c1")
    new = tickets.opener("c1")
    with pytest.raises(TicketRefused):
        tickets.spend(made(old))
    assert tickets.spend(made(new)) == "c1"


def test_memory_stays_small_however_many_are_asked_for() -> None:
    tickets = Tickets(lambda: NOW)
    first = tickets.mint("c1")
    newest = [tickets.mint("c1") for _ in range(1_000)][-1]
    with pytest.raises(TicketRefused):
        tickets.spend(first)
    assert tickets.spend(newest) == "c1"
