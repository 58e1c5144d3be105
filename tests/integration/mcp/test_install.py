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


def entry(config: Path) -> Any:
    return json.loads(config.read_text())["mcpServers"]["scrubjay"]


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


def test_the_program_starts_scrubjay_with_rights_of_its_own_and_no_secret_in_its_file(
    place: Place, config: Path, run: Run
) -> None:
    before = config.read_text()
    run("mcp", "install", "cursor", "--profile", "notes")
    assert json.loads(config.read_text())["theme"] == "dark"
    assert "other" in json.loads(config.read_text())["mcpServers"]
    assert "sj_" not in config.read_text()
    assert profiles_seen_by(entry(config)) == "- notes: vaults vault"
    listed = json.loads(run("clients", "list", "--json").stdout)["clients"]
    made = [client for client in listed if client["name"] == "Cursor (MCP)"]
    assert [(client["scopes"], client["profiles"]) for client in made] == [(["search", "journal"], ["notes"])]

    run("mcp", "uninstall", "cursor")
    assert config.read_text() == before
    assert [file.name for file in config.parent.iterdir()] == ["mcp.json"]
    assert "Cursor (MCP)" not in run("clients", "list", "--json").stdout
    assert not list(place.installation.home.state.glob("agent-*"))


def test_installing_twice_leaves_one_client_and_one_token(place: Place, config: Path, run: Run) -> None:
    for _ in range(2):
        run("mcp", "install", "cursor", "--read-only")
    listed = json.loads(run("clients", "list", "--json").stdout)["clients"]
    made = [client for client in listed if client["name"] == "Cursor (MCP)"]
    assert [(client["scopes"], client["all_profiles"]) for client in made] == [(["search"], True)]
    assert len(list(place.installation.home.state.glob("agent-*"))) == 1
    run("mcp", "uninstall", "cursor")


def rights_of_cursor(run: Run) -> Any:
    listed = json.loads(run("clients", "list", "--json").stdout)["clients"]
    return [(one["scopes"], one["profiles"], one["all_profiles"]) for one in listed if one["name"] == "Cursor (MCP)"]


def test_rights_never_widen_by_themselves_and_are_said_each_time(place: Place, config: Path, run: Run) -> None:
    first = run("mcp", "install", "cursor", "--profile", "notes", "--read-only").stdout
    assert "may see notes. It may write nothing." in " ".join(first.split())
    again = run("mcp", "install", "cursor").stdout
    assert "may see notes. It may write nothing." in " ".join(again.split())
    assert rights_of_cursor(run) == [(["search"], ["notes"], False)]
    assert "write to the journal" in run("mcp", "install", "cursor", "--may-write").stdout
    assert rights_of_cursor(run) == [(["search", "journal"], ["notes"], False)]
    assert "every profile" in run("mcp", "install", "cursor", "--profile", "all").stdout
    assert rights_of_cursor(run)[0][2]
    run("mcp", "uninstall", "cursor")


def test_rights_are_changed_with_one_command(place: Place, config: Path, run: Run) -> None:
    run("mcp", "install", "cursor")
    said = run("clients", "scope", "Cursor (MCP)", "--profile", "notes", "--scope", "search").stdout
    assert said == "Cursor (MCP) may see notes. It may write nothing.\n"
    assert rights_of_cursor(run) == [(["search"], ["notes"], False)]
    assert run("clients", "scope", "Cursor (MCP)").stdout == said
    assert "No client is called" in run("clients", "scope", "Nobody").stderr
    run("mcp", "uninstall", "cursor")


def test_a_file_that_can_t_be_merged_stays_and_no_client_is_made(place: Place, config: Path, run: Run) -> None:
    config.write_text('{"mcpServers": []} // mine')
    refused = run("mcp", "install", "cursor")
    assert refused.exit_code == 1
    assert "--print" in refused.stderr
    assert config.read_text() == '{"mcpServers": []} // mine'
    assert "Cursor (MCP)" not in run("clients", "list", "--json").stdout


def test_lines_that_are_printed_work_as_they_are(place: Place, config: Path, run: Run) -> None:
    before = config.read_text()
    printed = json.loads(run("mcp", "install", "cursor", "--print", "--profile", "notes").stdout)
    assert config.read_text() == before
    assert profiles_seen_by(printed["mcpServers"]["scrubjay"]) == "- notes: vaults vault"
    run("mcp", "uninstall", "cursor")
    assert config.read_text() == before


def test_a_file_that_was_made_for_it_goes_again(place: Place, run: Run) -> None:
    folder = place.installation.root / ".codeium"
    run("mcp", "install", "windsurf")
    assert (folder / "windsurf" / "mcp_config.json").exists()
    run("mcp", "uninstall", "windsurf")
    assert not folder.exists()


def test_an_unknown_profile_and_an_unknown_agent_say_what_to_do(place: Place, config: Path, run: Run) -> None:
    before = config.read_text()
    refused = run("mcp", "install", "cursor", "--profile", "nowhere")
    assert (refused.exit_code, config.read_text()) == (1, before)
    assert "nowhere" in refused.stderr
    assert "mcp install" in run("mcp", "--as", "Nobody").stderr
