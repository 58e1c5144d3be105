"""The gate around the application: it answers those who wait, and works for nobody who has gone."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrubjay.daemon.server.access.admission import DoorSettings
from scrubjay.daemon.server.access.client_registry import ClientRegistry
from scrubjay.daemon.server.access.gate import Gate
from scrubjay.daemon.server.access.sessions import Sessions


class Asked:
    """One POST: the sender waits, or goes when `go` is set."""

    def __init__(self, token: str, path: str) -> None:
        self.go = asyncio.Event()
        self.sent: list[Any] = []
        self._body = [b"{}"]
        headers = {
            "host": "127.0.0.1:1",
            "authorization": f"Bearer {token}",
            "content-type": "application/json",
            "content-length": "2",
        }
        self.scope = {
            "type": "http",
            "scheme": "http",
            "method": "POST",
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }

    async def receive(self) -> Any:
        if self._body:
            return {"type": "http.request", "body": self._body.pop(), "more_body": False}
        await self.go.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        self.sent.append(message)


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Asked]:
    clients = ClientRegistry(tmp_path / "clients.json")
    token = clients.create("one").token

    def run(app: Any, during: Callable[[Asked], Any], path: str = "/v1/search") -> Asked:
        async def main() -> Asked:
            asked = Asked(token, path)
            gate = Gate(app, lambda: DoorSettings(1), clients, Sessions(tmp_path, "instance"))
            async with asyncio.timeout(30), asyncio.TaskGroup() as group:
                group.create_task(gate(asked.scope, asked.receive, asked.send))
                group.create_task(during(asked))
            return asked

        return asyncio.run(main())

    return run


@pytest.mark.parametrize(
    ("path", "how"),
    [("/v1/search", "given up"), ("/v1/profiles", "finished"), ("/v1/journal", "finished"), ("/mcp", "finished")],
)
def test_a_search_is_given_up_with_who_asked_and_a_change_is_finished_whoever_listens(
    run: Callable[..., Asked], path: str, how: str
) -> None:
    begun, ended = asyncio.Event(), list[str]()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        begun.set()
        try:
            for _ in range(10):
                await asyncio.sleep(0)
            if how == "given up":
                await asyncio.Event().wait()
            ended.append("finished")
        except asyncio.CancelledError:
            ended.append("given up")
            raise

    async def leave(asked: Asked) -> None:
        await begun.wait()
        asked.go.set()

    assert run(app, leave, path).sent == []
    assert ended == [how]


def test_what_is_left_to_do_after_the_answer_is_done(run: Callable[..., Asked]) -> None:
    ended = list[str]()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": (await receive())["body"]})
        for _ in range(10):
            await asyncio.sleep(0)
        ended.append("tidied up")

    async def leave_with_the_answer(asked: Asked) -> None:
        while len(asked.sent) < 2:
            await asyncio.sleep(0)
        asked.go.set()

    assert run(app, leave_with_the_answer).sent[1]["body"] == b"{}"
    assert ended == ["tidied up"]


def test_a_fault_in_the_application_is_passed_on(run: Callable[..., Asked]) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise ZeroDivisionError

    async def wait(_: Asked) -> None:
        return None

    with pytest.raises(ExceptionGroup) as raised:
        run(app, wait)
    assert raised.group_contains(ZeroDivisionError)
