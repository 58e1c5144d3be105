"""`scrubjay profile filter`: what the credential filter does otherwise for one profile."""

from collections.abc import Iterable

import click
import msgspec

from scrubjay.daemon.cli.output import print_json, print_table
from scrubjay.daemon.cli.profile.common import json_option, registry, tell_daemon

GROUPS = ("hashes", "identity", "payment")
"""The filter's groups of rules that are off unless asked for."""

_group = click.Choice(GROUPS)


class FilterShown(msgspec.Struct, frozen=True):
    """A profile's filter settings as `--json` prints them."""

    allow: tuple[str, ...]
    groups: tuple[str, ...]


@click.command(name="filter")
@click.argument("name")
@click.option("--allow", multiple=True, metavar="TEXT", help="Always let this text stand. Repeatable.")
@click.option("--no-allow", "hide", multiple=True, metavar="TEXT", help="Take it back. Repeatable.")
@click.option("--group", "on", multiple=True, type=_group, help="Take these out of notes too. Repeatable.")
@click.option("--no-group", "off", multiple=True, type=_group, help="Leave them again. Repeatable.")
@json_option
def filter_(
    name: str,
    allow: tuple[str, ...],
    hide: tuple[str, ...],
    on: tuple[str, ...],
    off: tuple[str, ...],
    as_json: bool,
) -> None:
    """Show, or change, what the credential filter lets stand in profile NAME, and which optional rules it follows.

    Notes that this concerns are read again.
    """
    profiles = registry()
    before = profiles.get(name)
    after = msgspec.structs.replace(
        before,
        filter_allow=_changed(before.filter_allow, allow, hide),
        filter_groups=_changed(before.filter_groups, on, off),
    )
    if after != before:
        profiles.update(after)
        tell_daemon()
    if as_json:
        print_json(FilterShown(after.filter_allow, after.filter_groups))
        return
    rows = [("always stands", text) for text in after.filter_allow or ("nothing",)]
    print_table(("filter", "set to"), [*rows, ("optional rules", ", ".join(after.filter_groups) or "none")])


def _changed(known: tuple[str, ...], more: Iterable[str], fewer: Iterable[str]) -> tuple[str, ...]:
    """Raises UsageError for an empty text, which would stand in every text."""
    given = tuple(more)
    if not all(text.strip() for text in given):
        raise click.UsageError("Give a text, not an empty one.")
    gone = set(fewer)
    return tuple(text for text in dict.fromkeys((*known, *given)) if text not in gone)
