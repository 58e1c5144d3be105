"""Over HTTP: a search that nobody waits for any more ends, and one client's searches leave a place to the user's."""

import contextlib
import json
import socket
import threading
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import msgspec
import pytest

from scrubjay.daemon.server import routing
from scrubjay.daemon.settings import Limits
from scrubjay.profiles.cancellation import is_abandoned
from scrubjay.profiles.search.words.note_parts import NoteText
from tests.helpers.waiting import PATIENCE_SECONDS, until
from tests.integration.server.house import House

NOTES = 50
LINE = "line:(jackdaw ledger)"
SLOW = {"query": LINE, "remember": False}
PLAIN = {"query": "jackdaw", "remember": False}


@dataclass
class SlowNotes:
    """Has the reading of one note's text take as long as somebody waits for it, and counts."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    over: threading.Event = field(default_factory=threading.Event)
    reading: int = 0
    begun: int = 0
    outlived: int = 0  # were still read when the test was over

    def holds(self, *_: Any) -> bool:
        with self.lock:
            self.begun += 1
            self.reading += 1
        while not is_abandoned() and not self.over.wait(0.001):
            pass
        with self.lock:
            self.reading -= 1
            self.outlived += not is_abandoned()
        return False


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowNotes]:
    notes = SlowNotes()
    monkeypatch.setattr(NoteText, "holds", notes.holds)
    # Or a busy machine would end what is to go on.
    monkeypatch.setattr(routing, "_LONGEST_SECONDS", 2 * PATIENCE_SECONDS)
    monkeypatch.setattr(routing, "_OWNERS_SECONDS", 0.0)  # what the user searched in the test before delays nobody
    yield notes
    notes.over.set()


@dataclass(frozen=True)
class Busy:
    """A house, the token of a client that sees its profile, and the user's own."""

    house: House
    reader: str
    owner: str

    def has_places(self, at_once: int) -> None:
        """So many searches may run at once."""
        engine = self.house.engine
        engine.settings = msgspec.structs.replace(engine.settings, limits=Limits(concurrent_searches=at_once))


@pytest.fixture
def busy(empty_house: House, slow: SlowNotes) -> Iterator[Busy]:
    notes = {f"Note {n}.md": f"The jackdaw's ledger, page {n}." for n in range(NOTES)}
    reader = empty_house.token("reader", empty_house.add_profile("work", notes)).token
    yield Busy(
        empty_house,
        reader,
        empty_house.clients.create("own", scopes=("search", "manage"), profiles="all", own=True).token,
    )
    slow.over.set()  # or the server would wait for what was not ended


def is_answered(house: House, token: str) -> bool:
    with house.client(token) as http:
        return http.post("/v1/search", json=PLAIN, timeout=PATIENCE_SECONDS).is_success


@contextlib.contextmanager
def asked(house: House, token: str, method: str = "POST") -> Generator[None]:
    """The slow search is sent on a connection that is closed at the end of the block; nobody reads the answer."""
    body = json.dumps(SLOW) if method == "POST" else ""
    path = "/v1/search" if method == "POST" else f"/v1/notes?filter={quote(LINE)}"
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: {house.host}\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", house.port)) as connection:
        connection.sendall((head + body).encode())
        yield


@pytest.mark.parametrize("method", ["POST", "GET"])
def test_a_search_whose_client_hangs_up_ends_and_gives_its_place_back(busy: Busy, slow: SlowNotes, method: str) -> None:
    busy.has_places(1)
    for times in range(1, 4):
        with asked(busy.house, busy.reader, method):
            until(lambda: slow.reading == 1, lambda: "the search never began")
        until(lambda: slow.reading == 0, lambda: "nobody waits for it, and the search goes on")
        assert is_answered(busy.house, busy.reader)
        assert (slow.begun, slow.outlived) == (times, 0), "other notes were read after the client had hung up"


def test_a_search_that_runs_into_its_limit_is_told_so_and_ends(
    busy: Busy, slow: SlowNotes, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy.has_places(1)
    assert is_answered(busy.house, busy.reader)  # so that the next one begins at once
    monkeypatch.setattr(routing, "_LONGEST_SECONDS", 2.0)
    with busy.house.client(busy.reader) as http:
        reply = http.post("/v1/search", json=SLOW, timeout=PATIENCE_SECONDS)
    assert (reply.status_code, reply.json()["code"]) == (503, "search-timeout")
    until(lambda: slow.reading == 0, lambda: "the client was told that it took too long, and the search goes on")
    monkeypatch.setattr(routing, "_LONGEST_SECONDS", 2 * PATIENCE_SECONDS)
    assert is_answered(busy.house, busy.reader)
    assert (slow.begun, slow.outlived) == (1, 0), "other notes were read after the client had been answered"


@pytest.mark.parametrize(("at_once", "share"), [(2, 1), (4, 2)])
def test_the_user_is_answered_while_a_client_holds_all_of_its_share(
    busy: Busy, slow: SlowNotes, at_once: int, share: int
) -> None:
    busy.has_places(at_once)
    with contextlib.ExitStack() as hostile:
        for _ in range(at_once + 4):
            hostile.enter_context(asked(busy.house, busy.reader))
        until(lambda: slow.reading == share, lambda: "the client never got its share")
        assert all(is_answered(busy.house, busy.owner) for _ in range(5))
        assert (slow.reading, slow.outlived) == (share, 0), "the client got more than its share, or lost its searches"
