"""`scrubjay check`: is each index whole, and can it be mended."""

from contextlib import nullcontext

import click

from scrubjay.daemon.cli.connect import open_engine
from scrubjay.daemon.cli.output import print_json, say
from scrubjay.daemon.home import Home


@click.command()
@click.option("--profile", "profiles", multiple=True, help="Check this profile only. Repeatable.")
@click.option("--repair", is_flag=True, help="Mend it; what is derived is built anew from the vault.")
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
def check(profiles: tuple[str, ...], repair: bool, as_json: bool) -> None:
    """Check every invariant of the indexes. Exit status 1 when something is wrong."""
    from scrubjay.daemon.runtime.instance import InstanceLock
    from scrubjay.daemon.runtime.mend import mend, problems_of

    # Mending while the daemon works on the same file would be a fight over it.
    with InstanceLock(Home.find()) if repair else nullcontext(), open_engine(replaces=repair) as engine:
        chosen = [engine.opened(name) for name in profiles] or list(engine.profiles())
        found = {opened.profile.name: (mend if repair else problems_of)(engine, opened) for opened in chosen}
        unreadable = engine.closed()
        warnings = engine.warnings()
    if as_json:
        print_json({"problems": found, "closed": unreadable, "warnings": warnings})
    else:
        for warning in warnings:
            say(warning, style="yellow")
        for name, problems in found.items():
            say(f"{name}: {'all is well' if not problems else ''}")
            for problem in problems:
                say(f"  {problem.about} ({problem.code})")
        for name, reason in unreadable.items():
            say(f"{name}: {reason}")
    if unreadable or any(found.values()):
        raise click.exceptions.Exit(1)
