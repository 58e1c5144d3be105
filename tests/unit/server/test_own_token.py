"""The user's own token: in the keyring where there is one, else in a private file."""

import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import keyring
import keyring.backend
import keyring.backends.fail
import pytest

from scrubjay.daemon.server.access.client_registry import ClientRegistry
from scrubjay.daemon.server.access.own_token import own_client, own_token, rotate_own_token
from scrubjay.profiles.private_files import locked


class MemoryKeyring(keyring.backend.KeyringBackend):
    """A keyring that lasts as long as the test."""

    priority = 1.0  # type: ignore[assignment]  # keyring declares it as a property of the class

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


@pytest.fixture(autouse=True)
def _keyring_afterwards() -> Iterator[None]:
    before = keyring.get_keyring()
    yield
    keyring.set_keyring(before)


@pytest.fixture
def memory() -> MemoryKeyring:
    backend = MemoryKeyring()
    keyring.set_keyring(backend)
    return backend


@pytest.fixture
def _no_keyring() -> None:
    keyring.set_keyring(keyring.backends.fail.Keyring())


class AskedMeanwhile(MemoryKeyring):
    """A keyring that another program looks into just before the first token is in it."""

    def __init__(self, look: Callable[[], object]) -> None:
        super().__init__()
        self._other = threading.Thread(target=look)
        self._is_first = True

    def set_password(self, service: str, username: str, password: str) -> None:
        if self._is_first:
            self._is_first = False
            self._other.start()
            self._other.join(0.3)  # it waits for this one to be done, or makes a token of its own
        self.kept[service, username] = password

    def join(self) -> None:
        self._other.join()


def test_of_two_programs_that_find_no_token_one_makes_it(tmp_path: Path) -> None:
    def look() -> None:
        found.append(own_token(ClientRegistry(tmp_path / "clients.json"), tmp_path / "state").token)

    found: list[str] = []
    backend = AskedMeanwhile(look)
    keyring.set_keyring(backend)
    look()
    backend.join()
    clients = ClientRegistry(tmp_path / "clients.json")
    assert len(found) == 2
    assert all(clients.authenticate(token) for token in found)
    assert len(clients.list()) == 1


def test_the_token_is_kept_in_the_keyring_and_in_no_file(memory: MemoryKeyring, tmp_path: Path) -> None:
    clients = ClientRegistry(tmp_path / "clients.json")
    first = own_token(clients, tmp_path / "state")
    again = own_token(ClientRegistry(tmp_path / "clients.json"), tmp_path / "state")
    assert (first.created, again.created) == (True, False)
    assert first.token == again.token
    assert memory.kept == {("scrubjay", first.client.id): first.token}
    assert [file.name for file in (tmp_path / "state").iterdir()] == ["token.lock"]
    assert (first.client.scopes, first.client.profiles, first.client.own) == (("search", "manage"), "all", True)


def test_who_needs_no_token_never_asks_the_keyring(
    memory: MemoryKeyring, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(*about: str) -> str:
        return pytest.fail(f"the keyring was asked: {about}")

    clients = ClientRegistry(tmp_path / "clients.json")
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(memory, "get_password", asked)
        meanwhile.setattr(memory, "set_password", asked)
        first = own_client(clients, tmp_path / "state")
        with locked(tmp_path / "state" / "token"):  # by a command that waits for the keyring
            assert own_client(clients, tmp_path / "state") == first
    own = own_token(clients, tmp_path / "state")
    assert (own.client.id, own.created) == (first.id, True)


@pytest.mark.usefixtures("_no_keyring")
def test_without_a_keyring_the_token_is_in_a_private_file_that_is_named(tmp_path: Path) -> None:
    clients = ClientRegistry(tmp_path / "clients.json")
    own = own_token(clients, tmp_path / "state")
    file = tmp_path / "state" / "token"
    assert own.created
    assert str(file) in own.place
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert own_token(clients, tmp_path / "state").token == own.token


def test_a_keyring_that_breaks_in_a_way_of_its_own_is_none(memory: MemoryKeyring, tmp_path: Path) -> None:
    def breaks(service: str, username: str, password: str = "") -> str:
        raise RuntimeError(service, username)

    memory.get_password = memory.set_password = breaks  # type: ignore[method-assign,assignment]
    clients = ClientRegistry(tmp_path / "clients.json")
    own = own_token(clients, tmp_path / "state")
    assert (tmp_path / "state" / "token").exists()
    assert own_token(clients, tmp_path / "state").token == own.token


@pytest.mark.usefixtures("_no_keyring")
def test_a_lost_or_foreign_token_file_is_replaced_and_the_old_token_dies(tmp_path: Path) -> None:
    clients = ClientRegistry(tmp_path / "clients.json")
    old = own_token(clients, tmp_path / "state")
    (tmp_path / "state" / "token").write_bytes(b"\xff not a token")
    new = own_token(clients, tmp_path / "state")
    assert new.created
    assert new.client.id == old.client.id
    assert clients.authenticate(old.token) is None
    assert len(clients.list()) == 1


@pytest.mark.usefixtures("_no_keyring")
def test_a_link_left_in_the_token_s_place_is_not_written_through(tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    target.write_text("untouched")
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "token").symlink_to(target)
    own_token(ClientRegistry(tmp_path / "clients.json"), tmp_path / "state")
    assert target.read_text() == "untouched"
    assert not (tmp_path / "state" / "token").is_symlink()


def test_rotating_kills_the_old_token(memory: MemoryKeyring, tmp_path: Path) -> None:
    clients = ClientRegistry(tmp_path / "clients.json")
    old = own_token(clients, tmp_path / "state")
    new = rotate_own_token(clients, tmp_path / "state")
    assert clients.authenticate(old.token) is None
    assert own_token(clients, tmp_path / "state").token == new.token
    assert memory.kept == {("scrubjay", old.client.id): new.token}
