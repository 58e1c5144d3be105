"""Programs that run a command before each prompt and add what it prints: what they send and what they read. Pure."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, cast

from scrubjay.daemon.errors import UsageError

_MARK = "context --hook"  # in every command that is ours


class HooksNotMergeable(UsageError):
    """The file can't be changed without losing something of it."""

    code = "not-mergeable"


@dataclass(frozen=True, slots=True)
class HookClient:
    """A program. place: its settings, relative to the user's home. event: what it calls a prompt's coming in."""

    id: str
    name: str
    place: PurePosixPath
    event: str
    seconds: int = 1  # what stands for a second in its `timeout`
    is_flat: bool = False  # entries stand in a list of their own, in a file with a version; else in groups
    also: str = ""  # what the user has to do besides
    variable: str = ""  # of the environment: another folder for its settings


HOOK_CLIENTS: Mapping[str, HookClient] = {
    client.id: client
    for client in (
        HookClient(
            "claude-code",
            "Claude Code",
            PurePosixPath(".claude/settings.json"),
            "UserPromptSubmit",
            variable="CLAUDE_CONFIG_DIR",
        ),
        HookClient(
            "codex",
            "Codex",
            PurePosixPath(".codex/hooks.json"),
            "UserPromptSubmit",
            also="It asks you once whether you trust the hook; `/hooks` shows it.",
            variable="CODEX_HOME",
        ),
        HookClient(
            "cursor",
            "Cursor",
            PurePosixPath(".cursor/hooks.json"),
            "beforeSubmitPrompt",
            is_flat=True,
            also="Versions before 3.20 run the hook and leave out what it says.",
        ),
        HookClient("gemini-cli", "Gemini CLI", PurePosixPath(".gemini/settings.json"), "BeforeAgent", seconds=1_000),
    )
}
_VERSION = 1  # of the format of a flat file


def prompt_of(sent: bytes) -> str:
    """The prompt in what a program sends to its hook; "" where it says none. Never raises."""
    try:
        document: Any = json.loads(sent.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return ""
    if not isinstance(document, dict):
        return ""
    prompt = cast("dict[str, Any]", document).get("prompt")
    return prompt.replace("\0", " ").encode("utf-8", "replace").decode() if isinstance(prompt, str) else ""


def answer_of(client: HookClient, markdown: str) -> str:
    """What the program reads: the block as context for the prompt."""
    if client.is_flat:
        return json.dumps({"continue": True, "additional_context": markdown}, ensure_ascii=True)
    added = {"hookEventName": client.event, "additionalContext": markdown}
    return json.dumps({"hookSpecificOutput": added}, ensure_ascii=True)


def with_hook(client: HookClient, text: str, command: str) -> str:
    """The settings with our command before each prompt, once, and everything else kept. Raises HooksNotMergeable."""
    tree = _without(client, _parsed(client, text))
    hooks = tree.setdefault("hooks", {})
    groups = cast("dict[str, Any]", hooks).setdefault(client.event, []) if isinstance(hooks, dict) else None
    if not isinstance(groups, list):
        raise _not_mergeable(client)
    entry: dict[str, Any] = {"command": command, "timeout": 2 * client.seconds}
    if client.is_flat:
        tree.setdefault("version", _VERSION)
    else:
        entry = {"hooks": [{"type": "command", **entry}]}
    cast("list[Any]", groups).append(entry)
    return _written(tree)


def has_hook(client: HookClient, text: str) -> bool:
    """Whether our command is in the settings. Raises HooksNotMergeable."""
    return _MARK in json.dumps(_parsed(client, text).get("hooks"))


def without_hook(client: HookClient, text: str, before: str | None) -> str | None:
    """The settings without our command; None where nothing is left. Raises HooksNotMergeable.

    before: as they were before it came (None: there were none), which they become again if nothing else has changed.
    """
    tree = _parsed(client, text)
    left = _without(client, tree)
    if before is not None and _bare(client, left) == _bare(client, _without(client, _parsed(client, before))):
        return before
    if left == tree:
        return text
    return _written(left) if _bare(client, left) else None


def _without(client: HookClient, tree: Mapping[str, Any]) -> dict[str, Any]:
    hooks = tree.get("hooks")
    groups = cast("dict[str, Any]", hooks).get(client.event) if isinstance(hooks, dict) else None
    if not isinstance(hooks, dict) or not isinstance(groups, list):
        return dict(tree)
    kept = [group for group in cast("list[Any]", groups) if _MARK not in json.dumps(group)]
    others = {event: listed for event, listed in cast("dict[str, Any]", hooks).items() if event != client.event}
    left = others | ({client.event: kept} if kept else {})
    return {name: value for name, value in tree.items() if name != "hooks"} | ({"hooks": left} if left else {})


def _bare(client: HookClient, tree: Mapping[str, Any]) -> Mapping[str, Any]:
    """Without what we put into a file that says nothing else."""
    return {
        name: value for name, value in tree.items() if not (client.is_flat and (name, value) == ("version", _VERSION))
    }


def _parsed(client: HookClient, text: str) -> dict[str, Any]:
    if not text.strip("\ufeff \t\r\n"):
        return {}
    try:
        tree: Any = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        raise _not_mergeable(client) from None
    if not isinstance(tree, dict):
        raise _not_mergeable(client)
    return cast("dict[str, Any]", tree)


def _written(tree: Mapping[str, Any]) -> str:
    return json.dumps(tree, indent=2, ensure_ascii=False) + "\n"


def _not_mergeable(client: HookClient) -> HooksNotMergeable:
    return HooksNotMergeable(f"The settings of {client.name} are not plain JSON, so they were left as they are.")
