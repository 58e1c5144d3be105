"""`scrubjay history`: the searches that each profile remembers."""

import click
import msgspec

from scrubjay.daemon.api.endpoints.upkeep import CLEAR_HISTORY, HISTORY, ClearAsk, HistoryAsk
from scrubjay.daemon.cli.connect import connect
from scrubjay.daemon.cli.output import plural, print_json, print_table, say
from scrubjay.daemon.home import Home
from scrubjay.profiles.registry.registry import Registry

_profile = click.option("--profile", help="This profile only.")


@click.group(invoke_without_command=True)
@_profile
@click.option("--limit", type=click.IntRange(1, 1_000), default=20, show_default=True)
@click.option("--slow", is_flag=True, help="Only those slower than `slow_search_ms` in settings.toml.")
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
@click.pass_context
def history(ctx: click.Context, profile: str | None, limit: int, slow: bool, as_json: bool) -> None:
    """Show what was searched for, newest first, and which results were opened.

    Each profile keeps its newest 1,000 searches in its own database, credentials taken out.
    """
    if ctx.invoked_subcommand:
        return
    with connect() as client:
        events = client.ask(HISTORY, HistoryAsk(profile=profile, limit=limit, slow=slow)).events
    if as_json:
        print_json(events)
        return
    if not events:
        say("No searches are remembered.")
        return
    print_table(
        ("when", "profile", "query", "found", "ms", "opened"),
        (
            (
                f"{event.at.astimezone():%Y-%m-%d %H:%M}",
                event.profile,
                event.query,
                event.results,
                f"{event.took_ms:.0f}",
                ", ".join(event.opened),
            )
            for event in events
        ),
    )


@history.command()
@_profile
def clear(profile: str | None) -> None:
    """Forget all searches."""
    with connect() as client:
        forgotten = client.ask(CLEAR_HISTORY, ClearAsk(profile=profile)).forgotten
    say(f"Forgotten: {plural(forgotten, 'search', 'searches')}.")


@history.command()
@click.argument("profile")
def off(profile: str) -> None:
    """Remember no searches of PROFILE from now on. Those before stay until `history clear`."""
    _set(profile, kept=False)
    say(f"Searches of {profile} are not remembered from now on.")


@history.command()
@click.argument("profile")
def on(profile: str) -> None:
    """Remember the searches of PROFILE."""
    _set(profile, kept=True)
    say(f"Searches of {profile} are remembered.")


def _set(name: str, *, kept: bool) -> None:
    registry = Registry(Home.find().profiles)
    registry.update(msgspec.structs.replace(registry.get(name), history=kept))
