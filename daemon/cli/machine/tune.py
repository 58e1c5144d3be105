"""`scrubjay tune`: what aliases and link texts have taught of how a profile's notes are asked for."""

from collections.abc import Mapping

import click
import msgspec

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.connect import reach
from scrubjay.daemon.cli.output import print_json, print_table, say
from scrubjay.daemon.cli.profile.common import notify_daemon, registry
from scrubjay.daemon.server.endpoints.upkeep import TUNING, ProfileChoice, TunedReply

_STATES: Mapping[str, str] = {
    "used": "yes",
    "no-gain": "no: searches as good without",
    "too-few": "no: fewer than 1,000 names",
    "waiting": "not yet: learned when there is rest",
    "off": "no: turned off",
}


@click.command()
@click.argument("profile", required=False, shell_complete=profile_names)
@click.option("--on/--off", "wanted", default=None, help="Let PROFILE, or all, be tuned; or search as the model reads.")
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
def tune(profile: str | None, wanted: bool | None, as_json: bool) -> None:
    """Show what your own names for notes (aliases, texts of links) have taught searches by meaning.

    It is learned by itself when there is rest, of each profile for itself, and used only where it finds notes that it
    did not learn from clearly better. Nothing leaves the profile, and nothing is embedded anew.
    """
    if wanted is not None:
        _set(profile, wanted=wanted)
    with reach() as client:
        found = client.ask(TUNING, ProfileChoice(profile=profile)).profiles
    if as_json:
        print_json(found)
    elif found:
        columns = ("profile", "used", "names", "finds them", "gain", "95 times in 100", "λ")
        print_table(columns, [(each.profile, _STATES[each.state], *_figures(each)) for each in found])
    else:
        say("No profile is open.")


def _figures(found: TunedReply) -> tuple[str, ...]:
    if not found.ridge:
        return (f"{found.pairs:,}" if found.pairs else "", "", "", "", "")
    interval = f"{found.low:+.3f} to {found.high:+.3f}"
    return f"{found.pairs:,}", f"{found.before:.3f}", f"{found.gain:+.3f}", interval, f"{found.ridge:g}"


def _set(name: str | None, *, wanted: bool) -> None:
    profiles = registry()
    for profile in profiles.list() if name is None else (profiles.get(name),):
        profiles.change(profile.id, lambda now: msgspec.structs.replace(now, tuned=wanted))
    notify_daemon()
