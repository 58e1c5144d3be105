"""Pairing: who gets a token, how often, and for how long."""

import os
from pathlib import Path

import pytest

from scrubjay.daemon.server.access.client_registry import ClientRegistry
from scrubjay.daemon.server.access.pairing import (
    REQUEST_SECONDS,
    NotAVault,
    PairingDesk,
    PairingNotFound,
    ProofRefused,
    StartedPairing,
    pairing_key,
    pairing_proof,
)
from scrubjay.profiles.errors import UsageError


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


def test_a_flood_of_requests_does_not_keep_the_user_s_own_from_being_approved(at: Desk) -> None:
    flood(at, 500)
    mine = at.desk.ask("plugin", None, ("search",))
    flood(at, 500)
    at.desk.approve(at.desk.find(mine.request.code).id, scopes=("search",), profiles=())
    assert at.desk.collect(mine.request.id, mine.secret).token is not None


def test_a_flood_takes_no_memory_and_leaves_no_token_behind(at: Desk) -> None:
    first = at.desk.ask("first", None, ("search",))
    at.desk.approve(first.request.id, scopes=("search",), profiles=())
    flood(at, 2_000)
    assert at.clients.list() == ()
    assert len(at.desk.waiting()) == 20
    with pytest.raises(PairingNotFound):
        at.desk.collect(first.request.id, first.secret)


def flood(at: Desk, number: int) -> None:
    for count in range(number):
        at.desk.ask(f"flood {count}", None, ("search",))


@pytest.mark.skipif(os.name != "posix", reason="Windows has no mode bits")
@pytest.mark.parametrize("vault", ["/etc", "/", "/nowhere/at/all", "/etc/passwd"])
def test_what_all_can_see_to_be_no_vault_is_refused(at: Desk, vault: str) -> None:
    with pytest.raises(NotAVault):
        at.desk.ask("plugin", vault, ("search",))


@pytest.mark.skipif(os.name != "posix", reason="Windows has no mode bits")
@pytest.mark.parametrize("there", ["a vault", "a folder", None])
def test_nothing_is_said_of_folders_that_only_some_can_see(at: Desk, tmp_path: Path, there: str | None) -> None:
    """Who asks is not known yet: the answer must not tell which folders of the user there are."""
    private = tmp_path / "home"
    private.mkdir(mode=0o700)
    if there is not None:
        (private / "Notes" / (".obsidian" if there == "a vault" else "x")).mkdir(parents=True)
    at.desk.ask("plugin", str(private / "Notes"), ("search",))


def test_pairing_again_retires_the_token_before_once_the_new_one_was_collected(at: Desk) -> None:
    tokens = [pair(at, "plugin", "Work"), pair(at, "plugin", "Home"), pair(at, "other", "Work"), pair(at, "x", None)]
    asked = at.desk.ask("plugin", "Work", ("search",))
    at.desk.approve(asked.request.id, scopes=("search",), profiles=())
    assert all(at.clients.authenticate(token) is not None for token in tokens)
    tokens.append(collected(at, asked))
    assert [at.clients.authenticate(token) is not None for token in tokens] == [False, True, True, True, True]


def pair(at: Desk, name: str, vault: str | None) -> str:
    asked = at.desk.ask(name, vault, ("search",))
    at.desk.approve(asked.request.id, scopes=("search",), profiles=())
    return collected(at, asked)


def collected(at: Desk, asked: StartedPairing) -> str:
    token = at.desk.collect(asked.request.id, asked.secret).token
    assert token is not None
    return token.token


@pytest.mark.parametrize(("name", "vault"), [("", None), ("x" * 61, None), ("a\x00", None), ("fine", "v" * 5_000)])
def test_what_a_user_could_not_read_is_refused(at: Desk, name: str, vault: str | None) -> None:
    with pytest.raises(UsageError):
        at.desk.ask(name, vault, ("search",))
