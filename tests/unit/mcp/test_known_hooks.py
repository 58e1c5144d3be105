"""Hooks before a prompt: whatever a program sends is read, and what it reads has the form that it knows.

That its settings come back as they were is tested in tests/unit/cli/test_their_files.py.
"""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.setup.prompt_hooks import (
    HOOK_CLIENTS,
    answer_of,
    has_hook,
    made_by_hook,
    prompt_of,
    with_hook,
    without_hook,
)

COMMAND = "/usr/bin/scrubjay context --hook claude-code --max-tokens 500"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize("client", HOOK_CLIENTS.values(), ids=lambda client: client.id)
def test_what_was_changed_in_the_meantime_stays(client: Any) -> None:
    before = '{"model": "x"}'
    installed = json.loads(with_hook(client, before, COMMAND)) | {"model": "y"}
    assert json.loads(without_hook(client, json.dumps(installed), made_by_hook(client, before))) == {"model": "y"}
    assert without_hook(client, before) == before


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


@pytest.mark.parametrize(
    ("client", "event", "entry"),
    [
        ("claude-code", "UserPromptSubmit", {"hooks": [{"type": "command", "command": COMMAND, "timeout": 2}]}),
        ("codex", "UserPromptSubmit", {"hooks": [{"type": "command", "command": COMMAND, "timeout": 2}]}),
        ("gemini-cli", "BeforeAgent", {"hooks": [{"type": "command", "command": COMMAND, "timeout": 2_000}]}),
        ("cursor", "", {"command": COMMAND, "timeout": 2}),
    ],
)
def test_settings_and_answer_have_the_form_that_the_program_reads(client: str, event: str, entry: Any) -> None:
    tree = json.loads(with_hook(HOOK_CLIENTS[client], "", COMMAND))
    said = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": "> Otters\n"}}
    own = {"version": 1} if client == "cursor" else {}
    assert tree == {"hooks": {event or "beforeSubmitPrompt": [entry]}, **own}
    expected = said if event else {"continue": True, "additional_context": "> Otters\n"}
    assert json.loads(answer_of(HOOK_CLIENTS[client], "> Otters\n")) == expected


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
