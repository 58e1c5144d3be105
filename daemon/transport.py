"""Under the clients of the HTTP API: finding the daemon and making it prove itself, and how a call travels."""

import re
import time
from collections.abc import Callable
from typing import Any, TypeVar

import httpx
import msgspec

from scrubjay.daemon.errors import Busy, NotRunning
from scrubjay.daemon.home import Home
from scrubjay.daemon.server.access.identity import Discovery, new_challenge, proves, read_discovery
from scrubjay.daemon.server.endpoint import Ask, Endpoint
from scrubjay.daemon.server.endpoints.sessions import Health
from scrubjay.profiles.errors import ScrubjayError, UsageError

In = TypeVar("In", bound=Ask)
Out = TypeVar("Out")

SECONDS = 30.0
"""How long a call may take, but for those of endpoints that are long."""

_PROOF_SECONDS = 2.0
_HEALTH_SECONDS = 20.0  # long, for a busy machine; a port without a listener is refused at once
_PLAIN: dict[str, Any] = {
    "trust_env": False,  # no proxy and no netrc from the environment: what is meant for this machine stays on it
    "verify": False,  # plain HTTP on the loopback: reading all certificates would take longer than the call
}


class UnverifiedDaemon(ScrubjayError):
    """Something answers on the daemon's port that can't prove to be this user's daemon. Nothing was sent to it."""

    code = "stranger"
    status = 502


class ApiError(ScrubjayError):
    """The daemon refused: code, status and message are those of its problem."""

    def __init__(self, code: str, status: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.status = status


class _Problem(msgspec.Struct, frozen=True):
    code: str = "unknown"
    status: int = 500
    detail: str = "The daemon's answer can't be understood."


def running(home: Home) -> Discovery:
    """Where this home's daemon listens, after it has proved who it is.

    Raises NotRunning when there is none, UnverifiedDaemon when the proof is missing or wrong.
    """
    found = read_discovery(home.discovery)
    if found is None:
        raise NotRunning("Scrubjay is not running. Start it with `scrubjay start`.")
    challenge = new_challenge()
    try:
        with httpx.Client(base_url=found.url, timeout=_HEALTH_SECONDS, **_PLAIN) as http:
            reply = http.get("/health", params={"challenge": challenge})
            health = msgspec.json.decode(reply.content, type=Health)
    except httpx.TransportError:
        raise NotRunning("Scrubjay is not running, though it once was. Start it with `scrubjay start`.") from None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise _unverified_daemon(found) from None
    if health.proof is None or not proves(found.secret, challenge, health.proof):
        raise _unverified_daemon(found)
    return found


class Proven:
    """The daemon of a home, which has proved itself lately: whoever may have taken its port since is sent nothing.

    A proof is good for two seconds, and until something breaks: nobody answered, a token was refused, or `daemon.json`
    tells of another daemon.
    """

    def __init__(self, home: Home, clock: Callable[[], float] = time.monotonic) -> None:
        self._home = home
        self._clock = clock
        self._found: Discovery | None = None
        self._at = 0.0

    def url(self) -> str:
        """Where it listens. Raises NotRunning or UnverifiedDaemon."""
        is_old = self._clock() - self._at >= _PROOF_SECONDS
        if self._found is None or is_old or read_discovery(self._home.discovery) != self._found:
            self._found = None
            self._found = running(self._home)
            self._at = self._clock()
        return self._found.url

    def broken(self) -> None:
        """Something broke: have it prove itself before anything else is sent."""
        self._found = None


def _unverified_daemon(found: Discovery) -> UnverifiedDaemon:
    return UnverifiedDaemon(
        f"Another program answers on port {found.port}. Nothing was sent to it. Say `scrubjay start` to begin anew."
    )


def options(url: str, token: str) -> dict[str, Any]:
    """How httpx is to talk."""
    return {
        "base_url": url,
        "timeout": SECONDS,
        "headers": {"Authorization": f"Bearer {token}"},
        **_PLAIN,
    }


def sent(endpoint: Endpoint[In, Any], request: In | None, typing_stream: str | None = None) -> dict[str, Any]:
    """A request of an endpoint, as httpx takes it. Raises UsageError for what is no id."""
    sending = request or endpoint.request()
    path = endpoint.path.format_map({name: _id(getattr(sending, name)) for name in endpoint.path_fields})
    given: dict[str, Any] = {"method": endpoint.method, "url": path}
    if endpoint.is_long:  # the daemon has just proved that it lives; should it end, the connection does
        given["timeout"] = httpx.Timeout(SECONDS, read=None)
    if endpoint.method == "POST":
        fields = {
            name: getattr(sending, name) for name in sending.__struct_fields__ if name not in endpoint.path_fields
        }
        given |= {"content": msgspec.json.encode(fields), "headers": {"Content-Type": "application/json"}}
    else:
        defaults = {each.name: each.default for each in msgspec.structs.fields(endpoint.request)}
        values = {name: getattr(sending, name) for name in endpoint.query_fields}
        given["params"] = msgspec.to_builtins({name: it for name, it in values.items() if it != defaults[name]})
    if typing_stream is not None:
        given["headers"]["X-Scrubjay-Typing"] = typing_stream
    return given


def _id(value: str) -> str:
    """An id as a part of a path. Ids come from people and agents, and none may lead a call to another route.

    Raises UsageError for what is no id.
    """
    if re.fullmatch("[A-Za-z0-9_-]+", value) is None:
        raise UsageError("An id holds letters and digits alone.")
    return value


def unanswered(error: httpx.TransportError) -> ScrubjayError:
    """What to tell of a call that came to nothing: nobody is there, or somebody is, and has no time."""
    if isinstance(error, httpx.ReadTimeout):
        return Busy(f"Scrubjay runs, but did not answer within {SECONDS:g} seconds. Try again in a moment.")
    return NotRunning("Scrubjay does not answer. Start it with `scrubjay start`.")


def decoded(reply: httpx.Response, endpoint: Endpoint[Any, Out]) -> Out:
    """What a reply says. Raises ApiError where the daemon refused."""
    if not reply.is_success:
        raise error_of(reply)
    return msgspec.json.decode(reply.content, type=endpoint.reply)


def error_of(reply: httpx.Response) -> ApiError:
    """Why the daemon refused."""
    return problem_error(reply.content, reply.status_code)


def problem_error(data: bytes | str, status: int = 0) -> ApiError:
    """The error that a problem tells of. status: that of the reply that brought it."""
    try:
        problem = msgspec.json.decode(data, type=_Problem)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        problem = _Problem()
    return ApiError(problem.code, status or problem.status, problem.detail)
