"""The real engine behind the real API on a real socket, with what every client may see kept beside it."""

import contextlib
import itertools
import threading
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.engine.metrics import Metrics
from scrubjay.daemon.home import Home
from scrubjay.daemon.indexing.embedding_pass import embed_pending
from scrubjay.daemon.server.access.client_registry import ClientRegistry, Scope
from scrubjay.daemon.server.access.identity import Identity
from scrubjay.daemon.server.events import EventHub
from scrubjay.daemon.server.services import searches_of, services_of
from scrubjay.daemon.settings import Settings
from scrubjay.profiles.registry.keys import MemoryKeys, Protection
from scrubjay.profiles.registry.registry import Profile, vault_folder
from scrubjay.profiles.registry.work_lock import work_lock
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.plain_http import http_client
from tests.helpers.served import served

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
        self.engine.profile_sync.sync()
        holding.id = created.id
        holding.marks |= {created.id, created.vaults[0].id, holding.name}
        self.holdings[created.id] = holding
        self.index(created)
        if protection != "none":
            self.protect(holding, protection)
        return holding

    def index(self, profile: Profile) -> None:
        opened = self.engine.open_profiles.named(profile.name)
        self.engine.preparation.indexer(opened).reconcile(threading.Event())
        embed_pending(opened.store, self.engine.embedder, opened.progress, threading.Event(), lambda: None)

    def protect(self, holding: Holding, wanted: Protection) -> None:
        """As the command does it: hold the profile, let the engine close it, change it, let go."""
        profile = self.engine.registry.get(holding.name)
        with work_lock(self.engine.registry.folder_of(profile)):
            self.engine.profile_sync.sync()
            self.engine.custody.protect(profile, wanted)
        self.engine.profile_sync.sync()

    def admit(self, sees: set[str], scopes: tuple[Scope, ...]) -> Seer:
        """A new client."""
        made = self.clients.create(f"client {next(self.numbers)}", scopes=scopes, profiles=tuple(sorted(sees)))
        seer = Seer(made.client.id, set(sees), http_client(self.url, made.token))
        self.seers.append(seer)
        return seer

    def hidden_from(self, seer: Seer) -> list[Holding]:
        return [holding for holding in self.holdings.values() if holding.id not in seer.sees]


MARKED = ("Title", "Folder", "Vault", "Tag", "Heading", "Text", "Journal")


@contextlib.contextmanager
def open_estate(folder: Path) -> Generator[Estate]:
    """Serve an empty installation below `folder` until the block ends."""
    home = Home.below(folder / "home")
    engine = Engine(home, Settings(slow_search_ms=60_000), lambda _: HashEncoder(), keys=MemoryKeys())
    clients = ClientRegistry(home.clients)
    identity = Identity.new("1.2.3")
    events = EventHub()
    with (
        contextlib.closing(engine),
        contextlib.closing(clients),
        contextlib.closing(searches_of(engine)) as searches,
    ):
        services = services_of(engine, clients, events, identity, searches, Metrics(), hurry=lambda: None)
        with served(services) as port:
            estate = Estate(folder, engine, clients, f"http://127.0.0.1:{port}")
            try:
                yield estate
            finally:
                for seer in estate.seers:
                    seer.http.close()
