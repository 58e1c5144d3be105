"""`scrubjay timeline` and `changes`: what was written when, and what is new in a note."""

from datetime import UTC, date, datetime, timedelta

import click

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.connect import reach, reach_note, warn_of_missing
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
@click.option("--since", help="The first day, such as 2026-11-20, yesterday or 7d; six before the last if left out.")
@click.option("--until", help="The last day; today if left out.")
@click.option("--profile", shell_complete=profile_names, help="Of this profile only.")
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
def timeline(since: str | None, until: str | None, profile: str | None, as_json: bool) -> None:
    """List notes by day: daily notes, what was written, what was changed. Exit status 1 when there is nothing."""
    first = None if since is None else _day(since, "--since").astimezone().date()
    last = None if until is None else _last_day(until)
    _list(TimelineAsk(since=first, until=last, profile=profile), as_json=as_json)


@click.command()
@click.argument("note", required=False)
@click.option("--since", default="7d", show_default=True, help="A day, such as 2026-11-20, today, 'last week' or 7d.")
@click.option("--profile", shell_complete=profile_names, help="Of this profile only.")
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
def changes(note: str | None, since: str, profile: str | None, as_json: bool) -> None:
    """Print what edits brought into NOTE lately, passage by passage; without NOTE, list the notes that changed.

    Edits before Scrubjay first read a note are not known; a note that is dated since then is new as a whole. Exit
    status 1 when nothing is new.
    """
    day = _day(since, "--since")
    if note is None:
        if datetime.now(UTC) - day > _MOST:
            raise click.BadParameter(
                "the list goes back a year at most; of one NOTE, as far as you like", param_hint="--since"
            )
        _list(TimelineAsk(since=day.astimezone().date(), profile=profile), as_json=as_json)
        return
    with reach_note([profile] if profile else ()) as client:
        found = client.ask(CHANGES, ChangesAsk(note=note, since=day, profile=profile))
    if as_json:
        print_json(found)
    else:
        for each in found.passages:
            place = path_with_place(found.path, found.kind, each.place, each.line)
            say(f"{one_line(place)}  {each.changed.astimezone():%Y-%m-%d %H:%M}", style="bold")
            say(f"{printable(each.text)}\n")
        new = plural(len(found.passages), "passage")
        warn(f"{new} new or edited, {found.kept:,} as before or as first read, {len(found.gone):,} gone.", style="dim")
    if not (found.passages or found.gone):
        raise click.exceptions.Exit(1)


def _day(typed: str, option: str) -> datetime:
    """When a time begins that somebody typed. Raises click.BadParameter."""
    return _moment(_span(typed, option)[0])


def _last_day(typed: str) -> date:
    """The last day of a time that somebody typed; the day of 7d is a week ago. Raises click.BadParameter."""
    first, end = _span(typed, "--until")
    return _moment(first if end is None else end - 1).astimezone().date()


def _span(typed: str, option: str) -> tuple[int, int | None]:
    try:
        first, end = parse_span(typed, local_now())
    except ValueError:
        first = end = None
    if first is None:
        raise click.BadParameter("it is a day, such as 2026-11-20, today, 'last week' or 7d", param_hint=option)
    return first, end


def _moment(ns: int) -> datetime:
    return datetime.fromtimestamp(ns // 1_000_000_000, UTC)


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
