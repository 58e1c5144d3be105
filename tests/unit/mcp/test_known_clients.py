"""Entering Scrubjay into other programs' files: ours comes and goes, everything else stays."""

import json
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.program import Platform
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


@pytest.mark.parametrize("client", KNOWN.values(), ids=list(KNOWN))
def test_an_empty_file_gets_our_entry_alone_in_the_place_of_an_older_one(client: Any) -> None:
    parsed = tomllib.loads if client.format == "toml" else json.loads
    older = with_entry(client, "", StartCommand("/old", ("mcp",)))
    for text in (*(with_entry(client, before, START) for before in (None, "", "\n", older)), snippet(client, START)):
        assert parsed(text) == {client.servers: {"scrubjay": entry_of(client, START)}}
    assert without_entry(client, "") == ""
    for platform in get_args(Platform):
        assert config_file(client, platform, Path("/home/ada")).is_relative_to("/home/ada")


@given(st.sampled_from([client for client in KNOWN.values() if client.format == "json"]), TREES, TREES)
def test_what_was_there_stays_and_comes_back(client: Any, settings: dict[str, Any], servers: dict[str, Any]) -> None:
    servers.pop("scrubjay", None)
    before = {**settings, client.servers: servers}
    entered = with_entry(client, json.dumps(before), START)
    assert json.loads(entered) == {**before, client.servers: {**servers, "scrubjay": entry_of(client, START)}}
    assert with_entry(client, entered, START) == entered
    assert json.loads(without_entry(client, entered)) == before


@pytest.mark.parametrize(
    ("client_id", "text"),
    [
        ("cursor", '{"mcpServers": []}'),
        ("cursor", '{"mcpServers": {}, "mcpServers": {}}'),
        ("cursor", "[" * 100_000),
        ("codex", "mcp_servers = 1"),
    ],
)
def test_what_can_t_be_merged_without_loss_is_left_alone(client_id: str, text: str) -> None:
    for change in (lambda: with_entry(KNOWN[client_id], text, START), lambda: without_entry(KNOWN[client_id], text)):
        with pytest.raises(NotMergeable, match="--print"):
            change()
