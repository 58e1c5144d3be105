"""`scrubjay timeline` and `changes`: what was written when, and what is new in a note."""

from datetime import UTC, datetime, timedelta

import click

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.connect import reach, warn_of_missing
from scrubjay.daemon.cli.output import plural, print_json, say, warn
from scrubjay.daemon.links.answer_words import OCCASIONS
from scrubjay.daemon.printable import one_line, printable
from scrubjay.daemon.server.endpoints.links import TIMELINE, TimelineAsk
from scrubjay.daemon.server.endpoints.read import CHANGES, ChangesAsk
from scrubjay.profiles.local_time import local_now
from scrubjay.profiles.search.query.dates import parse_span
from scrubjay.profiles.search.results.places import path_with_place

_MOST = timedelta(days=365)


@click.command()
@click.option("--since", type=click.DateTime(["%Y-%m-%d"]), help="The first day; six before the last if left out.")
@click.option("--until", type=click.DateTime(["%Y-%m-%d"]), help="The last day; today if left out.")
@click.option("--profile", shell_complete=profile_names, help="Of this profile only.")
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
def timeline(since: datetime | None, until: datetime | None, profile: str | None, as_json: bool) -> None:
    """List notes by day: daily notes, what was written, what was changed. Exit status 1 when there is nothing."""
    _list(TimelineAsk(since=since and since.date(), until=until and until.date(), profile=profile), as_json=as_json)


@click.command()
@click.argument("note", required=False)
@click.option("--since", default="7d", show_default=True, help="A day, such as 2026-11-20, today, 'last week' or 7d.")
@click.option("--profile", shell_complete=profile_names, help="Of this profile only.")
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
def changes(note: str | None, since: str, profile: str | None, as_json: bool) -> None:
    """Print what edits brought into NOTE lately, passage by passage; without NOTE, list the notes that changed.

    Edits before Scrubjay first read a note are not known. Exit status 1 when nothing is new.
    """
    day = _day(since)
    if note is None:
        if datetime.now(UTC) - day > _MOST:
            raise click.BadParameter(
                "the list goes back a year at most; of one NOTE, as far as you like", param_hint="--since"
            )
        _list(TimelineAsk(since=day.astimezone().date(), profile=profile), as_json=as_json)
        return
    with reach() as client:
        found = client.ask(CHANGES, ChangesAsk(note=note, since=day, profile=profile))
    if as_json:
        print_json(found)
    else:
        for each in found.passages:
            place = path_with_place(found.path, found.kind, each.place, each.line)
            say(f"{one_line(place)}  {each.changed.astimezone():%Y-%m-%d %H:%M}", style="bold")
            say(f"{printable(each.text)}\n")
        new = plural(len(found.passages), "passage")
        warn(f"{new} new or edited, {found.kept:,} as before, {len(found.gone):,} gone.", style="dim")
    if not (found.passages or found.gone):
        raise click.exceptions.Exit(1)


def _day(since: str) -> datetime:
    """When a time begins that somebody typed. Raises click.BadParameter."""
    try:
        first, _ = parse_span(since, local_now())
    except ValueError:
        first = None
    if first is None:
        raise click.BadParameter("it is a day, such as 2026-11-20, today, 'last week' or 7d", param_hint="--since")
    return datetime.fromtimestamp(first // 1_000_000_000, UTC)


def _list(request: TimelineAsk, *, as_json: bool) -> None:
    with reach() as client:
        days = client.ask(TIMELINE, request).days
        is_partial = warn_of_missing(client, [request.profile] if request.profile else ())
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
