"""Programs that run a command before each prompt and add what it prints: what they send and what they read. Pure."""

import contextlib
import itertools
import json
import re
import shlex
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, cast

from scrubjay.daemon.setup import json_text
from scrubjay.profiles.errors import UsageError

_MARK = ("context", "--hook")  # behind the program, in every command that is ours
_MODULE = ("-m", "scrubjay.daemon")  # how it is started where no program is installed


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


def with_hook(client: HookClient, text: str | None, command: str) -> str:
    """The settings (None: there is no file) with our command before each prompt, once, every other character kept.

    Raises HooksNotMergeable.
    """
    text = "\n" if text is None else text
    entry: dict[str, Any] = {"command": command, "timeout": 2 * client.seconds}
    with _refusing(client):
        ours = _ours(client, text)
        if ours:
            for place in reversed(ours[1:]):
                text = json_text.take_out(text, place)
            old = _at(json_text.value_of(text), ours[0])
            return text if old | entry == old else json_text.put(text, ours[0], old | entry)
        if client.is_flat and json_text.missing(text, ("version",)):
            text = json_text.put(text, ("version",), _VERSION)
        group = entry if client.is_flat else {"hooks": [{"type": "command", **entry}]}
        return json_text.put(text, (*_list(client), len(_groups(client, text))), group)


def made_by_hook(client: HookClient, text: str | None) -> tuple[tuple[str, ...], ...]:
    """What `with_hook` has to make around our command, as names from the top. Raises HooksNotMergeable."""
    text = text or ""
    with _refusing(client):
        places = json_text.missing(text, _list(client))
        if client.is_flat:
            places += json_text.missing(text, ("version",))[-1:]
        return tuple(tuple(map(str, place)) for place in places)


def has_hook(client: HookClient, text: str) -> bool:
    """Whether our command is in the settings. Raises HooksNotMergeable."""
    with _refusing(client):
        return bool(_ours(client, text))


def command_in(client: HookClient, text: str) -> tuple[str, ...]:
    """The words of our command in the settings; none where it is not there. Raises HooksNotMergeable."""
    with _refusing(client):
        for place in _ours(client, text):
            return tuple(shlex.split(_at(json_text.value_of(text), place)["command"]))
    return ()


def values_of(option: str, words: Sequence[str]) -> tuple[str, ...]:
    """What stands behind an option, each time it is given."""
    return tuple(value for name, value in itertools.pairwise(words) if name == option)


def without_hook(client: HookClient, text: str, made: Iterable[Sequence[str]] = ()) -> str:
    """The settings without our command, and without those of the objects `made` for it that hold nothing now.

    Other commands stay, also in the same group; a group goes if it says nothing else. Raises HooksNotMergeable.
    """
    made = {tuple(place) for place in made}
    with _refusing(client):
        for place in reversed(_ours(client, text)):
            text = json_text.take_out(text, place)
            if not client.is_flat and _at(json_text.value_of(text), place[:-2]) == {"hooks": []}:
                text = json_text.pruned(text, (place[:-1], place[:-2]))
        text = json_text.pruned(text, made - {()})
        is_used = any(place[0] == "hooks" and not json_text.missing(text, place) for place in made - {()})
        if ("version",) in made and json_text.value_of(text).get("version") == _VERSION and not is_used:
            text = json_text.take_out(text, ("version",))
        return json_text.pruned(text, made & {()})


def _ours(client: HookClient, text: str) -> list[tuple[str | int, ...]]:
    """Where our command is, in the order of the text."""
    places: list[tuple[str | int, ...]] = []
    for nth, group in enumerate(_groups(client, text)):
        if client.is_flat:
            places += [(*_list(client), nth)] if _is_ours(group) else []
            continue
        entries: Any = cast("dict[str, Any]", group).get("hooks") if isinstance(group, dict) else None
        for index, entry in enumerate(cast("list[Any]", entries) if isinstance(entries, list) else []):
            places += [(*_list(client), nth, "hooks", index)] if _is_ours(entry) else []
    return places


def _is_ours(entry: Any) -> bool:
    """Whether the entry's command is ours by its beginning; one that only names ours somewhere is somebody else's."""
    command: Any = cast("dict[str, Any]", entry).get("command") if isinstance(entry, dict) else None
    try:
        words = shlex.split(command) if isinstance(command, str) else []
    except ValueError:
        return False
    if len(words) > len(_MODULE) and tuple(words[1 : 1 + len(_MODULE)]) == _MODULE:
        return tuple(words[1 + len(_MODULE) :][:2]) == _MARK
    program = re.split(r"[/\\]", words[0])[-1] if words else ""
    return program.startswith("scrubjay") and tuple(words[1:3]) == _MARK


def _list(client: HookClient) -> tuple[str, str]:
    return "hooks", client.event


def _groups(client: HookClient, text: str) -> list[Any]:
    tree = json_text.value_of(text)
    json_text.missing(text, _list(client))  # refuses a name that is there twice
    hooks: Any = cast("dict[str, Any]", tree).get("hooks", {}) if isinstance(tree, dict) else None
    groups: Any = cast("dict[str, Any]", hooks).get(client.event, []) if isinstance(hooks, dict) else None
    if not isinstance(groups, list):
        raise json_text.NotJson
    return cast("list[Any]", groups)


def _at(tree: Any, place: json_text.Place) -> Any:
    for step in place:
        tree = tree[step]
    return tree


@contextlib.contextmanager
def _refusing(client: HookClient) -> Generator[None]:
    try:
        yield
    except json_text.NotJson:
        raise HooksNotMergeable(
            f"The settings of {client.name} can't be read as JSON, or say hooks in another way than expected, so they"
            f" were left as they are. Put the hook in or take it out by hand:"
            f" `scrubjay hooks install {client.id} --print` shows it."
        ) from None
