"""`scrubjay profile priors`: what moves a profile's results after fusion."""

from typing import Any

import click
import msgspec

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.output import print_json, print_table
from scrubjay.daemon.cli.profile.common import changed, json_option
from scrubjay.profiles.registry.registry import PriorSettings, Profile

_MEANING = {
    "recency_days": "days in which a note loses half of what age may take; 0: off",
    "opened": "whether what was opened before after the same query stands higher",
    "importance": "whether importance and priority in the frontmatter count",
}


@click.command()
@click.argument("name", shell_complete=profile_names)
@click.option("--recency-days", type=click.FloatRange(0, 36_500), help="Half-life of what age may take; 0: off.")
@click.option("--importance/--no-importance", default=None, help="Let `importance` in the frontmatter count.")
@click.option(
    "--opened/--no-opened", default=None, help="Let what was opened before after the same query stand higher."
)
@click.option("--off", is_flag=True, help="Set all to off first.")
@json_option
def priors(name: str, off: bool, as_json: bool, **changes: Any) -> None:
    """Show, or change, what age and frontmatter do to the results of profile NAME.

    All but `opened` is off unless you set it: docs/retrieval.md says what each was worth on real vaults. Takes effect
    at once.
    """
    wanted = {key: value for key, value in changes.items() if value is not None}

    def with_priors(now: Profile) -> Profile:
        before = PriorSettings(opened=False) if off else now.priors
        return msgspec.structs.replace(now, priors=msgspec.structs.replace(before, **wanted))

    settings = changed(name, with_priors).priors
    values = msgspec.to_builtins(settings)
    if as_json:
        print_json(settings)
    else:
        print_table(("prior", "now", "what it is"), [(key, _said(values[key]), _MEANING[key]) for key in values])


def _said(value: float | bool) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if value else "off"
