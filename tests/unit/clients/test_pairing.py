"""Pairing: who gets a token, how often, and for how long."""

from pathlib import Path

import pytest

from scrubjay.daemon.clients.client_registry import ClientRegistry
from scrubjay.daemon.clients.pairing import (
    REQUEST_SECONDS,
    PairingBusy,
    PairingDesk,
    PairingNotFound,
    ProofRefused,
    pairing_key,
    pairing_proof,
)
from scrubjay.daemon.errors import UsageError


class Desk:
    """A desk on a clock that the test moves."""

    def __init__(self, folder: Path) -> None:
        self.now = 0.0
        self.key = pairing_key(folder)
        self.clients = ClientRegistry(folder / "clients.json")
        self.desk = PairingDesk(self.clients, self.key, lambda: self.now)


@pytest.fixture
def at(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_an_approved_request_gives_its_token_once(at: Desk) -> None:
    asked = at.desk.ask("plugin", "Work", ("search",))
    assert at.desk.collect(asked.request.id, asked.secret).state == "waiting"
    at.desk.approve(at.desk.find(asked.request.code.lower()).id, scopes=("search",), profiles=("a" * 12,))
    collected = at.desk.collect(asked.request.id, asked.secret)
    assert collected.state == "approved"
    assert collected.token is not None
    found = at.clients.authenticate(collected.token.token)
    assert found is not None
    assert (found.name, found.vault, found.scopes, found.profiles) == ("plugin", "Work", ("search",), ("a" * 12,))
    with pytest.raises(PairingNotFound):
        at.desk.collect(asked.request.id, asked.secret)


def test_a_refused_request_gives_no_token(at: Desk) -> None:
    asked = at.desk.ask("plugin", None, ("search",))
    at.desk.deny(asked.request.id)
    collected = at.desk.collect(asked.request.id, asked.secret)
    assert (collected.state, collected.token) == ("refused", None)
    assert at.clients.list() == ()


def test_the_token_is_only_for_who_asked(at: Desk) -> None:
    asked = at.desk.ask("plugin", None, ("search",))
    at.desk.approve(asked.request.id, scopes=("search",), profiles=())
    with pytest.raises(PairingNotFound):
        at.desk.collect(asked.request.id, "guess")
    assert at.desk.collect(asked.request.id, asked.secret).token is not None


def test_reading_the_private_file_is_proof_enough(at: Desk, tmp_path: Path) -> None:
    asked = at.desk.ask("plugin", "Work", ("search", "manage"))
    key = (tmp_path / "pairing.key").read_bytes()
    at.desk.prove(asked.request.id, pairing_proof(key, asked.request.id), ("b" * 12,))
    token = at.desk.collect(asked.request.id, asked.secret).token
    assert token is not None
    assert (token.client.scopes, token.client.profiles) == (("search", "manage"), ("b" * 12,))


def test_a_wrong_proof_ends_the_request(at: Desk) -> None:
    asked = at.desk.ask("plugin", "Work", ("search",))
    with pytest.raises(ProofRefused):
        at.desk.prove(asked.request.id, pairing_proof(b"another key", asked.request.id), ())
    with pytest.raises(PairingNotFound):
        at.desk.prove(asked.request.id, pairing_proof(at.key, asked.request.id), ())
    assert at.clients.list() == ()


def test_requests_grow_old_and_uncollected_tokens_die_with_them(at: Desk) -> None:
    old, approved = at.desk.ask("old", None, ("search",)), at.desk.ask("approved", None, ("search",))
    at.desk.approve(approved.request.id, scopes=("search",), profiles=())
    at.now += REQUEST_SECONDS
    assert at.desk.waiting() == ()
    for asked in (old, approved):
        with pytest.raises(PairingNotFound):
            at.desk.collect(asked.request.id, asked.secret)
    assert at.clients.list() == ()


def test_only_some_requests_may_wait(at: Desk) -> None:
    for number in range(8):
        at.desk.ask(f"plugin {number}", None, ("search",))
    with pytest.raises(PairingBusy):
        at.desk.ask("one more", None, ("search",))
    at.now += REQUEST_SECONDS
    at.desk.ask("one more", None, ("search",))


@pytest.mark.parametrize(("name", "vault"), [("", None), ("x" * 61, None), ("a\x00", None), ("fine", "v" * 5_000)])
def test_what_a_user_could_not_read_is_refused(at: Desk, name: str, vault: str | None) -> None:
    with pytest.raises(UsageError):
        at.desk.ask(name, vault, ("search",))
