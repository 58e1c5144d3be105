"""The daemon makes no connection but on loopback, from its start to its end, with the real model."""

from pathlib import Path

from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from tests.helpers.installation import Installation, wait_until_indexed

# Loaded by every Python process of the daemon, its model's process too, before any other code.
FORBID = """
import os, socket, sys
_connect, _getaddrinfo = socket.socket.connect, socket.getaddrinfo
_LOOPBACK = ("127.0.0.1", "::1", "localhost")

def _note(what):
    with open(os.environ["SCRUBJAY_TEST_CALLS"], "a") as file:
        file.write(f"{what}\\n")

def connect(self, address):
    if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in _LOOPBACK:
        _note(f"connect {address}")
        raise OSError("forbidden by the test")
    return _connect(self, address)

def getaddrinfo(host, *rest, **named):
    if host not in (*_LOOPBACK, None, b"127.0.0.1"):
        _note(f"resolve {host}")
        raise OSError("forbidden by the test")
    return _getaddrinfo(host, *rest, **named)

socket.socket.connect, socket.getaddrinfo = connect, getaddrinfo
_note("armed")
"""


def test_nothing_but_loopback_is_ever_contacted(tmp_path: Path) -> None:
    (tmp_path / "hooks").mkdir()
    (tmp_path / "hooks" / "sitecustomize.py").write_text(FORBID)
    calls = tmp_path / "calls.txt"
    environment = {"PYTHONPATH": str(tmp_path / "hooks"), "SCRUBJAY_TEST_CALLS": str(calls)}
    installation = Installation(tmp_path, environment)
    installation.write({"Heron.md": "The heron waits at the weir for eels."})
    installation.create_profile()
    with installation.daemon(forked=False) as client:
        wait_until_indexed(client)
        assert client.ask(SEARCH, SearchAsk(query="a bird that hunts fish", mode="semantic")).results
        installation.run_process("search", "heron")
    said = calls.read_text().splitlines()
    assert set(said) == {"armed"}
    assert len(said) >= 3, "the command, the daemon and the model's process must each have been armed"
