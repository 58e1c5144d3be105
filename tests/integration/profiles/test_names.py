"""A name that passes from one profile to another while a request is under way: rights go by the profile."""

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.engine.metrics import Metrics
from scrubjay.daemon.engine.search_log import SearchLog
from scrubjay.daemon.home import Home
from scrubjay.daemon.server.access.admission import DoorSettings
from scrubjay.daemon.server.access.client_registry import ClientRegistry
from scrubjay.daemon.server.access.identity import Identity
from scrubjay.daemon.server.app import create_app
from scrubjay.daemon.server.events import EventHub
from scrubjay.daemon.server.services import Services, services_of
from scrubjay.daemon.settings import Settings
from scrubjay.profiles.journal.entries import Journal, JournalEntry
from scrubjay.profiles.registry.keys import MemoryKeys
from scrubjay.profiles.registry.registry import Profile, vault_folder
from tests.helpers.hash_encoder import HashEncoder

SECRET = "kittiwake"
SHARED = "A gull nests on the cliff."
PORT = 8642


@dataclass(frozen=True, slots=True)
class House:
    """Two profiles, of which the client sees one; they have changed names since its requests looked at them."""

    services: Services
    token: str

    def asks(self, method: str, path: str, body: object = None) -> httpx.Response:
        async def send() -> httpx.Response:
            transport = httpx.ASGITransport(create_app(self.services, DoorSettings(PORT)))
            headers = {"Authorization": f"Bearer {self.token}"}
            async with httpx.AsyncClient(
                base_url=f"http://127.0.0.1:{PORT}", headers=headers, transport=transport
            ) as client:
                return await client.request(method, path, json=body)

        return asyncio.run(send())


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    root = tmp_path_factory.mktemp("house")
    engine = Engine(Home.below(root / "home"), Settings(), lambda _: HashEncoder(), keys=MemoryKeys())
    with (
        contextlib.closing(engine),
        contextlib.closing(ClientRegistry(engine.home.clients)) as clients,
        contextlib.closing(SearchLog(dict, engine.preparation.rules_of, lambda: 0.0)) as searches,
        pytest.MonkeyPatch.context() as patch,
    ):
        made = [_profile(engine, root, "mine", SHARED), _profile(engine, root, "yours", f"{SHARED} A {SECRET} too.")]
        token = clients.create("guest", scopes=("search", "manage"), profiles=(made[0].id,))
        identity = Identity.new("1.2.3")
        services = services_of(engine, clients, EventHub(), identity, searches, Metrics())
        before = engine.open_profiles.all()
        for name, new in (("mine", "aside"), ("yours", "mine"), ("aside", "yours")):
            engine.registry.rename(name, new)
        engine.profile_sync.sync()
        patch.setattr(engine.open_profiles, "all", lambda: before)  # as a request found them that is still under way
        yield House(services, token.token)


def _profile(engine: Engine, root: Path, name: str, text: str) -> Profile:
    vault = root / name
    vault.mkdir()
    (vault / "Bird.md").write_text(text, encoding="utf-8")
    made = engine.registry.create(name, vaults=(vault_folder(vault, allow=(".",), name="birds"),))
    engine.profile_sync.sync()
    engine.preparation.indexer(engine.open_profiles.named(name)).reconcile(threading.Event())
    Journal(engine.open_profiles.named(name).store).append(JournalEntry("0a1b2c3d4e5f", 1, "me", "c", (), text))
    return made


ASKED: tuple[tuple[str, str, object], ...] = (
    ("POST", "/v1/search", {"query": "gull"}),
    ("POST", "/v1/search", {"query": "gull", "profiles": ["mine"]}),
    ("POST", "/v1/explain", {"query": "gull", "path": "Bird.md"}),
    ("POST", "/v1/context", {"prompt": "gull"}),
    ("POST", "/v1/journal/recall", {"query": "gull"}),
    ("POST", "/v1/verify", {"quote": "gull nests", "path": "Bird.md"}),
    ("GET", "/v1/recent", None),
    ("GET", "/v1/notes?filter=gull", None),
    ("GET", "/v1/journal", None),
    ("GET", "/v1/related?vault=birds&path=Bird.md", None),
    ("GET", "/v1/traverse?vault=birds&path=Bird.md", None),
    ("GET", "/v1/timeline?since=2026-01-01&until=2026-12-31", None),
    ("GET", "/v1/suggest?kind=title&prefix=Bi", None),
    ("GET", "/v1/credentials", None),
    ("GET", "/v1/status", None),
    ("GET", "/metrics", None),
)


def test_a_reply_holds_nothing_of_a_profile_that_has_taken_the_name_since(house: House) -> None:
    replies = [house.asks(*asked) for asked in ASKED]
    assert [(reply.url, reply.text) for reply in replies if reply.status_code != 200] == []
    assert [reply.url for reply in replies if SECRET in reply.text] == []


def test_the_profile_that_was_meant_still_answers(house: House) -> None:
    (found,) = house.asks("POST", "/v1/search", {"query": "gull"}).json()["results"]
    assert (found["profile"], found["path"]) == ("mine", "Bird.md")
    assert house.asks("GET", "/v1/recent").json()["notes"][0]["profile"] == "mine"
    assert [entry["text"] for entry in house.asks("GET", "/v1/journal").json()["entries"]] == [SHARED]
    assert SECRET not in house.asks("GET", f"/v1/notes/{found['id']}").text
