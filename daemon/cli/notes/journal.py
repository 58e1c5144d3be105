"""`scrubjay journal`: what was remembered, by you and by agents."""

import re
import sys
from datetime import date, datetime, time, timedelta
from typing import Any

import click

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.connect import reach
from scrubjay.daemon.cli.output import plural, print_json, say, warn, warn_of_unanswered
from scrubjay.daemon.printable import one_line
from scrubjay.daemon.server.endpoints.journal import (
    ENTRY,
    FORGET,
    LOG,
    PRUNE,
    RECALL,
    REMEMBER,
    EntryAsk,
    EntryReply,
    JournalAsk,
    LogAsk,
    PruneAsk,
    RecallAsk,
)
from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.search.types import Unanswered

_as_json = click.option("--json", "as_json", is_flag=True, help="For scripts.")
_DAYS = ["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]


@click.group()
def journal() -> None:
    """Remember things beside your notes, and recall what agents remembered. Each profile has its own journal."""


@journal.command()
@click.argument("text", nargs=-1)
@click.option(
    "--profile", shell_complete=profile_names, help="In this profile's journal; needed where there are several."
)
@click.option("--tag", "tags", multiple=True, help="Repeatable.")
@click.option("--replaces", metavar="ID", help="The entry that this makes untrue: it is recalled no more.")
@click.option("--valid-from", type=click.DateTime(_DAYS), help="From this day or time on it holds.")
@click.option("--valid-to", type=click.DateTime(_DAYS), help="To this day, or until this time, it holds.")
def add(
    text: tuple[str, ...],
    profile: str | None,
    tags: tuple[str, ...],
    replaces: str | None,
    valid_from: datetime | None,
    valid_to: datetime | None,
) -> None:
    """Save TEXT (or standard input). Credentials are taken out first; what is there already gets a newer time."""
    if replaces is not None and not re.fullmatch("#?[0-9a-f]{12}", replaces):
        raise UsageError(
            f"{replaces!r} is no id of an entry: 12 characters of 0-9 and a-f, as `scrubjay journal log` shows."
        )
    said = " ".join(text) or sys.stdin.read()
    with reach() as client:
        wanted = JournalAsk(
            text=said,
            profile=profile,
            tags=tags,
            replaces=replaces,
            valid_from=_local(valid_from),
            valid_to=_end_of(valid_to),
        )
        saved = client.ask(REMEMBER, wanted)
    first = f", first said {saved.first_saved.astimezone():%Y-%m-%d %H:%M}" if saved.refreshed else ""
    say(
        f"{'Known already' if saved.refreshed else 'Saved'} as {saved.id} in {saved.profile}{first}.{saved.replacement}"
    )
    for each in saved.alike:
        warn(f"It looks like #{each.id}: {one_line(each.text)}. `--replaces {each.id}` would replace it.")
    if saved.redactions:
        warn(f"{plural(saved.redactions, 'credential')} taken out of it.", style="yellow")


@journal.command()
@click.argument("query", nargs=-1, required=True)
@click.option(
    "--profile", "profiles", shell_complete=profile_names, multiple=True, help="From this profile only. Repeatable."
)
@click.option("--tag", "tags", multiple=True, help="Only what has this tag. Repeatable: all of them.")
@click.option("--since", type=click.DateTime(_DAYS), help="Saved from this day or time on.")
@click.option("--until", type=click.DateTime(_DAYS), help="Saved before this day or time.")
@click.option("--as-of", type=click.DateTime(_DAYS), help="What held on this day, or at this time.")
@click.option("--by", "author", help="Saved by the client of this name.")
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 100))
@_as_json
def recall(
    query: tuple[str, ...],
    since: datetime | None,
    until: datetime | None,
    as_of: datetime | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Find what was remembered, by words and by meaning. Exit status 1 when there is nothing.

    Of entries that say nearly the same the newer comes first; what has ended or was replaced is in the log, and found
    with --as-of.
    """
    profiles = options.pop("profiles") or None
    held = _end_of(as_of)
    ask = RecallAsk(
        query=" ".join(query),
        profiles=profiles,
        since=_local(since),
        until=_local(until),
        as_of=held and held - timedelta(microseconds=1),
        **options,
    )
    with reach() as client:
        reply = client.ask(RECALL, ask)
    _show(reply.entries, reply.unanswered, as_json)


@journal.command()
@click.option("--since", type=click.DateTime(_DAYS), help="Saved from this day or time on.")
@click.option("--until", type=click.DateTime(_DAYS), help="Saved before this day or time.")
@click.option("--profile", shell_complete=profile_names, help="Of this profile only.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 1000))
@_as_json
def log(since: datetime | None, until: datetime | None, profile: str | None, limit: int, as_json: bool) -> None:
    """List what was remembered by time, newest first."""
    request = LogAsk(profile=profile, since=_local(since), until=_local(until), limit=limit)
    with reach() as client:
        reply = client.ask(LOG, request)
    _show(reply.entries, reply.unanswered, as_json)


@journal.command()
@click.argument("ids", nargs=-1, required=True)
@click.option("--yes", is_flag=True, help="Do not ask.")
def forget(ids: tuple[str, ...], yes: bool) -> None:
    """Delete entries for good, named by their ids; in a terminal they are shown first."""
    with reach() as client:
        if not yes and sys.stdin.isatty():
            for entry_id in ids:
                say(client.ask(ENTRY, EntryAsk(entry_id=entry_id.removeprefix("#"))).text)
            click.confirm("Delete this for good?", abort=True)
        for entry_id in ids:
            client.ask(FORGET, EntryAsk(entry_id=entry_id.removeprefix("#")))
    say("Forgotten.")


@journal.command()
@click.option("--profile", shell_complete=profile_names, required=True, help="Whose journal.")
@click.option("--before", required=True, type=click.DateTime(_DAYS), help="Everything saved before this day or time.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def prune(profile: str, before: datetime, yes: bool) -> None:
    """Delete for good all that was saved before a day."""
    if not yes:
        click.confirm(f"Delete all that was saved in {profile} before {before:%Y-%m-%d %H:%M}?", abort=True)
    with reach() as client:
        reply = client.ask(PRUNE, PruneAsk(profile=profile, before=before.astimezone()))
    say(f"{plural(reply.forgotten, 'entry', 'entries')} deleted.")


def _end_of(moment: datetime | None) -> datetime | None:
    """Of a day its end: the midnight behind it, if the calendar has one."""
    is_day = moment is not None and moment.time() == time() and moment.date() < date.max
    return _local(moment + timedelta(days=1) if moment is not None and is_day else moment)


def _local(moment: datetime | None) -> datetime | None:
    return None if moment is None else moment.astimezone()


def _show(entries: tuple[EntryReply, ...], unanswered: tuple[Unanswered, ...], as_json: bool) -> None:
    if as_json:
        print_json(entries)
    for entry in () if as_json else entries:
        tags = f"  {', '.join(entry.tags)}" if entry.tags else ""
        saved = entry.saved.astimezone()
        replaced = f"  replaced by #{entry.replaced_by}" if entry.replaced_by else ""
        first = entry.first_saved.astimezone()
        again = f"  first said {first:%Y-%m-%d %H:%M}" if first < saved else ""
        held = f"  {entry.validity}" if entry.validity else ""
        head = f"{saved:%Y-%m-%d %H:%M}  #{entry.id}  {entry.profile}  {entry.author}{again}{held}{tags}{replaced}"
        say(head, style="dim")
        say(f"{entry.text}\n")
    warn_of_unanswered(unanswered)
    if not entries:
        warn("Nothing remembered.")
        raise click.exceptions.Exit(1)
