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


def lets_in(tickets: Tickets, ticket: str) -> bool:
    try:
        return tickets.spend(ticket) == "c1"
    except TicketUsedTwice:
        raise
    except TicketRefused:
        return False


def test_a_ticket_lets_in_once_and_its_second_use_is_told_apart() -> None:
    tickets = Tickets(lambda: NOW)
    for ticket in (tickets.mint("c1"), made(tickets.opener("c1"))):
        assert lets_in(tickets, ticket)
        with pytest.raises(TicketUsedTwice):
            tickets.spend(ticket)


def test_what_is_no_ticket_or_of_another_time_lets_nobody_in() -> None:
    now = [NOW]
    tickets = Tickets(lambda: now[0])
    minted, secret = tickets.mint("c1"), tickets.opener("c1")
    others = ("", "guess", "\ud800", f"1800000000000.{'0' * 32}.{'0' * 64}", made(secret, NOW + TICKET_SECONDS + 1))
    assert not any(lets_in(tickets, ticket) for ticket in others)
    now[0] += TICKET_SECONDS
    assert not any(lets_in(tickets, ticket) for ticket in (minted, made(secret)))


def test_a_new_page_file_ends_the_one_before() -> None:
    tickets = Tickets(lambda: NOW)
    old, new = tickets.opener("c1"), tickets.opener("c1")
    assert [lets_in(tickets, made(secret)) for secret in (old, new)] == [False, True]


def test_memory_stays_small_however_many_are_asked_for() -> None:
    tickets = Tickets(lambda: NOW)
    first, *_, newest = [tickets.mint("c1") for _ in range(1_001)]
    assert [lets_in(tickets, ticket) for ticket in (first, newest)] == [False, True]
