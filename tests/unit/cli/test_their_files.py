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

CLAUDE = ".claude.json"
CODEX = ".codex/config.toml"
HOOKS = ".claude/settings.json"
GROUP = '{"hooks": [{"type": "command", "command": "dark.sh"}]}'

JSON = [
    "",
    "\n",
    " \r\n\t",
    "\ufeff",
    "{}",
    "{ }",
    "{\n}",
    "{\r\n}\r\n",
    '{"theme":"dark"}',
    '{"theme": "dark"}\n\n',
    '{ "theme": "dark" }',
    '{\n  "theme": "dark"\n}\n',
    '{\r\n    "theme": "dark"\r\n}',
    '{\n\t"theme": "dark",\n\t"n": 1.50\n}',
    '\ufeff{\r\n  "theme": "dark",\r\n}\r\n',
    '// mine\n{\n  "theme": "dark", // at night\n}\n',
    '{\n  "theme": "dark" // at night, {always}\n  /* end */\n}\n// end',
    '{"big": 12345678901234567890, "e": 1e400, "z": -0.0, "theme": "dark"}',
    '{"é": "\\u00e9 \\ud83d", "theme": "dark", "emoji": "🦫"}',
    '{"twice": 1, "twice": 2, "theme": "dark"}',
    '{"a": ' * 60 + '"dark"' + "}" * 60,
    '{"mcpServers": {}}',
    '{\n  "mcpServers": {\n  },\n  "theme": "dark"\n}',
    '{"mcpServers":{"other":{"command":"dark"}}}',
    '{\n    "mcpServers": {\n        "other": {"args": ["dark"]}, // mine\n    },\n}\n',
    '{"hooks": {}}',
    '{"hooks": {"UserPromptSubmit": []}, "theme": "dark"}',
    '{"hooks": {"UserPromptSubmit": [' + GROUP + "]}}",
    '{\n  "hooks": {\n    "UserPromptSubmit": [\n      ' + GROUP + ", // mine\n    ],\n  },\n}",
    '{"hooks": {"Stop": [' + GROUP + ']}, "mcpServers": {"a": {}}}',
    '{"hooks": {"UserPromptSubmit": [{"matcher": "*", "hooks": []}]}, "theme": "dark"}',
    '{"note": "scrubjay context --hook dark"}',
]
TOML = [
    "",
    "\n",
    "\ufeff",
    "# dark\n",
    "# dark",
    'theme = "dark"',
    'theme = "dark"\n',
    'theme = "dark"\n\n\n',
    '\ufefftheme = "dark"\r\n',
    'theme = "dark"\r\n[a]\r\nb = 1\r\n',
    'a.b."c d".e = "dark"\n',
    "a = {b = 'dark', c = {d = [1, 2]}} # }\n",
    "a = [\n  'dark', # ]\n  '[x]',\n]\n",
    'a = """\n[mcp_servers.scrubjay]\ndark\n"""\n',
    "a = '''\n# dark\n[b]'''\n",
    "[mcp_servers.other]\ncommand = 'dark'\n",
    "[mcp_servers]\n# dark\n",
    "[mcp_servers]\nother = {command = 'dark'}\n\n# end\n",
    "[mcp_servers]\nother.command = 'dark'",
    "mcp_servers.other.command = 'dark'\n",
    "mcp_servers = { other = { command = 'dark' } } # mine }\n",
    "mcp_servers = {}\ntheme = 'dark'\n",
    "[mcp_servers.other]\n\tcommand = 'dark'\n\t[mcp_servers.other.env]\n\tA = 'b'\n",
    "[profiles.fast]\nmodel = 'dark' # kept\n\n[[hooks]]\na = 1\n[[hooks]]\na = 2\n",
    "f = nan\ng = inf\nd = 2026-01-01T10:00:00.5Z\nn = 0x_1 \n".replace("0x_1", "0x1F"),
    "[a.b.c.d.e.f.g.h]\ni = 'dark'\n# 🦫 é\n",
    "'mcp_servers'.\"x y\".command = 'dark'\n",
    "[z]\n[a]\n[mcp_servers.x]\n[b] # dark\n",
]
FILES = [(CLAUDE, text) for text in JSON] + [(CODEX, text) for text in TOML]
assert len(FILES) >= 60


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


def command_of(place: str) -> tuple[str, str]:
    return {CLAUDE: ("mcp", "claude-code"), CODEX: ("mcp", "codex"), HOOKS: ("hooks", "claude-code")}[place]


def everything_in(folder: Path) -> dict[str, tuple[bytes, int] | None]:
    return {
        str(path.relative_to(folder)): (path.read_bytes(), stat.S_IMODE(path.stat().st_mode))
        if path.is_file()
        else None
        for path in folder.rglob("*")
    }


@pytest.mark.parametrize(("place", "text"), [*FILES, *((HOOKS, text) for text in JSON)])
def test_uninstalling_leaves_every_byte_that_its_owner_wrote(home: Path, place: str, text: str) -> None:
    group, client = command_of(place)
    path = placed(home, place, text.encode("utf-8"))
    before = everything_in(home)
    well(group, "install", client)
    assert path.read_bytes() != text.encode()
    once = everything_in(home)
    well(group, "install", client)
    assert everything_in(home) == once
    well(group, "uninstall", client)
    assert everything_in(home) == before

    well(group, "install", client)
    path.write_bytes(path.read_bytes().replace(b"dark", b"light, {and} [more] # // \xc3\xa9"))
    well(group, "uninstall", client)
    assert path.read_bytes() == text.encode().replace(b"dark", b"light, {and} [more] # // \xc3\xa9")


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
  [profiles.fast]
  model = "mini"
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


@pytest.mark.parametrize("client", ["claude-code", "codex", "cursor", "gemini-cli"])
def test_files_and_folders_that_were_made_go_again_and_those_that_were_there_stay(home: Path, client: str) -> None:
    for is_there in (False, True):
        if is_there:
            (home / HOOK_CLIENTS[client].place.parent).mkdir()
        before = everything_in(home)
        for group in ("mcp", "hooks"):
            well(group, "install", client)
        for group in ("mcp", "hooks"):
            well(group, "uninstall", client)
        assert everything_in(home) == before


def test_the_hook_finds_the_notes_of_a_home_of_one_s_own(home: Path) -> None:
    well("hooks", "install", "codex")
    command = json.loads((home / ".codex/hooks.json").read_text())["hooks"]["UserPromptSubmit"][0]["hooks"][0][
        "command"
    ]
    assert command.endswith(f"--home {home.parent / 'sj'}")


def test_a_hook_that_is_installed_again_keeps_what_it_may_see(home: Path) -> None:
    well("hooks", "install", "codex", "--profile", "work", "--max-tokens", "700")
    said = run("hooks", "install", "codex").stdout
    assert "may see work. It may write nothing." in " ".join(said.split())
    assert "--max-tokens 700 --profile work" in (home / ".codex/hooks.json").read_text()
    assert "every profile" in run("hooks", "install", "codex", "--profile", "all").stdout
    assert "--profile" not in (home / ".codex/hooks.json").read_text()


def tokens(home: Path) -> int:
    return len(ClientRegistry(Home.find().clients).list())


@pytest.mark.parametrize(
    ("place", "content", "said"),
    [
        (CLAUDE, b'{"mcpServers": {"one": {}}, "mcpServers": {}}', "by hand"),
        (CLAUDE, b'{"mcpServers": {"scrubjay": {}, "scrubjay": {}}}', "by hand"),
        (CLAUDE, b'{"mcpServers": []}', "by hand"),
        (CLAUDE, b'{"theme": dark}', "by hand"),
        (CLAUDE, b"[" * 50_000, "by hand"),
        (CLAUDE, b'{"a": "\xe9"}', "not UTF-8"),
        (CODEX, b"a = '\xe9'", "not UTF-8"),
        (CODEX, b"a = 1\na = 2\n", "by hand"),
        (CODEX, b"mcp_servers = 1\n", "by hand"),
        (HOOKS, b"\xff\xfe{\0}\0", "not UTF-8"),
        (HOOKS, b'{"hooks": []}', "by hand"),
        (HOOKS, b'{"hooks": {"UserPromptSubmit": 1}}', "by hand"),
    ],
)
def test_what_can_t_be_kept_whole_is_refused_in_a_sentence_before_a_token_is_made(
    home: Path, place: str, content: bytes, said: str
) -> None:
    placed(home, place, content)
    before = everything_in(home)
    group, client = command_of(place)
    refused = run(group, "install", client)
    assert (refused.exit_code, said in refused.stderr) == (1, True), refused.output
    assert "Traceback" not in refused.output
    assert (everything_in(home), tokens(home)) == (before, 0)


@pytest.mark.parametrize("place", [CLAUDE, CODEX, HOOKS])
def test_a_file_that_its_owner_made_read_only_is_refused(home: Path, place: str) -> None:
    path = placed(home, place, b"")
    path.chmod(0o444)
    before = everything_in(home)
    group, client = command_of(place)
    assert "may not be written" in run(group, "install", client).stderr
    assert (everything_in(home), tokens(home)) == (before, 0)


@pytest.mark.skipif(os.name != "posix", reason="links need rights on Windows")
def test_links_stay_links_and_one_that_leads_nowhere_is_made_whole(home: Path) -> None:
    target = placed(home, "dotfiles/claude.json", b"{}")
    (home / CLAUDE).symlink_to(target)
    well("mcp", "install", "claude-code")
    assert (home / CLAUDE).is_symlink()
    assert "scrubjay" in target.read_text()
    well("mcp", "uninstall", "claude-code")
    assert ((home / CLAUDE).is_symlink(), target.read_text()) == (True, "{}")
    (home / CLAUDE).unlink()
    (home / CLAUDE).symlink_to(home / CLAUDE)
    refused = run("mcp", "install", "claude-code")
    assert (refused.exit_code, "can't be read" in refused.stderr) == (1, True)


def test_a_folder_in_its_place_is_refused(home: Path) -> None:
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
