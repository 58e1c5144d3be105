"""`scrubjay history`: the searches that each profile remembers."""

from collections.abc import Mapping

import click
import msgspec

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.connect import connect, warn_of_closed
from scrubjay.daemon.cli.output import plural, print_json, print_table, say
from scrubjay.daemon.cli.team.common import is_reader
from scrubjay.daemon.home import Home
from scrubjay.daemon.server.endpoints.hidden import FORGET_OPENED, ForgetOpenedAsk
from scrubjay.daemon.server.endpoints.upkeep import (
    CLEAR_HISTORY,
    HISTORY,
    ClearHistoryAsk,
    HistoryAsk,
    SearchEventReply,
)
from scrubjay.profiles.journal.search_event import Missed
from scrubjay.profiles.registry.registry import Profile, Registry

_WHY: Mapping[Missed, str] = {"low": "all low", "unopened": "unopened", "reworded": "asked again"}

_NONE_SLOW = "No search took longer than `slow_search_ms` in settings.toml (500 ms unless you changed it)."
_NONE_MISSED = "No search seems to have missed anything."

_profile = click.option("--profile", shell_complete=profile_names, help="This profile only.")


@click.group(invoke_without_command=True)
@_profile
@click.option("--limit", type=click.IntRange(1, 1_000), default=20, show_default=True)
@click.option("--slow", is_flag=True, help="Only those slower than `slow_search_ms` in settings.toml.")
@click.option("--missed", is_flag=True, help="Only those that seem to have found nothing of use, and why.")
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
@click.pass_context
def history(ctx: click.Context, profile: str | None, limit: int, slow: bool, missed: bool, as_json: bool) -> None:
    """Show what was searched for, newest first, by whom, and which results were opened.

    Each profile keeps its newest 1,000 searches in its own database, credentials taken out.
    """
    if ctx.invoked_subcommand:
        return
    with connect() as client:
        events = client.ask(HISTORY, HistoryAsk(profile=profile, limit=limit, slow=slow, missed=missed)).events
        is_partial = warn_of_closed(client, [profile] if profile else ())
    if as_json:
        print_json(events)
        return
    if not events:
        if not is_partial:
            say(_NONE_SLOW if slow else _NONE_MISSED if missed else "No searches are remembered.")
        return
    print_table(
        ("when", "profile", "by", "query", "found", "ms", "missed" if missed else "opened"),
        (
            (
                f"{event.at.astimezone():%Y-%m-%d %H:%M}",
                event.profile,
                _by(event),
                event.query,
                event.results,
                f"{event.took_ms:.0f}",
                ", ".join(_WHY[why] for why in event.missed) if missed else ", ".join(event.opened),
            )
            for event in events
        ),
    )


def _by(event: SearchEventReply) -> str:
    """What it was searched by; of programs and vaults, which there may be several of, their names."""
    return event.client if event.source in ("agent", "panel") else event.source


@history.command()
@_profile
@click.option("--opened", is_flag=True, help="Only which results were opened: they stand higher no more.")
def clear(profile: str | None, opened: bool) -> None:
    """Forget all searches."""
    with connect() as client:
        if opened:
            forgotten = client.ask(FORGET_OPENED, ForgetOpenedAsk(profile=profile)).forgotten
            say(f"Forgotten: {plural(forgotten, 'opened result')}.")
            return
        forgotten = client.ask(CLEAR_HISTORY, ClearHistoryAsk(profile=profile)).forgotten
    say(f"Forgotten: {plural(forgotten, 'search', 'searches')}.")


@history.command()
@click.argument("profile", shell_complete=profile_names)
def off(profile: str) -> None:
    """Remember no searches of PROFILE from now on. Those before stay until `history clear`."""
    _set(profile, kept=False)
    say(f"Searches of {profile} are not remembered from now on.")


@history.command()
@click.argument("profile", shell_complete=profile_names)
def on(profile: str) -> None:
    """Remember the searches of PROFILE."""
    if is_reader(_set(profile, kept=True)):
        say(f"You are a reader of {profile}, which keeps no searches of readers. Yours are, once you write in it.")
        return
    say(f"Searches of {profile} are remembered.")


def _set(name: str, *, kept: bool) -> Profile:
    registry = Registry(Home.find().profiles)
    return registry.change(registry.get(name).id, lambda now: msgspec.structs.replace(now, history=kept))
