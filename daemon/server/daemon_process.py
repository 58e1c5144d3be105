"""The daemon itself: one engine behind one server, from the lock to the clean stop."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType

import uvicorn

from scrubjay.daemon import __version__
from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.engine.log_files import log_to
from scrubjay.daemon.engine.metrics import Metrics
from scrubjay.daemon.engine.pace import Pace, bulk_threads
from scrubjay.daemon.engine.profile_watch import Following, VaultWatchers
from scrubjay.daemon.engine.search_log import FLUSH_SECONDS, SearchLog
from scrubjay.daemon.home import Home
from scrubjay.daemon.mcp.http_endpoint import McpEndpoint
from scrubjay.daemon.models.worker_embedder import Workers
from scrubjay.daemon.processes.memory import give_back, settle, share_heap, wipe_elsewhere
from scrubjay.daemon.processes.scheduler import Job, Scheduler
from scrubjay.daemon.program import Platform, this_platform
from scrubjay.daemon.server.access.admission import DoorSettings
from scrubjay.daemon.server.access.client_registry import ClientRegistry
from scrubjay.daemon.server.access.identity import Discovery, Identity, write_discovery
from scrubjay.daemon.server.access.own_token import own_client
from scrubjay.daemon.server.access.tickets import write_page_file
from scrubjay.daemon.server.app import create_app, uvicorn_config
from scrubjay.daemon.server.events import EventHub, progress_to
from scrubjay.daemon.server.instance import InstanceLock
from scrubjay.daemon.server.services import Services, searches_of, services_of
from scrubjay.daemon.settings import Settings
from scrubjay.profiles.errors import Unavailable

_LOOPBACK = "127.0.0.1"
_BACKLOG = 128
_SO_EXCLUSIVEADDRUSE = -5  # of winsock2.h: ~SO_REUSEADDR, which is 4 there
_CHECK_SECONDS = 2.0  # between looks at whether daemon.json is there
_SEEN_SECONDS = 300.0  # until it is written that a client was seen
_LEARN_SECONDS = 60.0  # between looks at whether there is something to learn, or to compare
_TURN_SECONDS = 0.001  # that a thread has Python for while others wait; a request passes through several that do
_TICK_SECONDS = 60.0  # how long a stop that no signal told of may wait to be seen

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Listening:
    """The daemon listens."""

    url: str
    page: Path  # a file that opens the search page, for who can read it
    engine: Engine


def serve(home: Home, settings: Settings, port: int, on_ready: Callable[[Listening], None]) -> None:
    """Run the daemon until a signal stops it (SIGINT, SIGTERM).

    Raises AlreadyRunning, and Unavailable when the port is taken.
    """
    share_heap()
    sys.setswitchinterval(_TURN_SECONDS)
    with InstanceLock(home.make()), _bound(port) as listener:
        log_to(home.logs)
        bound_port = int(listener.getsockname()[1])
        identity = Identity.new(__version__)
        events = EventHub()
        metrics = Metrics()
        progressed = progress_to(events, metrics.progressed)
        scheduler = Scheduler()
        workers = Workers(
            threads=bulk_threads(settings), idle_seconds=settings.model_idle_minutes * 60, scheduler=scheduler
        )

        with (
            contextlib.closing(Engine(home, settings, workers.embedder, progressed, scheduler=scheduler)) as engine,
            contextlib.closing(
                ClientRegistry(home.clients, waits=partial(scheduler.wake, "last-seen", _SEEN_SECONDS))
            ) as clients,
            contextlib.closing(searches_of(engine, partial(scheduler.wake, "history", FLUSH_SECONDS))) as searches,
        ):
            pace = Pace(engine.supervisor, workers, engine.settings, wake=partial(scheduler.wake, "pace"))
            services = services_of(engine, clients, events, identity, searches, metrics, pace.hurry)
            server = _Server(services, DoorSettings(bound_port), events)
            telling = Telling(home, identity.discovery(bound_port, os.getpid()), server.stop)
            following = Following(engine, pace.follow)

            def ready() -> None:
                own = own_client(clients, home.state)
                telling.begin()
                url = f"http://{_LOOPBACK}:{bound_port}"
                write_page_file(home.page, url, services.sessions.opener(own.id))
                on_ready(Listening(url, home.page, engine))
                give_back()
                settle()
                _log.info("the daemon is ready", extra={"port": bound_port, "version": __version__})

            with VaultWatchers(engine):
                engine.supervisor.start()
                engine.files.start()
                scheduler.add(*background_jobs(engine, following, pace, searches, clients, telling))
                scheduler.wake("pace")  # the battery may be low already
                try:
                    server.run_on(listener, ready)
                finally:
                    telling.end()
                    home.page.unlink(missing_ok=True)
                    services.sessions.close()
                    _log.info("the daemon stops")


def background_jobs(
    engine: Engine,
    following: Following,
    pace: Pace,
    searches: SearchLog,
    clients: ClientRegistry,
    telling: "Telling",
) -> tuple[Job, ...]:
    """What a daemon looks after while nothing calls for it.

    Two kinds of jobs come and go beside these: the end of a process that is idle, and the trial of a model.
    """
    return (
        Job(
            "telling",
            "Telling other programs where Scrubjay is",
            telling.look,
            every=_CHECK_SECONDS,
            takes="moments",
        ),
        Job("following", "Taking over changed settings and profiles", following.look, every=following.pause),
        Job("pace", "Looking after the battery", pace.look, every=pace.pause),
        Job("history", "Remembering searches", searches.flush),
        Job("last-seen", "Remembering when clients were last seen", clients.write_seen),
        Job(
            "tuning",
            "Learning from aliases and links",
            engine.matrices.look,
            every=_LEARN_SECONDS,
            takes="minutes",
            when=engine.is_idle,
        ),
        Job(
            "near-copies",
            "Comparing notes",
            engine.near_copies.look,
            every=_LEARN_SECONDS,
            takes="minutes",
            when=engine.is_idle,
        ),
        Job(
            "maps",
            "Making maps of links",
            engine.maps.renew,
            every=_LEARN_SECONDS,
            takes="minutes",
            when=engine.is_idle,
        ),
    )


class Telling:
    """Tells other programs where the daemon is, in a file that somebody may delete: its folder may vanish.

    Sees, too, when a command asks the daemon to stop by a file beside it.
    """

    def __init__(self, home: Home, discovery: Discovery, stop: Callable[[], object]) -> None:
        self._path = home.discovery
        self._stop_request = home.stop_request
        self._stop = stop
        self._discovery = discovery
        self._has_begun = False

    def begin(self) -> None:
        """Tell of it from now on."""
        self._stop_request.unlink(missing_ok=True)  # meant for a daemon before this one
        write_discovery(self._path, self._discovery)
        self._has_begun = True

    def end(self) -> None:
        """Tell of it no more. The last call."""
        self._has_begun = False
        self._path.unlink(missing_ok=True)

    def look(self) -> None:
        """Tell of it again where that is gone; stop the daemon where a command asks for it."""
        if not self._has_begun:
            return
        if self._stop_request.exists():
            self._stop_request.unlink(missing_ok=True)
            self._stop()
        elif not self._path.exists():
            write_discovery(self._path, self._discovery)
            _log.info("daemon.json was gone and is written again")
            if not self._has_begun:  # any more: it was gone since it is over
                self._path.unlink(missing_ok=True)


class _Server(uvicorn.Server):
    """uvicorn on a socket of ours, which says when it listens and ends the event streams when a signal stops it."""

    def __init__(self, services: Services, door: DoorSettings, events: EventHub) -> None:
        super().__init__(uvicorn_config(create_app(services, door, McpEndpoint)))
        self._events = events
        self._ready: Callable[[], None] = lambda: None
        self._wake: Callable[[], object] = lambda: None

    def run_on(self, listener: socket.socket, ready: Callable[[], None]) -> None:
        """Serve until stopped."""
        self._ready = ready
        self.run(sockets=[listener])

    def stop(self) -> None:
        """As a signal would. From any thread."""
        self.handle_exit(signal.SIGTERM, None)

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """SIGINT and SIGTERM end the serving; unlike uvicorn's own, they are not raised again: we clean up after it."""
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """As uvicorn does, then say that it listens."""
        await super().startup(sockets)
        await asyncio.to_thread(self._ready)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """As uvicorn does, and have it seen at once."""
        super().handle_exit(sig, frame)
        self._wake()

    async def main_loop(self) -> None:
        """As uvicorn's own, which wakes ten times a second; but an idle daemon should sleep until a signal stops it."""
        loop, stopped = asyncio.get_running_loop(), asyncio.Event()
        self._wake = partial(loop.call_soon_threadsafe, stopped.set)
        wipe_elsewhere(loop.call_soon_threadsafe)  # this thread has read every passphrase
        while not await self.on_tick(0):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stopped.wait(), _TICK_SECONDS)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams first: they would keep their connections open for ever."""
        self._events.close()
        await super().shutdown(sockets)


@contextlib.contextmanager
def _bound(port: int) -> Generator[socket.socket]:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    with listener:
        listener.setsockopt(socket.SOL_SOCKET, _own_port_option(this_platform()), 1)
        try:
            listener.bind((_LOOPBACK, port))
        except OSError:
            raise Unavailable(
                f"Port {port} is taken by another program. Say `scrubjay start --port {port + 1}`, or put"
                f" `port = {port + 1}` into settings.toml."
            ) from None
        listener.listen(_BACKLOG)
        yield listener


def _own_port_option(platform: Platform) -> int:
    """The option with which a port is ours alone, and free again as soon as we have ended.

    On Windows SO_REUSEADDR would let another process bind the same port, and take what is meant for us:
    https://learn.microsoft.com/windows/win32/winsock/using-so-reuseaddr-and-so-exclusiveaddruse
    """
    return _SO_EXCLUSIVEADDRUSE if platform == "win32" else socket.SO_REUSEADDR
