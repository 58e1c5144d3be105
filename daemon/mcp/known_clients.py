"""Programs that speak MCP and where each keeps its list of servers. Pure: texts in, texts out."""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

import tomli_w

from scrubjay.daemon.errors import UsageError
from scrubjay.daemon.program import Platform

_SERVER = "scrubjay"


class NotMergeable(UsageError):
    """The file can't be changed without losing something of it."""

    code = "not-mergeable"


@dataclass(frozen=True, slots=True)
class KnownClient:
    """A program, and the file it reads. `places` are relative to the user's home."""

    id: str
    name: str
    places: Mapping[Platform, str]
    servers: str = "mcpServers"  # the key that holds them
    says_type: bool = False  # whether an entry says that it is started, not reached over the network
    format: Literal["json", "toml"] = "json"


def _everywhere(place: str) -> dict[Platform, str]:
    return {"linux": place, "darwin": place, "win32": place}


def _in_app_data(place: str) -> dict[Platform, str]:
    return {
        "linux": f".config/{place}",
        "darwin": f"Library/Application Support/{place}",
        "win32": f"AppData/Roaming/{place}",
    }


KNOWN: Mapping[str, KnownClient] = {
    client.id: client
    for client in (
        KnownClient("claude-code", "Claude Code", _everywhere(".claude.json"), says_type=True),
        KnownClient("claude-desktop", "Claude Desktop", _in_app_data("Claude/claude_desktop_config.json")),
        KnownClient("codex", "Codex", _everywhere(".codex/config.toml"), servers="mcp_servers", format="toml"),
        KnownClient("cursor", "Cursor", _everywhere(".cursor/mcp.json")),
        KnownClient("gemini-cli", "Gemini CLI", _everywhere(".gemini/settings.json")),
        KnownClient("vscode", "VS Code", _in_app_data("Code/User/mcp.json"), servers="servers", says_type=True),
        KnownClient("windsurf", "Windsurf", _everywhere(".codeium/windsurf/mcp_config.json")),
    )
}


@dataclass(frozen=True, slots=True)
class StartCommand:
    """How the program starts Scrubjay's MCP server."""

    command: str
    args: Sequence[str]
    env: Mapping[str, str] = field(default_factory=dict[str, str])


def config_file(client: KnownClient, platform: Platform, home: Path) -> Path:
    """Where the program reads its servers from, for the user whose home this is."""
    return home / client.places[platform]


def entry_of(client: KnownClient, start: StartCommand) -> dict[str, Any]:
    """The entry that the program's file needs, under the name `scrubjay`."""
    entry: dict[str, Any] = {"type": "stdio"} if client.says_type else {}
    entry |= {"command": start.command, "args": list(start.args)}
    return entry | ({"env": dict(start.env)} if start.env else {})


def snippet(client: KnownClient, start: StartCommand) -> str:
    """What to put into the file by hand."""
    tree = {client.servers: {_SERVER: entry_of(client, start)}}
    return _written(client, tree)


def with_entry(client: KnownClient, text: str, start: StartCommand) -> str:
    """The file's text with our entry added or replaced, and everything else kept.

    Raises NotMergeable where that is not possible: the file is not plain JSON, or is TOML that has another such entry.
    """
    tree = _parsed(client, text)
    servers = _servers(client, tree)
    tree[client.servers] = servers
    entry = entry_of(client, start)
    if client.format == "json":
        servers[_SERVER] = entry
        return _written(client, tree)
    if servers.get(_SERVER) == entry:
        return text
    if _SERVER in servers:
        raise _not_mergeable(client)
    # Appended, since rewriting the file would drop its comments.
    appended = f"{text.rstrip()}\n\n{snippet(client, start)}".lstrip()
    if _servers(client, _parsed(client, appended)).get(_SERVER) != entry:
        raise _not_mergeable(client)
    return appended


def without_entry(client: KnownClient, text: str) -> str:
    """The file's text without our entry; as it is where there is none. Raises NotMergeable as `with_entry`."""
    tree = _parsed(client, text)
    servers = _servers(client, tree)
    if _SERVER not in servers:
        return text
    if client.format == "json":
        del servers[_SERVER]
        return _written(client, tree)
    table = re.compile(rf"^\[{client.servers}\.{_SERVER}(?:\.[^\]\n]+)?\]\n(?:(?!\[).*\n?)*", re.MULTILINE)
    left = table.sub("", text)
    if _SERVER in _servers(client, _parsed(client, left)):
        raise _not_mergeable(client)
    return left.rstrip() + "\n"


def has_entry(client: KnownClient, text: str) -> bool:
    """Whether the file names Scrubjay. Raises NotMergeable where it can't be read."""
    return _SERVER in _servers(client, _parsed(client, text))


def as_before(client: KnownClient, text: str, copy: str | None) -> str | None:
    """What the file shall be when our entry goes; None: it shall not be there.

    copy: the file as it was before our entry came; None where there was none, or none is known. Its own text comes back
    to the letter, unless something else was changed meanwhile. Raises NotMergeable as `with_entry`.
    """
    if not has_entry(client, text):
        return text
    left = without_entry(client, text)
    if copy is None:
        return left if _others(client, left) else None
    before = without_entry(client, copy)
    return before if _others(client, before) == _others(client, left) else left


def _others(client: KnownClient, text: str) -> dict[str, Any]:
    """What the file says, but for a list of servers that is empty."""
    tree = _parsed(client, text)
    return {key: value for key, value in tree.items() if key != client.servers or value}


def _parsed(client: KnownClient, text: str) -> dict[str, Any]:
    if not text.strip():
        return {}
    try:
        tree: Any = tomllib.loads(text) if client.format == "toml" else json.loads(text)
    except (tomllib.TOMLDecodeError, json.JSONDecodeError, RecursionError):
        raise _not_mergeable(client) from None
    if not isinstance(tree, dict):
        raise _not_mergeable(client)
    return cast("dict[str, Any]", tree)


def _servers(client: KnownClient, tree: Mapping[str, Any]) -> dict[str, Any]:
    servers = tree.get(client.servers, {})
    if not isinstance(servers, dict):
        raise _not_mergeable(client)
    return cast("dict[str, Any]", servers)


def _written(client: KnownClient, tree: Mapping[str, Any]) -> str:
    if client.format == "toml":
        return tomli_w.dumps(tree)
    return json.dumps(tree, indent=2, ensure_ascii=False) + "\n"


def _not_mergeable(client: KnownClient) -> NotMergeable:
    return NotMergeable(
        f"The file of {client.name} holds comments, or another entry named {_SERVER}, so it was left as it is."
        f" Say `scrubjay mcp install {client.id} --print` and put the lines in by hand."
    )
