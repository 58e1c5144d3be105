"""Clients: what is on disk, and that what is revoked is dead at once."""

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import get_args

import pytest

from scrubjay.daemon.server.access.caller import Caller, Forbidden, grantable
from scrubjay.daemon.server.access.client_registry import (
    ClientNotFound,
    ClientRegistry,
    ClientsUnreadable,
    Scope,
    is_token,
)
from scrubjay.profiles.errors import UsageError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "clients.json"


def test_a_token_opens_for_its_client_alone_and_is_in_no_file(file: Path) -> None:
    clients = ClientRegistry(file)
    new = [clients.create(name) for name in ("one", "two")]
    found = [clients.authenticate(each.token) for each in new]
    assert [each and each.id for each in found] == [each.client.id for each in new]
    assert all(is_token(each.token) for each in new)
    assert new[0].token != new[1].token
    assert not any(each.token.removeprefix("sj_").encode() in file.read_bytes() for each in new)
    assert [stat.S_IMODE(path.stat().st_mode) for path in (file, file.parent)] == [0o600, 0o700]


@pytest.mark.parametrize(
    "token", ["", "sj_", "sj_" + "A" * 43, "Bearer", "\x00", "é" * 46, "\ud800" * 46, "A" * 100_000]
)
def test_what_is_no_token_opens_nothing(file: Path, token: str) -> None:
    clients = ClientRegistry(file)
    clients.create("one")
    assert clients.authenticate(token) is None


def test_a_revoked_client_is_dead_at_once_in_another_process(file: Path) -> None:
    """Two registries on one file stand for two processes."""
    daemon, command_line = ClientRegistry(file), ClientRegistry(file)
    new = daemon.create("one")
    assert command_line.authenticate(new.token) is not None
    command_line.revoke(new.client.id)
    assert daemon.authenticate(new.token) is None
    with pytest.raises(ClientNotFound):
        daemon.get(new.client.id)


def test_a_change_keeps_what_is_not_given_and_so_does_another_token(file: Path) -> None:
    clients = ClientRegistry(file)
    old = clients.create("one", scopes=("search", "manage"), profiles=("a" * 12,))
    changed = clients.update(old.client.id, name="  another   name ")
    assert (changed.name, changed.scopes, changed.profiles) == ("another name", ("search", "manage"), ("a" * 12,))
    assert clients.rotate(old.client.id).client == ClientRegistry(file).get(old.client.id) == changed


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "bell\x07", "new\x1bline"])
def test_a_name_that_a_terminal_should_not_print_is_refused(file: Path, name: str) -> None:
    with pytest.raises(UsageError):
        ClientRegistry(file).create(name)


def test_last_seen_is_known_at_once_and_on_disk_in_time(file: Path) -> None:
    now = [datetime(2026, 1, 1, tzinfo=UTC)]
    clients = ClientRegistry(file, lambda: now[0])
    new = clients.create("one")
    assert clients.get(new.client.id).last_seen is None
    now[0] += timedelta(minutes=1)
    clients.authenticate(new.token)
    assert clients.get(new.client.id).last_seen == now[0]
    assert ClientRegistry(file).get(new.client.id).last_seen is None
    clients.close()
    assert ClientRegistry(file).get(new.client.id).last_seen == now[0]


def test_that_a_client_was_seen_is_to_be_written_once_and_again_where_it_could_not_be(file: Path) -> None:
    told: list[None] = []
    clients = ClientRegistry(file, waits=lambda: told.append(None))
    token = clients.create("one").token
    for _ in range(3):
        clients.authenticate(token)
    assert len(told) == 1
    in_its_way = file.with_name("clients-seen.json")
    in_its_way.mkdir()
    clients.write_seen()
    assert len(told) == 2
    in_its_way.rmdir()
    clients.write_seen()
    assert len(told) == 2
    assert ClientRegistry(file).list()[0].last_seen is not None


def test_a_file_that_is_damaged_or_a_folder_lets_nobody_in(file: Path) -> None:
    clients = ClientRegistry(file)
    token = clients.create("one").token
    file.write_bytes(b'{"clients": [{"client": 1}]}')
    with pytest.raises(ClientsUnreadable):
        clients.authenticate(token)
    file.unlink()
    file.mkdir()
    with pytest.raises(ClientsUnreadable, match=r"A folder stands where the file of clients, clients\.json, belongs"):
        clients.authenticate(token)


def test_managing_includes_writing_to_the_journal(file: Path) -> None:
    held: tuple[tuple[Scope, ...], ...] = (("search",), ("journal",), ("search", "journal"), ("manage",), ())
    clients = [ClientRegistry(file).create("one", scopes=scopes).client for scopes in held]
    assert [[scope for scope in get_args(Scope) if client.may(scope)] for client in clients] == [
        ["search"],
        ["journal"],
        ["search", "journal"],
        ["journal", "manage"],
        [],
    ]


@pytest.mark.parametrize(
    ("own", "wanted", "may"),
    [
        (("manage",), ("search",), False),
        (("manage",), ("manage", "search"), False),
        (("manage",), ("journal",), True),
        (("search", "manage"), ("search", "journal", "manage"), True),
    ],
)
def test_nobody_gives_another_a_scope_that_they_lack(
    file: Path, own: tuple[Scope, ...], wanted: tuple[Scope, ...], may: bool
) -> None:
    manager = Caller(ClientRegistry(file).create("manager", scopes=own).client)
    if may:
        assert grantable(manager, wanted) == wanted
    else:
        with pytest.raises(Forbidden, match="lacks"):
            grantable(manager, wanted)
