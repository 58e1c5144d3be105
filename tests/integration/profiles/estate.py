"""The real engine behind the real API on a real socket, with what every client may see kept beside it."""

import contextlib
import itertools
import socket
import threading
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import uvicorn

from daemon.api.app import create_app
from daemon.api.door import DoorSettings
from daemon.api.events import EventHub
from daemon.api.serving import uvicorn_config
from daemon.api.upkeep import Upkeep
from daemon.clients.identity import Identity
from daemon.clients.registry import ClientRegistry, Scope
from daemon.home import Home
from daemon.indexing.embedding_pass import embed_pending
from daemon.observe.metrics import Metrics
from daemon.observe.searches import SearchLog
from daemon.runtime.assembly import services_of
from daemon.runtime.engine import Engine
from daemon.settings import Settings
from profiles.custody import Protection, held
from profiles.keys import MemoryKeys
from profiles.registry import Profile, vault_folder
from tests.helpers.hash_encoder import HashEncoder

PATIENCE_SECONDS = 120  # far more than any answer takes, on a machine however busy
COMMON = "lighthouse"
"""A word that a note of every profile holds."""


@dataclass
class Holding:
    """A profile as its owner knows it. `marks` are in it alone: none may be in a reply to who does not see it."""

    id: str
    name: str
    word: str  # found in its note, and put into queries
    marks: set[str]
    federate: bool = True
    locked: bool = False

    @property
    def path(self) -> str:
        return next(mark for mark in sorted(self.marks) if mark.startswith("Title"))


@dataclass
class Seer:
    """A client and what it may see: ids of profiles."""

    id: str
    sees: set[str]
    http: httpx.Client


class Steering:
    """The routes that steer background work have none to steer here."""

    def pause(self, profiles: object) -> None: ...

    def resume(self, profiles: object) -> None: ...

    def retry(self, profiles: object) -> None: ...

    def hurry(self) -> None: ...


@dataclass
class Estate:
    """Profiles, clients and the server between them."""

    folder: Path
    engine: Engine
    clients: ClientRegistry
    url: str
    holdings: dict[str, Holding] = field(default_factory=dict[str, Holding])
    seers: list[Seer] = field(default_factory=list[Seer])
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def settle(self, protection: Protection) -> Holding:
        """A new profile with one note, indexed and embedded."""
        number = next(self.numbers)
        holding = Holding("", f"Name{number}x", f"word{number}x", {f"{what}{number}x" for what in MARKED})
        root = self.folder / "vaults" / f"Vault{number}x"
        (root / f"Folder{number}x").mkdir(parents=True)
        text = f"---\ntags: [Tag{number}x]\n---\n# Heading{number}x\n\n{COMMON} {holding.word} Text{number}x"
        (root / f"Folder{number}x" / f"Title{number}x.md").write_text(text)
        created = self.engine.registry.create(holding.name, vaults=(vault_folder(root, allow=(".",)),))
        self.engine.sync()
        holding.id = created.id
        holding.marks |= {created.id, created.vaults[0].id, holding.name}
        self.holdings[created.id] = holding
        self.index(created)
        if protection != "none":
            self.protect(holding, protection)
        return holding

    def index(self, profile: Profile) -> None:
        opened = self.engine.opened(profile.name)
        self.engine.indexer(opened).reconcile(threading.Event())
        embed_pending(opened.store, self.engine.embedder, opened.progress, threading.Event(), lambda: None)

    def protect(self, holding: Holding, wanted: Protection) -> None:
        """As the command does it: hold the profile, let the engine close it, change it, let go."""
        profile = self.engine.registry.get(holding.name)
        with held(self.engine.registry.folder_of(profile)):
            self.engine.sync()
            self.engine.custody.protect(profile, wanted)
        self.engine.sync()

    def admit(self, sees: set[str], scopes: tuple[Scope, ...]) -> Seer:
        """A new client."""
        made = self.clients.create(f"client {next(self.numbers)}", scopes=scopes, profiles=tuple(sorted(sees)))
        headers = {"Authorization": f"Bearer {made.token}"}
        http = httpx.Client(base_url=self.url, headers=headers, trust_env=False, timeout=PATIENCE_SECONDS)
        seer = Seer(made.client.id, set(sees), http)
        self.seers.append(seer)
        return seer

    def hidden_from(self, seer: Seer) -> list[Holding]:
        return [holding for holding in self.holdings.values() if holding.id not in seer.sees]


MARKED = ("Title", "Folder", "Vault", "Tag", "Heading", "Text", "Journal")


@contextlib.contextmanager
def open_estate(folder: Path) -> Generator[Estate]:
    """Serve an empty installation below `folder` until the block ends."""
    home = Home.below(folder / "home")
    engine = Engine(home, Settings(), lambda _: HashEncoder(), keys=MemoryKeys())
    clients = ClientRegistry(home.clients)
    identity = Identity.new("1.2.3")
    events = EventHub(identity.instance)
    searches = SearchLog(
        lambda: {each.profile.id: (each.profile, each.store) for each in engine.profiles()},
        engine.rules_of,
        lambda: 60_000.0,
    )
    services = services_of(engine, clients, events, identity, Upkeep(Steering(), searches, Metrics()))
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listening:
        listening.bind(("127.0.0.1", 0))
        port = int(listening.getsockname()[1])
        server = uvicorn.Server(uvicorn_config(create_app(services, DoorSettings(port))))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        estate = Estate(folder, engine, clients, f"http://127.0.0.1:{port}")
        try:
            while not server.started:
                time.sleep(0.005)
            yield estate
        finally:
            for seer in estate.seers:
                seer.http.close()
            events.close()
            server.should_exit = True
            thread.join()
            searches.close()
            engine.close()
            clients.close()
