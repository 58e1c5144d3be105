"""`scrubjay hooks`: what the notes say, given to a program with each prompt."""

import os
import shlex
import shutil
import sys
from pathlib import Path

import click

from scrubjay.daemon.cli.completing import profile_names
from scrubjay.daemon.cli.output import say
from scrubjay.daemon.mcp.known_hooks import (
    HOOK_CLIENTS,
    HookClient,
    HooksNotMergeable,
    has_hook,
    with_hook,
    without_hook,
)
from scrubjay.profiles.private_files import remove_empty_folders, replace_theirs, write_private

_client = click.argument("client", type=click.Choice(list(HOOK_CLIENTS)))


@click.group()
def hooks() -> None:
    """Give a program what your notes say about each prompt, before it answers."""


@hooks.command()
@_client
@click.option(
    "--profile", "profiles", shell_complete=profile_names, multiple=True, help="From this profile only. Repeatable."
)
@click.option("--max-tokens", default=500, show_default=True, type=click.IntRange(50, 20_000), help="At most so much.")
@click.option("--print", "only_print", is_flag=True, help="Print the command to put in by hand, and change nothing.")
def install(client: str, profiles: tuple[str, ...], max_tokens: int, only_print: bool) -> None:
    """Let CLIENT ask Scrubjay before each prompt. It needs the running daemon; without one nothing is added.

    A copy of its settings as they were is kept beside them until `scrubjay hooks uninstall`.
    """
    known = HOOK_CLIENTS[client]
    command = _command(known, profiles, max_tokens)
    if only_print:
        click.echo(command)
        return
    path, copy = _places(known)
    before = path.read_bytes() if path.exists() else None
    after = with_hook(known, _text(known, before or b""), command)
    path.parent.mkdir(parents=True, exist_ok=True)
    if before is not None and not copy.exists():
        write_private(copy, before)
    replace_theirs(path, after.encode())
    say(f"{known.name} now gets what your notes say with each prompt; restart it. Written to {path}")
    if known.also:
        say(known.also)


@hooks.command()
@_client
def uninstall(client: str) -> None:
    """Take the hook out of CLIENT's settings; they are as they were before it."""
    known = HOOK_CLIENTS[client]
    path, copy = _places(known)
    if path.exists():
        before = copy.read_bytes() if copy.exists() else None
        was = None if before is None else _text(known, before)
        left = without_hook(known, _text(known, path.read_bytes()), was)
        if left is None:
            path.unlink()
            remove_empty_folders(path.parent, Path.home())
        else:
            replace_theirs(path, before if before is not None and left == was else left.encode())
    copy.unlink(missing_ok=True)
    say(f"{known.name} asks Scrubjay no more before a prompt.")


def installed() -> tuple[HookClient, ...]:
    """The programs whose settings have the hook; what can't be read has none of ours."""
    return tuple(known for known in HOOK_CLIENTS.values() if _has_hook(known))


def _has_hook(known: HookClient) -> bool:
    path, _ = _places(known)
    try:
        text = _text(known, path.read_bytes())
        return has_hook(known, text)
    except (OSError, HooksNotMergeable):
        return False


def _text(known: HookClient, content: bytes) -> str:
    """The settings as text, line ends as they are. Raises HooksNotMergeable."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise HooksNotMergeable(f"The settings of {known.name} are not UTF-8, so they were left as they are.") from None


def _places(known: HookClient) -> tuple[Path, Path]:
    """The settings, and the copy of them as they were before the hook."""
    chosen = os.environ.get(known.variable) if known.variable else None
    folder = Path(chosen).expanduser() if chosen else Path.home() / known.place.parent
    path = (folder / known.place.name).resolve()  # a link, as dotfiles often are, stays one
    return path, path.with_name(f"{path.name}.scrubjay-hook-bak")


def _command(known: HookClient, profiles: tuple[str, ...], max_tokens: int) -> str:
    """This very installation, by absolute paths: a program's PATH is often not the shell's."""
    beside = shutil.which("scrubjay", path=str(Path(sys.executable).parent))
    frozen = bool(getattr(sys, "frozen", False))
    program = [beside] if beside else [sys.executable, *([] if frozen else ["-m", "scrubjay.daemon"])]
    named = [part for profile in profiles for part in ("--profile", profile)]
    return shlex.join([*program, "context", "--hook", known.id, "--max-tokens", str(max_tokens), *named])
