"""Named attacks as raw bytes. Each must be refused, none with a 5xx, and none may show the word that marks a note."""

from dataclasses import dataclass

SEARCH_BODY = '{"query": "jackdaw"}'


@dataclass(frozen=True)
class Attack:
    """A request that must be refused. `{host}` is the server's own host and port, `{token}` a token that searches."""

    name: str
    want: str  # status and code
    method: str = "POST"
    target: str = "/v1/search"
    headers: tuple[str, ...] = ()
    body: str | bytes = SEARCH_BODY
    drop: tuple[str, ...] = ()  # of the headers that an honest request has

    def request(self, host: str, token: str) -> bytes:
        """The bytes on the wire."""
        body = self.body if isinstance(self.body, bytes) else self.body.encode()
        honest = {
            "Host": host,
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
        }
        if self.method != "POST":
            body = b""
            del honest["Content-Type"], honest["Content-Length"]
        lines = [f"{name}: {value}" for name, value in honest.items() if name not in self.drop]
        lines += [line.format(host=host, token=token, port=host.rpartition(":")[2]) for line in self.headers]
        head = "\r\n".join([f"{self.method} {self.target.format(host=host, token=token)} HTTP/1.1", *lines, "", ""])
        return head.encode("latin-1") + body


def more(name: str, want: str, *headers: str, method: str = "POST", target: str = "/v1/search") -> Attack:
    """An honest request with these headers beside its own."""
    return Attack(name, want, method, target, headers)


def other(name: str, want: str, *headers: str, method: str = "POST", target: str = "/v1/search") -> Attack:
    """An honest request with these headers in the place of its own; one without a value is only taken away."""
    named = [line.partition(":") for line in headers]
    kept = tuple(line for line, (_, _, value) in zip(headers, named, strict=True) if value)
    return Attack(name, want, method, target, kept, drop=tuple(name for name, _, _ in named))


def get(name: str, want: str, target: str = "/v1/status", *headers: str) -> Attack:
    return Attack(name, want, "GET", target, headers, "")


def host(name: str, value: str) -> Attack:
    return other(f"host: {name}", "421 wrong-host", f"Host: {value}")


def origin(name: str, value: str) -> Attack:
    return more(f"origin: {name}", "403 wrong-origin", f"Origin: {value}")


def body(name: str, content: str | bytes, want: str = "400 invalid-request") -> Attack:
    return Attack(f"body: {name}", want, body=content)


HOST = (
    host("rebound name", "attacker.example:{port}"),
    host("look-alike suffix", "127.0.0.1.attacker.example:{port}"),
    host("trailing dot", "localhost.:{port}"),
    host("no port", "127.0.0.1"),
    host("another port", "127.0.0.1:80"),
    host("empty", " "),
    host("user information", "a@127.0.0.1:{port}"),
    host("all interfaces", "0.0.0.0:{port}"),
    host("list of hosts", "127.0.0.1:{port}, attacker.example"),
    more("host: twice", "400 malformed-http", "Host: attacker.example"),
    other("host: missing", "400 malformed-http", "Host:"),
    other("host: forged by another header", "421 wrong-host", "Host: attacker.example", "X-Forwarded-Host: {host}"),
    other(
        "host: rebound, on /health", "421 wrong-host", "Host: attacker.example:{port}", method="GET", target="/health"
    ),
    other("host: rebound, on the page", "421 wrong-host", "Host: attacker.example:{port}", method="GET", target="/"),
)

VISIT = ("Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate")
WEB_PAGE = "Origin: https://attacker.example"
ORIGIN = (
    origin("a web page", "https://attacker.example"),
    origin("null", "null"),
    origin("empty", ""),
    origin("another port of localhost", "http://localhost:3000"),
    origin("own host by https", "https://{host}"),
    origin("own host as a prefix", "http://{host}.attacker.example"),
    origin("plugin as a prefix", "app://obsidian.md.attacker.example"),
    origin("plugin in capitals", "APP://OBSIDIAN.MD"),
    more("origin: twice", "400 duplicate-header", "Origin: app://obsidian.md", "Origin: app://obsidian.md"),
    get("fetch: image tag", "403 cross-site", "/v1/status", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"),
    get("fetch: other port of this host", "403 cross-site", "/v1/status", "Sec-Fetch-Site: same-site"),
    get("fetch: forged site", "403 cross-site", "/v1/status", "Sec-Fetch-Site: Same-Origin"),
    get("fetch: link from a page", "403 cross-site", "/", *VISIT),
    get("fetch: page in a frame", "403 cross-site", "/", *VISIT, "Sec-Fetch-Dest: iframe"),
    get("fetch: link to the API", "403 cross-site", "/v1/status", *VISIT, "Sec-Fetch-Dest: document"),
    more("preflight: from a web page", "403 wrong-origin", WEB_PAGE, method="OPTIONS"),
    more("preflight: without an origin", "405 method-not-allowed", method="OPTIONS"),
    more("preflight: from the own page", "405 method-not-allowed", "Origin: http://{host}", method="OPTIONS"),
)


def typed(name: str, *types: str) -> Attack:
    return other(f"csrf: {name}", "415 unsupported-media-type", *(f"Content-Type: {each}" for each in types or ("",)))


CSRF = (
    typed("form", "application/x-www-form-urlencoded"),
    typed("text/plain", "text/plain"),
    Attack("csrf: no content type", "415 unsupported-media-type", drop=("Content-Type",)),
    typed("json hidden in a parameter", "text/plain; x=application/json"),
    typed("json in another encoding", "application/json; charset=utf-16"),
    more("csrf: content type twice", "400 duplicate-header", "Content-Type: text/plain"),
    get("csrf: method override", "405 method-not-allowed", "/v1/search", "X-HTTP-Method-Override: POST"),
    get("csrf: state change by GET", "405 method-not-allowed", "/v1/index"),
    more("csrf: put", "405 method-not-allowed", method="PUT"),
    more("csrf: connect", "405 method-not-allowed", method="CONNECT"),
    more("csrf: lower-case method", "405 method-not-allowed", method="post"),
    get("csrf: websocket", "400 upgrade-refused", "/v1/events", "Upgrade: websocket", "Connection: Upgrade"),
)


def token(name: str, value: str, *headers: str, target: str = "/v1/search") -> Attack:
    shown = f"Authorization: {value}" if value else "Authorization:"
    return other(f"token: {name}", "401 unauthenticated", shown, *headers, target=target)


TOKEN = (
    token("none", ""),
    token("empty", "Bearer "),
    token("wrong", "Bearer sj_" + "A" * 43),
    token("one character too many", "Bearer {token}A"),
    token("basic", "Basic {token}"),
    token("in the query", "", target="/v1/search?token={token}&access_token={token}"),
    token("in a cookie", "", "Cookie: token={token}; Authorization=Bearer {token}"),
    more("token: two", "400 duplicate-header", "Authorization: Bearer sj_x"),
    token("very long", "Bearer sj_" + "A" * 4_000),
    token("not ASCII", "Bearer \xff\xfe"),
    token("session cookie made up", "", "Cookie: scrubjay_session_{port}=abc", "Origin: http://{host}"),
    *(
        other(f"token: none, {path}", "401 unauthenticated", "Authorization:", method="GET", target=path)
        for path in ("/schema", "/v1/unheard-of", "/v1/events")
    ),
)

PATH = (
    get("path: encoded traversal", "400 bad-path", "/v1/notes/..%2F..%2F..%2Fetc%2Fpasswd"),
    get("path: dots", "400 bad-path", "/v1/../v1/status"),
    get("path: backslash", "400 bad-path", "/v1/notes/..%5C..%5Cwindows"),
    get("path: overlong utf-8", "400 bad-path", "/v1/notes/..%c0%af..%c0%afetc"),
    get("path: NUL", "400 bad-path", "/v1/notes/abcdef%00"),
    get("path: two slashes", "400 bad-path", "//attacker.example/v1/status"),
    get("path: absolute form", "400 bad-path", "http://{host}/v1/status"),
    get("path: asset traversal", "400 bad-path", "/assets/..%2Fapp.py"),
    get("path: asset that is not built", "404 not-found", "/assets/app.py"),
    get("path: hidden asset", "404 not-found", "/assets/.env"),
    get("path: semicolon", "400 bad-path", "/v1/status;jsessionid=1"),
    get("path: id that is none", "400 usage", "/v1/chunks/zzzzzz"),
    get("path: id that is too short", "400 usage", "/v1/chunks/abc"),
    get("path: id as SQL", "400 bad-path", "/v1/chunks/abcdef'--"),
    get("path: misspelt parameter", "400 invalid-request", "/v1/recent?limt=3"),
    more("path: parameter in the place of a body's field", "400 invalid-request", target="/v1/search?limit=3"),
)

MALFORMED = "400 malformed-http"
SMUGGLING = (
    more("smuggling: length and chunked", "400 ambiguous-length", "Transfer-Encoding: chunked"),
    more("smuggling: two lengths", MALFORMED, "Content-Length: 3"),
    other("smuggling: negative length", MALFORMED, "Content-Length: -1"),
    other("smuggling: length with a sign", MALFORMED, "Content-Length: +20"),
    Attack(
        "smuggling: unknown transfer encoding", MALFORMED, headers=("Transfer-Encoding: x",), drop=("Content-Length",)
    ),
    other("smuggling: folded header", "401 unauthenticated", "Authorization:", "X-A: b\r\n Authorization: Bearer x"),
    more("smuggling: space before the colon", MALFORMED, "Origin : https://attacker.example"),
    more("smuggling: bare line feed in a header", MALFORMED, "X-A: b\nHost: attacker.example"),
    more("smuggling: NUL in a header", MALFORMED, "X-A: b\x00c"),
    get("smuggling: body on GET", "400 body-refused", "/v1/status", "Content-Length: 5"),
    more("smuggling: gzip body", "415 unsupported-media-type", "Content-Encoding: gzip"),
)

SIZE = (
    body("larger than allowed", '{"query": "' + "x" * 70_000 + '"}', "413 body-too-large"),
    other("size: announced 10 GB", "413 body-too-large", "Content-Length: 10000000000"),
    other("size: absurd length", MALFORMED, "Content-Length: " + "9" * 30),
    more("size: one header of 12 kB", "431 headers-too-large", "X-Big: " + "y" * 12_000),
    more("size: 70 headers", "431 headers-too-large", *(f"X-{number}: 1" for number in range(70))),
    get("size: query string of 5 kB", "414 query-too-long", "/v1/suggest?kind=tag&prefix=" + "a" * 5_000),
    get("size: 101 ids", "400 usage", "/v1/chunks?ids=" + ",".join(f"{n:06x}" for n in range(101))),
)

BODY = (
    body("JSON bomb, arrays", "[" * 30_000),
    body("JSON bomb, in a field", '{"query": "x", "profiles": ' + "[" * 20_000 + "]" * 20_000 + "}"),
    body("unknown field", '{"query": "jackdaw", "path": "/etc/passwd"}'),
    body("NUL byte", '{"query": "jackdaw\\u0000"}'),
    body("lone surrogate", '{"query": "\\ud800"}', "400 malformed-json"),
    body("not UTF-8", b'{"query": "\xff\xfe"}', "400 malformed-json"),
    body("UTF-16", '{"query": "jackdaw"}'.encode("utf-16"), "400 malformed-json"),
    body("byte order mark", '\ufeff{"query": "jackdaw"}', "400 malformed-json"),
    body("a value of another type", '{"query": 5}'),
    body("a value out of bounds", '{"query": "jackdaw", "limit": -1}'),
    body("not a number", '{"query": "jackdaw", "limit": NaN}', "400 malformed-json"),
    body("trailing text", '{"query": "jackdaw"} {"query": "x"}', "400 malformed-json"),
    body("truncated", '{"query": "jack', "400 malformed-json"),
    body("empty", "", "400 malformed-json"),
    body("null", "null"),
    body("a list", '["jackdaw"]'),
    body("query too long", '{"query": "' + "jackdaw " * 500 + '"}', "400 usage"),
    body("profile as a path", '{"query": "jackdaw", "profiles": ["../personal"]}', "404 profile-not-found"),
)

MCP_BODY = '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search"}}'


def mcp(name: str, want: str, *headers: str, method: str = "POST", target: str = "/mcp") -> Attack:
    dropped = tuple(line.partition(":")[0] for line in headers if not line.startswith("Mcp"))
    kept = tuple(line for line in headers if not line.endswith(":"))
    return Attack(f"mcp: {name}", want, method, target, kept, MCP_BODY, dropped)


MCP = (
    mcp("rebound name", "421 wrong-host", "Host: attacker.example:{port}"),
    mcp("a web page", "403 wrong-origin", WEB_PAGE),
    mcp("another site's fetch", "403 cross-site", "Sec-Fetch-Site: cross-site"),
    mcp("a form's simple request", "415 unsupported-media-type", "Content-Type: text/plain"),
    mcp("no token", "401 unauthenticated", "Authorization:"),
    mcp("token in the URL", "401 unauthenticated", "Authorization:", target="/mcp?token={token}"),
    mcp("a stream to hold open", "405 method-not-allowed", "Accept: text/event-stream", method="GET"),
    mcp("another's session to end", "405 method-not-allowed", "Mcp-Session-Id: 1", method="DELETE"),
    mcp("a path below it", "404 not-found", target="/mcp/sse"),
)

ATTACKS = (*HOST, *ORIGIN, *CSRF, *TOKEN, *PATH, *SMUGGLING, *SIZE, *BODY, *MCP)
