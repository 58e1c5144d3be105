"""Settings of other programs: after installing and uninstalling they are, byte for byte, what their owner wrote."""

import json
import os
import stat
import tomllib
from collections.abc import Iterator
from pathlib import Path

import keyring
import keyring.backends.fail
import pytest
from click.testing import CliRunner, Result

from scrubjay.daemon.cli.app import scrubjay
from scrubjay.daemon.home import Home
from scrubjay.daemon.server.access.client_registry import ClientRegistry
from scrubjay.daemon.setup.prompt_hooks import HOOK_CLIENTS

CLAUDE, CODEX, HOOKS = ".claude.json", ".codex/config.toml", ".claude/settings.json"
CODEX_HOOKS, CURSOR, GEMINI = ".codex/hooks.json", ".cursor/hooks.json", ".gemini/settings.json"
COMMANDS = {
    CLAUDE: ("mcp", "claude-code"),
    CODEX: ("mcp", "codex"),
    HOOKS: ("hooks", "claude-code"),
    CODEX_HOOKS: ("hooks", "codex"),
    CURSOR: ("hooks", "cursor"),
    GEMINI: ("hooks", "gemini-cli"),
}
GROUP = '{"hooks": [{"type": "command", "command": "dark.sh"}]}'
JSON = (  # blanks, comments and commas of every kind are drawn in tests/unit/mcp/test_json_text.py
    "",
    " \r\n\t",
    "\ufeff",
    "{}",
    "{\r\n}\r\n",
    '\ufeff{\r\n  "theme": "dark",\r\n}\r\n',
    '{\n  "theme": "dark" // at night, {always}\n  /* end */\n}\n// end',
    '{"big": 12345678901234567890, "e": 1e400, "z": -0.0, "n": 1.50, "theme": "dark"}',
    '{"é": "\\u00e9 \\ud83d", "theme": "dark", "emoji": "🦫"}',
    '{"twice": 1, "twice": 2, "theme": "dark"}',
    '{"a": ' * 60 + '"dark"' + "}" * 60,
    '{\n  "mcpServers": {\n  },\n  "theme": "dark"\n}',
    '{\n    "mcpServers": {\n        "other": {"args": ["dark"]}, // mine\n    },\n}\n',
    '{"hooks": {}}',
    '{"hooks": {"UserPromptSubmit": []}, "theme": "dark"}',
    '{\n  "hooks": {\n    "UserPromptSubmit": [\n      ' + GROUP + ", // mine\n    ],\n  },\n}",
    '{"hooks": {"Stop": [' + GROUP + ']}, "mcpServers": {"a": {}}}',
    '{"hooks": {"UserPromptSubmit": [{"matcher": "*", "hooks": []}]}, "theme": "dark"}',
    '{"note": "scrubjay context --hook dark"}',
)
OF_OTHERS = (
    (CODEX, ""),  # more of TOML is in tests/unit/mcp/test_toml_text.py
    (CODEX, '\ufefftheme = "dark"\r\n'),
    (CODEX, "mcp_servers = { other = { command = 'dark' } } # mine }\n"),
    (CODEX, "[profiles.fast]\nmodel = 'dark' # kept\n\n[[hooks]]\na = 1\n[[hooks]]\na = 2\n"),
    (CODEX_HOOKS, '{"theme": "dark"}'),
    (CURSOR, ""),
    (CURSOR, '{"version": 1}'),
    (CURSOR, '{"hooks": {"beforeSubmitPrompt": [{"command": "dark"}]}, "version": 1}'),
    (GEMINI, '{"hooks": {"BeforeAgent": []}, "theme": "dark"}'),
)
FILES = (*((place, text) for place in (CLAUDE, HOOKS) for text in JSON), *OF_OTHERS)
LATER = "light, {and} [more] # // é"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The user's home; Scrubjay's own is beside it."""
    person = tmp_path / "ada"
    person.mkdir()
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(person))
    monkeypatch.setenv("SCRUBJAY_HOME", str(tmp_path / "sj"))
    for variable in filter(None, (client.variable for client in HOOK_CLIENTS.values())):
        monkeypatch.delenv(variable, raising=False)
    before = keyring.get_keyring()
    keyring.set_keyring(keyring.backends.fail.Keyring())
    yield person
    keyring.set_keyring(before)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(scrubjay, arguments)


def well(*arguments: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 0, result.output


def placed(home: Path, place: str, content: bytes) -> Path:
    path = home / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(0o644)
    return path


def everything_in(folder: Path) -> dict[str, tuple[bytes, int] | None]:
    return {
        str(path.relative_to(folder)): (path.read_bytes(), stat.S_IMODE(path.stat().st_mode))
        if path.is_file()
        else None
        for path in folder.rglob("*")
    }


@pytest.mark.parametrize(("place", "text"), FILES)
def test_uninstalling_leaves_every_byte_that_its_owner_wrote(home: Path, place: str, text: str) -> None:
    group, client = COMMANDS[place]
    path = placed(home, place, text.encode())
    before = everything_in(home)
    well(group, "install", client)
    once = everything_in(home)
    assert once != before
    well(group, "install", client)
    assert everything_in(home) == once
    well(group, "uninstall", client)
    assert everything_in(home) == before

    well(group, "install", client)
    path.write_bytes(path.read_bytes().replace(b"dark", LATER.encode()))
    well(group, "uninstall", client)
    assert path.read_bytes() == text.replace("dark", LATER).encode()


def test_tables_and_comments_that_came_later_stay(home: Path) -> None:
    path = placed(home, CODEX, b"# my codex\nmodel = 'o5'\n")
    well("mcp", "install", "codex")
    later = """
  # Jira server: token rotates on the 1st, ask Anna
  # (do not delete)
  [mcp_servers.jira]
  command = "jira"
    [mcp_servers.jira.env]
    JIRA_TOKEN_FILE = "/secret/path"
"""
    path.write_text(path.read_text().replace("'o5'\n", "'o5'\n# IMPORTANT: never use o4\n") + later)
    well("mcp", "uninstall", "codex")
    assert path.read_text() == "# my codex\nmodel = 'o5'\n# IMPORTANT: never use o4\n" + later


def test_an_entry_that_was_taken_out_by_hand_brings_back_no_older_text(home: Path) -> None:
    path = placed(home, CODEX, b"model = 'o5'\n")
    well("mcp", "install", "codex")
    path.write_text("model = 'o5'\n# written months later\n")
    well("mcp", "install", "codex")
    well("mcp", "uninstall", "codex")
    assert path.read_text() == "model = 'o5'\n# written months later\n"


def test_a_hook_of_the_user_in_our_group_stays(home: Path) -> None:
    path = placed(home, HOOKS, b"{}")
    well("hooks", "install", "claude-code")
    tree = json.loads(path.read_text())
    mine = {"type": "command", "command": "audit.sh 'scrubjay context --hook'"}
    tree["hooks"]["UserPromptSubmit"][0]["hooks"].append(mine)
    path.write_text(json.dumps(tree))
    well("hooks", "install", "claude-code", "--max-tokens", "700")
    groups = json.loads(path.read_text())["hooks"]["UserPromptSubmit"]
    assert [len(group["hooks"]) for group in groups] == [2]
    assert "--max-tokens 700" in groups[0]["hooks"][0]["command"]
    well("hooks", "uninstall", "claude-code")
    assert json.loads(path.read_text()) == {"hooks": {"UserPromptSubmit": [{"hooks": [mine]}]}}


@pytest.mark.parametrize("client", HOOK_CLIENTS)
def test_files_and_folders_that_were_made_go_again_and_those_that_were_there_stay(home: Path, client: str) -> None:
    for is_there in (False, True):
        if is_there:
            (home / HOOK_CLIENTS[client].place.parent).mkdir()
        before = everything_in(home)
        for step in ("install", "uninstall"):
            for group in ("mcp", "hooks"):
                well(group, step, client)
        assert everything_in(home) == before


@pytest.mark.parametrize(("client", "variable"), [("codex", "CODEX_HOME"), ("claude-code", "CLAUDE_CONFIG_DIR")])
def test_a_program_that_has_its_settings_elsewhere_gets_the_hook_there(
    home: Path, monkeypatch: pytest.MonkeyPatch, client: str, variable: str
) -> None:
    monkeypatch.setenv(variable, str(home / "elsewhere"))
    well("hooks", "install", client)
    assert {name.split("/")[0] for name in everything_in(home)} == {"elsewhere"}
    well("hooks", "uninstall", client)
    assert everything_in(home) == {}


def test_a_hook_that_is_installed_again_keeps_what_it_may_see(home: Path) -> None:
    well("hooks", "install", "codex", "--profile", "work", "--max-tokens", "700")
    said = run("hooks", "install", "codex").stdout
    assert "may see work. It may write nothing." in " ".join(said.split())
    written = (home / CODEX_HOOKS).read_text()
    assert "--max-tokens 700 --profile work" in written
    (hook,) = json.loads(written)["hooks"]["UserPromptSubmit"][0]["hooks"]
    assert hook["command"].endswith(f"--home {home.parent / 'sj'}"), "it finds the notes of a home of one's own"
    assert "every profile" in run("hooks", "install", "codex", "--profile", "all").stdout
    assert "--profile" not in (home / CODEX_HOOKS).read_text()


def tokens(home: Path) -> int:
    return len(ClientRegistry(Home.find().clients).list())


@pytest.mark.parametrize(
    ("place", "content", "said"),
    [
        (CLAUDE, b'{"mcpServers": {"one": {}}, "mcpServers": {}}', "by hand"),
        (CLAUDE, b'{"mcpServers": {"scrubjay": {}, "scrubjay": {}}}', "by hand"),
        (CLAUDE, b'{"mcpServers": []}', "by hand"),
        (CLAUDE, b'{"theme": dark}', "by hand"),
        (CLAUDE, b"[]", "by hand"),
        (CLAUDE, b"[" * 50_000, "by hand"),
        (CLAUDE, b'{"a": "\xe9"}', "not UTF-8"),
        (CODEX, b"a = '\xe9'", "not UTF-8"),
        (CODEX, b"a = 1\na = 2\n", "by hand"),
        (CODEX, b"mcp_servers = 1\n", "by hand"),
        (HOOKS, b"\xff\xfe{\0}\0", "not UTF-8"),
        (HOOKS, b"{} {}", "by hand"),
        (HOOKS, b'{"hooks": []}', "by hand"),
        (HOOKS, b'{"hooks": {"UserPromptSubmit": 1}}', "by hand"),
    ],
)
def test_what_can_t_be_kept_whole_is_refused_in_a_sentence_before_a_token_is_made(
    home: Path, place: str, content: bytes, said: str
) -> None:
    placed(home, place, content)
    before = everything_in(home)
    group, client = COMMANDS[place]
    refused = run(group, "install", client)
    assert (refused.exit_code, said in refused.stderr) == (1, True), refused.output
    assert "Traceback" not in refused.output
    assert (everything_in(home), tokens(home)) == (before, 0)


@pytest.mark.parametrize("place", [CLAUDE, CODEX, HOOKS])
def test_a_file_that_its_owner_made_read_only_is_refused(home: Path, place: str) -> None:
    placed(home, place, b"").chmod(0o444)
    before = everything_in(home)
    group, client = COMMANDS[place]
    assert "may not be written" in run(group, "install", client).stderr
    assert (everything_in(home), tokens(home)) == (before, 0)


@pytest.mark.skipif(os.name != "posix", reason="links need rights on Windows")
def test_links_stay_links_and_one_that_leads_nowhere_is_refused_as_a_folder_is(home: Path) -> None:
    target = placed(home, "dotfiles/claude.json", b"{}")
    (home / CLAUDE).symlink_to(target)
    well("mcp", "install", "claude-code")
    assert ((home / CLAUDE).is_symlink(), "scrubjay" in target.read_text()) == (True, True)
    well("mcp", "uninstall", "claude-code")
    assert ((home / CLAUDE).is_symlink(), target.read_text()) == (True, "{}")
    (home / CLAUDE).unlink()
    (home / CLAUDE).symlink_to(home / CLAUDE)
    refused = run("mcp", "install", "claude-code")
    assert (refused.exit_code, "can't be read" in refused.stderr) == (1, True)
    (home / CLAUDE).unlink()
    (home / CLAUDE).mkdir()
    assert "can't be read" in run("mcp", "install", "claude-code").stderr


def test_a_change_by_its_program_at_the_same_moment_is_not_written_over(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = placed(home, CLAUDE, b"{}")
    from scrubjay.daemon.cli.programs import mcp
    from scrubjay.daemon.server.access import agent_tokens

    make = agent_tokens.make_agent

    def meanwhile(*arguments: object) -> object:
        path.write_text('{"changed": 1}')
        return make(*arguments)  # type: ignore[arg-type]  # the very same

    monkeypatch.setattr(mcp, "make_agent", meanwhile)
    assert "Try again" in run("mcp", "install", "claude-code").stderr
    assert path.read_text() == '{"changed": 1}'


def test_what_somebody_added_to_our_entry_stays_at_the_next_install(home: Path) -> None:
    path = placed(home, CODEX, b"")
    well("mcp", "install", "codex")
    path.write_text(path.read_text() + "tool_timeout_sec = 5\n")
    path.write_text(path.read_text().replace("--as", "--like"))
    well("mcp", "install", "codex")
    entry = tomllib.loads(path.read_text())["mcp_servers"]["scrubjay"]
    assert (entry["tool_timeout_sec"], entry["args"][-2]) == (5, "--as")
