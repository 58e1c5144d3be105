"""The search page: its files, its one-time ticket, and a session that is good on our own page alone."""

import hashlib
import hmac
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import httpx
import pytest

from scrubjay.daemon.server.access.tickets import TICKET_SECONDS
from tests.integration.server.conftest import Residents

SEARCH = {"query": "jackdaw"}


class Page:
    """What a browser does on the page: keeps the cookie, names its origin, sends the token that it was given."""

    def __init__(self, residents: Residents, token: str) -> None:
        self.origin = {"Origin": residents.house.url}
        with residents.http(token) as owner:
            self.minted = owner.post("/v1/tickets", json={}).json()
        self.http = residents.http()
        self.opened = self.redeem()
        key, instance = str(self.opened.json().get("key", "")), residents.house.services.identity.instance
        self.csrf = {"X-Scrubjay-Csrf": hmac.new(key.encode(), instance.encode(), hashlib.sha256).hexdigest()}

    def redeem(self) -> httpx.Response:
        return self.http.post("/v1/session", json={"ticket": self.minted["ticket"]}, headers=self.origin)

    def post(self, path: str, body: object) -> httpx.Response:
        return self.http.post(path, json=body, headers=self.origin | self.csrf)

    def status(self) -> httpx.Response:
        return self.http.get("/v1/status", headers=self.origin | self.csrf)


Open = Callable[[str], Page]


@pytest.fixture
def open_page(residents: Residents) -> Iterator[Open]:
    """Opens a page by a token."""
    with ExitStack() as pages:

        def opened(token: str) -> Page:
            page = Page(residents, token)
            pages.callback(page.http.close)
            return page

        yield opened


def code(reply: httpx.Response) -> tuple[int, str]:
    return reply.status_code, reply.json()["code"]


def test_a_ticket_opens_a_session_that_sees_what_its_client_sees(residents: Residents, open_page: Open) -> None:
    page = open_page(residents.reader)
    assert page.opened.status_code == 201
    assert (page.minted["path"], page.minted["seconds"]) == (f"/#ticket={page.minted['ticket']}", TICKET_SECONDS)
    told = {"client": "reader", "scopes": ["search"], "profiles": ["work"]}
    assert page.opened.json().items() >= told.items()
    assert {hit["profile"] for hit in page.post("/v1/search", SEARCH).json()["results"]} == {"work"}
    again = page.http.get("/v1/session", headers={"Sec-Fetch-Site": "same-origin"} | page.csrf)
    assert again.json() == told | {"key": None}


def test_the_cookie_is_out_of_reach_of_scripts_other_sites_and_other_ports(
    residents: Residents, open_page: Open
) -> None:
    page = open_page(residents.reader)
    cookie, *attributes = page.opened.headers["set-cookie"].lower().split("; ")
    assert cookie.startswith(f"scrubjay_session_{residents.house.port}=")
    assert {"httponly", "samesite=strict"} <= set(attributes)
    assert not any(each.startswith("domain") for each in attributes)
    assert page.minted["ticket"].lower() not in cookie


@pytest.mark.parametrize(
    ("headers", "want"),
    [
        ({}, "not-our-page"),
        ({"X-Scrubjay-Csrf": "{csrf}"}, "not-our-page"),
        ({"Sec-Fetch-Site": "none", "X-Scrubjay-Csrf": "{csrf}"}, "not-our-page"),
        ({"Origin": "app://obsidian.md", "X-Scrubjay-Csrf": "{csrf}"}, "not-our-page"),
        ({"Origin": "{url}"}, "csrf"),
        ({"Origin": "{url}", "X-Scrubjay-Csrf": ""}, "csrf"),
        ({"Origin": "{url}", "X-Scrubjay-Csrf": "{csrf}A"}, "csrf"),
        ({"Origin": "{url}", "X-Scrubjay-Csrf": "{key}"}, "csrf"),
        ({"Origin": "{url}", "Cookie": "scrubjay_session_{port}=made-up"}, "unauthenticated"),
    ],
)
def test_the_cookie_alone_opens_nothing(
    residents: Residents, open_page: Open, headers: dict[str, str], want: str
) -> None:
    page = open_page(residents.owner)
    house, key = residents.house, page.opened.json()["key"]
    values = {"csrf": page.csrf["X-Scrubjay-Csrf"], "url": house.url, "port": house.port, "key": key}
    filled = {name: value.format(**values) for name, value in headers.items()}
    if "Cookie" in filled:
        page.http.cookies.clear()
    assert code(page.http.post("/v1/search", json=SEARCH, headers=filled))[1] == want


def test_a_ticket_that_comes_twice_is_refused_and_ends_the_session(residents: Residents, open_page: Open) -> None:
    page = open_page(residents.owner)
    assert page.status().status_code == 200
    assert code(page.redeem()) == (401, "ticket-refused")
    assert code(page.status()) == (401, "unauthenticated")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/clients", {"name": "Backup agent", "scopes": ["search"], "profiles": "all"}),
        ("/v1/clients/{guest}", {"profiles": "all"}),
        ("/v1/clients/{guest}/rotate", {}),
        ("/v1/pairing/{asking}", {"approve": True, "profiles": ["work"]}),
        ("/v1/tickets", {}),
        ("/v1/review/write", {"keys": ["0" * 32]}),
        ("/v1/review/undo", {"run": "abcd1234"}),
    ],
)
def test_a_page_lets_nobody_in_nor_has_it_notes_written(
    residents: Residents, open_page: Open, path: str, body: dict[str, object]
) -> None:
    guest = residents.house.token("guest", residents.work)
    asking = residents.house.services.pairing.ask("Somebody", None, ("search",)).request.id
    page = open_page(residents.manager if "review" in path else residents.owner)
    assert code(page.post(path.format(guest=guest.client.id, asking=asking), body)) == (403, "forbidden")
    if "review" not in path:
        assert page.post(f"/v1/pairing/{asking}", {"approve": False}).is_success
    assert residents.house.clients.authenticate(guest.token) is not None


def test_a_session_dies_with_its_client(residents: Residents, open_page: Open) -> None:
    guest = residents.house.token("guest", residents.work)
    page = open_page(guest.token)
    assert page.status().status_code == 200
    residents.house.clients.revoke(guest.client.id)
    assert code(page.status()) == (401, "unauthenticated")


def test_the_page_is_served_with_a_policy_that_lets_only_its_own_files_run(residents: Residents) -> None:
    with residents.http() as http:
        reply = http.get("/")
        policy = reply.headers["content-security-policy"]
        assert reply.status_code == 200
        assert reply.headers["content-type"] == "text/html; charset=utf-8"
        assert policy == (
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:;"
            " manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        unchanged = http.get("/", headers={"If-None-Match": f'"x", {reply.headers["etag"]}'})
        assert (unchanged.status_code, unchanged.content) == (304, b"")


def test_api_replies_may_not_be_kept_framed_or_sniffed(residents: Residents) -> None:
    with residents.http(residents.reader) as http:
        headers = http.get("/v1/status").headers
    assert headers.items() >= {
        ("content-type", "application/json; charset=utf-8"),
        ("cache-control", "no-store"),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
        ("cross-origin-resource-policy", "same-origin"),
        ("referrer-policy", "no-referrer"),
    }
    assert "access-control-allow-origin" not in headers


def test_the_plugin_s_origin_alone_is_answered_to_by_name(residents: Residents) -> None:
    plugin = {"Origin": "app://obsidian.md"}
    with residents.http(residents.reader) as http:
        reply = http.get("/v1/status", headers=plugin | {"Sec-Fetch-Site": "cross-site"})
        assert reply.headers["access-control-allow-origin"] == "app://obsidian.md"
        assert reply.headers["vary"] == "Origin"
        assert "access-control-allow-credentials" not in reply.headers
        preflight = http.options(
            "/v1/search",
            headers=plugin
            | {"Access-Control-Request-Method": "POST", "Access-Control-Request-Private-Network": "true"},
        )
        assert preflight.status_code == 204
        assert preflight.headers["access-control-allow-origin"] == "app://obsidian.md"
        assert "access-control-allow-private-network" not in preflight.headers
    with residents.http() as stranger:
        assert stranger.get("/v1/status", headers=plugin).status_code == 401


def test_health_tells_who_answers_and_nothing_of_the_user_s(residents: Residents) -> None:
    with residents.http() as http:
        assert http.get("/health").json() == {
            "name": "scrubjay",
            "version": "1.2.3",
            "instance": residents.house.services.identity.instance,
        }
        assert code(http.get("/health", params={"challenge": "short"})) == (400, "usage")
        assert code(http.get("/health", params={"challenge": "a" * 200})) == (400, "invalid-request")
