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
    seconds: int  # what stands for a second in its `timeout`


HOOK_CLIENTS: Mapping[str, HookClient] = {
    client.id: client
    for client in (
        HookClient("claude-code", "Claude Code", PurePosixPath(".claude/settings.json"), "UserPromptSubmit", 1),
        HookClient("gemini-cli", "Gemini CLI", PurePosixPath(".gemini/settings.json"), "BeforeAgent", 1_000),
    )
}


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
    added = {"hookEventName": client.event, "additionalContext": markdown}
    return json.dumps({"hookSpecificOutput": added}, ensure_ascii=True)


def with_hook(client: HookClient, text: str, command: str) -> str:
    """The settings with our command before each prompt, once, and everything else kept. Raises HooksNotMergeable."""
    tree = _parsed(client, _without(client, text) if _MARK in text else text)
    hooks = tree.setdefault("hooks", {})
    groups = cast("dict[str, Any]", hooks).setdefault(client.event, []) if isinstance(hooks, dict) else None
    if not isinstance(groups, list):
        raise _not_mergeable(client)
    entry = {"type": "command", "command": command, "timeout": 2 * client.seconds}
    cast("list[Any]", groups).append({"hooks": [entry]})
    return _written(tree)


def without_hook(client: HookClient, text: str, before: str | None) -> str:
    """The settings without our command. before: as they were before it came, which they become again if nothing else
    has changed since. Raises HooksNotMergeable.
    """
    left = _without(client, text)
    if before is not None and _parsed(client, _without(client, before)) == _parsed(client, left):
        return before
    return left


def _without(client: HookClient, text: str) -> str:
    tree = _parsed(client, text)
    hooks = tree.get("hooks")
    groups = cast("dict[str, Any]", hooks).get(client.event) if isinstance(hooks, dict) else None
    if not isinstance(hooks, dict) or not isinstance(groups, list):
        return text
    kept = [group for group in cast("list[Any]", groups) if _MARK not in json.dumps(group)]
    if kept:
        hooks[client.event] = kept
    else:
        del hooks[client.event]
    if not hooks:
        del tree["hooks"]
    return _written(tree) if tree else ""


def _parsed(client: HookClient, text: str) -> dict[str, Any]:
    if not text.strip():
        return {}
    try:
        tree: Any = json.loads(text)
    except (ValueError, RecursionError):
        raise _not_mergeable(client) from None
    if not isinstance(tree, dict):
        raise _not_mergeable(client)
    return cast("dict[str, Any]", tree)


def _written(tree: Mapping[str, Any]) -> str:
    return json.dumps(tree, indent=2, ensure_ascii=False) + "\n"


def _not_mergeable(client: HookClient) -> HooksNotMergeable:
    return HooksNotMergeable(f"The settings of {client.name} are not plain JSON, so they were left as they are.")
