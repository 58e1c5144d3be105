"""`scrubjay update`: asks the package index when it is told to and never otherwise, and says how to update."""

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from scrubjay.daemon import __version__
from scrubjay.daemon.updates import how_to_update
from tests.helpers.installation import Installation


@contextmanager
def index(body: bytes, status: int = 200) -> Generator[tuple[str, list[str]]]:
    """A made package index: its address, and the requests that reached it, heads and all."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(f"{self.requestline}\n{self.headers}")
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/pypi/scrubjay/json", asked
        finally:
            server.shutdown()


def told(version: str) -> bytes:
    return json.dumps({"info": {"version": version, "summary": "x"}, "releases": {}}).encode()


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    return Installation(tmp_path)


def test_a_newer_version_is_named_with_how_to_get_it(installation: Installation) -> None:
    with index(told("999.1.0")) as (url, asked):
        done = installation.run("update", "--check", "--from", url, check=False)
        assert done.returncode == 1
        assert "Scrubjay 999.1.0 is there" in done.stdout
        assert "To update: " in done.stdout
        as_json = json.loads(installation.run("update", "--check", "--json", "--from", url, check=False).stdout)
    assert (as_json["newest"], as_json["is_newer"]) == ("999.1.0", True)
    assert len(asked) == 2
    assert all(__version__ not in request for request in asked), "the index learns nothing of this installation"
    assert all("user-agent: scrubjay\n" in request.lower() for request in asked)


def test_this_version_or_an_older_one_is_no_news_and_without_check_nobody_is_asked(installation: Installation) -> None:
    for version in (__version__, "0.0.1"):
        with index(told(version)) as (url, _):
            done = installation.run("update", "--check", "--from", url, check=False)
        assert (done.returncode, "is up to date" in done.stdout) == (0, True)
    with index(told("999.1.0")) as (url, asked):
        done = installation.run("update", "--from", url, check=False)
    assert (done.returncode, asked) == (0, [])
    assert "never looks for updates by itself" in done.stdout


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b"", 404, "nothing is published there yet"),
        (b"", 503, "answered 503"),
        (b"<html>", 200, "something else than a version"),
        (told("1.0; rm -rf"), 200, "something else than a version"),
        (told("\x1b[31m1.0"), 200, "something else than a version"),
        (b'{"info": {"version": "1"}, "x": "' + b"y" * 9_000_000 + b'"}', 200, "does not end"),
    ],
    ids=["unknown", "busy", "a page", "no version", "control characters", "endless"],
)
def test_what_is_no_answer_is_a_sentence(installation: Installation, body: bytes, status: int, said: str) -> None:
    with index(body, status) as (url, _):
        done = installation.run("update", "--check", "--from", url, check=False)
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_each_way_of_installing_has_its_own_way_of_updating() -> None:
    uv_on_windows = PureWindowsPath(r"C:\Users\a\AppData\Roaming\uv\tools\scrubjay\Scripts\python.exe")
    for executable, frozen, how in (
        ("/usr/lib/scrubjay/scrubjay", True, "sudo apt install ./NEW.deb"),
        ("/opt/scrubjay/scrubjay", True, "unpack the new version in place of this folder"),
        ("/home/a/.local/share/pipx/venvs/scrubjay/bin/python", False, "pipx upgrade scrubjay"),
        ("/home/a/.local/share/uv/tools/scrubjay/bin/python", False, "uv tool upgrade scrubjay"),
        (uv_on_windows, False, "uv tool upgrade scrubjay"),
        ("/home/a/.cache/uv/archive-v0/x/bin/python", False, "uvx scrubjay@latest"),
        ("/opt/homebrew/Cellar/scrubjay/1.0/libexec/bin/python", False, "brew upgrade scrubjay"),
        ("/home/a/env/bin/python", False, "python -m pip install --upgrade scrubjay"),
    ):
        path = PurePosixPath(executable) if isinstance(executable, str) else executable
        assert how_to_update(path, frozen=frozen, is_checkout=False) == how, executable
