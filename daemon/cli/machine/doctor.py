"""`scrubjay doctor`: what could keep Scrubjay from working here."""

from pathlib import Path

import click

from scrubjay.daemon.cli.output import print_json, say
from scrubjay.daemon.doctor.checks import examine
from scrubjay.daemon.home import Home

_STYLES = {"good": "green", "weak": "yellow", "bad": "red"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
@click.option("--report", is_flag=True, help="Write a diagnosis to show to others, without anything of your notes.")
def doctor(as_json: bool, report: bool) -> None:
    """Check what Scrubjay needs of this machine. Exit status 1 when something is bad."""
    home = Home.find()
    if report:
        from scrubjay.daemon.doctor.report import write_report

        path = write_report(home, Path.cwd())
        say(f"Written: {path}")
        say("Names, folders and credentials are taken out of it. Look into it before you send it to anybody.")
        return
    findings = examine(home)
    if as_json:
        print_json(findings)
    else:
        for finding in findings:
            say(f"{finding.verdict:<5} {finding.about:<10} {finding.seen}", style=_STYLES[finding.verdict])
            if finding.advice:
                say(f"      {finding.advice}")
    if any(finding.verdict == "bad" for finding in findings):
        raise click.exceptions.Exit(1)
