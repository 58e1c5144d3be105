"""`scrubjay update`: how to bring Scrubjay up to date; with `--check`, whether there is a newer version."""

import sys
from importlib import resources
from pathlib import Path

import click

from scrubjay.daemon import __version__
from scrubjay.daemon.cli.output import print_json, say


@click.command(hidden=True)
def version() -> None:
    """Show the version, as `scrubjay --version` does."""
    say(f"scrubjay, version {__version__}")


@click.command()
@click.option("--check", is_flag=True, help="Ask the package index which version is the newest. Nothing is installed.")
@click.option("--from", "index", metavar="URL", help="Ask another index, a mirror say, that answers as pypi.org does.")
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
def update(check: bool, index: str | None, as_json: bool) -> None:
    """Say how to update Scrubjay. Exit status 1 when --check finds a newer version.

    Scrubjay never looks for updates by itself.
    """
    from scrubjay.daemon.updates import INDEX, Newest, how_to_update, newest_version, parsed

    is_frozen = bool(getattr(sys, "frozen", False))
    how = how_to_update(Path(sys.executable), frozen=is_frozen, is_checkout=not is_frozen and _is_checkout())
    if not check:
        say(f"This is Scrubjay {__version__}. It never looks for updates by itself.")
        say(f"`scrubjay update --check` asks {INDEX} which version is the newest.")
        say(f"To update: {how}; then `scrubjay restart`.")
        return
    asked = index or INDEX
    newest = newest_version(asked)
    is_newer = parsed(newest) > parsed(__version__)
    if as_json:
        print_json(Newest(installed=__version__, newest=newest, is_newer=is_newer, how=how, asked=asked))
    elif is_newer:
        say(f"Scrubjay {newest} is there; this is {__version__}.")
        say(f"To update: {how}; then `scrubjay restart`, and `scrubjay plugin install VAULT` for the plugin.")
    else:
        say(f"Scrubjay {__version__} is up to date: {asked} has no newer version.")
    if is_newer:
        raise click.exceptions.Exit(1)


def _is_checkout() -> bool:
    """Whether the code that runs lies in a checkout, as `make setup` leaves it."""
    return (Path(str(resources.files("scrubjay.daemon"))).resolve().parent / "Makefile").is_file()
