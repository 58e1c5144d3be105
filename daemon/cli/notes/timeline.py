"""`scrubjay timeline`: what was written when."""

from datetime import datetime

import click

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.connect import reach, warn_of_missing
from scrubjay.daemon.cli.output import print_json, say, warn
from scrubjay.daemon.links.answer_words import OCCASIONS
from scrubjay.daemon.printable import one_line
from scrubjay.daemon.server.endpoints.links import TIMELINE, TimelineAsk


@click.command()
@click.option("--since", type=click.DateTime(["%Y-%m-%d"]), help="The first day; six before the last if left out.")
@click.option("--until", type=click.DateTime(["%Y-%m-%d"]), help="The last day; today if left out.")
@click.option("--profile", shell_complete=profile_names, help="Of this profile only.")
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
def timeline(since: datetime | None, until: datetime | None, profile: str | None, as_json: bool) -> None:
    """List notes by day: daily notes, what was written, what was changed. Exit status 1 when there is nothing."""
    request = TimelineAsk(since=since and since.date(), until=until and until.date(), profile=profile)
    with reach() as client:
        days = client.ask(TIMELINE, request).days
        is_partial = warn_of_missing(client, [profile] if profile else ())
    if as_json:
        print_json(days)
    else:
        for day in days:
            say(f"{day.day:%A, %Y-%m-%d}", style="bold")
            for each in day.notes:
                say(f"  {one_line(each.note.path)}  {each.note.profile}  {OCCASIONS[each.occasion]}")
    if not days:
        if not is_partial:
            warn("No notes on these days.")
        raise click.exceptions.Exit(1)
