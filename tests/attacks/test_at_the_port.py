"""Another user of the machine, with whatever headers he likes, gets nothing at the port."""

import hashlib
import hmac
from collections.abc import Generator
from contextlib import closing, contextmanager
from typing import Any

import httpx

from tests.attacks.conftest import Victim, as_neighbour

GUESSES: dict[str, tuple[str, str, object, dict[str, str]]] = {
    "status": ("GET", "/v1/status", None, {}),
    "search": ("POST", "/v1/search", {"query": "jackdaw"}, {}),
    "metrics": ("GET", "/metrics", None, {}),
    "events": ("GET", "/v1/events", None, {}),
    "clients": ("GET", "/v1/clients", None, {}),
    "waiting pairings": ("GET", "/v1/pairing", None, {}),
    "ticket": ("POST", "/v1/tickets", {}, {}),
    "new token": ("POST", "/v1/clients", {"name": "x", "scopes": ["manage"], "profiles": "all"}, {}),
    "empty token": ("GET", "/v1/status", None, {"Authorization": "Bearer "}),
    "token of no bytes": ("GET", "/v1/status", None, {"Authorization": "Bearer sj_" + "A" * 43}),
    "hash in place of the token": ("GET", "/v1/status", None, {"Authorization": "Bearer {hash}"}),
    "token as a cookie": ("GET", "/v1/status", None, {"Cookie": "token={token}"}),
    "plugin's origin": ("GET", "/v1/status", None, {"Origin": "app://obsidian.md"}),
    "page's origin": ("GET", "/v1/session", None, {"Origin": "http://127.0.0.1:{port}"}),
    "made-up cookie": ("GET", "/v1/session", None, {"Cookie": "scrubjay_session_{port}=AAAA"}),
    "agents' door": ("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, {}),
    "made-up ticket": ("POST", "/v1/session", {"ticket": "A" * 43}, {}),
    "another's pairing": ("POST", "/v1/pairing/{pairing}/collect", {"secret": "A" * 43}, {}),
    "approval of himself": ("POST", "/v1/pairing/{pairing}", {"approve": True}, {}),
}


def test_without_a_secret_every_request_is_refused(victim: Victim) -> None:
    with victim.http() as http:
        pairing = http.post("/v1/pairing", json={"client": "Mine"}).json()["id"]
    values = {
        "hash": hashlib.sha256(victim.token.encode()).hexdigest(),
        "token": "sj_" + "A" * 43,
        "port": victim.port,
        "pairing": pairing,
    }
    requests = [
        [method, path.format(**values), body, {key: value.format(**values) for key, value in headers.items()}]
        for method, path, body, headers in GUESSES.values()
    ]
    answers = dict(zip(GUESSES, as_neighbour("knock", port=victim.port, requests=requests), strict=True))
    assert {name: status for name, (status, _) in answers.items() if status not in (401, 403, 404)} == {}
    assert "jackdaw" not in str(answers)


def test_health_tells_nothing_of_the_user(victim: Victim) -> None:
    ((status, reply),) = as_neighbour("knock", port=victim.port, requests=[["GET", "/health"]])
    assert status == 200
    assert set(reply) == {"name", "version", "instance"}


def test_a_proof_with_a_key_that_a_full_disk_left_opens_nothing(victim: Victim) -> None:
    assert as_neighbour("prove_with_bad_keys", port=victim.port) == []


def test_a_ticket_like_those_of_the_page_file_opens_nothing_without_its_secret(victim: Victim) -> None:
    assert as_neighbour("make_tickets", port=victim.port) == []


def test_a_flood_of_requests_keeps_nobody_from_pairing(victim: Victim) -> None:
    with victim.http() as http:
        begun = http.post("/v1/pairing", json={"client": "Mine", "vault": None}).json()
        assert as_neighbour("flood_pairing", port=victim.port, times=200) == 200
        victim.installation.run("clients", "approve", begun["code"])
        collected = http.post(f"/v1/pairing/{begun['id']}/collect", json={"secret": begun["secret"]}).json()
    assert collected["state"] == "approved"
    assert collected["token"].startswith("sj_")


def test_asking_for_what_is_no_vault_is_refused(victim: Victim) -> None:
    asking = [["POST", "/v1/pairing", {"client": "x", "vault": vault}] for vault in ("/etc", "/", "/usr/share")]
    assert [status for status, _ in as_neighbour("knock", port=victim.port, requests=asking)] == [400] * 3


def test_asking_does_not_tell_which_folders_the_user_has(victim: Victim) -> None:
    private = victim.installation.home.data
    asking = [
        ["POST", "/v1/pairing", {"client": "x", "vault": str(private / name)}] for name in ("profiles", "nothing")
    ]
    answers = as_neighbour("knock", port=victim.port, requests=asking)
    assert [status for status, _ in answers] == [201, 201]


# --- the search page


class Page:
    """The user's browser on the search page, as an open tab."""

    def __init__(self, victim: Victim) -> None:
        self.origin = {"Origin": victim.discovery.url}
        with victim.http(victim.token) as own:
            self.ticket = own.post("/v1/tickets", json={}).json()["ticket"]
        self.http = victim.http()
        self.key = self.http.post("/v1/session", json={"ticket": self.ticket}, headers=self.origin).json()["key"]
        self.cookie = dict(self.http.cookies)

    def answer(self, instance: str) -> dict[str, str]:
        """What the page sends to the daemon of this instance."""
        return {"X-Scrubjay-Csrf": hmac.new(self.key.encode(), instance.encode(), hashlib.sha256).hexdigest()}

    def get(self, instance: str) -> httpx.Response:
        return self.http.get("/v1/status", headers=self.origin | self.answer(instance))


@contextmanager
def page_of(victim: Victim) -> Generator[Page]:
    page = Page(victim)
    with closing(page.http):
        assert page.get(victim.discovery.instance).status_code == 200
        yield page


def stolen(page: Page, more: dict[str, str]) -> dict[str, str]:
    """What a server of the neighbour's at another port is sent by the browser, and what he makes up."""
    cookies = "; ".join(f"{name}={value}" for name, value in page.cookie.items())
    return {"Cookie": cookies, "Sec-Fetch-Site": "same-origin"} | more


def test_the_cookie_that_every_port_is_sent_opens_nothing(victim: Victim) -> None:
    with page_of(victim) as page:
        answers = (
            "",
            "0" * 64,
            next(iter(page.cookie.values())),
            page.answer("0" * 16)["X-Scrubjay-Csrf"],  # an older daemon's
            hmac.new(b"", victim.discovery.instance.encode(), hashlib.sha256).hexdigest(),  # another port's
        )
        requests = [
            ["GET", path, None, stolen(page, page.origin | header)]
            for path in ("/v1/session", "/v1/status", "/v1/clients", "/v1/events")
            for header in ({}, *({"X-Scrubjay-Csrf": answer} for answer in answers))
        ]
        replies = as_neighbour("knock", port=victim.port, requests=requests)
        assert [(status, reply["code"]) for status, reply in replies] == [(403, "csrf")] * len(requests)


def test_a_ticket_that_two_had_opens_nothing_for_long_and_the_user_is_told(victim: Victim) -> None:
    with victim.http(victim.token) as own:
        before = own.get("/v1/sessions").json()
        ticket = own.post("/v1/tickets", json={}).json()["ticket"]
        thief = as_neighbour("knock", port=victim.port, requests=[["POST", "/v1/session", {"ticket": ticket}]])
        assert thief[0][0] == 201, "the control: the neighbour was faster"
        assert own.post("/v1/session", json={"ticket": ticket}).status_code == 401
        assert own.get("/v1/sessions").json() == before, "the thief's session has ended"
        warnings: list[str] = own.get("/v1/status").json()["warnings"]
    assert any("twice" in warning for warning in warnings)
    assert "twice" in victim.installation.run("status").stdout
    assert "twice" in (victim.installation.home.logs / "daemon.log").read_text()


def test_a_page_makes_no_token_that_would_outlive_it(victim: Victim) -> None:
    with page_of(victim) as page, victim.http() as http:
        headers = page.origin | page.answer(victim.discovery.instance)
        begun = http.post("/v1/pairing", json={"client": "Mine"}).json()
        tries: list[tuple[str, dict[str, Any]]] = [
            ("/v1/tickets", {}),
            ("/v1/clients", {"name": "Backup agent", "scopes": ["search"], "profiles": "all"}),
            (f"/v1/pairing/{begun['id']}", {"approve": True, "profiles": []}),
        ]
        assert [page.http.post(path, json=body, headers=headers).status_code for path, body in tries] == [403] * 3


def test_a_page_that_the_user_ended_is_dead_at_once(victim: Victim) -> None:
    with page_of(victim) as page:
        listed = victim.installation.run("clients", "list").stdout
        with victim.http(victim.token) as own:
            sessions = own.get("/v1/sessions").json()["sessions"]
        assert all(session["id"] in listed for session in sessions)
        for session in sessions:
            victim.installation.run("clients", "close", session["id"])
        assert page.get(victim.discovery.instance).status_code == 401
