"""The typed client: every route, and no token for a stranger."""

import asyncio
import http.server
import importlib
import os
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import keyring
import keyring.backends.fail
import pytest

from scrubjay.daemon.client import AsyncScrubjayClient, ScrubjayClient
from scrubjay.daemon.errors import Busy, NotRunning
from scrubjay.daemon.server.access.identity import Identity, write_discovery
from scrubjay.daemon.server.endpoints.check import CHECK, CheckAsk
from scrubjay.daemon.server.endpoints.clients import (
    LIST_CLIENTS,
)
from scrubjay.daemon.server.endpoints.links import RELATED, RelatedAsk
from scrubjay.daemon.server.endpoints.notes import (
    CHUNKS,
    NOTE,
    RECENT,
    SUGGEST,
    ChunksAsk,
    NoteAsk,
    RecentAsk,
    SuggestAsk,
    SuggestKind,
)
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.status import STATUS
from scrubjay.daemon.transport import ApiError, UnverifiedDaemon
from tests.helpers.waiting import PATIENCE_SECONDS, until
from tests.integration.server.conftest import WORK_TEXT, Residents


@pytest.fixture(autouse=True)
def _no_keyring() -> Iterator[None]:
    before = keyring.get_keyring()
    keyring.set_keyring(keyring.backends.fail.Keyring())
    yield
    keyring.set_keyring(before)


KINDS: tuple[tuple[SuggestKind, str, list[str]], ...] = (
    ("tag", "#WO", ["work"]),
    ("property", "con", ["Concerns"]),
    ("title", "LED", ["Ledger"]),
    ("title", "nowhere*", []),
    ("title", "", ["Jackdaw", "Ledger", "Diary"]),
)


def announce(residents: Residents, identity: Identity | None = None, port: int | None = None) -> None:
    house = residents.house
    discovery = (identity or house.services.identity).discovery(port or house.port, os.getpid())
    write_discovery(house.home.discovery, discovery)


def test_the_daemon_that_the_file_names_is_asked(residents: Residents) -> None:
    announce(residents)
    with ScrubjayClient.discover(residents.house.home) as client:
        first = client.ask(SEARCH, SearchAsk(query="jackdaw spring budget")).results[0]
        assert (first.profile, first.path) == ("work", "Jackdaw.md")
        note = client.ask(NOTE, NoteAsk(chunk_id=first.id))
        assert (note.path, note.passages[0].text, note.links[0].target) == ("Jackdaw.md", WORK_TEXT, "Other")
        chunks = client.ask(CHUNKS, ChunksAsk(ids=f"{first.id[:8]},ffffffffffff"))
        assert ([each.text for each in chunks.chunks], chunks.missing) == ([WORK_TEXT], ("ffffffffffff",))
        assert [ref.path for ref in client.ask(RECENT, RecentAsk(limit=2)).notes] == ["Jackdaw.md", "Ledger.md"]
        for kind, prefix, found in KINDS:
            said = client.ask(SUGGEST, SuggestAsk(kind=kind, prefix=prefix)).suggestions
            assert [each.value for each in said] == found, (kind, prefix)


def test_related_notes_say_why(residents: Residents) -> None:
    with ScrubjayClient(residents.house.url, residents.reader) as client:
        found = client.ask(RELATED, RelatedAsk(vault="work", path="Jackdaw.md")).notes
        assert [(ref.path, ref.reasons, ref.unlinked) for ref in found] == [
            ("Ledger.md", ("mentioned here", "shares tags"), False)
        ]
        for vault, path in (("personal", "Diary.md"), ("work", "../personal/Diary.md"), ("work", "Nothing.md")):
            with pytest.raises(ApiError) as missing:
                client.ask(RELATED, RelatedAsk(vault=vault, path=path))
            assert missing.value.code == "note-not-found"


def test_the_async_client_makes_the_same_calls(residents: Residents) -> None:
    async def main() -> None:
        async with AsyncScrubjayClient(residents.house.url, residents.reader) as client:
            found = await client.ask(SEARCH, SearchAsk(query="jackdaw"))
            assert {hit.profile for hit in found.results} == {"work"}
            with pytest.raises(ApiError):
                await client.ask(LIST_CLIENTS)

    asyncio.run(main())


def test_without_a_daemon_the_error_says_what_to_do(residents: Residents) -> None:
    residents.house.home.discovery.unlink(missing_ok=True)
    with pytest.raises(NotRunning, match="scrubjay start"):
        ScrubjayClient.discover(residents.house.home)
    announce(residents, port=1)
    with pytest.raises(NotRunning):
        ScrubjayClient.discover(residents.house.home)


BRIEF_SECONDS = 0.2


@contextmanager
def working(residents: Residents, monkeypatch: pytest.MonkeyPatch) -> Generator[tuple[ScrubjayClient, threading.Event]]:
    """A client whose calls may take a fifth of a second, and what lets a check and a look at the status end."""
    may_end = threading.Event()

    def held(call: Callable[..., Any]) -> Callable[..., Any]:
        def late(*given: Any, **named: Any) -> Any:
            assert may_end.wait(PATIENCE_SECONDS)
            return call(*given, **named)

        return late

    for place in ("check.problems_of", "status.status_of"):
        module, name = place.split(".")
        handlers = importlib.import_module(f"scrubjay.daemon.server.handlers.{module}")
        monkeypatch.setattr(handlers, name, held(getattr(handlers, name)))
    monkeypatch.setattr("scrubjay.daemon.transport.SECONDS", BRIEF_SECONDS)
    with ScrubjayClient(residents.house.url, residents.manager) as client:

        def is_connected() -> bool:
            with suppress(Busy, NotRunning):
                return bool(client.ask(RECENT).notes)
            return False

        until(is_connected)  # which may take longer on a busy machine
        yield client, may_end


def test_what_takes_as_long_as_there_are_notes_is_waited_for(
    residents: Residents, monkeypatch: pytest.MonkeyPatch
) -> None:
    with working(residents, monkeypatch) as (client, may_end):
        threading.Timer(5 * BRIEF_SECONDS, may_end.set).start()
        (checked,) = client.ask(CHECK, CheckAsk(profile="work")).profiles
    assert checked.profile == "work"


def test_a_daemon_that_is_busy_is_not_said_to_be_away(residents: Residents, monkeypatch: pytest.MonkeyPatch) -> None:
    with working(residents, monkeypatch) as (client, may_end):
        with pytest.raises(Busy, match="runs"):
            client.ask(STATUS)
        may_end.set()
    monkeypatch.setattr("scrubjay.daemon.transport.SECONDS", PATIENCE_SECONDS)
    with ScrubjayClient(residents.house.url, residents.manager) as client:
        assert client.ask(STATUS).profiles


class Strange(http.server.BaseHTTPRequestHandler):
    """Grabbed the port; answers whatever might please, and remembers what it was sent."""

    received: list[str] = []  # noqa: RUF012  (the server makes the handlers, so the class is where they meet)
    reply = b""

    def do_GET(self) -> None:
        self.received.append(f"{self.path} {self.headers}")
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.reply)

    def log_message(self, format: str, *args: object) -> None:
        return


@contextmanager
def stranger_answering(reply: bytes) -> Generator[int]:
    Strange.received, Strange.reply = [], reply
    with http.server.HTTPServer(("127.0.0.1", 0), Strange) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    "reply",
    [
        b'{"name": "scrubjay", "version": "1.2.3", "instance": "x"}',
        b'{"name": "scrubjay", "version": "1.2.3", "instance": "x", "proof": "' + b"0" * 64 + b'"}',
        b"<html>hello</html>",
        b"\xff\xfe",
        b"",
    ],
)
def test_a_stranger_on_the_port_is_sent_no_token(residents: Residents, reply: bytes) -> None:
    with stranger_answering(reply) as port:
        announce(residents, port=port)
        with pytest.raises(UnverifiedDaemon):
            ScrubjayClient.discover(residents.house.home)
    assert len(Strange.received) == 1
    assert "sj_" not in Strange.received[0]
    assert "authorization" not in Strange.received[0].lower()


def test_an_older_daemon_s_file_does_not_vouch_for_a_new_one(residents: Residents) -> None:
    announce(residents, identity=Identity.new("1.2.3"))
    with pytest.raises(UnverifiedDaemon):
        ScrubjayClient.discover(residents.house.home)


def test_a_superseded_search_raises_its_code(residents: Residents) -> None:
    async def main() -> None:
        ask = SearchAsk(query="jackdaw", typing=True)
        async with AsyncScrubjayClient(residents.house.url, residents.reader) as client:
            calls_ = [client.ask(SEARCH, ask, typing_stream="box") for _ in range(20)]
            outcomes = await asyncio.gather(*calls_, return_exceptions=True)
        refused = [outcome for outcome in outcomes if isinstance(outcome, ApiError)]
        assert all(error.code == "superseded" for error in refused)
        assert len(refused) < len(outcomes)

    asyncio.run(main())
