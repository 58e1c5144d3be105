"""What happened lately, for those who listen: a ring of events, and streams that resume after a break.

Event kinds: `indexing` (a profile's progress), `changed` (notes of a profile changed), `profiles`, `clients`, `pairing`
(lists to be fetched anew), `alarm` (a ticket of the search page was used twice: see `status`) and, made for one stream
only, `reset` (events were missed: fetch everything anew).
"""

import asyncio
import contextlib
import hashlib
import secrets
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias
from weakref import WeakKeyDictionary

import msgspec

from scrubjay.daemon.indexing.progress import ProgressReport
from scrubjay.daemon.server.access.client_registry import Scope
from scrubjay.profiles.errors import Unavailable

EventKind: TypeAlias = Literal["indexing", "changed", "profiles", "clients", "pairing", "alarm", "reset"]

_KEPT = 512  # events that a stream may resume from
_MOST_STREAMS = 32
_SETTLE_SECONDS = 0.2  # progress within this time is sent as one event
_HEARTBEAT_SECONDS = 15.0


class TooManyStreams(Unavailable):
    """Too many event streams are open."""

    code = "too-many-streams"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened."""

    number: int
    kind: EventKind
    profile: str | None  # profile id; None: it concerns no single profile
    scope: Scope  # who may hear of it
    data: bytes  # JSON


class _EventData(msgspec.Struct, frozen=True):
    profile: str | None
    detail: object


class EventHub:
    """Takes events from any thread and gives them to the streams of one event loop."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)  # ids of a daemon that has ended mean nothing
        self._lock = threading.Lock()
        self._ring: deque[Event] = deque(maxlen=_KEPT)
        self._last = 0
        # Of each stream what wakes it, and its loop as soon as it is read from; one that never is takes no place.
        self._listeners: WeakKeyDictionary[asyncio.Event, asyncio.AbstractEventLoop | None] = WeakKeyDictionary()
        self._closed = False

    def newest(self, listener: str) -> str:
        """The id, for a client, of the newest event: a stream from there on misses nothing that comes."""
        return self._id(listener, self._last)

    def publish(
        self, kind: EventKind, data: object = None, *, profile: str | None = None, scope: Scope = "search"
    ) -> None:
        """Tell that something happened. `profile` is an id; `data` is whatever msgspec encodes, never note text."""
        encoded = msgspec.json.encode(_EventData(profile, data))
        with self._lock:
            self._last += 1
            self._ring.append(Event(self._last, kind, profile, scope, encoded))
            self._wake()

    def close(self) -> None:
        """End every stream."""
        with self._lock:
            self._closed = True
            self._wake()

    def stream(
        self,
        listener: str,
        last_event_id: str | None,
        may_hear: Callable[[Event], bool],
        is_welcome: Callable[[], bool],
    ) -> AsyncIterator[bytes]:
        """Server-sent events (WHATWG HTML, 9.2) for a client from now on, or from after `last_event_id`.

        Ids are each listener's own, and tell nothing of how many events it did not hear. Ends when the hub closes or
        `is_welcome` says no, which is asked before anything is sent. Both questions are put in a thread, since their
        answer may take a look at a file. Raises TooManyStreams.
        """
        woken = asyncio.Event()
        with self._lock:
            if len(self._listeners) >= _MOST_STREAMS:
                raise TooManyStreams("Too many clients listen already. Close some, or ask for the status instead.")
            self._listeners[woken] = None
        return self._stream(woken, listener, last_event_id, may_hear, is_welcome)

    async def _stream(
        self,
        woken: asyncio.Event,
        listener: str,
        last_event_id: str | None,
        may_hear: Callable[[Event], bool],
        is_welcome: Callable[[], bool],
    ) -> AsyncIterator[bytes]:
        with self._lock:
            self._listeners[woken] = asyncio.get_running_loop()
        try:
            seen = self._resume_at(listener, last_event_id)
            yield b": welcome\n\n"
            if seen is None:
                seen = self._last
                yield self._encode(listener, Event(seen, "reset", None, "search", b"{}"))
            while await asyncio.to_thread(is_welcome) and not self._closed:
                new = _coalesced(self._after(seen))
                seen = max([seen, *(event.number for event in new)])
                for event in await asyncio.to_thread(_heard, new, may_hear):
                    yield self._encode(listener, event)
                if not await _woken_within(woken, _HEARTBEAT_SECONDS):
                    yield b": still here\n\n"
        finally:
            with self._lock:
                self._listeners.pop(woken, None)

    def _wake(self) -> None:
        for woken, loop in list(self._listeners.items()):
            if loop is not None:
                with contextlib.suppress(RuntimeError):  # that loop has ended
                    loop.call_soon_threadsafe(woken.set)

    def _after(self, number: int) -> list[Event]:
        with self._lock:
            return [event for event in self._ring if event.number > number]

    def _resume_at(self, listener: str, last_event_id: str | None) -> int | None:
        """The number after which to go on; None where events were missed."""
        with self._lock:
            if not last_event_id:
                return self._last
            oldest = self._ring[0].number if self._ring else self._last + 1
            numbers = range(self._last, oldest - 2, -1)
            return next((number for number in numbers if self._id(listener, number) == last_event_id), None)

    def _encode(self, listener: str, event: Event) -> bytes:
        event_id = self._id(listener, event.number).encode()
        return b"id: %s\nevent: %s\ndata: %s\n\n" % (event_id, event.kind.encode(), event.data)

    def _id(self, listener: str, number: int) -> str:
        return hashlib.blake2b(f"{listener} {number}".encode(), key=self._key, digest_size=12).hexdigest()


def progress_to(
    events: EventHub, count: Callable[[str, ProgressReport], None]
) -> Callable[[str, ProgressReport], None]:
    """What is told of a profile's progress, by its id: it is counted, and those who listen to `events` are told."""

    def progressed(profile: str, report: ProgressReport) -> None:
        count(profile, report)
        events.publish("indexing", report, profile=profile)

    return progressed


def _heard(events: list[Event], may_hear: Callable[[Event], bool]) -> list[Event]:
    return [event for event in events if may_hear(event)]


async def _woken_within(woken: asyncio.Event, seconds: float) -> bool:
    try:
        await asyncio.wait_for(woken.wait(), seconds)
    except TimeoutError:
        return False
    await asyncio.sleep(_SETTLE_SECONDS)
    woken.clear()
    return True


def _coalesced(events: list[Event]) -> list[Event]:
    """Of several progress events of one profile only the newest; everything else as it is, in order."""
    newest = {event.profile: event.number for event in events if event.kind == "indexing"}
    return [event for event in events if event.kind != "indexing" or newest[event.profile] == event.number]
