"""Hooks before a prompt: whatever a program sends is read, and its settings come back as they were."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.setup.prompt_hooks import (
    HOOK_CLIENTS,
    HooksNotMergeable,
    answer_of,
    has_hook,
    made_by_hook,
    prompt_of,
    with_hook,
    without_hook,
)

COMMAND = "/usr/bin/scrubjay context --hook claude-code --max-tokens 500"
CLIENTS = pytest.mark.parametrize("client", HOOK_CLIENTS.values(), ids=lambda client: client.id)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
SETTINGS = (
    "",
    "{}",
    '{"model": "x",\n   "env": {}}',
    '{"hooks": {"Stop": [{"hooks": []}]}}',
    '{"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "date"}]}], "BeforeAgent": []}}',
    '{"hooks": {"beforeSubmitPrompt": [{"command": "date"}]}, "version": 1}',
    '{"version": 1}',
    '\ufeff{\r\n  "model": "x"\r\n}\r\n',
    "  \n",
)


@CLIENTS
@pytest.mark.parametrize("settings", SETTINGS)
def test_after_uninstalling_the_settings_are_as_they_were(client: Any, settings: str) -> None:
    installed = with_hook(client, settings, COMMAND)
    assert (has_hook(client, installed), has_hook(client, settings)) == (True, False)
    assert COMMAND in installed
    assert without_hook(client, installed, made_by_hook(client, settings)) == settings
    assert with_hook(client, installed, COMMAND).count(COMMAND) == 1


@CLIENTS
def test_settings_that_came_with_the_hook_go_with_it(client: Any) -> None:
    installed = with_hook(client, "", COMMAND)
    assert without_hook(client, installed, made_by_hook(client, "")).strip() == ""
    assert without_hook(client, '{"model": "x"}') == '{"model": "x"}'


@CLIENTS
def test_what_was_changed_in_the_meantime_stays(client: Any) -> None:
    installed = json.loads(with_hook(client, '{"model": "x"}', COMMAND)) | {"model": "y"}
    left = json.loads(without_hook(client, json.dumps(installed), made_by_hook(client, '{"model": "x"}')))
    assert left == {"model": "y"}


@pytest.mark.parametrize(
    ("command", "is_ours"),
    [
        (COMMAND, True),
        ("'C:\\Program Files\\scrubjay.exe' context --hook codex", True),
        ("/usr/bin/python3 -m scrubjay.daemon context --hook codex --home /x", True),
        ("audit.sh scrubjay context --hook codex", False),
        ("echo 'scrubjay context --hook'", False),
        ("scrubjay context notes", False),
        ("it's", False),
        (None, False),
    ],
)
def test_a_command_is_ours_by_its_beginning(command: str | None, is_ours: bool) -> None:
    settings = json.dumps({"hooks": {"UserPromptSubmit": [{"hooks": [{"command": command}, 1]}, 2]}})
    assert has_hook(HOOK_CLIENTS["codex"], settings) == is_ours


@CLIENTS
@pytest.mark.parametrize("settings", ["{} {}", "[]", '{"hooks": []}', "[" * 100_000])
def test_settings_that_are_not_json_are_left_alone(client: Any, settings: str) -> None:
    with pytest.raises(HooksNotMergeable):
        with_hook(client, settings, COMMAND)


@pytest.mark.parametrize(
    ("client", "told"),
    [
        ("claude-code", {"hookEventName": "UserPromptSubmit", "additionalContext": "> Otters\n"}),
        ("codex", {"hookEventName": "UserPromptSubmit", "additionalContext": "> Otters\n"}),
        ("gemini-cli", {"hookEventName": "BeforeAgent", "additionalContext": "> Otters\n"}),
        ("cursor", None),
    ],
)
def test_the_answer_is_what_the_program_reads(client: str, told: Any) -> None:
    in_full = {"hookSpecificOutput": told} if told else {"continue": True, "additional_context": "> Otters\n"}
    assert json.loads(answer_of(HOOK_CLIENTS[client], "> Otters\n")) == in_full


@pytest.mark.parametrize(
    ("client", "event", "entry"),
    [
        ("codex", "UserPromptSubmit", {"hooks": [{"type": "command", "command": COMMAND, "timeout": 2}]}),
        ("gemini-cli", "BeforeAgent", {"hooks": [{"type": "command", "command": COMMAND, "timeout": 2_000}]}),
        ("cursor", "beforeSubmitPrompt", {"command": COMMAND, "timeout": 2}),
    ],
)
def test_the_settings_have_the_form_that_the_program_reads(client: str, event: str, entry: Any) -> None:
    tree = json.loads(with_hook(HOOK_CLIENTS[client], "", COMMAND))
    assert tree["hooks"] == {event: [entry]}
    assert tree.get("version") == (1 if client == "cursor" else None)


@pytest.mark.parametrize(
    ("sent", "prompt"),
    [
        (b'{"prompt": "how do eels pass?", "cwd": "/"}', "how do eels pass?"),
        (b'{"prompt": "a\\u0000b"}', "a b"),
        (b'{"prompt": "\\ud800"}', "?"),
        (b'{"prompt": 5}', ""),
        (b"[" * 100_000, ""),
        (b"", ""),
    ],
)
def test_the_prompt_is_read_out_of_what_is_sent(sent: bytes, prompt: str) -> None:
    assert prompt_of(sent) == prompt


@given(st.binary(max_size=200) | JSON.map(lambda document: json.dumps(document).encode()))
def test_whatever_is_sent_gives_text_that_can_be_sent_on(sent: bytes) -> None:
    prompt_of(sent).encode()
