"""The typed client of the HTTP API, for the command line, MCP and anybody's scripts.

`ScrubjayClient.discover(home)` finds the running daemon and makes it prove that it is this user's before any token is
sent. It makes any call of `daemon/api/calls.py` by `client.send(calls.search(...))`, and has methods for the common
ones. `AsyncScrubjayClient` does the same by `await client.send(...)`.
"""

from collections.abc import Generator
from dataclasses import dataclass
from types import TracebackType
from typing import TypeVar

import httpx

from daemon.api import calls, schemas, schemas_manage, schemas_upkeep
from daemon.api.calls import Call
from daemon.clients.own_token import own_token
from daemon.clients.registry import ClientRegistry
from daemon.home import Home
from daemon.search.types import SearchResponse
from daemon.transport import SECONDS, ApiError, NotRunning, Stranger, content, decoded, error_of, options, running

__all__ = ["ApiError", "AsyncScrubjayClient", "NotRunning", "ScrubjayClient", "ServerEvent", "Stranger", "running"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One server-sent event. `data` is JSON as text."""

    id: str
    kind: str
    data: str


class ScrubjayClient:
    """Blocking; talks to the daemon at `url`. Close it, or use it as a context manager.

    Every method may raise ApiError or NotRunning.
    """

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        self._http = httpx.Client(**options(url, token))

    @classmethod
    def discover(cls, home: Home) -> "ScrubjayClient":
        """The client for the daemon that serves this home, with the user's own token.

        Raises NotRunning, or Stranger when whoever answers can't prove to be that daemon.
        """
        found = running(home)
        token = own_token(ClientRegistry(home.clients), home.state).token
        return cls(found.url, token)

    def __enter__(self) -> "ScrubjayClient":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connections."""
        self._http.close()

    def send(self, call: Call[T]) -> T:
        """Make one call."""
        try:
            reply = self._http.request(
                call.method, call.path, params=call.params, **content(call), headers=call.headers
            )
        except httpx.TransportError:
            raise NotRunning("Scrubjay does not answer. Start it with `scrubjay start`.") from None
        return decoded(reply, call)

    def events(self, last_event_id: str | None = None) -> Generator[ServerEvent]:
        """What happens, as it happens, until the daemon ends the stream."""
        headers = {} if last_event_id is None else {"Last-Event-ID": last_event_id}
        with self._http.stream("GET", "/v1/events", headers=headers, timeout=httpx.Timeout(SECONDS, read=60)) as reply:
            if reply.status_code != 200:
                reply.read()
                raise error_of(reply)
            fields: dict[str, str] = {}
            for line in reply.iter_lines():
                name, separator, value = line.partition(": ")
                if line == "" and "event" in fields:
                    yield ServerEvent(fields.get("id", ""), fields["event"], fields.get("data", ""))
                    fields = {}
                elif separator and name:
                    fields[name] = value

    def search(self, ask: schemas.SearchAsk, typing_stream: str | None = None) -> SearchResponse:
        """Search; see `calls.search`."""
        return self.send(calls.search(ask, typing_stream))

    def status(self) -> schemas.Status:
        """How the daemon does."""
        return self.send(calls.status())

    def profiles(self) -> tuple[schemas_manage.ProfileReply, ...]:
        """The profiles that this client may see."""
        return self.send(calls.profiles()).profiles

    def create_profile(self, ask: schemas_manage.ProfileAsk) -> schemas_manage.ProfileReply:
        """A new profile, whose indexing begins."""
        return self.send(calls.create_profile(ask))

    def change_profile(self, profile_id: str, change: schemas_manage.ProfileChange) -> schemas_manage.ProfileReply:
        """Another name, other folders or options."""
        return self.send(calls.change_profile(profile_id, change))

    def remove_profile(self, profile_id: str) -> None:
        """Remove a profile and its index."""
        self.send(calls.remove_profile(profile_id))

    def lock_profile(self, profile_id: str) -> schemas_manage.ProfileReply:
        """Close a profile until it is unlocked."""
        return self.send(calls.lock_profile(profile_id))

    def unlock_profile(self, profile_id: str, passphrase: str | None = None) -> schemas_manage.ProfileReply:
        """Open a locked profile."""
        return self.send(calls.unlock_profile(profile_id, passphrase))

    def refresh_profiles(self) -> None:
        """Have the daemon take over what a command changed, and let go of what it holds."""
        self.send(calls.refresh_profiles())

    def index(self, profile: str | None = None, *, full: bool = False) -> tuple[str, ...]:
        """Have vaults looked at again; returns the names of the profiles concerned."""
        return self.send(calls.index(profile, full=full)).profiles

    def credentials(self) -> tuple[schemas.Credential, ...]:
        """Where credentials sit in the notes."""
        return self.send(calls.credentials()).credentials

    def chunks(self, ids: tuple[str, ...]) -> schemas.ChunksReply:
        """Passages by id."""
        return self.send(calls.chunks(ids))

    def note(self, chunk_id: str) -> schemas.NoteReply:
        """The note that holds this chunk."""
        return self.send(calls.note(chunk_id))

    def recent(self, limit: int = 20) -> tuple[schemas.NoteRef, ...]:
        """The notes modified last."""
        return self.send(calls.recent(limit)).notes

    def related(self, vault: str, path: str, limit: int = 10) -> tuple[schemas.RelatedRef, ...]:
        """Notes related to a note."""
        return self.send(calls.related(vault, path, limit)).notes

    def suggest(self, kind: calls.SuggestKind, prefix: str) -> tuple[schemas.Suggestion, ...]:
        """Completions for a filter."""
        return self.send(calls.suggest(kind, prefix)).suggestions

    def context(self, ask: schemas.ContextAsk) -> schemas.ContextReply:
        """What the notes say about a prompt, as one block of Markdown."""
        return self.send(calls.context(ask))

    def clients(self) -> tuple[schemas_manage.ClientReply, ...]:
        """Who may ask."""
        return self.send(calls.clients()).clients

    def create_client(self, ask: schemas_manage.ClientAsk) -> schemas_manage.TokenReply:
        """A new client and its token."""
        return self.send(calls.create_client(ask))

    def change_client(self, client_id: str, change: schemas_manage.ClientChange) -> schemas_manage.ClientReply:
        """Another name, other scopes or profiles."""
        return self.send(calls.change_client(client_id, change))

    def rotate_token(self, client_id: str) -> schemas_manage.TokenReply:
        """A new token; the old one is dead."""
        return self.send(calls.rotate_token(client_id))

    def revoke_client(self, client_id: str) -> None:
        """Shut a client out."""
        self.send(calls.revoke_client(client_id))

    def pairings(self) -> tuple[schemas_manage.PairingReply, ...]:
        """Requests that wait for the user."""
        return self.send(calls.pairings()).pairings

    def decide_pairing(self, id_or_code: str, decision: schemas_manage.PairingDecision) -> str:
        """Say yes or no; returns the state."""
        return self.send(calls.decide_pairing(id_or_code, decision)).state

    def pause(self, profile: str | None = None) -> tuple[str, ...]:
        """Hold the background work of a profile, or of all; returns their names."""
        return self.send(calls.pause(profile)).profiles

    def resume(self, profile: str | None = None) -> tuple[str, ...]:
        """Let it go on; returns the names."""
        return self.send(calls.resume(profile)).profiles

    def retry(self, profile: str | None = None) -> tuple[str, ...]:
        """Have read again what could not be indexed; returns the names of the profiles concerned."""
        return self.send(calls.retry(profile)).profiles

    def hurry(self) -> None:
        """Have everything that waits indexed at full speed."""
        self.send(calls.hurry())

    def history(
        self, profile: str | None = None, *, limit: int = 50, slow: bool = False
    ) -> tuple[schemas_upkeep.SearchEventReply, ...]:
        """Remembered searches, newest first."""
        return self.send(calls.history(profile, limit=limit, slow=slow)).events

    def clear_history(self, profile: str | None = None) -> int:
        """Forget remembered searches; returns how many there were."""
        return self.send(calls.clear_history(profile)).forgotten

    def opened(self, profile: str, query: str, path: str) -> None:
        """Say that a result was opened."""
        self.send(calls.opened(profile, query, path))

    def ticket(self) -> schemas.TicketReply:
        """A one-time ticket for the search page."""
        return self.send(calls.ticket())


class AsyncScrubjayClient:
    """The same without blocking: `await client.send(calls.search(...))`."""

    def __init__(self, url: str, token: str, transport: httpx.AsyncBaseTransport | None = None) -> None:
        """`transport` carries the calls in place of a network connection."""
        self._http = httpx.AsyncClient(**options(url, token), transport=transport)

    async def __aenter__(self) -> "AsyncScrubjayClient":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._http.aclose()

    async def send(self, call: Call[T]) -> T:
        """Make one call. Raises ApiError or NotRunning."""
        try:
            reply = await self._http.request(
                call.method, call.path, params=call.params, **content(call), headers=call.headers
            )
        except httpx.TransportError:
            raise NotRunning("Scrubjay does not answer. Start it with `scrubjay start`.") from None
        return decoded(reply, call)
