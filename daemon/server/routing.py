"""From an endpoint and the function that answers it to a route of Litestar, and the threads it runs on."""

import asyncio
import inspect
import threading
import types
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeVar, Union, get_args, get_origin

import msgspec
from litestar import Request, Response, delete, get, post
from litestar.datastructures import Cookie
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, HeaderParameter, JSONBody, QueryParameter
from litestar.response import Stream as StreamedResponse

from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.server.access.admission import DoorSettings
from scrubjay.daemon.server.access.caller import Caller, caller_of, needs
from scrubjay.daemon.server.access.client_registry import Client
from scrubjay.daemon.server.access.problems import told_to
from scrubjay.daemon.server.endpoint import Ask, Endpoint
from scrubjay.daemon.server.event_stream import Listener, StreamListener
from scrubjay.daemon.server.services import Services
from scrubjay.profiles.cancellation import RightOfWay, ending_with
from scrubjay.profiles.errors import ScrubjayError, Unavailable
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.search.types import Unanswered
from scrubjay.profiles.store.store import Store

# Where handlers run: threads in four lanes, so that no request waits behind another kind of request.
#
# `search` runs what compares a query with every note: a few at once, each with a longest time. `read` runs what reads
# or changes some notes or profiles. `quick` runs what a person waits for at each keystroke or glance, and what needs
# no store: it must answer while the others are full. `model` runs what may wait for a language model for minutes.

T = TypeVar("T")
Lane: TypeAlias = Literal["search", "read", "quick", "model"]
Stream: TypeAlias = tuple[str, str]
"""A client's id, and its name for a sequence of requests of which only the newest counts."""

OWNER = ""
"""Stands for the user's own client among those who search."""
_SHARE = 2  # searches of one client at once: with more, everybody's take several times as long on two cores
_OWNERS_SECONDS = 2.0  # after the user's last search, in which another of theirs is likely
_MOST_SEARCHES = 256  # as `limits.concurrent_searches` allows at most
_READS_AT_ONCE = 16
_QUICK_AT_ONCE = 8
_MODELS_AT_ONCE = 4
_LONGEST_SECONDS = 20.0  # waiting for a thread of the search lane and searching together


class Superseded(ScrubjayError):
    """A newer search of the same stream replaced this one."""

    code = "superseded"
    status = 409


class SearchTimeout(Unavailable):
    """No answer within the longest time."""

    code = "search-timeout"


class Places:
    """The places of the search lane, given out in turn: no client has more than a few, nor all that are left.

    For one event loop. at_once: how many there are; read before each is given. The user's own client may have all; the
    others leave one to it, and have `_SHARE` each at most, since searches slow one another down. While the user
    searches, and `_OWNERS_SECONDS` longer, they begin one at a time. Who waits is served in the order of the clients,
    not of their requests.
    """

    def __init__(self, at_once: Callable[[], int]) -> None:
        self._at_once = at_once
        self._taken: Counter[str] = Counter()  # by the client's id; "": the user's own
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # the next to be served first
        self._others_until = float("-inf")  # the loop's time until which others begin one at a time

    async def take(self, client: str) -> None:
        """Wait for a place; `give_back` must be called once for each."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        self._serve()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.give_back(client)
            raise

    def give_back(self, client: str) -> None:
        """A place is free again."""
        self._taken[client] -= 1
        if client == OWNER:
            self._others_until = asyncio.get_running_loop().time() + _OWNERS_SECONDS
        self._serve()

    def _serve(self) -> None:
        while (client := next(filter(self._may_take, self._waiting), None)) is not None:
            turns = self._waiting.pop(client)
            turn = turns.popleft()
            if turns:
                self._waiting[client] = turns  # behind all others
            if not turn.cancelled():
                self._taken[client] += 1
                turn.set_result(None)

    def _may_take(self, client: str) -> bool:
        at_once, taken = self._at_once(), self._taken.total()
        if client == OWNER:
            return taken < at_once
        others = taken - self._taken[OWNER]
        is_owners_turn = self._taken[OWNER] > 0 or asyncio.get_running_loop().time() < self._others_until
        most = 1 if is_owners_turn else max(at_once - 1, 1)
        return taken < at_once and self._taken[client] < _SHARE and others < most


def _is_told(found: "asyncio.Future[T]") -> None:
    """Nobody asks how a search ended that was given up; asyncio would call that an error that was never retrieved."""
    if not found.cancelled():
        found.exception()


class Lanes:
    """All handlers of one application run here, and none on its event loop."""

    def __init__(self, searches_at_once: Callable[[], int]) -> None:
        """searches_at_once: how many searches may run now; read before each."""
        self._places = Places(searches_at_once)
        self._pools = {  # none starts a thread before its first task
            "search": ThreadPoolExecutor(_MOST_SEARCHES, thread_name_prefix="search"),
            "read": ThreadPoolExecutor(_READS_AT_ONCE, thread_name_prefix="read"),
            "quick": ThreadPoolExecutor(_QUICK_AT_ONCE, thread_name_prefix="quick"),
            "model": ThreadPoolExecutor(_MODELS_AT_ONCE, thread_name_prefix="model"),
        }
        self._newest: dict[Stream, asyncio.Event] = {}
        self._owners_way = RightOfWay()  # of the user's own searches over those of other clients

    async def run(
        self,
        lane: Lane,
        work: Callable[[], T],
        stream: Stream | None = None,
        *,
        client: str = OWNER,
        gone: Awaitable[object] | None = None,
    ) -> T:
        """What `work` returns, or raises. In a `stream`, a newer call ends the older, which raises Superseded at once.

        client: who asks, by whom the places of the search lane are shared out. gone: done when who asked has hung up;
        then, and after a time-out, a search ends, see `profiles/cancellation.py`. Raises SearchTimeout, in the
        search lane alone.
        """
        watched = [] if gone is None else [asyncio.ensure_future(gone)]
        newer = asyncio.Event()
        if stream is not None:
            if older := self._newest.get(stream):
                older.set()
            self._newest[stream] = newer
            watched.append(asyncio.ensure_future(newer.wait()))
        try:
            if lane != "search":
                loop = asyncio.get_running_loop()
                return await self._first_of(loop.run_in_executor(self._pools[lane], work), watched, None)
            given_up = threading.Event()
            searching = asyncio.ensure_future(self._searched(work, client, given_up))
            try:
                return await self._first_of(searching, watched, _LONGEST_SECONDS)
            finally:
                given_up.set()
        finally:
            for each in watched:
                each.cancel()
            if stream is not None and self._newest.get(stream) is newer:
                del self._newest[stream]

    async def _searched(self, work: Callable[[], T], client: str, given_up: threading.Event) -> T:
        """Wait for a place, and search. The place is given back when the work has ended, also where nobody waits.

        During a search of the user's own, until this loop has what it found, those of others pause.
        """
        loop = asyncio.get_running_loop()
        await self._places.take(client)

        def search() -> T:
            try:
                with ending_with(given_up, None if client == OWNER else self._owners_way):
                    return work()
            finally:
                with suppress(RuntimeError):  # the loop has ended
                    loop.call_soon_threadsafe(self._places.give_back, client)

        with self._owners_way.taken() if client == OWNER else nullcontext():
            try:
                searching = self._pools["search"].submit(search)
            except BaseException:
                self._places.give_back(client)
                raise
            found = asyncio.wrap_future(searching)
            found.add_done_callback(_is_told)
            return await asyncio.shield(found)  # given up, it ends by itself

    async def _first_of(
        self, working: "asyncio.Future[T]", watched: Sequence["asyncio.Future[object]"], seconds: float | None
    ) -> T:
        try:
            done, _ = await asyncio.wait({working, *watched}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if working in done:
                return working.result()
            if done:
                raise Superseded("A newer search of this stream has taken its place, or nobody waits for it any more.")
            raise SearchTimeout("The search took too long. Try again in a moment, or with fewer words.")
        finally:
            working.cancel()  # one that still waits for a thread or a place never starts


# From an endpoint and the function that answers it to a route of Litestar.
#
# A handler is a plain function of a Context and the endpoint's request. It may block: it always runs in a thread of
# one of the lanes, never on the event loop.

In = TypeVar("In", bound=Ask)
Out = TypeVar("Out")

_METHODS = {"GET": get, "POST": post, "DELETE": delete}
_BOUNDS = ("ge", "le", "max_length", "pattern", "description")
_TYPING = Annotated[
    str | None,
    HeaderParameter(
        name="X-Scrubjay-Typing",
        pattern=r"^[A-Za-z0-9_-]{1,64}$",
        description="Names a sequence of searches as the user types; a newer one ends the older with 409 `superseded`.",
    ),
]


@dataclass(frozen=True, slots=True)
class Context:
    """What a handler has besides the request. Made anew for each."""

    services: Services
    door: DoorSettings
    scope: Any  # of ASGI
    cookies: list[Cookie] = field(default_factory=list[Cookie])  # to be set by the reply
    listener: Listener = field(default_factory=Listener)

    @property
    def caller(self) -> Caller:
        """The authenticated sender. Raises Forbidden where the gate admitted an anonymous request."""
        return caller_of(self.scope)

    @property
    def client(self) -> Client:
        """Who the caller acts for. Raises as `caller`."""
        return self.caller.client

    @property
    def engine(self) -> Engine:
        """What is open."""
        return self.services.engine

    def stores(self, profiles: Sequence[Profile]) -> Mapping[str, Store]:
        """Of these profiles, the open ones, by name."""
        return self.engine.stores_of(profiles)

    def unanswered(self, profiles: Sequence[Profile], stores: Mapping[str, Store]) -> tuple[Unanswered, ...]:
        """Why those of these profiles do not answer that have none of the stores."""
        return tuple(self.engine.open_profiles.unanswered(each.name) for each in profiles if each.name not in stores)


Function: TypeAlias = Callable[[Context, In], Out]


@dataclass(frozen=True, slots=True)
class Handler(Generic[In, Out]):
    """The function that answers an endpoint. stream: names a sequence in which a newer request ends the older."""

    endpoint: Endpoint[In, Out]
    function: Function[In, Out]
    lane: Lane
    stream: Callable[[In], str | None]


class Handlers:
    """The handlers of one subject."""

    def __init__(self) -> None:
        self._handlers: list[Handler[Any, Any]] = []

    def __iter__(self) -> Iterator[Handler[Any, Any]]:
        return iter(self._handlers)

    def answers(
        self, endpoint: Endpoint[In, Out], *, lane: Lane = "read", stream: Callable[[In], str | None] = lambda _: None
    ) -> Callable[[Function[In, Out]], Function[In, Out]]:
        """Have the decorated function answer an endpoint."""

        def take(function: Function[In, Out]) -> Function[In, Out]:
            self._handlers.append(Handler(endpoint, function, lane, stream))
            return function

        return take


def route(handler: Handler[Any, Any], services: Services, door: DoorSettings, lanes: Lanes) -> HTTPRouteHandler:
    """The route that decodes the request, runs the handler in its lane and encodes what it returns."""
    endpoint = handler.endpoint
    query_fields = frozenset(endpoint.query_fields)

    async def known(request: Request[Any, Any, Any]) -> None:
        """Name a parameter that there is not, before what is missing for want of it."""
        for name in request.query_params:
            if name not in query_fields:
                raise msgspec.ValidationError(f"Object contains unknown field `{name}`")

    async def answer(request: Request[Any, Any, Any], typing_stream: str | None = None, **given: Any) -> Any:
        body = _request(endpoint, given)
        if endpoint.part is not None and "text/event-stream" in request.headers.get("accept", ""):
            streaming = StreamListener(partial(told_to, request.scope, places=services.places))
            context = Context(services, door, request.scope, listener=streaming)
            work = lanes.run(handler.lane, partial(handler.function, context, body), client=_asker(context.client))
            return StreamedResponse(await streaming.begin(work), media_type="text/event-stream")
        context = Context(services, door, request.scope)
        name = typing_stream or handler.stream(body)
        stream = None if name is None else (context.caller.client.id, name)
        work = partial(handler.function, context, body)
        try:
            if handler.lane == "search":
                reply = await lanes.run("search", work, stream, client=_asker(context.client), gone=_hung_up(request))
            else:
                reply = await lanes.run(handler.lane, work, stream)
        finally:
            context.listener.gone.set()
        return Response(reply, cookies=context.cookies) if endpoint.sets_cookie else reply

    parameters = list(_parameters(endpoint))
    returned = Response[endpoint.reply] if endpoint.sets_cookie else endpoint.reply
    answer.__name__ = handler.function.__name__
    answer.__signature__ = inspect.Signature(parameters, return_annotation=returned)  # pyright: ignore[reportFunctionMemberAccess]
    answer.__annotations__ = {each.name: each.annotation for each in parameters} | {"return": returned}
    path = endpoint.path.replace("}", ":str}")
    guards = [] if endpoint.scope is None else [needs(endpoint.scope)]
    return _METHODS[endpoint.method](path, guards=guards, status_code=endpoint.status, before_request=known)(answer)


def _asker(client: Client) -> str:
    return OWNER if client.own else client.id


async def _hung_up(request: Request[Any, Any, Any]) -> None:
    """Done when who sent the request, which has been read, has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _request(endpoint: Endpoint[In, Any], given: dict[str, Any]) -> In:
    """The request, from the body and from the parameters of path and query, all of which have been checked."""
    body = given.pop("data", None)
    if isinstance(body, endpoint.request):
        return body
    return endpoint.request(**({} if body is None else msgspec.structs.asdict(body)), **given)


def _parameters(endpoint: Endpoint[Any, Any]) -> Iterator[inspect.Parameter]:
    """The parameters of a function that takes what the endpoint does, as Litestar reads them."""
    yield _parameter("request", Request[Any, Any, Any])
    fields = {each.name: each for each in msgspec.structs.fields(endpoint.request)}
    for name in endpoint.path_fields:
        yield _parameter(name, FromPath[str])
    if endpoint.body is not None:
        yield _parameter("data", JSONBody[endpoint.body])
    for name in endpoint.query_fields:
        default = fields[name].default
        kind, bounds = _bare(fields[name].type)
        yield _parameter(
            name,
            Annotated[kind, QueryParameter(**bounds)],
            inspect.Parameter.empty if default is msgspec.NODEFAULT else default,
        )
    if endpoint.typed:
        yield _parameter("typing_stream", _TYPING, None)


def _parameter(name: str, annotation: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)


def _bare(kind: Any) -> tuple[Any, dict[str, Any]]:
    """A field's type without what msgspec says of its bounds, and these as Litestar takes them."""
    if get_origin(kind) is Annotated:
        inner, *notes = get_args(kind)
        bounds = {
            name: value
            for note in notes
            if isinstance(note, msgspec.Meta)
            for name in _BOUNDS
            if (value := getattr(note, name)) is not None
        }
        return inner, bounds
    if get_origin(kind) in (Union, types.UnionType):
        parts = [_bare(part) for part in get_args(kind)]
        return Union[tuple(part for part, _ in parts)], {  # noqa: UP007 (its members are known only here)
            name: value for _, bounds in parts for name, value in bounds.items()
        }
    return kind, {}
