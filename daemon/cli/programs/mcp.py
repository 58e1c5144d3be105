"""`scrubjay mcp`: the tools for AI agents, over standard input and output, and how agents come to know of them."""

import asyncio
import contextlib
import logging
import os
import shutil
import sys
from pathlib import Path

import click

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.output import say, warn
from scrubjay.daemon.cli.programs import rights
from scrubjay.daemon.home import Home
from scrubjay.daemon.program import this_platform
from scrubjay.daemon.server.access.agent_tokens import agent_token, agents_named, drop_agent, make_agent
from scrubjay.daemon.server.access.client_registry import ClientRegistry, Scope, VisibleProfiles
from scrubjay.daemon.server.access.own_token import own_token
from scrubjay.daemon.setup.mcp_clients import (
    KNOWN,
    KnownClient,
    NotMergeable,
    StartCommand,
    config_file,
    has_entry,
    made_by_entry,
    snippet,
    with_entry,
    without_entry,
)
from scrubjay.daemon.setup.their_files import TheirFile
from scrubjay.profiles.registry.registry import Registry

_client = click.argument("client", type=click.Choice(list(KNOWN)))


@click.group(invoke_without_command=True)
@click.option("--as", "agent", help="With the rights of this client, made by `scrubjay mcp install`.")
@click.pass_context
def mcp(ctx: click.Context, agent: str | None) -> None:
    """Serve MCP on standard input and output, for agents that start programs. Tools need the running daemon.

    Without --as, it has the rights of the token in $SCRUBJAY_TOKEN; without that too, your own with all your rights.
    """
    if ctx.invoked_subcommand is None:
        asyncio.run(_serve(agent, os.environ.get("SCRUBJAY_TOKEN")))  # no option: all can read a command line


@mcp.command()
@_client
@click.option(
    "--profile",
    "profiles",
    shell_complete=profile_names,
    multiple=True,
    help="What it may see, or `all`. Left out: what it saw before; every profile the first time. Repeatable.",
)
@click.option(
    "--read-only/--may-write",
    default=None,
    help="Whether it may write to the journal and propose changes. Left out: as before; it may the first time.",
)
@click.option("--print", "only_print", is_flag=True, help="Print the lines to put in by hand; its file stays as it is.")
def install(client: str, profiles: tuple[str, ...], read_only: bool | None, only_print: bool) -> None:
    """Let CLIENT use Scrubjay: make it a token of its own, and enter Scrubjay into its configuration.

    The token is kept in your keyring (or a file that only you can read), never in the client's configuration.
    """
    known, home = KNOWN[client], Home.find().make()
    start = _start(known)
    file = None if only_print else TheirFile.read(home, _place(known))
    after = with_entry(known, file.text, start) if file else ""  # refused before anything is changed
    with contextlib.closing(ClientRegistry(home.clients)) as clients:
        had = agents_named(clients, _name(known))
        seen = _visible(home, profiles) if profiles or not had else had[-1].profiles
        scopes: tuple[Scope, ...] = ("search",) if read_only else ("search", "journal")
        scopes = had[-1].scopes if had and read_only is None else scopes
        made = make_agent(clients, home.state, _name(known), scopes, seen)
    may = f"{known.name} may {rights.sentence(made.scopes, rights.names(Registry(home.profiles), seen))}"
    if file is None:
        warn(may)
        click.echo(snippet(known, start), nl=False)
        return
    file.write(after, made_by_entry(known, file.text))
    say(f"{known.name} may now ask Scrubjay; restart it. Written to {file.path}")
    say(may)
    say(f'`scrubjay clients scope "{made.name}"` changes it; `scrubjay mcp uninstall` takes it back.', style="dim")


@mcp.command()
@_client
def uninstall(client: str) -> None:
    """Take Scrubjay out of CLIENT's configuration, where all else stays as it is, and revoke its token."""
    known, home = KNOWN[client], Home.find().make()
    file = TheirFile.read(home, _place(known))
    if file.text is not None and has_entry(known, file.text):
        file.take_back(without_entry(known, file.text, file.made))
    _old_copy(known).unlink(missing_ok=True)
    with contextlib.closing(ClientRegistry(home.clients)) as clients:
        for agent in agents_named(clients, _name(known)):
            drop_agent(clients, home.state, agent.id)
    say(f"{known.name} can't ask Scrubjay any more.")


@mcp.command(name="list")
def list_() -> None:
    """Name the clients that `install` knows, and where each keeps its configuration."""
    for known in KNOWN.values():
        say(f"{known.id:<16}{known.name}: {_place(known)}")


async def _serve(agent: str | None, token: str | None) -> None:
    from scrubjay.daemon.mcp.daemon_calls import CallWithToken
    from scrubjay.daemon.mcp.server import make_server
    from scrubjay.daemon.mcp.stdio import serve_stdio

    logging.getLogger().addHandler(logging.NullHandler())  # or the SDK would write its own to standard error
    home = Home.find()
    with contextlib.closing(ClientRegistry(home.clients)) as clients:
        if agent is not None:
            token = agent_token(clients, home.state, agent)
        token = token or own_token(clients, home.state).token
    await serve_stdio(make_server(CallWithToken(home, token)))


def _start(known: KnownClient) -> StartCommand:
    """This very installation, by absolute paths: a client's PATH is often not the shell's."""
    beside = shutil.which("scrubjay", path=str(Path(sys.executable).parent))
    program = (
        [beside] if beside else [sys.executable, *([] if getattr(sys, "frozen", False) else ["-m", "scrubjay.daemon"])]
    )
    kept = os.environ.get("SCRUBJAY_HOME")
    env = {"SCRUBJAY_HOME": str(Path(kept).expanduser().absolute())} if kept else {}
    return StartCommand(program[0], [*program[1:], "mcp", "--as", _name(known)], env)


def _name(known: KnownClient) -> str:
    return f"{known.name} (MCP)"


def installed() -> tuple[KnownClient, ...]:
    """The programs whose configuration names Scrubjay, or has a copy of ours beside it; what can't be read has none."""
    return tuple(known for known in KNOWN.values() if _has_traces(known))


def _has_traces(known: KnownClient) -> bool:
    try:
        path = _place(known)
        return _old_copy(known).exists() or (path.exists() and has_entry(known, path.read_bytes().decode("utf-8")))
    except (OSError, UnicodeDecodeError, NotMergeable):
        return False


def _place(known: KnownClient) -> Path:
    return config_file(known, this_platform(), Path.home())


def _old_copy(known: KnownClient) -> Path:
    """The copy that earlier versions put beside the file."""
    path = _place(known).resolve()
    return path.with_name(f"{path.name}.scrubjay-bak")


def _visible(home: Home, names: tuple[str, ...]) -> VisibleProfiles:
    """Ids of the profiles named; "all" where none is. Raises ProfileNotFound."""
    registry = Registry(home.profiles)
    return tuple(registry.get(name).id for name in names) if names and "all" not in names else "all"
