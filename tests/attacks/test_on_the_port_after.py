"""Another user takes the port that the daemon has left: nobody sends him anything that opens anything."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.errors import NotRunning
from scrubjay.daemon.home import Home
from scrubjay.daemon.server.endpoints.status import STATUS
from scrubjay.daemon.transport import ApiError, UnverifiedDaemon
from scrubjay.daemon.tray import menu_actions
from scrubjay.daemon.tray.appearance import Action
from tests.attacks.conftest import result_of, running, start_as_neighbour, wait_until_there
from tests.attacks.neighbour import secrets_in
from tests.attacks.test_at_the_port import Page
from tests.helpers.installation import Installation

SECONDS = 300.0
"""After which he gives up by himself."""


@pytest.fixture
def mover(public_folder: Path, request: pytest.FixtureRequest) -> Iterator[Installation]:
    root = public_folder / f"mover {request.node.name[:20]}"
    root.mkdir()
    installation = Installation(root, {"HOME": str(root)})
    installation.write({"A.md": "A jackdaw."})
    installation.create_profile()
    yield installation


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def test_the_command_line_the_tray_and_agents_send_no_token_to_who_took_the_port(mover: Installation) -> None:
    with running(mover) as victim:
        announced = mover.home.discovery.read_bytes()
        client = ScrubjayClient.discover(mover.home)
        client.ask(STATUS)
        attacker = start_as_neighbour("take_the_port", port=victim.port, seconds=SECONDS)
    wait_until_there(attacker)
    mover.home.discovery.write_bytes(announced)  # as a daemon that was killed leaves it
    mover.home.page.parent.mkdir(exist_ok=True)
    time.sleep(2.1)  # for so long no daemon proves anew who it is
    with pytest.raises((NotRunning, UnverifiedDaemon)):
        client.ask(STATUS)
    client.close()
    for command in (("search", "jackdaw"), ("status",), ("open", "--print"), ("clients", "list")):
        mover.run(*command, check=False)
    assert menu_actions.look(Home.below(mover.root / "home")).status is None
    with pytest.raises((ApiError, NotRunning, UnverifiedDaemon)):
        menu_actions.do(Action("pause", "notes"), mover.home, lambda _: None)
    attacker.terminate()
    heard = result_of(attacker)
    assert heard, "the control: the neighbour had the port and was asked"
    assert [secret for said in heard for secret in secrets_in(said) if secret.startswith("sj_")] == []
    assert [said for said in heard if not said.startswith("GET /health?challenge=")] == []


def test_what_an_open_page_sends_to_who_took_the_port_opens_nothing_at_the_next_daemon(mover: Installation) -> None:
    port = free_port()
    with running(mover, port) as victim:
        page = Page(victim)
        heard = page.origin | page.answer(victim.discovery.instance)
        assert page.http.get("/v1/status", headers=heard).status_code == 200
    with running(mover, port) as victim:
        assert page.http.get("/v1/status", headers=heard).json()["code"] == "csrf"
        assert page.get(victim.discovery.instance).status_code == 200, "the control: the page itself goes on"
    with running(mover, free_port()) as victim, victim.http() as relayed:
        cookie = next(iter(page.cookie.values()))
        answer = page.answer(victim.discovery.instance)  # a stranger on the old port has the page make it
        headers = {"Cookie": f"scrubjay_session_{victim.port}={cookie}", "Origin": victim.discovery.url} | answer
        assert relayed.get("/v1/status", headers=headers).status_code == 401
    page.http.close()
