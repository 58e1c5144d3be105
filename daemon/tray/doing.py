"""Asking the daemon what the tray should know, and doing what the menu says."""

import subprocess
import webbrowser
from collections.abc import Callable

from daemon.api.schemas_manage import PairingDecision
from daemon.client import ApiError, NotRunning, ScrubjayClient, Stranger, running
from daemon.home import Home
from daemon.program import scrubjay_command
from daemon.service import manage
from daemon.tray.model import Action, Known, Pairing


def look(home: Home) -> Known:
    """What the tray should know now; a daemon that does not answer, or is not ours, counts as not running."""
    at_login = manage.service_here(home).path.exists()
    try:
        with ScrubjayClient.discover(home) as client:
            waiting = tuple(Pairing(each.id, each.client, each.code) for each in client.pairings())
            return Known(client.status(), waiting, at_login)
    except (ApiError, NotRunning, Stranger):
        return Known(None, (), at_login)


def do(action: Action, home: Home, show: Callable[[str], object] = webbrowser.open) -> None:
    """Do what a menu entry says, all but quitting. Raises ScrubjayError, whose message is for the user.

    show: opens an address for the user.
    """
    match action.act:
        case "start":
            subprocess.Popen(scrubjay_command("start"), stdin=subprocess.DEVNULL)
        case "login":
            service = manage.service_here(home)
            if not manage.uninstall(service):
                manage.install(service)
        case "logs":
            show((home.logs / "daemon.log").as_uri())
        case "open" | "credentials":
            running(home)
            show(home.page.as_uri())
        case _:
            with ScrubjayClient.discover(home) as client:
                _ask(action, client)


def _ask(action: Action, client: ScrubjayClient) -> None:
    match action.act:
        case "approve" | "refuse":
            client.decide_pairing(action.about, PairingDecision(approve=action.act == "approve"))
        case "pause":
            client.pause(action.about)
        case "resume":
            client.resume(action.about)
        case "retry":
            client.retry(action.about)
        case "lock":
            client.lock_profile(action.about)
        case "unlock":
            client.unlock_profile(action.about)
        case _:
            raise ValueError(action.act)
