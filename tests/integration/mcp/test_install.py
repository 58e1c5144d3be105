"""`scrubjay mcp install`: a program is told of Scrubjay, gets rights of its own, and loses both again."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import CallToolResult, TextContent

from tests.integration.mcp.conftest import Place


@pytest.fixture
def config(place: Place) -> Path:
    path = place.installation.root / ".cursor" / "mcp.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text('{"mcpServers": {"other": {"command": "x"}}, "theme": "dark"}')
    return path


def entry(config: Path) -> Any:
    return json.loads(config.read_text())["mcpServers"]["scrubjay"]


def profiles_seen_by(started: Any) -> str:
    """What the tool list_profiles says, when the program starts Scrubjay as its configuration tells."""
    environment = {"PYTHON_KEYRING_BACKEND": os.environ.get("PYTHON_KEYRING_BACKEND", ""), **started["env"]}
    environment["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"

    async def main() -> str:
        server = StdioServerParameters(command=started["command"], args=started["args"], env=environment)
        async with asyncio.timeout(60), Client(server) as client:
            result = await client.call_tool("list_profiles", {})
            assert isinstance(result, CallToolResult)
            return "".join(part.text for part in result.content if isinstance(part, TextContent))

    return asyncio.run(main())


def test_the_program_starts_scrubjay_with_rights_of_its_own_and_no_secret_in_its_file(
    place: Place, config: Path
) -> None:
    before = config.read_text()
    place.installation.run("mcp", "install", "cursor", "--profile", "notes")
    assert json.loads(config.read_text())["theme"] == "dark"
    assert "other" in json.loads(config.read_text())["mcpServers"]
    assert "sj_" not in config.read_text()
    assert config.with_name("mcp.json.scrubjay-bak").read_text() == before
    assert profiles_seen_by(entry(config)) == "- notes: vaults vault"
    listed = json.loads(place.installation.run("clients", "list", "--json").stdout)["clients"]
    made = [client for client in listed if client["name"] == "Cursor (MCP)"]
    assert [(client["scopes"], client["profiles"]) for client in made] == [(["search", "journal"], ["notes"])]

    place.installation.run("mcp", "uninstall", "cursor")
    assert json.loads(config.read_text()) == json.loads(before)
    assert "Cursor (MCP)" not in place.installation.run("clients", "list", "--json").stdout
    assert not list(place.installation.home.state.glob("agent-*"))


def test_installing_twice_leaves_one_client_and_one_token(place: Place, config: Path) -> None:
    for _ in range(2):
        place.installation.run("mcp", "install", "cursor", "--read-only")
    listed = json.loads(place.installation.run("clients", "list", "--json").stdout)["clients"]
    made = [client for client in listed if client["name"] == "Cursor (MCP)"]
    assert [(client["scopes"], client["all_profiles"]) for client in made] == [(["search"], True)]
    assert len(list(place.installation.home.state.glob("agent-*"))) == 1
    place.installation.run("mcp", "uninstall", "cursor")


def test_a_file_that_can_t_be_merged_stays_and_no_client_is_made(place: Place, config: Path) -> None:
    config.write_text('{"mcpServers": {}} // mine')
    refused = place.installation.run("mcp", "install", "cursor", check=False)
    assert refused.returncode == 1
    assert "--print" in refused.stderr
    assert config.read_text() == '{"mcpServers": {}} // mine'
    assert "Cursor (MCP)" not in place.installation.run("clients", "list", "--json").stdout
    printed = json.loads(place.installation.run("mcp", "install", "cursor", "--print").stdout)
    assert printed["mcpServers"]["scrubjay"]["args"][-2:] == ["--as", "Cursor (MCP)"]


def test_an_unknown_profile_and_an_unknown_agent_say_what_to_do(place: Place, config: Path) -> None:
    before = config.read_text()
    refused = place.installation.run("mcp", "install", "cursor", "--profile", "nowhere", check=False)
    assert (refused.returncode, config.read_text()) == (1, before)
    assert "nowhere" in refused.stderr
    assert "mcp install" in place.installation.run("mcp", "--as", "Nobody", check=False).stderr
