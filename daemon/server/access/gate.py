"""Admission as ASGI middleware in front of routing, so that a refused request reaches no handler."""

import asyncio
import hmac
import time
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

from scrubjay.daemon.server.access import admission
from scrubjay.daemon.server.access.admission import Bearer, DoorSettings, Refusal, RequestHead, SentCredential
from scrubjay.daemon.server.access.caller import Caller, remember
from scrubjay.daemon.server.access.client_registry import ClientNotFound, ClientRegistry
from scrubjay.daemon.server.access.problems import Problem, of_error, of_refusal, respond
from scrubjay.daemon.server.access.sessions import Sessions
from scrubjay.profiles.errors import ScrubjayError

Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Any, Any, Any], Awaitable[None]]

MOST_IN_FLIGHT = 1_024
_LOOKED_UP_AT_ONCE = 4
_BODY_SECONDS = 10.0
_DRAIN_BYTES, _DRAIN_SECONDS = 1_048_576, 2.0
_FAILURES, _FAILURE_SECONDS = 20, 60.0

# Cancelled when the client disconnects, as a panel does at the next keystroke. A change is always finished.
_GIVEN_UP = frozenset({"/v1/search", "/v1/explain", "/v1/context", "/v1/answer", "/v1/ask"})

_ALWAYS = (
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
    (b"vary", b"Origin"),
)
_PREFLIGHT = (
    (b"access-control-allow-methods", b"GET, POST, DELETE"),
    (b"access-control-allow-headers", b"Authorization, Content-Type, Last-Event-ID, X-Scrubjay-Typing"),
    (b"access-control-max-age", b"600"),
)


class Gate:
    """Judges each request, finds out who sends it, bounds its body, and puts the protective headers on every reply."""

    def __init__(
        self,
        app: App,
        settings: Callable[[], DoorSettings],
        clients: ClientRegistry,
        sessions: Sessions,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app = app
        self._settings = settings
        self._clients = clients
        self._sessions = sessions
        self._failures = _Failures(clock)
        self._in_flight = 0
        self._threads = ThreadPoolExecutor(_LOOKED_UP_AT_ONCE, thread_name_prefix="door")

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """ASGI entry."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        head = _request_head(scope)
        guarded = _with_headers(send, is_plugin=head.all("origin") == (admission.PLUGIN_ORIGIN,))
        refusal = admission.judge(head, self._settings())
        if refusal is None and admission.is_preflight(head):
            await _reply(guarded, 204, _PREFLIGHT, b"")
            return
        try:
            found = refusal or await self._caller(head)
        except ScrubjayError as error:
            await _refuse(of_error(error), head, receive, guarded)
            return
        if isinstance(found, Caller):
            remember(scope, found)
        elif found is not None:
            await _refuse(of_refusal(found), head, receive, guarded)
            return
        await self._pass_on(scope, head, receive, guarded)

    async def _caller(self, head: RequestHead) -> Caller | Refusal | None:
        """The caller; None where the route needs none. Looked up in a thread, since files and locks are waited for."""
        shown = admission.credential_of(head, self._settings())
        if admission.is_open(head):
            return None
        if shown is None:
            return admission.NO_CREDENTIAL
        found = await asyncio.get_running_loop().run_in_executor(self._threads, self._by_credential, shown, head)
        if found is admission.BAD_CREDENTIAL and self._failures.add_and_check():
            return admission.THROTTLED
        return found

    def _by_credential(self, shown: SentCredential, head: RequestHead) -> Caller | Refusal:
        return self._by_token(shown.token) if isinstance(shown, Bearer) else self._by_session(shown.value, head)

    def _by_token(self, token: str) -> Caller | Refusal:
        client = self._clients.authenticate(token)
        return admission.BAD_CREDENTIAL if client is None else Caller(client)

    def _by_session(self, cookie: str, head: RequestHead) -> Caller | Refusal:
        session = self._sessions.find(cookie, self._settings().port)
        if session is None:
            return admission.BAD_CREDENTIAL
        csrf = (head.one(admission.CSRF_HEADER) or "").encode("latin-1", "replace")
        is_right = hmac.compare_digest(csrf, session.csrf.encode())
        refusal = admission.judge_session(head, self._settings(), is_csrf_right=is_right)
        if refusal is not None:
            return refusal
        try:
            return Caller(self._clients.get(session.client_id), session)
        except ClientNotFound:
            return admission.BAD_CREDENTIAL

    async def _pass_on(self, scope: Any, head: RequestHead, receive: Receive, send: Send) -> None:
        if self._in_flight >= MOST_IN_FLIGHT:
            await _refuse(of_refusal(admission.BUSY), head, receive, send)
            return
        self._in_flight += 1
        try:
            body = b"" if head.method != "POST" else await _read_body(receive, self._settings().body_bytes)
            if isinstance(body, Refusal):
                await _refuse(of_refusal(body), head, receive, send)
            elif body is not None and head.path in _GIVEN_UP:
                await _unless_disconnected(self._app, scope, _replay(body, receive), receive, send)
            elif body is not None:
                await self._app(scope, _replay(body, receive), send)
        finally:
            self._in_flight -= 1


class _Failures:
    """Counts wrong credentials of the last minute. A right one always passes: the limit can't lock the user out."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._times: deque[float] = deque(maxlen=_FAILURES)

    def add_and_check(self) -> bool:
        """Count a failure; True when there were too many before it."""
        now = self._clock()
        too_many = len(self._times) == _FAILURES and now - self._times[0] < _FAILURE_SECONDS
        self._times.append(now)
        return too_many


def _request_head(scope: Any) -> RequestHead:
    return RequestHead(
        scheme=scope["scheme"],
        method=scope["method"],
        path=scope["raw_path"].decode("latin-1"),
        query=scope["query_string"].decode("latin-1"),
        headers=tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]),
    )


async def _read_body(receive: Receive, most: int) -> bytes | Refusal | None:
    """The whole body; a refusal when it is too large or too slow; None when the sender has gone."""
    body = bytearray()
    try:
        async with asyncio.timeout(_BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return None
                body += message.get("body", b"")
                if len(body) > most:
                    return admission.large_body(most)
                if not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError:
        return admission.SLOW_BODY


async def _unless_disconnected(app: App, scope: Any, replayed: Receive, receive: Receive, send: Send) -> None:
    """Answer, unless the sender goes before the answer begins."""
    begun = False

    async def begin(message: Message) -> None:
        nonlocal begun
        begun = True  # first: the end of an answer looks to `receive` like a sender who goes
        await send(message)

    answer = asyncio.ensure_future(app(scope, replayed, begin))
    leaving = asyncio.ensure_future(_until_disconnected(receive))
    try:
        await asyncio.wait({answer, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if begun or answer.done():
            await answer
    finally:
        leaving.cancel()
        answer.cancel()
        await asyncio.wait({answer, leaving})


async def _until_disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _drain(receive: Receive) -> None:
    """Read on for a moment, because closing a socket with unread bytes can take the reply away from the sender."""
    size = 0
    try:
        async with asyncio.timeout(_DRAIN_SECONDS):
            while size < _DRAIN_BYTES:
                message = await receive()
                size += len(message.get("body", b""))
                if message["type"] == "http.disconnect" or not message.get("more_body", False):
                    return
    except TimeoutError:
        return


def _replay(body: bytes, receive: Receive) -> Receive:
    """The body that was read, and then whatever comes (that the sender has gone)."""
    waiting = [body]

    async def replayed() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return replayed


def _with_headers(send: Send, *, is_plugin: bool) -> Send:
    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = [(name.lower(), value) for name, value in message.get("headers", ())]
            names = {name for name, _ in own}
            added = [(name, value) for name, value in _ALWAYS if name not in names]
            if is_plugin:
                added.append((b"access-control-allow-origin", admission.PLUGIN_ORIGIN.encode()))
            message = {**message, "headers": [(name, _in_utf8(name, value)) for name, value in own] + added}
        await send(message)

    return guarded


def _in_utf8(name: bytes, value: bytes) -> bytes:
    return b"application/json; charset=utf-8" if (name, value) == (b"content-type", b"application/json") else value


async def _refuse(problem: Problem, head: RequestHead, receive: Receive, send: Send) -> None:
    """Answer and close: what is left of a refused request is never read as another one."""
    if head.method == "POST":
        await _drain(receive)
    body, headers = respond(problem)
    fields = tuple((name.encode(), value.encode()) for name, value in headers.items())
    await _reply(send, problem.status, (*fields, (b"connection", b"close")), body)


async def _reply(send: Send, status: int, headers: tuple[tuple[bytes, bytes], ...], body: bytes) -> None:
    length = ((b"content-length", str(len(body)).encode()),) if status != 204 else ()
    await send({"type": "http.response.start", "status": status, "headers": [*headers, *length]})
    await send({"type": "http.response.body", "body": body, "more_body": False})
