"""`scrubjay doctor`: what could keep Scrubjay from working here."""

from collections.abc import Mapping
from pathlib import Path

import click

from scrubjay.daemon.cli.output import Style, megabytes, print_json, print_table, say
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.doctor.checks import examine
from scrubjay.daemon.home import Home
from scrubjay.daemon.server.endpoints.status import MEMORY, MemoryReply

_STYLES: Mapping[str, Style] = {"good": "green", "weak": "yellow", "bad": "red"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
@click.option("--report", is_flag=True, help="Write a diagnosis to show to others, without anything of your notes.")
@click.option("--memory", is_flag=True, help="Show what holds the daemon's memory instead.")
def doctor(as_json: bool, report: bool, memory: bool) -> None:
    """Check what Scrubjay needs of this machine. Exit status 1 when something is bad."""
    home = Home.find()
    if report:
        from scrubjay.daemon.doctor.report import write_report

        path = write_report(home, Path.cwd())
        say(f"Written: {path}")
        say("Names, folders and credentials are taken out of it. Look into it before you send it to anybody.")
        return
    if memory:
        with ScrubjayClient.discover(home) as client:
            held = client.ask(MEMORY)
        print_json(held) if as_json else _show(held)
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


def _show(memory: MemoryReply) -> None:
    """Largest first, and the sums."""
    for title, parts in (("The daemon", memory.held), ("Processes that work for it", memory.processes)):
        if parts:
            say(f"{title}: {megabytes(sum(each.bytes for each in parts))}", style="bold")
            ordered = sorted(parts, key=lambda each: -each.bytes)
            print_table(
                ("held by", "profile", "memory"), [(each.what, each.profile, megabytes(each.bytes)) for each in ordered]
            )
