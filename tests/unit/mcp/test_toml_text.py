"""TOML edited in place: our table comes and goes, comments and every other table stay."""

import tomllib

import pytest

from scrubjay.daemon.setup.toml_text import NotToml, put, take_out, value_of

NAMES = ("mcp_servers", "scrubjay")
TABLE = {"command": "/opt/é \\ \x7f", "args": ["mcp", "--as", "x"], "env": {"SCRUBJAY_HOME": "C:\\sj"}}
TEXTS = [
    "",
    "\n\n",
    "\ufeff",
    "# dark",
    'theme = "dark"',
    'theme = "dark"\n\n\n# the end',
    "\ufeffa = 'dark'\r\n\r\n[b]\r\nc = 2\r\n",
    "a = {b = 'dark', c = {d = [1, 2]}} # }\n",
    "a = [\n  'dark', # ]\n  '[x]',\n]\n",
    'a = """\n[mcp_servers.scrubjay]\ndark\n"""\n',
    "a = '''\n# dark\n[b]'''\n",
    "# mine\n[mcp_servers.other] # kept\ncommand = 'dark'\n",
    "[mcp_servers]\n# dark\n",
    "[mcp_servers]\nother = {command = 'dark'}\n\n# end\n",
    "[mcp_servers]\nother.command = 'dark'",
    "mcp_servers.other.command = 'dark'\n",
    "mcp_servers = { other = { command = 'dark}' } } # mine }\n",
    "mcp_servers = {}",
    "  [mcp_servers.other]\n\tcommand = 'dark'\n\t[mcp_servers.other.env]\n\tA = 'b'\n",
    "[[list]]\na = 1\n[[list]]\n",
    "f = nan\ng = inf\nd = 2026-01-01T10:00:00.5Z\nn = 0x1F\n",
    "[a.b.c.d.e.f.g.h]\ni = 'dark'\n# 🦫 é\n",
    "'mcp_servers'.\"x y\".command = 'dark'\n",
    "[z]\n[a]\n[mcp_servers.x]\n[b] # dark\n",
]


@pytest.mark.parametrize("text", TEXTS)
def test_what_was_put_in_and_is_taken_out_leaves_the_same_text(text: str) -> None:
    entered = put(text, NAMES, TABLE)
    assert value_of(entered)["mcp_servers"]["scrubjay"] == TABLE
    assert take_out(entered, NAMES) == text
    assert put(entered, NAMES, TABLE) == entered
    assert take_out(entered.replace("dark", "light, [more] #"), NAMES) == text.replace("dark", "light, [more] #")
    later = "\n# Jira: ask Anna\n# (do not delete)\n  [other_table]\n  b = 1\n"
    if entered.endswith("\n"):
        assert take_out(entered + later, NAMES) == text + later


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("[mcp_servers.scrubjay]\ncommand = 'x'\n\n[mcp_servers.scrubjay.env]\nA = 'b'\n\n[z]\n", "\n[z]\n"),
        ("a = 1\n[ mcp_servers . 'scrubjay' ]\nargs = [\n 'x',\n]\n# not ours\n[z]\n", "a = 1\n# not ours\n[z]\n"),
        ("[mcp_servers]\nscrubjay.command = 'x'\nscrubjay.args = []\nb = {}\n", "[mcp_servers]\nb = {}\n"),
        ("[mcp_servers]\nscrubjay = {command = 'x'}\n[z]\n", "[mcp_servers]\n[z]\n"),
        ("[mcp_servers.scrubjay]\nx = 1\n[z]\ny = 1\n[mcp_servers.scrubjay.env]\nA = 'b'\n", "[z]\ny = 1\n"),
    ],
)
def test_a_table_that_is_written_otherwise_is_taken_out_too(text: str, left: str) -> None:
    assert take_out(text, NAMES) == left
    assert "scrubjay" not in tomllib.loads(left).get("mcp_servers", {})


def test_what_can_t_hold_the_table_is_refused() -> None:
    for text in ("not = toml = at all", "mcp_servers = 1", "[[mcp_servers]]\na = 1\n", "a = 1\na = 2", "a = 1\rb = 2"):
        with pytest.raises(NotToml):
            put(text, NAMES, TABLE)
    with pytest.raises(NotToml):  # among others in braces, written otherwise than we do
        take_out("mcp_servers = {a = {}, scrubjay={ command='x' }}", NAMES)
