"""Programs that speak MCP and where each keeps its list of servers. Pure: texts in, texts out."""

import contextlib
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

from scrubjay.daemon.program import Platform
from scrubjay.daemon.setup import json_text, toml_text
from scrubjay.profiles.errors import UsageError

_SERVER = "scrubjay"
_NEW: Mapping[str, str] = {"json": "\n", "toml": ""}  # a file that is made for us


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
    return with_entry(client, None, start)


def with_entry(client: KnownClient, text: str | None, start: StartCommand) -> str:
    """The file's text (None: there is no file) with our entry added or brought up to date, every other character kept.

    What somebody added to the entry stays, too. Raises NotMergeable where the file is neither JSON (with comments or
    without) nor TOML, as it should be, or holds something else where the entry belongs.
    """
    place, entry = _place(client), entry_of(client, start)
    text = _NEW[client.format] if text is None else text
    with _refusing(client):
        servers = _servers(client, text)
        old = servers.get(_SERVER)
        if isinstance(old, dict):
            added = {key: value for key, value in cast("dict[str, Any]", old).items() if key != "env"}
            entry = added | entry
        if old == entry:
            return text
        return toml_text.put(text, place, entry) if client.format == "toml" else json_text.put(text, place, entry)


def made_by_entry(client: KnownClient, text: str | None) -> tuple[tuple[str, ...], ...]:
    """What `with_entry` has to make around the entry, as names from the top. Raises NotMergeable."""
    if client.format == "toml":
        return ()  # a table brings those around it
    with _refusing(client):
        return tuple(tuple(map(str, place)) for place in json_text.missing(text or "", _place(client)[:-1]))


def without_entry(client: KnownClient, text: str, made: Iterable[Sequence[str]] = ()) -> str:
    """The file's text without our entry, and without those of the objects `made` for it that hold nothing now.

    Every other character is kept; the text stays as it is where there is no entry. Raises NotMergeable as `with_entry`.
    """
    with _refusing(client):
        if _SERVER not in _servers(client, text):
            return text
        if client.format == "toml":
            return toml_text.take_out(text, _place(client))
        return json_text.pruned(json_text.take_out(text, _place(client)), made)


def has_entry(client: KnownClient, text: str) -> bool:
    """Whether the file names Scrubjay. Raises NotMergeable where it can't be read."""
    with _refusing(client):
        return _SERVER in _servers(client, text)


def _place(client: KnownClient) -> tuple[str, str]:
    return client.servers, _SERVER


def _servers(client: KnownClient, text: str) -> dict[str, Any]:
    tree: Any = toml_text.value_of(text) if client.format == "toml" else json_text.value_of(text)
    servers: Any = cast("dict[str, Any]", tree).get(client.servers, {}) if isinstance(tree, dict) else None
    if not isinstance(servers, dict):
        raise _not_mergeable(client)
    if client.format == "json":
        json_text.missing(text, _place(client))  # refuses a name that is there twice
    return cast("dict[str, Any]", servers)


@contextlib.contextmanager
def _refusing(client: KnownClient) -> Generator[None]:
    try:
        yield
    except (json_text.NotJson, toml_text.NotToml):
        raise _not_mergeable(client) from None


def _not_mergeable(client: KnownClient) -> NotMergeable:
    return NotMergeable(
        f"The file of {client.name} can't be read as {client.format.upper()}, or says {client.servers} or {_SERVER}"
        f" in a way that can't be edited, so it was left as it is. Put the lines in or take them out by hand:"
        f" `scrubjay mcp install {client.id} --print` shows them."
    )
