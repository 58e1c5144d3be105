"""Which addresses may be sent anything: this computer's; another's only if it is named a second time."""

import keyring
import keyring.backends.fail
import pytest

from scrubjay.daemon.answers.model_server import ModelTrouble, is_loopback, keep_key, key_for, server_of
from scrubjay.daemon.settings import Llm
from scrubjay.profiles.errors import UsageError


def test_a_server_on_this_computer_needs_its_address_alone() -> None:
    here = {
        "http://127.0.0.1:11434/v1": "127.0.0.1:11434",
        "HTTP://LOCALHOST:1234/v1/": "localhost:1234",
        "http://[::1]:8080/v1": "[::1]:8080",
        " http://127.8.9.1/v1 ": "127.8.9.1",
    }
    servers = {url: server_of(Llm(url=url)) for url in here}
    assert {url: server.address for url, server in servers.items()} == here
    assert all(server.is_here and server.url.endswith("/v1") for server in servers.values())


@pytest.mark.parametrize(
    "url",
    [
        "http://gpu.lan:11434/v1",
        "https://api.example/v1",
        "http://127.0.0.1.evil.example/v1",
        "http://localhost.evil.example/v1",
        "http://2130706433/v1",
        "http://0.0.0.0:11434/v1",
        "http://192.168.1.7:11434/v1",
        "http://[fe80::1]/v1",
    ],
)
def test_another_computer_must_be_named_a_second_time(url: str) -> None:
    for second in ("", "localhost"):
        with pytest.raises(UsageError, match="is another computer"):
            server_of(Llm(url=url, allow_host=second))
    server = server_of(Llm(url="https://GPU.lan:8443/v1", allow_host=" gpu.lan "))
    assert (server.address, server.is_here) == ("gpu.lan:8443", False)


NO_ADDRESS = """
localhost:11434
/v1
ftp://127.0.0.1/v1
file:///etc/passwd
http://
http://127.0.0.1:port/v1
http://someone:word@127.0.0.1/v1
http://127.0.0.1@evil.example/v1
http://127.0.0.1/v1?key=1
http://127.0.0.1/v1#x"""


@pytest.mark.parametrize(
    "url", [*NO_ADDRESS.split("\n"), "http://127.0.0.1\n.evil.example/v1", "http://" + "a" * 70_000]
)
def test_what_is_no_address_of_a_server_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="address of a model server"):
        server_of(Llm(url=url))


def test_a_name_that_would_have_to_be_looked_up_is_not_this_computer() -> None:
    assert [is_loopback(host) for host in ("localhost", "::1", "127.1", "")] == [True, True, False, False]


def test_a_key_is_shown_nowhere() -> None:
    assert "k-123" not in repr(server_of(Llm(url="http://127.0.0.1/v1"), "k-123"))


def test_without_a_keyring_a_key_is_kept_nowhere() -> None:
    before = keyring.get_keyring()
    keyring.set_keyring(keyring.backends.fail.Keyring())
    try:
        with pytest.raises(ModelTrouble, match="kept nowhere else"):
            keep_key("127.0.0.1:11434", "k-123")
        with pytest.raises(ModelTrouble, match="no API key"):
            key_for("127.0.0.1:11434")
    finally:
        keyring.set_keyring(before)
