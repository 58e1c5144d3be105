"""Entering Scrubjay into other programs' files: ours comes and goes, everything else stays."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.setup.mcp_clients import (
    KNOWN,
    NotMergeable,
    StartCommand,
    config_file,
    entry_of,
    snippet,
    with_entry,
    without_entry,
)

START = StartCommand("/opt/scrubjay", ("mcp", "--as", "Cursor (MCP)"), {"SCRUBJAY_HOME": "/home/ada/sj"})
JSON = [client for client in KNOWN.values() if client.format == "json"]
KEYS = st.text(max_size=8)
TREES = st.dictionaries(
    KEYS,
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=2),
        max_leaves=4,
    ),
    max_size=4,
)


def parsed(client_id: str, text: str) -> Any:
    return tomllib.loads(text) if KNOWN[client_id].format == "toml" else json.loads(text)


@pytest.mark.parametrize("client", KNOWN.values(), ids=list(KNOWN))
@pytest.mark.parametrize("before", [None, "", "\n"])
def test_an_empty_file_gets_our_entry_alone(client: Any, before: str | None) -> None:
    tree = parsed(client.id, with_entry(client, before, START))
    assert tree == {client.servers: {"scrubjay": entry_of(client, START)}} == parsed(client.id, snippet(client, START))


@given(st.sampled_from(JSON), TREES, TREES)
def test_what_was_there_stays_and_comes_back(client: Any, settings: dict[str, Any], servers: dict[str, Any]) -> None:
    servers.pop("scrubjay", None)
    before = {**settings, client.servers: servers}
    entered = with_entry(client, json.dumps(before), START)
    assert json.loads(entered) == {**before, client.servers: {**servers, "scrubjay": entry_of(client, START)}}
    assert with_entry(client, entered, START) == entered
    assert json.loads(without_entry(client, entered)) == before


@pytest.mark.parametrize("client", JSON, ids=[client.id for client in JSON])
def test_an_older_entry_of_ours_is_replaced(client: Any) -> None:
    before = with_entry(client, "", StartCommand("/old", ("mcp",)))
    assert json.loads(with_entry(client, before, START)) == {client.servers: {"scrubjay": entry_of(client, START)}}


@pytest.mark.parametrize(
    ("client_id", "text"),
    [
        ("cursor", "[]"),
        ("cursor", '{"mcpServers": []}'),
        ("cursor", '{"mcpServers": {}, "mcpServers": {}}'),
        ("cursor", "[" * 100_000),
        ("codex", "not = toml = at all"),
        ("codex", "mcp_servers = 1"),
    ],
)
def test_what_can_t_be_merged_without_loss_is_left_alone(client_id: str, text: str) -> None:
    for change in (lambda: with_entry(KNOWN[client_id], text, START), lambda: without_entry(KNOWN[client_id], text)):
        with pytest.raises(NotMergeable, match="--print"):
            change()


@pytest.mark.parametrize("client", KNOWN.values(), ids=list(KNOWN))
def test_nothing_is_taken_out_where_nothing_of_ours_is(client: Any) -> None:
    assert without_entry(client, "") == ""
    other = '[mcp_servers.other]\ncommand = "x"\n' if client.format == "toml" else '{"mcpServers":{"other":{}}}'
    assert without_entry(client, other) == other


def test_every_client_has_a_place_on_every_system() -> None:
    for client in KNOWN.values():
        for platform in ("linux", "darwin", "win32"):
            assert config_file(client, platform, Path("/home/ada")).is_relative_to("/home/ada")
