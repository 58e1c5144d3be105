"""`scrubjay model suggest`: a model for the languages of the notes."""

import click

from scrubjay.daemon.api.endpoints.status import STATUS, ModelSuggestion
from scrubjay.daemon.cli.completing import profile_names
from scrubjay.daemon.cli.connect import connect
from scrubjay.daemon.cli.output import print_json, say
from scrubjay.daemon.errors import UsageError


@click.command()
@click.argument("profile", required=False, shell_complete=profile_names)
@click.option("--take", is_flag=True, help="Download the model and have the profile read by it, in the background.")
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
@click.pass_context
def suggest(ctx: click.Context, profile: str | None, take: bool, as_json: bool) -> None:
    """Name a model that reads the languages of the notes, where a profile's own reads them badly.

    Of PROFILE, or of all that are open.
    """
    with connect() as client:
        profiles = client.ask(STATUS).profiles
    found = {each.name: each.suggestion for each in profiles if profile in (None, each.name) and each.suggestion}
    if profile is not None and profile not in {each.name for each in profiles}:
        raise UsageError(f"There is no profile named {profile}. `scrubjay profile list` names them all.")
    if take:
        _take(ctx, found)
    elif as_json:
        print_json(found)
    elif found:
        for each in found.values():
            say(each.text)
    else:
        say("The model reads the languages of the notes, as far as these are known.")


def _take(ctx: click.Context, found: dict[str, ModelSuggestion]) -> None:
    from scrubjay.daemon.cli.profile.options import model
    from scrubjay.daemon.cli.upkeep.model import download

    if not found:
        raise UsageError("There is nothing to take: the model reads the languages of the notes.")
    for name, suggestion in found.items():
        ctx.invoke(download, name=suggestion.model, as_json=False)
        ctx.invoke(model, name=name, model=suggestion.model, as_json=False)
