"""`scrubjay hooks install` and `uninstall`: the program's file is, byte for byte, as it was."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from scrubjay.daemon.cli.programs.hooks import hooks
from scrubjay.daemon.setup.prompt_hooks import HOOK_CLIENTS, HookClient

CLIENTS = pytest.mark.parametrize("client", HOOK_CLIENTS.values(), ids=lambda client: client.id)
FILES = (
    b"",
    b" \n",
    b"{}",
    b'{"version": 1}',
    b'{\r\n\t"model":"x",\r\n  "n": 1.50, "k": "\\u00e9 \xc3\xa9"}',
    b'\xef\xbb\xbf{"a": 1}\n\n',
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("SCRUBJAY_HOME", str(tmp_path.parent / f"{tmp_path.name}-own"))
    for variable in filter(None, (client.variable for client in HOOK_CLIENTS.values())):
        monkeypatch.delenv(variable, raising=False)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(hooks, arguments)


def everything_in(home: Path) -> dict[Path, tuple[bytes, int]]:
    return {path: (path.read_bytes(), path.stat().st_mode) for path in home.rglob("*") if path.is_file()}


@CLIENTS
@pytest.mark.parametrize("content", FILES)
def test_uninstalling_leaves_every_byte_as_it_was(home: Path, client: HookClient, content: bytes) -> None:
    settings = home / client.place
    settings.parent.mkdir()
    settings.write_bytes(content)
    settings.chmod(0o644)
    before = everything_in(home)
    for _ in range(2):
        assert run("install", client.id, "--profile", "work").exit_code == 0
    installed = settings.read_text(encoding="utf-8")
    assert installed.count(f"context --hook {client.id} --max-tokens 500 --profile work") == 1
    assert settings.stat().st_mode & 0o777 == 0o644
    assert run("uninstall", client.id).exit_code == 0
    assert everything_in(home) == before


@CLIENTS
def test_a_file_that_was_not_there_is_not_there_afterwards(home: Path, client: HookClient) -> None:
    assert run("install", client.id).exit_code == 0
    assert run("uninstall", client.id).exit_code == 0
    assert everything_in(home) == {}


@CLIENTS
@pytest.mark.parametrize("content", [b"{} {}", b"\xff\xfe{}", b"[]"])
def test_a_file_that_is_no_json_is_left_alone_with_a_sentence(home: Path, client: HookClient, content: bytes) -> None:
    settings = home / client.place
    settings.parent.mkdir()
    settings.write_bytes(content)
    before = everything_in(home)
    refused = run("install", client.id)
    assert (refused.exit_code, everything_in(home)) == (1, before)
    assert re.search("left as (it is|they are)", str(refused.exception))


@pytest.mark.parametrize(("client", "variable"), [("codex", "CODEX_HOME"), ("claude-code", "CLAUDE_CONFIG_DIR")])
def test_a_program_that_has_its_settings_elsewhere_gets_the_hook_there(
    home: Path, monkeypatch: pytest.MonkeyPatch, client: str, variable: str
) -> None:
    monkeypatch.setenv(variable, str(home / "elsewhere"))
    assert run("install", client).exit_code == 0
    assert [path.relative_to(home).parts[0] for path in everything_in(home)] == ["elsewhere"]
    assert run("uninstall", client).exit_code == 0
    assert everything_in(home) == {}
