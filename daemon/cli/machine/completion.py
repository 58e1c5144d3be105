"""`scrubjay completion`: the Tab key in the shell completes commands, options, profiles and tags."""

import os
from pathlib import Path
from typing import Final, get_args

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from scrubjay.daemon.cli.output import echo, say
from scrubjay.daemon.home import Home
from scrubjay.daemon.setup import shell_scripts
from scrubjay.daemon.setup.shell_scripts import Shell, ShellCompletion

_CLASSES: Final[dict[Shell, type[ShellComplete]]] = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}
_shell = click.option("--shell", type=click.Choice(get_args(Shell)), help="Yours, by $SHELL, if left out.")


@click.group()
def completion() -> None:
    """Let the Tab key complete commands, profiles, tags and folders."""


@completion.command()
@_shell
def install(shell: Shell | None) -> None:
    """Switch it on for shells that are opened from now on."""
    shell = _chosen(shell)
    place = _place(shell)
    shell_scripts.install(shell, place, script_of(shell))
    say(f"Written: {place.script}" + (f", and a line in {place.startup} that reads it." if place.startup else "."))
    say("A shell that is opened now completes `scrubjay`. `scrubjay completion remove` takes it back.")


@completion.command()
@_shell
def remove(shell: Shell | None) -> None:
    """Take away what `install` wrote."""
    shell = _chosen(shell)
    done = shell_scripts.remove(_place(shell))
    say(f"Taken away from {shell}." if done else f"There is nothing of it in {shell}.")


@completion.command()
@_shell
def show(shell: Shell | None) -> None:
    """Print the script, to be read by the shell in a way of your own."""
    echo(script_of(_chosen(shell)))


def installed() -> dict[Shell, ShellCompletion]:
    """Where it is switched on."""
    places = {shell: _place(shell) for shell in get_args(Shell)}
    return {shell: place for shell, place in places.items() if shell_scripts.is_installed(place)}


def script_of(shell: Shell) -> str:
    """What the shell reads, as click writes it."""
    from scrubjay.daemon.cli.app import COMPLETE_VAR, scrubjay

    return _CLASSES[shell](scrubjay, {}, "scrubjay", COMPLETE_VAR).source() + "\n"


def _chosen(shell: Shell | None) -> Shell:
    if found := shell or shell_scripts.shell_of(os.environ):
        return found
    raise click.UsageError(f"Which shell? --shell {', --shell '.join(get_args(Shell))}.")


def _place(shell: Shell) -> ShellCompletion:
    return shell_scripts.completion_of(shell, Home.find().data, Path.home(), os.environ)
