"""A page on another origin, in a real browser and holding a valid token, can read nothing of ours."""

import http.server
import json
import shutil
import subprocess
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.integration.api.conftest import Residents

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--virtual-time-budget=15000",
    "--host-resolver-rules=MAP attacker.test 127.0.0.1",
    "--dump-dom",
)
MARK = "jackdaw"
PAGE = (Path(__file__).parent / "attacker.html").read_text(encoding="utf-8")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium, and none is installed"),
]


@contextmanager
def attacker(page: str) -> Generator[int]:
    """Another origin on this machine, which serves one page."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = b"readable" if self.path == "/control" else page.encode()
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
        yield server.server_port
        server.shutdown()
        thread.join()


def seen_by_chromium(url: str, folder: Path) -> str:
    """The page as it stands when its scripts have run."""
    assert CHROMIUM is not None
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={folder}", url]
    return subprocess.run(command, capture_output=True, text=True, timeout=90, check=True).stdout


def test_a_page_elsewhere_reads_and_changes_nothing_even_with_a_token(residents: Residents, tmp_path: Path) -> None:
    house = residents.house
    house.index_requests.clear()
    clients = len(house.clients.list())
    page = PAGE.replace("PORT", str(house.port)).replace("TOKEN", residents.owner).replace("MARK", MARK)
    with attacker(page) as port:
        shown = seen_by_chromium(f"http://127.0.0.1:{port}/", tmp_path)
    found = json.loads(shown.partition('<pre id="out">')[2].partition("</pre>")[0])
    assert found.pop("control") == "readable"
    assert found.pop("script") == found.pop("image") == found.pop("events") == found.pop("websocket") == "error"
    assert found.pop("frame") == ""
    assert found.pop("beacon") in ("true", "false")  # whether it was queued; what counts is that nothing came of it
    assert len(found) == 33
    assert set(found.values()) <= {"blocked", "opaque"}
    assert house.index_requests == []
    assert house.services.pairing.waiting() == ()
    assert len(house.clients.list()) == clients


@pytest.mark.parametrize("path", ["/", "/health", "/assets/page.js"])
def test_a_name_rebound_to_this_machine_is_shown_the_door(residents: Residents, tmp_path: Path, path: str) -> None:
    shown = seen_by_chromium(f"http://attacker.test:{residents.house.port}{path}", tmp_path)
    assert "wrong-host" in shown
    assert "<script" not in shown
    assert residents.house.services.identity.instance not in shown


def test_our_own_page_is_shown(residents: Residents, tmp_path: Path) -> None:
    assert "<title>Scrubjay</title>" in seen_by_chromium(f"{residents.house.url}/", tmp_path)
