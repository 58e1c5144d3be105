"""`scrubjay run`, `start`, `stop`, `restart`, `open`, `token`: the daemon's life."""

import contextlib
import importlib
import logging
import os
import shutil
import signal
import subprocess
import sys
import time
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scrubjay.daemon.cli.output import advise, say, warn
from scrubjay.daemon.home import Home
from scrubjay.daemon.program import Platform, detached, scrubjay_command, this_platform, typed_command
from scrubjay.daemon.sentences.system import system_words
from scrubjay.profiles.errors import ScrubjayError

if TYPE_CHECKING:
    from scrubjay.daemon.server.access.identity import Discovery

_START_SECONDS = 30.0
_LEAST_ROOM_BYTES = 100_000
_STOP_SECONDS = 90.0  # the current batch is finished first, at low priority: slow on a busy machine
_port = click.option("--port", type=click.IntRange(0, 65_535), help="Port on 127.0.0.1; 0 is any free one.")


class NotInTime(ScrubjayError):
    """The daemon did not start or stop in time."""

    code = "not-in-time"


class NoPageFile(ScrubjayError):
    """The daemon runs, but its page file was removed."""

    code = "no-page-file"


@click.command()
@_port
@click.option("--open", "open_page", is_flag=True, help="Open the search page in the browser.")
def run(port: int | None, open_page: bool) -> None:
    """Run the daemon here, in the foreground. Ctrl-C stops it."""
    from scrubjay.daemon.cli.machine.index_progress import show_progress
    from scrubjay.daemon.server.daemon_process import Listening, serve
    from scrubjay.daemon.settings import load_settings

    home = Home.find()
    settings = load_settings(home.settings)

    def ready(daemon: Listening) -> None:
        say(f"Search page: {daemon.page.as_uri()}")
        say("Open that file in your browser: only you can read it, and it lets you in.", "dim")
        say(f"Scrubjay runs at {daemon.url}. Ctrl-C stops it.", "dim")
        typed = typed_command(this_platform(), os.environ.get("SCRUBJAY_HOME"))
        if typed != "scrubjay":
            say("Other commands, in another terminal:", "dim")
            say(f"  {typed} status", "dim")
        if open_page:
            webbrowser.open(daemon.page.as_uri())
        show_progress(daemon.engine)

    with contextlib.suppress(KeyboardInterrupt):
        serve(home, settings, settings.port if port is None else port, ready)
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # all is closed; to take the interpreter apart takes seconds on a busy machine


@click.command()
@_port
def start(port: int | None) -> None:
    """Start the daemon in the background."""
    home = Home.find().make()
    if found := _running(home):
        say(f"Scrubjay runs already, at {found.url}")
        return
    home.discovery.unlink(missing_ok=True)
    log = home.logs / "start.log"
    log.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with open(log, "wb", opener=_private) as output:
        child = subprocess.Popen(
            scrubjay_command("run", *([] if port is None else ["--port", str(port)])),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            **detached(this_platform()),
        )
    importlib.import_module("scrubjay.daemon.cli.connect")  # while the daemon loads, on another core
    if not _within(_START_SECONDS, lambda: _running(home) is not None or child.poll() is not None):
        raise NotInTime(f"The daemon does not answer after {_START_SECONDS:.0f} s; {log} may say why.")
    if (found := _running(home)) is None:
        said = log.read_text("utf-8", "replace").strip().removeprefix("Error: ")
        if not said and shutil.disk_usage(home.state).free < _LEAST_ROOM_BYTES:  # too little for the log as well
            said = "there is no room left on the disk. Make room and try again."
        raise NotInTime(f"The daemon did not start: {said or f'see {home.logs}'}")
    advise(system_words().runs_at.format(url=found.url))


@click.command()
def stop() -> None:
    """Stop the daemon; what it has in hand is finished first."""
    home = Home.find()
    found = _running(home)
    if found is None:
        say("Scrubjay is not running.")
        return
    _stop(home, found)
    say("Stopped.")


@click.command()
@_port
@click.pass_context
def restart(ctx: click.Context, port: int | None) -> None:
    """Stop the daemon, if it runs, and start it."""
    home = Home.find()
    if found := _running(home):
        _stop(home, found)
        port = found.port if port is None else port
    ctx.invoke(start, port=port)


@click.command(name="open")
@click.option("--print", "only_print", is_flag=True, help="Print an address that works once instead.")
@click.option("--window", is_flag=True, help="In a window of its own, for a key of your desktop to run.")
def open_(only_print: bool, window: bool) -> None:
    """Open the search page, and let the browser in.

    The browser is given a file that only you can read. --print is for a browser that can't read it: copy the address
    within half a minute, and don't put it into a command, where others on this machine could see it.
    """
    if only_print:
        say(page_address())
    elif not (show_window() if window else show_page()):
        say(f"Open this file in your browser: {Home.find().page.as_uri()}")


@click.command()
@click.option("--rotate", is_flag=True, help="Make a new one; the old one is dead at once.")
def token(rotate: bool) -> None:
    """Print your own token, for scripts. It may search and manage every profile: keep it secret."""
    from scrubjay.daemon.server.access.client_registry import ClientRegistry
    from scrubjay.daemon.server.access.own_token import own_token, rotate_own_token

    home = Home.find().make()
    with contextlib.closing(ClientRegistry(home.clients)) as clients:
        own = (rotate_own_token if rotate else own_token)(clients, home.state)
    if own.created:
        warn(f"It is kept in {own.place}.")
    click.echo(own.token)


def show_page() -> bool:
    """Open the search page in the browser; False where there is none. Raises NotRunning, NoPageFile.

    The browser gets the path of a file: an address with a ticket would stand in its command line, for all to read.
    """
    return webbrowser.open(_page_file().as_uri())


def _page_file() -> Path:
    from scrubjay.daemon.transport import running

    home = Home.find()
    running(home)
    if not home.page.exists():
        raise NoPageFile("The file that opens the search page is gone. `scrubjay restart` writes it again.")
    return home.page


def show_window() -> bool:
    """As `show_page`, in a window of its own where a browser here can do that."""
    from scrubjay.daemon.tray.window import open_window

    return open_window(_page_file(), this_platform(), os.environ)


def page_address() -> str:
    """An address of the search page that opens it once, within seconds. Raises NotRunning."""
    from scrubjay.daemon.cli.connect import connect
    from scrubjay.daemon.server.endpoints.sessions import MINT_TICKET

    with connect() as client:
        return f"{client.url}{client.ask(MINT_TICKET).path}"


def wait_until_running(home: Home) -> "Discovery":
    """The daemon that something else has just started. Raises NotInTime."""
    if not _within(_START_SECONDS, lambda: _running(home) is not None) or (found := _running(home)) is None:
        raise NotInTime(f"The daemon does not answer after {_START_SECONDS:.0f} s; see {home.logs}.")
    return found


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _running(home: Home) -> "Discovery | None":
    """As `connect.running`, without importing the HTTP client where no daemon can run."""
    if not home.discovery.exists():
        return None
    from scrubjay.daemon.cli.connect import running

    return running(home)


def ask_to_stop(home: Home, pid: int, platform: Platform) -> None:
    """Have the daemon end what it has in hand and stop. It takes a moment."""
    if platform == "win32":  # there a signal would end it on the spot
        home.stop_request.touch()
        return
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)


def _stop(home: Home, found: "Discovery") -> None:
    ask_to_stop(home, found.pid, this_platform())
    if not _within(_STOP_SECONDS, lambda: _running(home) is None and not _is_alive(found.pid)):
        raise NotInTime(f"The daemon (process {found.pid}) is still running after {_STOP_SECONDS:.0f} s.")


def _is_alive(pid: int) -> bool:
    """Whether the process may still write something; a zombie may not."""
    import psutil

    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _within(seconds: float, true: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True
