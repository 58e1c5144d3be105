"""`scrubjay doctor`: what could keep Scrubjay from working here."""

import click

from daemon.cli.output import print_json, say
from daemon.doctor.checks import examine
from daemon.home import Home

_STYLES = {"good": "green", "weak": "yellow", "bad": "red"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
def doctor(as_json: bool) -> None:
    """Check what Scrubjay needs of this machine. Exit status 1 when something is bad."""
    findings = examine(Home.find())
    if as_json:
        print_json(findings)
    else:
        for finding in findings:
            say(f"{finding.verdict:<5} {finding.about:<10} {finding.seen}", style=_STYLES[finding.verdict])
            if finding.advice:
                say(f"      {finding.advice}")
    if any(finding.verdict == "bad" for finding in findings):
        raise click.exceptions.Exit(1)
