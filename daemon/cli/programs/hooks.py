"""`scrubjay hooks`: what the notes say, given to a program with each prompt."""

import os
import shlex
import shutil
import sys
from pathlib import Path

import click

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.output import say
from scrubjay.daemon.cli.programs import rights
from scrubjay.daemon.home import Home
from scrubjay.daemon.setup.prompt_hooks import (
    HOOK_CLIENTS,
    HookClient,
    HooksNotMergeable,
    command_in,
    has_hook,
    made_by_hook,
    values_of,
    with_hook,
    without_hook,
)
from scrubjay.daemon.setup.their_files import TheirFile

_MAX_TOKENS = 500
_client = click.argument("client", type=click.Choice(list(HOOK_CLIENTS)))


@click.group()
def hooks() -> None:
    """Give a program what your notes say about each prompt, before it answers."""


@hooks.command()
@_client
@click.option(
    "--profile",
    "profiles",
    shell_complete=profile_names,
    multiple=True,
    help="From this one, or `all`. Left out: as before; from every profile the first time. Repeatable.",
)
@click.option("--max-tokens", type=click.IntRange(50, 20_000), help="At most so much. Left out: as before, or 500.")
@click.option("--print", "only_print", is_flag=True, help="Print the command to put in by hand, and change nothing.")
def install(client: str, profiles: tuple[str, ...], max_tokens: int | None, only_print: bool) -> None:
    """Let CLIENT ask Scrubjay before each prompt. It needs the running daemon; without one nothing is added."""
    known = HOOK_CLIENTS[client]
    file = None if only_print else TheirFile.read(Home.find(), _place(known))
    had = command_in(known, file.text) if file and file.text is not None else ()
    profiles = profiles or values_of("--profile", had)
    profiles = () if "all" in profiles else profiles
    max_tokens = max_tokens or next(map(int, values_of("--max-tokens", had)), _MAX_TOKENS)
    command = _command(known, profiles, max_tokens)
    if file is None:
        click.echo(command)
        return
    file.write(with_hook(known, file.text, command), made_by_hook(known, file.text))
    say(f"{known.name} now gets what your notes say with each prompt; restart it. Written to {file.path}")
    say(f"With each prompt it may {rights.sentence(('search',), profiles or None)}")
    if known.also:
        say(known.also)


@hooks.command()
@_client
def uninstall(client: str) -> None:
    """Take the hook out of CLIENT's settings, where all else stays as it is."""
    known = HOOK_CLIENTS[client]
    file = TheirFile.read(Home.find(), _place(known))
    if file.text is not None and has_hook(known, file.text):
        file.take_back(without_hook(known, file.text, file.made))
    _old_copy(known).unlink(missing_ok=True)
    say(f"{known.name} asks Scrubjay no more before a prompt.")


def installed() -> tuple[HookClient, ...]:
    """The programs whose settings have the hook; what can't be read has none of ours."""
    return tuple(known for known in HOOK_CLIENTS.values() if _has_hook(known))


def _has_hook(known: HookClient) -> bool:
    try:
        return has_hook(known, _place(known).read_bytes().decode("utf-8"))
    except (OSError, UnicodeDecodeError, HooksNotMergeable):
        return False


def _place(known: HookClient) -> Path:
    chosen = os.environ.get(known.variable) if known.variable else None
    folder = Path(chosen).expanduser() if chosen else Path.home() / known.place.parent
    return folder / known.place.name


def _old_copy(known: HookClient) -> Path:
    """The copy that earlier versions put beside the settings."""
    path = _place(known).resolve()
    return path.with_name(f"{path.name}.scrubjay-hook-bak")


def _command(known: HookClient, profiles: tuple[str, ...], max_tokens: int) -> str:
    """This very installation, by absolute paths: a program's PATH is often not the shell's."""
    beside = shutil.which("scrubjay", path=str(Path(sys.executable).parent))
    frozen = bool(getattr(sys, "frozen", False))
    program = [beside] if beside else [sys.executable, *([] if frozen else ["-m", "scrubjay.daemon"])]
    named = [part for profile in profiles for part in ("--profile", profile)]
    kept = os.environ.get("SCRUBJAY_HOME")
    home = ["--home", str(Path(kept).expanduser().absolute())] if kept else []
    return shlex.join([*program, "context", "--hook", known.id, "--max-tokens", str(max_tokens), *named, *home])
