"""A page on another origin, in a real browser and holding a valid token, can read nothing of ours."""

import http.server
import json
import queue
import shutil
import subprocess
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from tests.integration.server.conftest import Residents

CHROMIUM = (
    shutil.which("chromium-headless-shell")
    or shutil.which("chromium")
    or shutil.which("chromium-browser")
    or shutil.which("google-chrome")
)
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP attacker.test 127.0.0.1",
)
PATIENCE = 120.0  # seconds that a browser on a busy machine is given before the test fails
MARK = "jackdaw"
PAGE = (Path(__file__).parent / "attacker.html").read_text(encoding="utf-8")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium, and none is installed"),
]


@dataclass(frozen=True)
class Attacker:
    """Another origin on this machine: it serves one page, and hears what that page found."""

    port: int
    found: "queue.Queue[str]" = field(default_factory=queue.Queue[str])


@contextmanager
def attacker(page: str) -> Generator[Attacker]:
    heard = queue.Queue[str]()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.answer(b"readable" if self.path == "/control" else page.encode())

        def do_POST(self) -> None:
            heard.put(self.rfile.read(int(self.headers["Content-Length"])).decode())
            self.answer(b"heard")

        def answer(self, content: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            return

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield Attacker(server.server_port, heard)
        finally:
            server.shutdown()
            thread.join()


def command(folder: Path, *rest: str) -> list[str]:
    assert CHROMIUM is not None
    return [CHROMIUM, *FLAGS, f"--user-data-dir={folder}", *rest]


def seen_by_chromium(url: str, folder: Path) -> str:
    """The page as it stands when it has loaded."""
    done = subprocess.run(
        command(folder, "--dump-dom", url), capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    return done.stdout


@contextmanager
def chromium_at(url: str, folder: Path) -> Generator[None]:
    """A browser that stays at a page while the block runs."""
    with subprocess.Popen(
        command(folder, "--remote-debugging-port=0", url), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as browser:
        try:
            yield
        finally:
            for process in (*psutil.Process(browser.pid).children(recursive=True), browser):  # it may be a script
                process.kill()


def test_a_page_elsewhere_reads_and_changes_nothing_even_with_a_token(residents: Residents, tmp_path: Path) -> None:
    house = residents.house
    house.index_requests.clear()
    clients = len(house.clients.list())
    page = PAGE.replace("PORT", str(house.port)).replace("TOKEN", residents.owner).replace("MARK", MARK)
    with attacker(page) as elsewhere, chromium_at(f"http://127.0.0.1:{elsewhere.port}/", tmp_path):
        found = json.loads(elsewhere.found.get(timeout=PATIENCE))
    assert found.pop("control") == "readable"
    assert found.pop("script") == found.pop("image") == found.pop("events") == found.pop("websocket") == "error"
    assert found.pop("frame") == ""
    assert found.pop("beacon") in ("true", "false")  # whether it was queued; what counts is that nothing came of it
    assert len(found) == 39
    assert set(found.values()) <= {"blocked", "opaque"}
    assert house.index_requests == []
    assert house.services.pairing.waiting() == ()
    assert len(house.clients.list()) == clients


def test_a_name_rebound_to_this_machine_is_shown_the_door(residents: Residents, tmp_path: Path) -> None:
    house = residents.house
    assert "<title>Scrubjay</title>" in seen_by_chromium(f"{house.url}/", tmp_path)
    shown = seen_by_chromium(f"http://attacker.test:{house.port}/", tmp_path)
    assert "wrong-host" in shown
    assert "<script" not in shown
    assert house.services.identity.instance not in shown
