"""Every named attack over a real socket: refused with the status that fits, in one shape, telling nothing."""

import json
import socket
import time
from pathlib import Path

import pytest

from tests.integration.server.attacks import ATTACKS, Attack
from tests.integration.server.conftest import Residents
from tests.integration.server.house import open_house, read_reply

MARK = b"jackdaw"  # in every note


def status_and_body(reply: bytes) -> tuple[int, dict[str, str], bytes]:
    head, _, body = reply.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return int(first.split()[1]), headers, body


def test_there_are_enough_attacks_and_each_has_a_name() -> None:
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS) >= 100


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_attack_is_refused(residents: Residents, attack: Attack) -> None:
    house = residents.house
    reply = house.raw(attack.request(house.host, residents.reader))
    status, headers, body = status_and_body(reply)
    problem = json.loads(body)
    assert (f"{status} {problem['code']}", problem["status"]) == (attack.want, status)
    assert set(problem) <= {"type", "title", "status", "detail", "code", "errors"}
    assert (
        headers.items()
        >= {
            "content-type": "application/problem+json",
            "cache-control": "no-store",
            "x-content-type-options": "nosniff",
        }.items()
    )
    assert not headers.keys() & {"access-control-allow-origin", "access-control-allow-private-network", "server"}
    assert MARK not in body
    for telling in ("Traceback", ".py", str(house.home.data), str(house.vaults), "sqlite", "attacker"):
        assert telling not in body.decode()
    assert residents.reader.encode() not in reply


def test_the_honest_request_that_the_attacks_are_made_from_is_answered(residents: Residents) -> None:
    house = residents.house
    status, _, body = status_and_body(house.raw(Attack("honest", "").request(house.host, residents.reader)))
    assert status == 200
    assert MARK in body


@pytest.mark.parametrize(
    "query",
    [
        '" OR 1=1 --',
        "jackdaw AND NOT (NEAR(a b, 5)) OR *",
        "body:jackdaw headings:x {a b}: c",
        "^jackdaw* + - ( ) \" ' : ,",
        "\u202ejackdaw\u2066",
        "tag: path: file: modified:",
    ],
)
def test_what_looks_like_query_syntax_is_only_words(residents: Residents, query: str) -> None:
    with residents.http(residents.reader) as http:
        reply = http.post("/v1/search", json={"query": query})
    assert reply.status_code == 200
    assert {hit["profile"] for hit in reply.json()["results"]} <= {"work"}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[" * 30_000,
        b"[]",
        b'{"jsonrpc": "2.0"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "../../v1/clients"}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": {"query": 5}}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "file:///etc/passwd"}}',
        b'{"jsonrpc": "2.0", "id": "\\ud800", "method": "tools/list"}',
        b"\xff\xfe",
    ],
)
def test_mcp_answers_nonsense_without_a_fault(residents: Residents, body: bytes) -> None:
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    with residents.http(residents.reader) as http:
        reply = http.post("/mcp", content=body, headers=headers)
    assert reply.status_code < 500
    assert MARK not in reply.content
    assert "root:" not in reply.text
    assert reply.headers["cache-control"] == "no-store"


def test_a_request_after_a_refused_one_on_the_same_connection_is_not_read(residents: Residents) -> None:
    """What is smuggled behind a refused request never becomes a request of its own."""
    house = residents.house
    refused = Attack("x", "", headers=("Origin: https://attacker.example",)).request(house.host, residents.reader)
    honest = Attack("y", "").request(house.host, residents.reader)
    with socket.create_connection(("127.0.0.1", house.port), timeout=10) as connection:
        connection.sendall(refused + honest)
        received = b""
        while part := connection.recv(65_536):
            received += part
    assert received.count(b"HTTP/1.1") == 1
    assert MARK not in received


def test_headers_without_an_end_are_refused_before_they_fill_memory(residents: Residents) -> None:
    house = residents.house
    status, _, body = status_and_body(house.raw(b"GET /health HTTP/1.1\r\nX-Big: " + b"y" * 2_000_000))
    assert (status, json.loads(body)["code"]) == (400, "malformed-http")


def test_guessing_tokens_is_throttled_and_locks_nobody_out(tmp_path: Path) -> None:
    """In a house of its own: the other tests use wrong tokens too, and are told what is wrong with theirs."""
    wrong = Attack("x", "", headers=("Authorization: Bearer sj_" + "B" * 43,), drop=("Authorization",))
    with open_house(tmp_path) as house:
        honest = house.token("reader", house.add_profile("work", {})).token
        replies = [status_and_body(house.raw(wrong.request(house.host, ""))) for _ in range(25)]
        assert replies[-1][0] == 429
        assert replies[-1][1]["retry-after"] == "60"
        with house.client(honest) as http:
            assert http.get("/v1/status").status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "begin"),
    [
        ("headers", b"POST /v1/search HTTP/1.1\r\nHost: "),
        (
            "body",
            b"POST /v1/session HTTP/1.1\r\nHost: {host}\r\n"
            b"Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
        ),
        ("silence", b""),
    ],
)
def test_slow_loris_is_shown_the_door(residents: Residents, name: str, begin: bytes) -> None:
    """One byte a second for as long as it likes; meanwhile others are served."""
    house = residents.house
    with socket.create_connection(("127.0.0.1", house.port), timeout=30) as connection:
        connection.sendall(begin.replace(b"{host}", house.host.encode()))
        started = time.monotonic()
        while time.monotonic() - started < 9:
            time.sleep(1)
            if name != "silence":
                connection.sendall(b"a")
        with residents.http(residents.reader) as http:
            assert http.get("/v1/status").status_code == 200
        status, _, body = status_and_body(read_reply(connection))
    assert status == 408
    assert json.loads(body)["code"] == f"{'body' if name == 'body' else 'headers'}-too-slow"
