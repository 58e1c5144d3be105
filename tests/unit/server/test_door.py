"""The door, rule by rule, as a pure function. tests/integration/server/test_attacks.py tries it over sockets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.server.access import admission as door
from scrubjay.daemon.server.access.admission import Bearer, Cookie, DoorSettings, Refusal, RequestHead

DOOR = DoorSettings(port=8642)
HOST = ("host", "127.0.0.1:8642")
JSON = ("content-type", "application/json")
PLUGIN = ("origin", "app://obsidian.md")
OWN = ("origin", "http://127.0.0.1:8642")
LINK = (("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document"))


def asked(
    *headers: tuple[str, str], method: str = "GET", path: str = "/v1/status", query: str = "", scheme: str = "http"
) -> RequestHead:
    return RequestHead(scheme, method, path, query, headers)


POST = (JSON, ("content-length", "2"))
CHARSET = ("content-type", "Application/JSON; charset=UTF-8")


@pytest.mark.parametrize(
    "request_",
    [
        pytest.param(asked(HOST), id="command-line"),
        pytest.param(asked(("host", "LOCALHOST:8642")), id="host-in-capitals"),
        pytest.param(asked(("host", "[::1]:8642")), id="host-ipv6-loopback"),
        pytest.param(asked(HOST, PLUGIN, ("sec-fetch-site", "cross-site")), id="plugin-in-obsidian"),
        pytest.param(asked(HOST, OWN), id="own-page"),
        pytest.param(asked(HOST, ("sec-fetch-site", "none"), path="/"), id="address-typed-in"),
        pytest.param(asked(HOST, *LINK, path="/"), id="page-opened-from-the-page-file"),
        pytest.param(asked(HOST, ("sec-fetch-site", "same-origin")), id="own-page-without-origin"),
        pytest.param(asked(HOST, *POST, method="POST"), id="json-post"),
        pytest.param(asked(HOST, CHARSET, method="POST"), id="charset"),
        pytest.param(asked(HOST, ("content-length", "0"), method="DELETE"), id="empty-delete"),
    ],
)
def test_what_an_honest_sender_sends_is_let_in(request_: RequestHead) -> None:
    assert door.judge(request_, DOOR) is None


@pytest.mark.parametrize(
    ("request_", "want"),
    [
        pytest.param(asked(HOST, scheme="https"), door.WRONG_SCHEME, id="https"),
        pytest.param(asked(), door.WRONG_HOST, id="no-host"),
        pytest.param(asked(HOST, HOST), door.WRONG_HOST, id="host-twice"),
        pytest.param(
            asked(HOST, JSON, ("content-length", "65537"), method="POST"), door.large_body(65_536), id="large"
        ),
        pytest.param(asked(HOST, JSON, ("content-length", "-1"), method="POST"), door.AMBIGUOUS_LENGTH, id="negative"),
        pytest.param(
            asked(HOST, JSON, ("content-length", "٣"), method="POST"), door.AMBIGUOUS_LENGTH, id="other-digits"
        ),
        pytest.param(
            asked(HOST, ("transfer-encoding", "chunked"), method="DELETE"), door.BODY_REFUSED, id="delete-body"
        ),
        pytest.param(asked(HOST, ("upgrade", "websocket")), door.UPGRADE, id="websocket"),
        pytest.param(asked(HOST, method="PUT"), door.METHOD, id="put"),
        pytest.param(asked(HOST, query="q" * 4_097), door.LONG_QUERY, id="long-query"),
        pytest.param(asked(HOST, *((f"x-{n}", "") for n in range(64))), door.LARGE_HEADERS, id="many-headers"),
        pytest.param(asked(HOST, ("x", "y" * 8_192)), door.LARGE_HEADERS, id="large-header"),
        pytest.param(asked(HOST, ("cookie", "a=1"), ("cookie", "b=2")), door.DUPLICATE_HEADER, id="two-cookies"),
    ],
)
def test_what_no_socket_brings_or_is_just_too_much_is_refused(request_: RequestHead, want: Refusal) -> None:
    assert door.judge(request_, DOOR) == want


def test_paths_that_need_decoding_are_refused() -> None:
    paths = ("/v1/notes/..", "/v1/./status", "/v1//status", "/v1/status/", "/v1/%2e%2e/status", "*", "", "/v1/status\n")
    assert {door.judge(asked(HOST, path=path), DOOR) for path in (*paths, "/v1/é")} == {door.BAD_PATH}


@given(st.text(), st.text())
def test_no_host_but_ours_passes(host: str, origin: str) -> None:
    verdict = door.judge(asked(("host", host), ("origin", origin)), DOOR)
    if verdict is None:
        assert host.lower() in DOOR.hosts
        assert origin in {"app://obsidian.md", *DOOR.own_origins}


@given(st.text())
def test_any_path_is_judged_without_an_error_and_keeps_its_folder(path: str) -> None:
    if door.judge(asked(HOST, path=path), DOOR) is None:
        assert path.startswith("/")
        assert ".." not in path.split("/")
        assert path.isascii()


@pytest.mark.parametrize(
    ("method", "path", "want"),
    [
        ("GET", "/health", True),
        ("GET", "/", True),
        ("GET", "/assets/page.js", True),
        ("POST", "/v1/session", True),
        ("POST", "/v1/pairing", True),
        ("POST", "/v1/pairing/0123456789abcdef/collect", True),
        ("POST", "/v1/pairing/0123456789abcdef", False),
        ("GET", "/v1/pairing", False),
        ("GET", "/v1/session", False),
        ("POST", "/health", False),
        ("GET", "/schema", False),
        ("GET", "/assets/sub/page.js", False),
        ("GET", "/healthy", False),
    ],
)
def test_only_these_routes_are_open(method: str, path: str, want: bool) -> None:
    assert door.is_open(asked(HOST, method=method, path=path)) is want


@pytest.mark.parametrize(
    ("headers", "want"),
    [
        ((), None),
        ((("authorization", "Bearer abc"),), Bearer("abc")),
        ((("authorization", "bearer abc"),), Bearer("abc")),
        ((("authorization", "Basic abc"),), Bearer("")),
        ((("authorization", "abc"),), Bearer("")),
        ((("cookie", "scrubjay_session_8642=xyz"),), Cookie("xyz")),
        ((("cookie", "a=b; scrubjay_session_8642=xyz; c=d"),), Cookie("xyz")),
        ((("cookie", "scrubjay_session_9999=xyz"),), None),
        ((("cookie", "scrubjay_session_8642="),), None),
        ((("cookie", "scrubjay_session_8642=xyz"), ("authorization", "Bearer abc")), Bearer("abc")),
    ],
)
def test_credential_of(headers: tuple[tuple[str, str], ...], want: door.SentCredential | None) -> None:
    assert door.credential_of(asked(HOST, *headers), DOOR) == want


@pytest.mark.parametrize(
    ("request_", "is_csrf_right", "want"),
    [
        pytest.param(asked(HOST, OWN), True, None, id="own-page"),
        pytest.param(asked(HOST, ("sec-fetch-site", "same-origin")), True, None, id="own-get-without-origin"),
        pytest.param(asked(HOST, OWN), False, door.CSRF, id="no-csrf-token"),
        pytest.param(asked(HOST), True, door.NOT_OUR_PAGE, id="cookie-alone"),
        pytest.param(asked(HOST, ("sec-fetch-site", "none")), True, door.NOT_OUR_PAGE, id="typed-in"),
        pytest.param(asked(HOST, PLUGIN), True, door.NOT_OUR_PAGE, id="plugin-with-a-cookie"),
        pytest.param(
            asked(HOST, PLUGIN, ("sec-fetch-site", "same-origin")),
            True,
            door.NOT_OUR_PAGE,
            id="origin-beats-fetch-site",
        ),
        pytest.param(asked(HOST, OWN, path="/v1/session"), False, door.CSRF, id="reloaded-page"),
        pytest.param(asked(HOST, OWN, path="/v1/session", method="POST"), False, door.CSRF, id="post-session"),
    ],
)
def test_a_session_is_for_our_own_page_alone(request_: RequestHead, is_csrf_right: bool, want: Refusal | None) -> None:
    assert door.judge_session(request_, DOOR, is_csrf_right=is_csrf_right) == want
