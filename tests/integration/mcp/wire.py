"""MCP as it travels: JSON-RPC by hand over both transports, as of one version of the protocol."""

import itertools
import json
import select
import subprocess
from typing import Any, TypeAlias

import httpx2

from tests.helpers.installation import quick_command
from tests.integration.mcp.conftest import Place

STATELESS = "2026-07-28"
SECONDS = 60
_META = "io.modelcontextprotocol/"
_IDS = itertools.count(1)


class StdioConnection:
    """A program started for this client, a message a line."""

    def __init__(self, place: Place, version: str) -> None:
        self.version = version
        self.notices: list[dict[str, Any]] = []
        self.replies: dict[int | None, dict[str, Any]] = {}
        self._process = subprocess.Popen(
            quick_command("mcp"),
            env=place.installation.run_environment() | {"SCRUBJAY_TOKEN": place.token},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def send(self, method: str, params: dict[str, Any], id: int) -> None:
        """A request, and no waiting."""
        self.write_line(json.dumps(_message(self.version, method, params, id)).encode())

    def cancel(self, id: int) -> None:
        """Take a request back, by a notification."""
        told = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}
        self.write_line(json.dumps(told).encode())

    def reply(self, id: int | None) -> dict[str, Any]:
        """The reply to a request; None: to what is none. Raises TimeoutError where none comes."""
        while id not in self.replies:
            self._read()
        return self.replies.pop(id)

    def notice(self) -> dict[str, Any]:
        """The next notification."""
        while not self.notices:
            self._read()
        return self.notices.pop(0)

    def _read(self) -> None:
        assert self._process.stdout
        ready, _, _ = select.select([self._process.stdout], [], [], SECONDS)
        if not ready:
            raise TimeoutError("nothing came")
        message = json.loads(self._process.stdout.readline())
        if "id" in message:
            self.replies[message["id"]] = message
        else:
            self.notices.append(message)

    def write_line(self, line: bytes) -> None:
        """A line of whatever bytes, and no waiting."""
        assert self._process.stdin
        self._process.stdin.write(line + b"\n")
        self._process.stdin.flush()

    def close(self) -> None:
        """End the connection, and so the program."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.stdout.close()
        assert self._process.wait(SECONDS) == 0


class HttpConnection:
    """A POST for each request; its reply comes with it."""

    def __init__(self, place: Place, version: str) -> None:
        self.version = version
        self._url = f"{place.url}/mcp"
        self._http = httpx2.Client(headers={"Authorization": f"Bearer {place.token}"}, trust_env=False, timeout=SECONDS)
        self._replies: dict[int, dict[str, Any]] = {}

    def send(self, method: str, params: dict[str, Any], id: int) -> None:
        """A request."""
        headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": self.version}
        if self.version == STATELESS:
            headers |= {"Mcp-Method": method}
            if named := params.get("name") or params.get("uri"):
                headers["Mcp-Name"] = named
        reply = self._http.post(self._url, headers=headers, json=_message(self.version, method, params, id))
        self._replies[id] = reply.json()

    def reply(self, id: int) -> dict[str, Any]:
        """The reply to a request."""
        return self._replies.pop(id)

    def close(self) -> None:
        """End the connections."""
        self._http.close()


Connection: TypeAlias = StdioConnection | HttpConnection
TRANSPORTS: dict[str, type[Connection]] = {"stdio": StdioConnection, "http": HttpConnection}


def request(connection: Connection, method: str, **params: Any) -> dict[str, Any]:
    """Make a request and wait for its reply: the whole JSON-RPC message."""
    number = next(_IDS)
    connection.send(method, params, number)
    return connection.reply(number)


def opened(connection: Connection) -> dict[str, Any]:
    """What the server says of itself: to `initialize`, or, without a session, to `server/discover`."""
    if connection.version == STATELESS:
        return request(connection, "server/discover")["result"]
    own = {"protocolVersion": connection.version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    return request(connection, "initialize", **own)["result"]


def _message(version: str, method: str, params: dict[str, Any], id: int) -> dict[str, Any]:
    if version == STATELESS:
        said = {"protocolVersion": version, "clientInfo": {"name": "t", "version": "1"}, "clientCapabilities": {}}
        own = {f"{_META}{name}": value for name, value in said.items()}
        params = {**params, "_meta": own | params.get("_meta", {})}
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
