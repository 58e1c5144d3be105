"""`scrubjay pause`, `scrubjay resume`: hold indexing for a while; searching goes on."""

import click

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.connect import connect
from scrubjay.daemon.cli.output import say
from scrubjay.daemon.server.endpoints.upkeep import PAUSE, RESUME, ProfileChoice

_profile = click.option("--profile", shell_complete=profile_names, help="This profile only.")


@click.command()
@_profile
def pause(profile: str | None) -> None:
    """Stop indexing until `scrubjay resume`, or until the daemon is restarted."""
    with connect() as client:
        names = client.ask(PAUSE, ProfileChoice(profile=profile)).profiles
    say(f"Paused: {', '.join(names) or 'no profile'}. Searches go on; changes are remembered.")


@click.command()
@_profile
def resume(profile: str | None) -> None:
    """Let indexing go on."""
    with connect() as client:
        names = client.ask(RESUME, ProfileChoice(profile=profile)).profiles
    say(f"Resumed: {', '.join(names) or 'no profile'}.")
