"""Named attacks as raw bytes. Each must be refused, none with a 5xx, and none may show the word that marks a note."""

from dataclasses import dataclass, field, replace

SEARCH_BODY = '{"query": "jackdaw"}'


@dataclass(frozen=True)
class Attack:
    """A request that must be refused. `{host}` is the server's own host and port, `{token}` a token that searches."""

    name: str
    want: int
    method: str = "POST"
    target: str = "/v1/search"
    headers: tuple[str, ...] = ()
    body: str | bytes = SEARCH_BODY
    drop: tuple[str, ...] = field(default=())  # of the headers that an honest request has

    def at(self, target: str) -> "Attack":
        """The same on another path."""
        return replace(self, target=target, name=f"{self.name} ({target})")

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


def get(name: str, want: int, target: str = "/v1/status", *headers: str, drop: tuple[str, ...] = ()) -> Attack:
    return Attack(name, want, "GET", target, headers, "", drop)


def host(name: str, value: str, want: int = 421) -> Attack:
    return Attack(f"host: {name}", want, headers=(f"Host: {value}",), drop=("Host",))


def origin(name: str, value: str, want: int = 403) -> Attack:
    return Attack(f"origin: {name}", want, headers=(f"Origin: {value}",))


def body(name: str, content: str | bytes, want: int = 400) -> Attack:
    return Attack(f"body: {name}", want, body=content)


HOST = (
    host("rebound name", "attacker.example:{port}"),
    host("look-alike suffix", "127.0.0.1.attacker.example:{port}"),
    host("look-alike prefix", "attacker-127.0.0.1:{port}"),
    host("localhost suffix", "localhost.attacker.example:{port}"),
    host("sub-domain of localhost", "evil.localhost:{port}"),
    host("trailing dot", "localhost.:{port}"),
    host("no port", "127.0.0.1"),
    host("another port", "127.0.0.1:80"),
    host("empty", ""),
    host("port alone", ":{port}"),
    host("user information", "a@127.0.0.1:{port}"),
    host("all interfaces", "0.0.0.0:{port}"),
    host("short loopback", "127.1:{port}"),
    host("decimal loopback", "2130706433:{port}"),
    host("list of hosts", "127.0.0.1:{port}, attacker.example"),
    host("inner space", "127.0.0.1 :{port}"),
    Attack("host: twice", 400, headers=("Host: attacker.example",)),
    Attack("host: missing", 400, drop=("Host",)),
    Attack(
        "host: forged by X-Forwarded-Host",
        421,
        headers=("Host: attacker.example", "X-Forwarded-Host: {host}"),
        drop=("Host",),
    ),
    get("host: rebound, on /health", 421, "/health", "Host: attacker.example:{port}", drop=("Host",)),
    get("host: rebound, on the page", 421, "/", "Host: attacker.example:{port}", drop=("Host",)),
)

ORIGIN = (
    origin("a web page", "https://attacker.example"),
    origin("null", "null"),
    origin("empty", ""),
    origin("another port of localhost", "http://localhost:3000"),
    origin("own host by https", "https://{host}"),
    origin("own host as a prefix", "http://{host}.attacker.example"),
    origin("plugin as a prefix", "app://obsidian.md.attacker.example"),
    origin("plugin by another scheme", "http://obsidian.md"),
    origin("an extension", "chrome-extension://abcdefghijklmnop"),
    origin("a file", "file://"),
    origin("another port, same digits", "http://127.0.0.1:{port}0"),
    Attack("origin: twice", 400, headers=("Origin: app://obsidian.md", "Origin: https://attacker.example")),
    get("fetch: image tag", 403, "/v1/status", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"),
    get("fetch: other port of this host", 403, "/v1/status", "Sec-Fetch-Site: same-site"),
    get("fetch: link from a page", 403, "/", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"),
    Attack(
        "preflight: from a web page",
        403,
        "OPTIONS",
        headers=("Origin: https://attacker.example", "Access-Control-Request-Method: POST"),
    ),
    Attack("preflight: without an origin", 405, "OPTIONS"),
    Attack(
        "preflight: private network",
        403,
        "OPTIONS",
        headers=("Origin: https://attacker.example", "Access-Control-Request-Private-Network: true"),
    ),
)

CSRF = (
    Attack(
        "csrf: form",
        415,
        headers=("Content-Type: application/x-www-form-urlencoded",),
        drop=("Content-Type",),
        body="query=jackdaw",
    ),
    Attack(
        "csrf: multipart form", 415, headers=("Content-Type: multipart/form-data; boundary=x",), drop=("Content-Type",)
    ),
    Attack("csrf: text/plain", 415, headers=("Content-Type: text/plain",), drop=("Content-Type",)),
    Attack("csrf: no content type", 415, drop=("Content-Type",)),
    Attack(
        "csrf: json hidden in a parameter",
        415,
        headers=("Content-Type: text/plain; x=application/json",),
        drop=("Content-Type",),
    ),
    Attack("csrf: content type twice", 400, headers=("Content-Type: text/plain",)),
    Attack("csrf: method override", 405, "GET", headers=("X-HTTP-Method-Override: POST",)),
    Attack("csrf: state change by GET", 405, "GET", "/v1/index"),
    Attack("csrf: put", 405, "PUT"),
    Attack("csrf: patch", 405, "PATCH"),
    Attack("csrf: trace", 405, "TRACE"),
    Attack("csrf: connect", 405, "CONNECT"),
    Attack("csrf: invented method", 405, "SEARCH"),
    get("csrf: websocket", 400, "/v1/events", "Upgrade: websocket", "Connection: Upgrade"),
)

TOKEN = (
    Attack("token: none", 401, drop=("Authorization",)),
    Attack("token: empty", 401, headers=("Authorization: Bearer ",), drop=("Authorization",)),
    Attack("token: wrong", 401, headers=("Authorization: Bearer sj_" + "A" * 43,), drop=("Authorization",)),
    Attack("token: one character too many", 401, headers=("Authorization: Bearer {token}A",), drop=("Authorization",)),
    Attack("token: basic", 401, headers=("Authorization: Basic {token}",), drop=("Authorization",)),
    Attack("token: in the query", 401, target="/v1/search?token={token}&access_token={token}", drop=("Authorization",)),
    Attack(
        "token: in a cookie",
        401,
        headers=("Cookie: token={token}; Authorization=Bearer {token}",),
        drop=("Authorization",),
    ),
    Attack("token: in the body", 401, drop=("Authorization",), body='{{"token": "x"}}'),
    Attack("token: two", 400, headers=("Authorization: Bearer sj_x",)),
    Attack("token: very long", 401, headers=("Authorization: Bearer sj_" + "A" * 4_000,), drop=("Authorization",)),
    Attack("token: not ASCII", 401, headers=("Authorization: Bearer \xff\xfe",), drop=("Authorization",)),
    Attack(
        "token: session cookie made up",
        401,
        headers=("Cookie: scrubjay_session_{port}=abc", "Origin: http://{host}"),
        drop=("Authorization",),
    ),
    get("token: schema without one", 401, "/schema", drop=("Authorization",)),
    get("token: unknown route without one", 401, "/v1/unheard-of", drop=("Authorization",)),
    get("token: events without one", 401, "/v1/events", drop=("Authorization",)),
)

PATH = (
    get("path: encoded traversal", 400, "/v1/notes/..%2F..%2F..%2Fetc%2Fpasswd"),
    get("path: double encoding", 400, "/v1/notes/%252e%252e%252fetc"),
    get("path: dots", 400, "/v1/../v1/status"),
    get("path: encoded dots", 400, "/v1/%2e%2e/status"),
    get("path: backslash", 400, "/v1/notes/..%5C..%5Cwindows"),
    get("path: overlong utf-8", 400, "/v1/notes/..%c0%af..%c0%afetc"),
    get("path: NUL", 400, "/v1/notes/abcdef%00"),
    get("path: two slashes", 400, "//attacker.example/v1/status"),
    get("path: absolute form", 400, "http://{host}/v1/status"),
    get("path: asset traversal", 400, "/assets/..%2Fapp.py"),
    get("path: asset that is not built", 404, "/assets/app.py"),
    get("path: hidden asset", 404, "/assets/.env"),
    get("path: semicolon", 400, "/v1/status;jsessionid=1"),
    get("path: id that is none", 400, "/v1/chunks/zzzzzz"),
    get("path: id that is too short", 400, "/v1/chunks/abc"),
    get("path: id as SQL", 400, "/v1/chunks/abcdef'--"),
    get("path: misspelt parameter", 400, "/v1/recent?limt=3"),
    Attack("path: parameter in the place of a body's field", 400, target="/v1/search?limit=3"),
)

SMUGGLING = (
    Attack("smuggling: length and chunked", 400, headers=("Transfer-Encoding: chunked",)),
    Attack("smuggling: two lengths", 400, headers=("Content-Length: 3",)),
    Attack("smuggling: negative length", 400, headers=("Content-Length: -1",), drop=("Content-Length",)),
    Attack("smuggling: length with a sign", 400, headers=("Content-Length: +20",), drop=("Content-Length",)),
    Attack("smuggling: hexadecimal length", 400, headers=("Content-Length: 0x14",), drop=("Content-Length",)),
    Attack(
        "smuggling: unknown transfer encoding", 400, headers=("Transfer-Encoding: xchunked",), drop=("Content-Length",)
    ),
    Attack("smuggling: folded header", 401, headers=("X-A: b\r\n Authorization: Bearer x",), drop=("Authorization",)),
    Attack("smuggling: space before the colon", 400, headers=("Origin : https://attacker.example",)),
    Attack("smuggling: bare line feed in a header", 400, headers=("X-A: b\nHost: attacker.example",)),
    Attack("smuggling: NUL in a header", 400, headers=("X-A: b\x00c",)),
    Attack("smuggling: body on GET", 400, "GET", "/v1/status", headers=("Content-Length: 5",)),
    Attack("smuggling: gzip body", 415, headers=("Content-Encoding: gzip",)),
)

SIZE = (
    body("larger than allowed", '{"query": "' + "x" * 70_000 + '"}', 413),
    Attack("size: announced 10 GB", 413, headers=("Content-Length: 10000000000",), drop=("Content-Length",)),
    Attack("size: absurd length", 400, headers=("Content-Length: " + "9" * 30,), drop=("Content-Length",)),
    Attack("size: one header of 12 kB", 431, headers=("X-Big: " + "y" * 12_000,)),
    Attack("size: 70 headers", 431, headers=tuple(f"X-{number}: 1" for number in range(70))),
    get("size: query string of 5 kB", 414, "/v1/suggest?kind=tag&prefix=" + "a" * 5_000),
    get("size: limit of a million", 400, "/v1/recent?limit=1000000"),
    get("size: 200 ids", 400, "/v1/chunks?ids=" + ",".join(["abcdef"] * 1 + [f"{n:06x}" for n in range(100)])),
)

BODY = (
    body("JSON bomb, arrays", "[" * 30_000),
    body("JSON bomb, objects", '{"query":' * 7_000),
    body("JSON bomb, in a field", '{"query": "x", "profiles": ' + "[" * 20_000 + "]" * 20_000 + "}"),
    body("unknown field", '{"query": "jackdaw", "path": "/etc/passwd"}'),
    body("prototype pollution", '{"query": "jackdaw", "__proto__": {"limit": 9}}'),
    body("NUL byte", '{"query": "jackdaw\\u0000"}'),
    body("raw NUL byte", b'{"query": "jackdaw\x00"}'),
    body("lone surrogate", '{"query": "\\ud800"}'),
    body("not UTF-8", b'{"query": "\xff\xfe"}'),
    body("UTF-16", '{"query": "jackdaw"}'.encode("utf-16")),
    body("byte order mark", '\ufeff{"query": "jackdaw"}'),
    body("number as text", '{"query": "jackdaw", "limit": "5"}'),
    body("text as number", '{"query": 5}'),
    body("limit of zero", '{"query": "jackdaw", "limit": 0}'),
    body("limit of a googol", '{"query": "jackdaw", "limit": 1e100}'),
    body("negative limit", '{"query": "jackdaw", "limit": -1}'),
    body("not a number", '{"query": "jackdaw", "limit": NaN}'),
    body("unknown mode", '{"query": "jackdaw", "mode": "fuzzy"}'),
    body("trailing text", '{"query": "jackdaw"} {"query": "x"}'),
    body("truncated", '{"query": "jack'),
    body("empty", ""),
    body("null", "null"),
    body("a list", '["jackdaw"]'),
    body("query too long", '{"query": "' + "jackdaw " * 500 + '"}'),
    body("empty list of profiles", '{"query": "jackdaw", "profiles": []}'),
    body("profile as a path", '{"query": "jackdaw", "profiles": ["../personal"]}', 404),
    body("profile as SQL", '{"query": "jackdaw", "profiles": ["work\' OR 1=1 --"]}', 404),
)

MCP_BODY = '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search"}}'
WEB_PAGE = "Origin: https://attacker.example"


def mcp(name: str, want: int, *headers: str, method: str = "POST", drop: tuple[str, ...] = ()) -> Attack:
    return Attack(f"mcp: {name}", want, method, "/mcp", headers, MCP_BODY, drop)


MCP = (
    mcp("rebound name", 421, "Host: attacker.example:{port}", drop=("Host",)),
    mcp("a web page", 403, WEB_PAGE),
    mcp("another site's fetch", 403, "Sec-Fetch-Site: cross-site"),
    mcp("a form's simple request", 415, "Content-Type: text/plain", drop=("Content-Type",)),
    mcp("no token", 401, drop=("Authorization",)),
    mcp("token in the URL", 401, drop=("Authorization",)).at("/mcp?token={token}"),
    mcp("a stream to hold open", 405, "Accept: text/event-stream", method="GET"),
    mcp("another's session to end", 405, "Mcp-Session-Id: 1", method="DELETE"),
    mcp("a path below it", 404).at("/mcp/sse"),
)

ATTACKS = (*HOST, *ORIGIN, *CSRF, *TOKEN, *PATH, *SMUGGLING, *SIZE, *BODY, *MCP)
