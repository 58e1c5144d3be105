"""A server's copy of a vault, written by a sync program, no desktop anywhere: daemon, page and MCP answer for it."""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import TextContent

from scrubjay.credential_filter.rules.templates import expand
from scrubjay.daemon.client import ScrubjayClient
from tests.helpers.installation import Installation, quick_command, wait_until_indexed
from tests.helpers.plain_http import page_client
from tests.helpers.waiting import until

SECRET = expand("ghp_{alnum:36}", "synced vault")
_OF_A_DESKTOP = ("DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_CURRENT_DESKTOP", "BROWSER")
_SYNC = """
import json, os, sys
root = sys.argv[1]
for line in sys.stdin:
    for path, text in json.loads(line).items():
        target = os.path.join(root, path)
        if text is None:
            os.remove(target)
            continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        half = os.path.join(os.path.dirname(target), ".~sync-" + os.path.basename(target))
        with open(half, "w", encoding="utf-8", newline="") as file:
            file.write(text[: len(text) // 2])
            file.flush()
            os.fsync(file.fileno())
            file.write(text[len(text) // 2 :])
        os.replace(half, target)
    print("done", flush=True)
"""


class Sync:
    """A program that writes into a folder as sync programs do: whole under another name, then renamed."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self._process = subprocess.Popen(
            [sys.executable, "-c", _SYNC, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def bring(self, files: dict[str, str | None]) -> None:
        """Have these files there; None: no more."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(files) + "\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline() == "done\n"

    def end(self) -> None:
        with self._process:
            self._process.terminate()


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installation:
    for name in _OF_A_DESKTOP:
        monkeypatch.delenv(name, raising=False)
    return Installation(tmp_path)


@pytest.fixture
def sync(server: Installation) -> Iterator[Sync]:
    made = Sync(server.vault)
    yield made
    made.end()


def test_a_vault_that_is_synced_to_a_server_is_searched_there_by_page_and_agents(
    server: Installation, sync: Sync
) -> None:
    sync.bring({"Ferry.md": "The ferry leaves at nine.\n", "Coast/Walk.md": f"By the sea.\ntoken: {SECRET}\n"})
    server.run("profile", "create", "notes", "--vault", str(server.vault), "--allow", ".")
    assert not (server.vault / ".obsidian").exists()
    with server.daemon() as client:
        wait_until_indexed(client)
        assert found(client, server, "ferry") == {"Ferry.md"}
        own = {".obsidian/app.json": '{"ferry": 1}', ".obsidian/plugins/x/Readme.md": "A ferry of the app's own.\n"}
        sync.bring({"Timetable.md": "# Timetable\n\nThe ferry leaves at ten from May on.\n", "Ferry.md": None, **own})
        until(lambda: found(client, server, "ferry") == {"Timetable.md"})
        wait_until_indexed(client)
        said = asyncio.run(asked_by_an_agent(server, "When does the ferry leave in May?"))
        assert ["ten from May on" in said, "app's own" in said, SECRET in said] == [True, False, False]
        assert SECRET not in asyncio.run(asked_by_an_agent(server, "by the sea token"))


def test_what_is_written_on_the_server_is_a_saved_note_to_the_sync_program(server: Installation, sync: Sync) -> None:
    sync.bring({"Ferry.md": "The ferry leaves at nine.\n", "Walk.md": "By the sea.\n"})
    os.utime(server.vault / "Ferry.md", (1_700_000_000, 1_700_000_000))
    server.run("profile", "create", "notes", "--vault", str(server.vault), "--allow", ".")
    with server.daemon() as client:
        wait_until_indexed(client)
        server.run("edit", "ferry", "--replace", "nine", "--with", "ten", "--write", "--yes")
    assert (server.vault / "Ferry.md").read_text(encoding="utf-8") == "The ferry leaves at ten.\n"
    assert (server.vault / "Ferry.md").stat().st_mtime > 1_700_000_000, "a program that goes by times sees it"
    assert sorted(path.name for path in server.vault.iterdir()) == ["Ferry.md", "Walk.md"]


def found(client: ScrubjayClient, server: Installation, query: str) -> set[str]:
    """What the page finds, opened as from the other end of a tunnel: by the address that is printed."""
    printed = server.run("open", "--print").stdout.strip()
    ticket = re.search(r"[?#].*ticket=([\w.-]+)", printed)
    assert ticket, printed
    with closing(page_client(client.url, ticket[1])) as page:
        reply: Any = page.post("/v1/search", json={"query": query, "mode": "lexical"}).json()
    return {each["path"] for each in reply["results"]}


async def asked_by_an_agent(server: Installation, query: str) -> str:
    """What an agent reads that starts `scrubjay mcp` there, as through SSH."""
    token = server.run("clients", "create", "agent", "--profile", "notes", "--scope", "search").stdout.strip()
    program, *arguments = quick_command("mcp")
    environment = server.run_environment() | {"SCRUBJAY_TOKEN": token}
    started = StdioServerParameters(command=program, args=arguments, env=environment)
    async with asyncio.timeout(120), Client(started) as agent:
        result: Any = await agent.call_tool("search", {"query": query})
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))
