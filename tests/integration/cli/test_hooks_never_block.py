"""A hook before a prompt: whatever comes in and however the daemon is, it ends with status 0, and soon."""

import json
import os
import re
import signal
import socket
import subprocess
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, Literal, TypeAlias

import keyring
import keyring.backends.fail
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay.daemon.cli import hook_guard
from scrubjay.daemon.cli.app import scrubjay
from scrubjay.daemon.setup.prompt_hooks import HOOK_CLIENTS, HookClient, with_hook
from tests.helpers.installation import Installation, scrubjay_command, wait_until_indexed

pytestmark = pytest.mark.slow
State: TypeAlias = Literal["up", "down", "frozen", "deaf"]

INPUTS = {
    "empty": b"",
    "a prompt": b'{"prompt": "When does the ferry leave?"}',
    "binary": bytes(range(256)) * 100,
    "huge": b'{"prompt": "' + b"ferry " * 2_000_000 + b'"}',
    "deep": b"[" * 1_000_000,
}
ODD = st.text() | st.text(st.characters(categories=["Cs", "Cc", "Cf", "Zl", "Lo"])) | st.sampled_from(
    ['"' * 5_000, "path:" * 2_000, "(" * 10_000, "sort:-x " * 900, "/(a+)+$/", "-" * 9_000, "ferry " * 3_000, "\0"]
)  # fmt: skip
SENT = ODD.map(lambda prompt: json.dumps({"prompt": prompt}).encode()) | st.binary(max_size=500)


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    made = Installation(tmp_path_factory.mktemp("hooks"))
    made.write({"Ferry.md": "# Ferry\n\nThe ferry to the island leaves at nine.\n"})
    made.create_profile("notes")
    with made.daemon() as client:
        wait_until_indexed(client)
    return made


@pytest.fixture(scope="module")
def discovery(installation: Installation) -> dict[str, Any]:
    """What a daemon leaves to be found by, which goes with it."""
    with daemon(installation, "up", {}):
        return json.loads(installation.home.discovery.read_text())


@contextmanager
def daemon(installation: Installation, state: State, discovery: Mapping[str, Any]) -> Generator[None]:
    if state == "down":
        yield
    elif state == "deaf":  # something took its port, and says nothing
        with socket.create_server(("127.0.0.1", 0)) as deaf:
            found = {**discovery, "port": deaf.getsockname()[1], "pid": os.getpid()}
            installation.home.discovery.write_text(json.dumps(found))
            yield
    else:
        process = installation.start()
        try:
            if state == "frozen":
                process.send_signal(signal.SIGSTOP)
            yield
        finally:
            process.send_signal(signal.SIGCONT)
            process.terminate()
            process.communicate(timeout=60)


@pytest.mark.parametrize("state", ["up", "down", "frozen", "deaf"])
def test_the_prompt_goes_on(installation: Installation, discovery: Mapping[str, Any], state: State) -> None:
    with daemon(installation, state, discovery):
        for name, sent in INPUTS.items():
            told = subprocess.run(
                scrubjay_command("context", "--hook", "claude-code"),
                env=installation.run_environment(),
                input=sent,
                capture_output=True,
                timeout=60,
                check=False,
            )
            assert (told.returncode, told.stderr) == (0, b""), (state, name)  # while the daemon is as it was
            assert told.stdout == b"" or (state == "up" and "additionalContext" in told.stdout.decode())


@pytest.mark.parametrize("client", HOOK_CLIENTS.values(), ids=lambda client: client.id)
def test_a_hook_has_ended_long_before_its_program_would_end_it(client: HookClient) -> None:
    written = re.search(r'"timeout": ?(\d+)', with_hook(client, None, "scrubjay context"))
    assert written
    assert hook_guard.SECONDS * client.seconds < int(written[1]) / 2


def test_a_program_that_never_closes_what_it_sends_is_not_waited_for(installation: Installation) -> None:
    with subprocess.Popen(
        scrubjay_command("context", "--hook", "codex"),
        env=installation.run_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as hook:
        assert hook.wait(timeout=60) == 0


def test_what_a_hook_would_add_is_never_told_by_silence(installation: Installation) -> None:
    """The hook itself says nothing, with status 0, where no daemon runs and nothing may be searched."""
    told = installation.run("context", "yes", "--hook", "codex", "--explain", "--profile", "nowhere", check=False)
    assert (told.returncode, told.stderr != "") == (1, True)


@pytest.fixture
def running(installation: Installation, monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    before = keyring.get_keyring()
    keyring.set_keyring(keyring.backends.fail.Keyring())
    monkeypatch.setenv("SCRUBJAY_HOME", str(installation.root / "home"))
    with daemon(installation, "up", {}):
        yield
    keyring.set_keyring(before)


@settings(max_examples=1_000, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(SENT, st.sampled_from(sorted(HOOK_CLIENTS)))
def test_a_thousand_odd_things_give_nothing_or_what_the_program_reads(running: None, sent: bytes, client: str) -> None:
    told = CliRunner().invoke(scrubjay, ["context", "--hook", client], input=sent, catch_exceptions=False)
    assert told.exit_code == 0
    assert told.stdout == "" or isinstance(json.loads(told.stdout), dict)
