"""The door: which requests are refused before anything is routed. Pure; `gate.py` applies it to ASGI.

The threat is a web page in the user's browser, or another user's process on this machine. Each rule and the attack that
it stops stand in docs/security.md; tests/integration/server/ tries them over real sockets.
"""

import re
from dataclasses import dataclass
from typing import TypeAlias

PLUGIN_ORIGIN = "app://obsidian.md"
CSRF_HEADER = "x-scrubjay-csrf"

_METHODS = frozenset({"GET", "POST", "DELETE", "OPTIONS"})
_PATH = re.compile(r"/|(?:/[A-Za-z0-9._~-]+)+")  # ids and fixed words: nothing here needs an escape
_JSON = re.compile(r'application/json(?:\s*;\s*charset="?utf-8"?)?', re.IGNORECASE)
_OWN_SITES = frozenset({"same-origin", "none"})  # "none": typed in, or opened from outside a page
_ONCE = frozenset(
    {
        "host",
        "origin",
        "authorization",
        "content-type",
        "content-length",
        "content-encoding",
        "transfer-encoding",
        "cookie",
        "sec-fetch-site",
        "last-event-id",
        CSRF_HEADER,
    }
)
_OPEN = (  # routes that no credential is needed for, and why
    ("GET", re.compile(r"/health")),  # says the name, the version and the instance id alone
    ("GET", re.compile(r"/(?:assets/[A-Za-z0-9._-]+)?")),  # the page's own code, which contains no data of the user
    ("POST", re.compile(r"/v1/session")),  # the one-time ticket in the body is the credential
    ("POST", re.compile(r"/v1/pairing")),  # requesting a pairing; the user decides
    ("POST", re.compile(r"/v1/pairing/[0-9a-f]{16}/(?:collect|proof)")),  # a secret in the body is the credential
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request goes no further. `code` is stable; the message is fixed text, without anything of the request."""

    code: str
    status: int
    message: str


WRONG_SCHEME = Refusal("wrong-scheme", 400, "Only plain HTTP is spoken here.")
UPGRADE = Refusal("upgrade-refused", 400, "This server does not change protocols.")
BAD_PATH = Refusal(
    "bad-path", 400, "The path is malformed. No path here holds escapes, empty parts or dots for folders."
)
DUPLICATE_HEADER = Refusal("duplicate-header", 400, "A header that must occur once occurs several times.")
AMBIGUOUS_LENGTH = Refusal("ambiguous-length", 400, "The length of the body is told in two ways.")
WRONG_HOST = Refusal("wrong-host", 421, "The Host header does not name this server.")
WRONG_ORIGIN = Refusal("wrong-origin", 403, "Requests from this origin are refused.")
CROSS_SITE = Refusal("cross-site", 403, "Requests from other sites are refused.")
METHOD = Refusal("method-not-allowed", 405, "This method is not allowed here.")
LONG_QUERY = Refusal("query-too-long", 414, "The query string is too long.")
LARGE_HEADERS = Refusal("headers-too-large", 431, "The headers are too many or too large.")
MEDIA_TYPE = Refusal("unsupported-media-type", 415, "A body must be application/json in UTF-8, without any encoding.")
BODY_REFUSED = Refusal("body-refused", 400, "This method takes no body.")
NO_CREDENTIAL = Refusal("unauthenticated", 401, "A token is needed: Authorization: Bearer sj_….")
BAD_CREDENTIAL = Refusal("unauthenticated", 401, "The token or session is not valid. It may have been revoked.")
THROTTLED = Refusal("too-many-failures", 429, "Too many requests with a wrong token or session. Wait a minute.")
BUSY = Refusal("busy", 503, "Too many requests at once. Try again in a moment.")
SLOW_BODY = Refusal("body-too-slow", 408, "The body did not arrive in time.")
NOT_OUR_PAGE = Refusal("not-our-page", 403, "A session is only valid on this server's own page.")
CSRF = Refusal("csrf", 403, "The session's X-Scrubjay-Csrf header is missing or wrong.")


def large_body(limit: int) -> Refusal:
    """For a body of more than `limit` bytes."""
    return Refusal("body-too-large", 413, f"A body has at most {limit:,} bytes.")


@dataclass(frozen=True, slots=True)
class DoorSettings:
    """Where the server listens, and how much it takes."""

    port: int
    body_bytes: int = 65_536
    query_bytes: int = 4_096
    header_bytes: int = 8_192
    headers: int = 64

    @property
    def hosts(self) -> frozenset[str]:
        """The only values of Host that are ours."""
        names = ("127.0.0.1", "localhost", "[::1]")
        return frozenset(f"{name}:{self.port}" for name in names)

    @property
    def own_origins(self) -> frozenset[str]:
        """The origins of the page that this server itself serves."""
        return frozenset({f"http://127.0.0.1:{self.port}", f"http://localhost:{self.port}"})

    @property
    def cookie(self) -> str:
        """The session cookie's name; it holds the port because browsers send cookies to every port of a host."""
        return f"scrubjay_session_{self.port}"


@dataclass(frozen=True, slots=True)
class RequestHead:
    """A request as it came: nothing decoded, nothing folded but the header names."""

    scheme: str
    method: str
    path: str  # raw, as on the wire, before any percent-decoding
    query: str
    headers: tuple[tuple[str, str], ...]  # lower-case names, latin-1 values, in order

    def all(self, name: str) -> tuple[str, ...]:
        """Every value of a header."""
        return tuple(value for key, value in self.headers if key == name)

    def one(self, name: str) -> str | None:
        """The first value of a header; `judge` has refused those that occur twice."""
        return next((value for key, value in self.headers if key == name), None)


@dataclass(frozen=True, slots=True)
class Bearer:
    """A token was shown."""

    token: str


@dataclass(frozen=True, slots=True)
class Cookie:
    """A session cookie was shown."""

    value: str


SentCredential: TypeAlias = Bearer | Cookie


def judge(head: RequestHead, door: DoorSettings) -> Refusal | None:
    """All that can be said of a request without knowing who sent it; None lets it pass to the question of who."""
    return (
        _judge_shape(head, door) or _judge_address(head, door) or _judge_sender(head, door) or _judge_body(head, door)
    )


def _judge_shape(head: RequestHead, door: DoorSettings) -> Refusal | None:
    if head.scheme != "http":
        return WRONG_SCHEME
    size = sum(len(name) + len(value) for name, value in head.headers)
    if len(head.headers) > door.headers or size > door.header_bytes:
        return LARGE_HEADERS
    return None


def _judge_address(head: RequestHead, door: DoorSettings) -> Refusal | None:
    hosts = head.all("host")
    if len(hosts) != 1 or hosts[0].lower() not in door.hosts:
        return WRONG_HOST
    if any(len(head.all(name)) > 1 for name in _ONCE):
        return DUPLICATE_HEADER
    if head.one("upgrade") is not None:
        return UPGRADE
    if len(head.query) > door.query_bytes:
        return LONG_QUERY
    parts = head.path.split("/")
    if _PATH.fullmatch(head.path) is None or "." in parts or ".." in parts:
        return BAD_PATH
    return None


def _judge_sender(head: RequestHead, door: DoorSettings) -> Refusal | None:
    origin = head.one("origin")
    if origin is not None and origin != PLUGIN_ORIGIN and origin not in door.own_origins:
        return WRONG_ORIGIN
    site = head.one("sec-fetch-site")
    if site is not None and site not in _OWN_SITES and origin is None and not _is_visit(head):
        return CROSS_SITE
    if head.method not in _METHODS or (head.method == "OPTIONS" and origin != PLUGIN_ORIGIN):
        return METHOD
    return None


def _is_visit(head: RequestHead) -> bool:
    """Whether the browser opens the page itself in a window of its own, as the page file and links do.

    What comes is the page's code, which is everybody's; a page that opened it can neither frame nor read it.
    """
    is_window = (head.one("sec-fetch-mode"), head.one("sec-fetch-dest")) == ("navigate", "document")
    return is_window and (head.method, head.path) == ("GET", "/")


def _judge_body(head: RequestHead, door: DoorSettings) -> Refusal | None:
    length, chunked = head.one("content-length"), head.one("transfer-encoding")
    if length is not None and chunked is not None:
        return AMBIGUOUS_LENGTH
    if length is not None and (not length.isascii() or not length.isdigit() or len(length) > 12):
        return AMBIGUOUS_LENGTH
    if length is not None and int(length) > door.body_bytes:
        return large_body(door.body_bytes)
    if head.method != "POST":
        return BODY_REFUSED if chunked is not None or length not in (None, "0") else None
    if _JSON.fullmatch((head.one("content-type") or "").strip()) is None or head.one("content-encoding") is not None:
        return MEDIA_TYPE
    return None


def is_open(head: RequestHead) -> bool:
    """Whether the route needs no credential."""
    return any(head.method == method and path.fullmatch(head.path) for method, path in _OPEN)


def is_preflight(head: RequestHead) -> bool:
    """Whether the browser asks, for the plugin, what it may send. `judge` has checked that it is the plugin."""
    return head.method == "OPTIONS"


def credential_of(head: RequestHead, door: DoorSettings) -> SentCredential | None:
    """What the request shows to say who it is: a bearer token, or else the session cookie. Never from the URL."""
    authorization = head.one("authorization")
    if authorization is not None:
        kind, _, token = authorization.partition(" ")
        return Bearer(token.strip() if kind.lower() == "bearer" else "")
    for pair in (head.one("cookie") or "").split(";"):
        name, _, value = pair.strip().partition("=")
        if name == door.cookie and value:
            return Cookie(value)
    return None


def judge_session(head: RequestHead, door: DoorSettings, *, is_csrf_right: bool) -> Refusal | None:
    """A session cookie alone proves nothing, since browsers attach it for anybody: the page must show that it is ours.

    The browser itself must say that the request comes from our own origin, and the page must give the answer to this
    daemon's instance that only its key can make.
    """
    origin = head.one("origin")
    is_ours = head.one("sec-fetch-site") == "same-origin" if origin is None else origin in door.own_origins
    if not is_ours:
        return NOT_OUR_PAGE
    return None if is_csrf_right else CSRF
