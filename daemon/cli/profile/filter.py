"""`scrubjay profile filter`: what the credential filter does otherwise for one profile."""

import sys
from collections.abc import Iterable

import click
import msgspec

from scrubjay.credential_filter import value_digest
from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.output import print_json, print_table
from scrubjay.daemon.cli.profile.common import Passphrases, changed, digest_key, json_option, registry
from scrubjay.daemon.standing_values import is_pattern, with_standing, without_standing
from scrubjay.profiles.registry.registry import Profile

GROUPS = ("hashes", "identity", "payment")
"""The filter's groups of rules that are off unless asked for."""

_group = click.Choice(GROUPS)


class FilterShown(msgspec.Struct, frozen=True):
    """A profile's filter settings as `--json` prints them."""

    allow: tuple[str, ...]  # patterns
    values: tuple[str, ...]  # keyed digests
    groups: tuple[str, ...]


@click.command(name="filter")
@click.argument("name", shell_complete=profile_names)
@click.option("--allow", multiple=True, metavar="REGEX", help="Never redact values that it matches. Repeatable.")
@click.option("--allow-value", is_flag=True, help="Never redact one value; it is asked for, and kept as a digest.")
@click.option("--no-allow", "hide", multiple=True, metavar="ENTRY", help="Remove one of those shown. Repeatable.")
@click.option("--group", "on", multiple=True, type=_group, help="Take these out of notes too. Repeatable.")
@click.option("--no-group", "off", multiple=True, type=_group, help="Leave them again. Repeatable.")
@json_option
def filter_(
    name: str,
    allow: tuple[str, ...],
    allow_value: bool,
    hide: tuple[str, ...],
    on: tuple[str, ...],
    off: tuple[str, ...],
    as_json: bool,
) -> None:
    """Show, or change, which texts are never redacted in profile NAME, and which optional rules it follows.

    Notes that this concerns are read again. `scrubjay credentials --allow` allows a value by its place.
    """
    if not all(map(is_pattern, allow)):
        raise click.UsageError("That is one value, no regex: give it to --allow-value, which keeps it out of sight.")
    value = _value() if allow_value else None
    concerns_values = allow or hide or value
    key = digest_key(registry().get(name), Passphrases(from_stdin=False)) if concerns_values else None

    def with_filter(now: Profile) -> Profile:
        after = now if key is None else _with_values(now, allow, hide, value, key)
        return msgspec.structs.replace(after, filter_groups=_without((*now.filter_groups, *on), off))

    after = changed(name, with_filter)
    shown = FilterShown(after.filter_allow, after.filter_digests, after.filter_groups)
    if as_json:
        print_json(shown)
        return
    rows = [("never redacted: pattern", entry) for entry in shown.allow]
    rows += [("never redacted: value", digest) for digest in shown.values]
    print_table(
        ("filter", "set to"),
        [*(rows or [("never redacted", "none")]), ("optional rules", ", ".join(shown.groups) or "none")],
    )


def _value() -> str:
    """A value, typed without being shown, or standard input's first line. Raises UsageError for none."""
    if sys.stdin.isatty():
        value = click.prompt("Value that is never redacted", hide_input=True, err=True)
    else:
        value = sys.stdin.readline().rstrip("\r\n")
    if not value.strip():
        raise click.UsageError("Give a value, not an empty one.")
    return value


def _with_values(profile: Profile, allow: Iterable[str], hide: Iterable[str], value: str | None, key: bytes) -> Profile:
    """The settings with other texts let stand; values that were in plain text become digests."""
    gone = frozenset(hide)
    with_value = with_standing(profile, [value_digest(value, key)] if value else [], key)
    kept = without_standing(with_value, {*gone, *(value_digest(entry, key) for entry in gone)}, key)
    return msgspec.structs.replace(kept, filter_allow=_without((*kept.filter_allow, *allow), gone))


def _without(entries: Iterable[str], gone: Iterable[str]) -> tuple[str, ...]:
    """The entries, each once, without those that are gone."""
    return tuple(entry for entry in dict.fromkeys(entries) if entry not in frozenset(gone))
