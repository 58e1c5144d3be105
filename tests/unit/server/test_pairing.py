"""Pairing: who gets a token, and for how long. tests/integration/server/test_pairing.py has the rest."""

import os
from pathlib import Path

import pytest

from scrubjay.daemon.server.access.client_registry import ClientRegistry
from scrubjay.daemon.server.access.pairing import (
    REQUEST_SECONDS,
    NotAVault,
    PairingDesk,
    PairingNotFound,
    StartedPairing,
    pairing_key,
)
from scrubjay.profiles.errors import UsageError

needs_modes = pytest.mark.skipif(os.name != "posix", reason="Windows has no mode bits")


class Desk:
    """A desk on a clock that the test moves."""

    def __init__(self, folder: Path) -> None:
        self.now = 0.0
        self.clients = ClientRegistry(folder / "clients.json")
        self.desk = PairingDesk(self.clients, pairing_key(folder), lambda: self.now)

    def asked(self, name: str = "plugin", vault: str | None = None) -> StartedPairing:
        return self.desk.ask(name, vault, ("search",))

    def approved(self, name: str = "plugin", vault: str | None = None) -> StartedPairing:
        asked = self.asked(name, vault)
        self.desk.approve(self.desk.find(asked.request.code.lower()).id, scopes=("search",), profiles=())
        return asked

    def collected(self, asked: StartedPairing) -> str:
        token = self.desk.collect(asked.request.id, asked.secret).token
        assert token is not None
        return token.token

    def flood(self, number: int) -> None:
        for count in range(number):
            self.asked(f"flood {count}")


@pytest.fixture
def at(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_the_token_is_only_for_who_asked(at: Desk) -> None:
    asked = at.approved()
    with pytest.raises(PairingNotFound):
        at.desk.collect(asked.request.id, "guess")
    assert at.collected(asked)


def test_requests_grow_old_and_uncollected_tokens_die_with_them(at: Desk) -> None:
    both = at.asked("old"), at.approved("approved")
    at.now += REQUEST_SECONDS
    assert at.desk.waiting() == ()
    for asked in both:
        with pytest.raises(PairingNotFound):
            at.desk.collect(asked.request.id, asked.secret)
    assert at.clients.list() == ()


def test_a_flood_of_requests_does_not_keep_the_user_s_own_from_being_approved(at: Desk) -> None:
    at.flood(500)
    mine = at.asked()
    at.flood(500)
    at.desk.approve(at.desk.find(mine.request.code).id, scopes=("search",), profiles=())
    assert at.collected(mine)


def test_a_flood_takes_no_memory_and_leaves_no_token_behind(at: Desk) -> None:
    first = at.approved("first")
    at.flood(2_000)
    assert at.clients.list() == ()
    assert len(at.desk.waiting()) == 20
    with pytest.raises(PairingNotFound):
        at.desk.collect(first.request.id, first.secret)


@needs_modes
@pytest.mark.parametrize("vault", ["/etc", "/", "/nowhere/at/all", "/etc/passwd"])
def test_what_all_can_see_to_be_no_vault_is_refused(at: Desk, vault: str) -> None:
    with pytest.raises(NotAVault):
        at.asked(vault=vault)


@needs_modes
@pytest.mark.parametrize("there", ["a vault", "a folder", None])
def test_nothing_is_said_of_folders_that_only_some_can_see(at: Desk, tmp_path: Path, there: str | None) -> None:
    """Who asks is not known yet: the answer must not tell which folders of the user there are."""
    private = tmp_path / "home"
    private.mkdir(mode=0o700)
    if there is not None:
        (private / "Notes" / (".obsidian" if there == "a vault" else "x")).mkdir(parents=True)
    at.asked(vault=str(private / "Notes"))


def test_pairing_again_retires_the_token_before_once_the_new_one_was_collected(at: Desk) -> None:
    asked = [at.approved(*who) for who in (("plugin", "Work"), ("plugin", "Home"), ("other", "Work"), ("x", None))]
    tokens = [at.collected(each) for each in asked]
    again = at.approved("plugin", "Work")
    assert all(at.clients.authenticate(token) is not None for token in tokens)
    tokens.append(at.collected(again))
    assert [at.clients.authenticate(token) is not None for token in tokens] == [False, True, True, True, True]


@pytest.mark.parametrize(("name", "vault"), [("", None), ("x" * 61, None), ("a\x00", None), ("fine", "v" * 5_000)])
def test_what_a_user_could_not_read_is_refused(at: Desk, name: str, vault: str | None) -> None:
    with pytest.raises(UsageError):
        at.asked(name, vault)
