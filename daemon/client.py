"""The typed client of the HTTP API, for the command line, MCP and anybody's scripts.

`ScrubjayClient.discover(home)` finds the running daemon and makes it prove that it is this user's before any token is
sent. `client.ask(SEARCH, SearchAsk(query="…"))` calls any endpoint of `daemon/server/endpoints/`; `AsyncScrubjayClient`
does the same by `await client.ask(...)`.
"""

from collections.abc import Generator
from dataclasses import dataclass
from types import TracebackType
from typing import TypeVar

import httpx
import msgspec

from scrubjay.daemon.errors import Busy, NotRunning
from scrubjay.daemon.home import Home
from scrubjay.daemon.server.access.client_registry import ClientRegistry
from scrubjay.daemon.server.access.own_token import own_token
from scrubjay.daemon.server.endpoint import Ask, Endpoint, Reply
from scrubjay.daemon.transport import (
    SECONDS,
    ApiError,
    Proven,
    UnverifiedDaemon,
    decoded,
    error_of,
    options,
    problem_error,
    running,
    sent,
    unanswered,
)

__all__ = [
    "ApiError",
    "AsyncScrubjayClient",
    "Busy",
    "NotRunning",
    "ScrubjayClient",
    "ServerEvent",
    "UnverifiedDaemon",
    "running",
]

In = TypeVar("In", bound=Ask)
Out = TypeVar("Out")


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One server-sent event. `data` is JSON as text."""

    id: str
    kind: str
    data: str


class ScrubjayClient:
    """Blocking; talks to the daemon at `url`. Close it, or use it as a context manager.

    Every method may raise ApiError, Busy, NotRunning or UnverifiedDaemon.
    """

    def __init__(
        self, url: str, token: str, transport: httpx.BaseTransport | None = None, proven: Proven | None = None
    ) -> None:
        """transport: carries the calls in place of a network connection. proven: says where the daemon is by now."""
        self.url = url
        self.is_in_process = transport is not None
        """Whether no daemon answers, but this very process."""
        self._http = httpx.Client(**options(url, token), transport=transport)
        self._proven = proven

    @classmethod
    def discover(cls, home: Home) -> "ScrubjayClient":
        """The client for the daemon that serves this home, with the user's own token.

        Raises NotRunning, or UnverifiedDaemon when what answers can't prove to be that daemon.
        """
        proven = Proven(home)
        url = proven.url()
        token = own_token(ClientRegistry(home.clients), home.state).token
        return cls(url, token, proven=proven)

    def __enter__(self) -> "ScrubjayClient":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def ask(self, endpoint: Endpoint[In, Out], request: In | None = None, typing_stream: str | None = None) -> Out:
        """The reply of an endpoint to a request; left out, the request says nothing but defaults.

        In a `typing_stream` a newer request ends the older, which then raises ApiError `superseded`.
        """
        self._prove()
        try:
            reply = self._http.request(**sent(endpoint, request, typing_stream))
        except httpx.TransportError as error:
            self._break()
            raise unanswered(error) from None
        if reply.status_code == 401:
            self._break()
        return decoded(reply, endpoint)

    def _prove(self) -> None:
        """Before a token is sent: is it still our daemon, and where?"""
        if self._proven is not None:
            self.url = self._proven.url()
            self._http.base_url = self.url

    def _break(self) -> None:
        if self._proven is not None:
            self._proven.broken()

    def parts(self, endpoint: Endpoint[In, Out], request: In) -> Generator[Reply]:
        """The parts of an endpoint's reply as they come, then the reply itself."""
        self._prove()
        asked = sent(endpoint, request)
        asked["headers"]["Accept"] = "text/event-stream"
        try:
            with self._http.stream(**asked) as reply:
                for event in _events(reply):
                    if event.kind == "problem":
                        raise problem_error(event.data)
                    yield msgspec.json.decode(
                        event.data, type=endpoint.part if event.kind == "part" else endpoint.reply
                    )
        except httpx.TransportError:
            self._break()
            raise NotRunning("Scrubjay does not answer any more. `scrubjay logs` may say why.") from None

    def events(self, last_event_id: str | None = None) -> Generator[ServerEvent]:
        """What happens, as it happens, until the daemon ends the stream."""
        self._prove()
        headers = {} if last_event_id is None else {"Last-Event-ID": last_event_id}
        with self._http.stream("GET", "/v1/events", headers=headers, timeout=httpx.Timeout(SECONDS, read=60)) as reply:
            yield from _events(reply)


def _events(reply: httpx.Response) -> Generator[ServerEvent]:
    """Server-sent events (WHATWG HTML, 9.2), as far as ours need it. Raises ApiError for a refusal."""
    if reply.status_code != 200:
        reply.read()
        raise error_of(reply)
    rest = b""
    for data in reply.iter_bytes():
        *blocks, rest = (rest + data).split(b"\n\n")
        for block in blocks:
            fields = {name: value for name, _, value in (line.partition(": ") for line in block.decode().split("\n"))}
            if "event" in fields:
                yield ServerEvent(fields.get("id", ""), fields["event"], fields.get("data", ""))


class AsyncScrubjayClient:
    """The same without blocking."""

    def __init__(self, url: str, token: str, transport: httpx.AsyncBaseTransport | None = None) -> None:
        """`transport` carries the calls in place of a network connection."""
        self._http = httpx.AsyncClient(**options(url, token), transport=transport)

    async def __aenter__(self) -> "AsyncScrubjayClient":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._http.aclose()

    async def ask(
        self, endpoint: Endpoint[In, Out], request: In | None = None, typing_stream: str | None = None
    ) -> Out:
        """As `ScrubjayClient.ask`."""
        try:
            reply = await self._http.request(**sent(endpoint, request, typing_stream))
        except httpx.TransportError as error:
            raise unanswered(error) from None
        return decoded(reply, endpoint)
