"""A small real Scrubjay behind a real socket: registry, stores, server; no watching and no language model."""

import contextlib
import hashlib
import socket
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import httpx
import uvicorn

from credential_filter import BUILT_IN
from daemon.api.app import create_app
from daemon.api.door import DoorSettings
from daemon.api.events import EventHub
from daemon.api.schemas import ProfileStatus, Status
from daemon.api.services import Services
from daemon.api.serving import uvicorn_config
from daemon.api.upkeep import Upkeep
from daemon.clients.identity import Identity
from daemon.clients.pairing import PairingDesk, pairing_key
from daemon.clients.registry import ClientRegistry, NewToken, Scope
from daemon.clients.sessions import Sessions
from daemon.graph.excerpting import Excerpt, excerpt
from daemon.graph.loading import load_graph
from daemon.graph.related import RelatedNote, related_notes
from daemon.graph.traverse import Walk
from daemon.graph.walking import walk_from
from daemon.home import Home
from daemon.journal.memory import Memory
from daemon.mcp.endpoint import McpEndpoint
from daemon.observe.metrics import Metrics
from daemon.observe.searches import SearchLog
from daemon.search.service import Searcher
from daemon.settings import Limits
from profiles.custody import Custody
from profiles.keys import MemoryKeys
from profiles.registry import Profile, Registry, VaultFolder, vault_folder
from profiles.rows import ChunkRow, LinkRow, NoteBundle, NoteRow, RedactionRow
from profiles.store import Store
from tests.helpers.hash_encoder import HashEncoder

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

    home: Home
    vaults: Path
    registry: Registry
    clients: ClientRegistry
    services: Services = field(init=False)
    opened: dict[str, Store] = field(default_factory=dict[str, Store])
    steered: list[tuple[str, tuple[str, ...]]] = field(default_factory=list[tuple[str, tuple[str, ...]]])
    index_requests: list[tuple[str, bool]] = field(default_factory=list[tuple[str, bool]])
    port: int = 0
    refreshed: int = 0

    def __post_init__(self) -> None:
        self.custody = Custody(self.registry, MemoryKeys())

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def add_profile(self, name: str, notes: Mapping[str, str], **options: int) -> Profile:
        """A profile with a vault folder of the same name and these notes in its store."""
        root = self.vaults / name
        root.mkdir(parents=True)
        profile = self.create(name, vaults=(vault_folder(root, allow=(".",)),), colour=None)
        with self.opened[profile.name].writing() as writer:
            for path, text in notes.items():
                writer.put_note(note(profile.vaults[0], path, text, tags=(name,), **options))
        return profile

    def create_linked(self, name: str, links: Mapping[str, Sequence[str]]) -> Profile:
        """A profile of notes that link to each other, and say nothing but their own name."""
        profile = self.add_profile(name, {})
        with self.opened[profile.name].writing() as writer:
            for path, targets in links.items():
                rows = tuple(LinkRow(target=target, kind="wiki", line=1) for target in targets)
                writer.put_note(replace(note(profile.vaults[0], path, f"This is {path}."), links=rows))
        return profile

    def token(self, name: str, *profiles: Profile, scopes: tuple[Scope, ...] = ("search",)) -> NewToken:
        """A client that sees these profiles alone."""
        return self.clients.create(name, scopes=scopes, profiles=tuple(profile.id for profile in profiles))

    def client(self, token: str | None = None) -> httpx.Client:
        """An HTTP client without surprises from the environment."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return httpx.Client(base_url=self.url, headers=headers, trust_env=False, timeout=20)

    def raw(self, request: bytes, *, seconds: float = 20) -> bytes:
        """Send these bytes on a connection of their own and read until the server hangs up or falls silent."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as connection:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall(request)
            return read_reply(connection)

    def vault_names(self, profiles: tuple[str, ...] | None) -> dict[str, str]:
        """What the vaults of these profiles are called, by id."""
        wanted = (profile for profile in self.registry.list() if profiles is None or profile.name in profiles)
        return {vault.id: vault.name for profile in wanted for vault in profile.vaults}

    # What the API asks for; the registry and the open stores kept in step.

    def list(self) -> tuple[Profile, ...]:
        return self.registry.list()

    def create(self, name: str, *, vaults: tuple[VaultFolder, ...], colour: str | None) -> Profile:
        profile = self.registry.create(name, vaults=vaults, colour=colour)
        self.opened[profile.name] = Store.open(self.registry.store_path(profile))
        return profile

    def update(self, profile: Profile) -> Profile:
        self.registry.update(profile)
        return profile

    def rename(self, name: str, new_name: str) -> Profile:
        profile = self.registry.rename(name, new_name)
        self.opened[profile.name] = self.opened.pop(name)
        return profile

    def remove(self, name: str) -> None:
        self.opened.pop(name).close()
        self.registry.remove(name)

    def lock(self, profile: Profile) -> Profile:
        self.opened.pop(profile.name).close()
        return self.custody.lock(profile)

    def unlock(self, profile: Profile, passphrase: str | None) -> Profile:
        unlocked = self.custody.unlock(profile, passphrase)
        key = self.custody.key(unlocked)
        self.opened[profile.name] = Store.open(self.registry.store_path(profile), key=key)
        return unlocked

    def refresh(self) -> None:
        self.refreshed += 1

    def open_profiles(self) -> dict[str, tuple[Profile, Store]]:
        return {each.id: (each, self.opened[each.name]) for each in self.list() if each.name in self.opened}

    def pause(self, profiles: Sequence[Profile]) -> None:
        self.steered.append(("pause", tuple(profile.name for profile in profiles)))

    def resume(self, profiles: Sequence[Profile]) -> None:
        self.steered.append(("resume", tuple(profile.name for profile in profiles)))

    def retry(self, profiles: Sequence[Profile]) -> None:
        self.steered.append(("retry", tuple(profile.name for profile in profiles)))

    def hurry(self) -> None:
        self.steered.append(("hurry", ()))

    def request_index(self, profile: Profile, *, full: bool) -> None:
        self.index_requests.append((profile.name, full))

    def related(self, profile: Profile, note_id: int, limit: int, line: int | None = None) -> tuple[RelatedNote, ...]:
        store = self.opened[profile.name]
        return related_notes(store, load_graph(store).frozen(), "none", note_id, limit=limit, line=line)

    def walk(self, profile: Profile, note_id: int, query: str | None, *, hops: int, deep: bool) -> Walk:
        store = self.opened[profile.name]
        vector = None if query is None else HashEncoder().embed_query(query)
        return walk_from(store, load_graph(store).frozen(), note_id, vector, hops=hops, deep=deep)

    def excerpt(self, profile: Profile, text: str, query: str) -> Excerpt:
        return excerpt(self.opened[profile.name], HashEncoder(), text, query)

    def status(self, profiles: Sequence[Profile]) -> Status:
        each = tuple(self._status(profile, self.opened[profile.name]) for profile in profiles)
        return Status("test", self.services.identity.instance, "hash", 1.0, 1, 0, each)

    def _status(self, profile: Profile, store: Store) -> ProfileStatus:
        counts = store.counts()
        return ProfileStatus(
            id=profile.id,
            name=profile.name,
            colour=profile.colour,
            vaults=tuple(vault.name for vault in profile.vaults),
            state="idle",
            done=0,
            total=0,
            eta_seconds=None,
            notes=counts.notes,
            chunks=counts.chunks,
            pending_embeddings=counts.pending_embeddings,
            redactions=counts.redactions,
            bytes_on_disk=counts.bytes_on_disk,
            failures=(),
        )


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
    """Serve an installation below `folder` on a free port until the block ends."""
    home = Home.below(folder / "home").make()
    house = House(home, folder / "vaults", Registry(home.profiles), ClientRegistry(home.clients))
    identity = Identity.new("1.2.3")
    searches = SearchLog(house.open_profiles, lambda _profile: BUILT_IN, lambda: 0.0)
    house.services = Services(
        identity=identity,
        clients=house.clients,
        sessions=Sessions(home.state, identity.instance),
        pairing=PairingDesk(house.clients, pairing_key(home.state)),
        events=EventHub(identity.instance),
        searcher=Searcher(lambda: house.opened, HashEncoder(), vaults=house.vault_names),
        profiles=house,
        indexing=house,
        status=house,
        stores=lambda wanted: {each.name: house.opened[each.name] for each in wanted if each.name in house.opened},
        memory=Memory(HashEncoder(), lambda profile: house.opened[profile.name], lambda _profile: BUILT_IN),
        limits_now=lambda: limits or Limits(),
        relating=house,
        upkeep=Upkeep(house, searches, Metrics()),
    )
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listening:
        listening.bind(("127.0.0.1", 0))
        house.port = int(listening.getsockname()[1])
        server = uvicorn.Server(uvicorn_config(create_app(house.services, DoorSettings(house.port), McpEndpoint)))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            while not server.started:
                time.sleep(0.005)
            yield house
        finally:
            house.services.events.close()
            server.should_exit = True
            thread.join()
            searches.close()
            for store in house.opened.values():
                store.close()
