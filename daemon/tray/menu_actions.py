"""Polls the daemon for what the tray shows, and runs the menu's actions."""

import os
import subprocess
import webbrowser
from collections.abc import Callable

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.errors import NotRunning
from scrubjay.daemon.home import Home
from scrubjay.daemon.program import scrubjay_command, this_platform
from scrubjay.daemon.server.endpoints.pairing import DECIDE_PAIRING, LIST_PAIRINGS, PairingDecision
from scrubjay.daemon.server.endpoints.profiles import LOCK_PROFILE, UNLOCK_PROFILE, ProfileId, UnlockAsk
from scrubjay.daemon.server.endpoints.status import STATUS
from scrubjay.daemon.server.endpoints.upkeep import PAUSE, RESUME, RETRY, ProfileChoice
from scrubjay.daemon.setup import services
from scrubjay.daemon.transport import ApiError, UnverifiedDaemon, running
from scrubjay.daemon.tray.appearance import Action, DaemonSnapshot, Pairing
from scrubjay.daemon.tray.window import open_window


def look(home: Home) -> DaemonSnapshot:
    """The daemon's state now; one that does not answer, or is not verified, counts as not running."""
    at_login = services.service_here(home).path.exists()
    try:
        with ScrubjayClient.discover(home) as client:
            waiting = tuple(Pairing(each.id, each.client, each.code) for each in client.ask(LIST_PAIRINGS).pairings)
            return DaemonSnapshot(client.ask(STATUS), waiting, at_login)
    except (ApiError, NotRunning, UnverifiedDaemon):
        return DaemonSnapshot(None, (), at_login)


def do(action: Action, home: Home, show: Callable[[str], object] = webbrowser.open) -> None:
    """Do what a menu entry says, all but quitting. Raises ScrubjayError, whose message is for the user.

    show: opens an address for the user.
    """
    match action.act:
        case "start":
            subprocess.Popen(scrubjay_command("start"), stdin=subprocess.DEVNULL)
        case "login":
            service = services.service_here(home)
            if not services.uninstall(service):
                services.install(service)
        case "logs":
            show((home.logs / "daemon.log").as_uri())
        case "open" | "credentials":
            running(home)
            show(home.page.as_uri())
        case "search":
            running(home)
            open_window(home.page, this_platform(), os.environ)
        case _:
            with ScrubjayClient.discover(home) as client:
                _ask(action, client)


def _ask(action: Action, client: ScrubjayClient) -> None:
    match action.act:
        case "approve" | "refuse":
            client.ask(DECIDE_PAIRING, PairingDecision(id_or_code=action.about, approve=action.act == "approve"))
        case "pause":
            client.ask(PAUSE, ProfileChoice(profile=action.about))
        case "resume":
            client.ask(RESUME, ProfileChoice(profile=action.about))
        case "retry":
            client.ask(RETRY, ProfileChoice(profile=action.about))
        case "lock":
            client.ask(LOCK_PROFILE, ProfileId(profile_id=action.about))
        case "unlock":
            client.ask(UNLOCK_PROFILE, UnlockAsk(profile_id=action.about))
        case _:
            raise ValueError(action.act)
