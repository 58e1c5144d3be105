"""`scrubjay mcp install`: a program is told of Scrubjay, gets rights of its own, and loses both again."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from click.testing import Result
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import CallToolResult, TextContent

from tests.integration.mcp.conftest import Place

Run: TypeAlias = Callable[..., Result]


@pytest.fixture
def config(place: Place) -> Path:
    path = place.installation.root / ".cursor" / "mcp.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text('{"mcpServers": {"other": {"command": "x"}}, "theme": "dark"}')
    return path


@pytest.fixture
def run(place: Place) -> Run:
    return place.installation.invoke


def profiles_seen_by(started: Any) -> str:
    """What the tool list_profiles says, when the program starts Scrubjay as its configuration tells."""
    environment = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring", **started["env"]}

    async def main() -> str:
        server = StdioServerParameters(command=started["command"], args=started["args"], env=environment)
        async with asyncio.timeout(120), Client(server) as client:
            result = await client.call_tool("list_profiles", {})
            assert isinstance(result, CallToolResult)
            return "".join(part.text for part in result.content if isinstance(part, TextContent))

    return asyncio.run(main())


def rights_of_cursor(run: Run) -> list[tuple[list[str], list[str], bool]]:
    listed = json.loads(run("clients", "list", "--json").stdout)["clients"]
    return [(one["scopes"], one["profiles"], one["all_profiles"]) for one in listed if one["name"] == "Cursor (MCP)"]


def test_the_program_starts_scrubjay_with_rights_of_its_own_and_no_secret_in_its_file(
    place: Place, config: Path, run: Run
) -> None:
    before = config.read_text()
    printed = json.loads(run("mcp", "install", "cursor", "--print", "--profile", "notes").stdout)
    assert config.read_text() == before
    assert profiles_seen_by(printed["mcpServers"]["scrubjay"]) == "- notes: vaults vault", (
        "printed lines work as they are"
    )
    run("mcp", "uninstall", "cursor")
    run("mcp", "install", "cursor", "--profile", "notes")
    written = json.loads(config.read_text())
    assert (written["theme"], "other" in written["mcpServers"], "sj_" in config.read_text()) == ("dark", True, False)
    assert written["mcpServers"]["scrubjay"] == printed["mcpServers"]["scrubjay"], "printed lines work as they are"
    assert profiles_seen_by(written["mcpServers"]["scrubjay"]) == "- notes: vaults vault"
    assert rights_of_cursor(run) == [(["search", "journal"], ["notes"], False)]
    run("mcp", "uninstall", "cursor")
    assert config.read_text() == before
    assert [file.name for file in config.parent.iterdir()] == ["mcp.json"]
    assert rights_of_cursor(run) == []
    assert not list(place.installation.home.state.glob("agent-*"))


def test_rights_never_widen_by_themselves_and_are_said_each_time(place: Place, config: Path, run: Run) -> None:
    for options in (("--profile", "notes", "--read-only"), ()):
        said = run("mcp", "install", "cursor", *options).stdout
        assert "may see notes. It may write nothing." in " ".join(said.split())
        assert rights_of_cursor(run) == [(["search"], ["notes"], False)]
        assert len(list(place.installation.home.state.glob("agent-*"))) == 1, "one token, however often"
    assert "write to the journal" in run("mcp", "install", "cursor", "--may-write").stdout
    assert rights_of_cursor(run) == [(["search", "journal"], ["notes"], False)]
    assert "every profile" in run("mcp", "install", "cursor", "--profile", "all").stdout
    assert rights_of_cursor(run)[0][2]
    said = run("clients", "scope", "Cursor (MCP)", "--profile", "notes", "--scope", "search").stdout
    assert said == "Cursor (MCP) may see notes. It may write nothing.\n"
    assert rights_of_cursor(run) == [(["search"], ["notes"], False)]
    assert run("clients", "scope", "Cursor (MCP)").stdout == said
    assert "No client is called" in run("clients", "scope", "Nobody").stderr
    run("mcp", "uninstall", "cursor")


def test_what_can_t_be_installed_changes_no_file_and_makes_no_client(place: Place, config: Path, run: Run) -> None:
    before = config.read_text()
    refused = run("mcp", "install", "cursor", "--profile", "nowhere")
    assert (refused.exit_code, "nowhere" in refused.stderr, config.read_text()) == (1, True, before)
    config.write_text('{"mcpServers": []} // mine')
    refused = run("mcp", "install", "cursor")
    assert (refused.exit_code, "--print" in refused.stderr) == (1, True)
    assert (config.read_text(), rights_of_cursor(run)) == ('{"mcpServers": []} // mine', [])
    assert "mcp install" in run("mcp", "--as", "Nobody").stderr
