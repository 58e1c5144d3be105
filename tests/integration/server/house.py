"""A small real Scrubjay behind a real socket: engine, stores, server; no watching and no language model."""

import contextlib
import hashlib
import shutil
import socket
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import httpx

from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.engine.metrics import Metrics
from scrubjay.daemon.home import Home
from scrubjay.daemon.server.access.client_registry import ClientRegistry, NewToken, Scope
from scrubjay.daemon.server.access.identity import Identity
from scrubjay.daemon.server.events import EventHub
from scrubjay.daemon.server.services import Services, searches_of, services_of
from scrubjay.daemon.settings import Limits, Settings
from scrubjay.profiles.registry.keys import MemoryKeys
from scrubjay.profiles.registry.registry import Profile, VaultFolder, vault_folder
from scrubjay.profiles.store.rows import ChunkRow, LinkRow, NoteBundle, NoteRow, RedactionRow
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.plain_http import http_client
from tests.helpers.served import served

DAY_NS = 86_400 * 10**9


def note(vault: VaultFolder, path: str, text: str, *, secrets: int = 0, tags: tuple[str, ...] = ()) -> NoteBundle:
    """A note of one passage, as indexing would store it, with so many credentials hidden in it."""
    digest = hashlib.blake2b(text.encode(), digest_size=16).digest()
    row = NoteRow(
        vault=vault.id,
        path=path,
        title=Path(path).stem,
        mtime_ns=(20_000 + len(path)) * DAY_NS,
        size=len(text),
        digest=digest,
        fingerprint="test",
        tags=tags,
        properties={"Concerns": tags},
    )
    return NoteBundle(
        note=row,
        chunks=(ChunkRow(digest=digest, text=text, headings=("Heading",), line=3, end_line=5),),
        links=(LinkRow(target="Other", kind="wiki", line=4),),
        redactions=tuple(RedactionRow("github-token", 7 + n, 1, 40) for n in range(secrets)),
    )


@dataclass
class House:
    """All parts of one installation, for a test to reach into."""

    engine: Engine
    vaults: Path
    clients: ClientRegistry
    services: Services
    port: int
    settings: Settings  # at first
    index_requests: list[tuple[str | None, bool]]  # id of a profile, and whether every note was to be read anew

    @property
    def home(self) -> Home:
        return self.engine.home

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def store(self, profile: Profile) -> Store:
        """The open store of a profile."""
        return self.engine.open_profiles.same(profile).store

    def add_profile(self, name: str, notes: Mapping[str, str], **options: int) -> Profile:
        """A profile with a vault folder of the same name and these notes in its store."""
        root = self.vaults / name
        root.mkdir(parents=True)
        profile = self.engine.registry.create(name, vaults=(vault_folder(root, allow=(".",)),))
        self.engine.profile_sync.sync()
        with self.store(profile).writing() as writer:
            for path, text in notes.items():
                writer.put_note(note(profile.vaults[0], path, text, tags=(name,), **options))
        return profile

    def create_linked(self, name: str, links: Mapping[str, Sequence[str]]) -> Profile:
        """A profile of notes that link to each other, and say nothing but their own name."""
        profile = self.add_profile(name, {})
        with self.store(profile).writing() as writer:
            for path, targets in links.items():
                rows = tuple(LinkRow(target=target, kind="wiki", line=1) for target in targets)
                writer.put_note(replace(note(profile.vaults[0], path, f"This is {path}."), links=rows))
        return profile

    def clear(self) -> None:
        """Forget all profiles, clients and settings."""
        for profile in self.engine.registry.list():
            self.engine.profile_sync.forget(profile.name)
        for client in self.clients.list():
            self.clients.revoke(client.id)
        shutil.rmtree(self.vaults, ignore_errors=True)
        self.engine.settings = self.settings

    def token(self, name: str, *profiles: Profile, scopes: tuple[Scope, ...] = ("search",)) -> NewToken:
        """A client that sees these profiles alone."""
        return self.clients.create(name, scopes=scopes, profiles=tuple(profile.id for profile in profiles))

    def id_of(self, token: str) -> str:
        """The id of the client with this token."""
        found = self.clients.authenticate(token)
        assert found is not None
        return found.id

    def client(self, token: str | None = None) -> httpx.Client:
        """An HTTP client without surprises from the environment."""
        return http_client(self.url, token)

    def raw(self, request: bytes, *, seconds: float = 20) -> bytes:
        """Send these bytes on a connection of their own and read until the server hangs up or falls silent."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as connection:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall(request)
            return read_reply(connection)


def read_reply(connection: socket.socket) -> bytes:
    """All bytes until the other side hangs up, or one whole reply with a Content-Length."""
    received = bytearray()
    with contextlib.suppress(ConnectionResetError, TimeoutError):
        while part := connection.recv(65_536):
            received += part
            head, separator, body = bytes(received).partition(b"\r\n\r\n")
            length = [
                line.split(b":")[1] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")
            ]
            if separator and length and len(body) >= int(length[0]):
                break
    return bytes(received)


@contextlib.contextmanager
def open_house(folder: Path, limits: Limits | None = None) -> Generator[House]:
    """Serve an installation below `folder` on a free port until the block ends. Nothing is indexed by itself."""
    settings = Settings(limits=limits or Limits(), slow_search_ms=0)
    engine = Engine(Home.below(folder / "home"), settings, lambda _: HashEncoder(), keys=MemoryKeys())
    identity = Identity.new("1.2.3")
    requests: list[tuple[str | None, bool]] = []

    def request(
        profile_id: str | None = None, *, full: bool = False, retry: bool = False, forget_missing: bool = False
    ) -> None:
        requests.append((profile_id, full))

    with (
        contextlib.closing(engine),
        contextlib.closing(ClientRegistry(engine.home.clients)) as clients,
        contextlib.closing(searches_of(engine)) as searches,
    ):
        engine.supervisor.request = request
        services = services_of(engine, clients, EventHub(), identity, searches, Metrics(), hurry=lambda: None)
        with served(services) as port:
            yield House(engine, folder / "vaults", clients, services, port, settings, requests)
