"""`scrubjay service`: start with the computer."""

import click

from scrubjay.daemon.cli.connect import running
from scrubjay.daemon.cli.output import say
from scrubjay.daemon.cli.serve import stop
from scrubjay.daemon.home import Home
from scrubjay.daemon.setup import services


@click.group()
def service() -> None:
    """Let Scrubjay start when you log in."""


@service.command()
@click.option("--print", "only_print", is_flag=True, help="Print the definition; write and run nothing.")
def install(only_print: bool) -> None:
    """Start now and at every log-in."""
    here = services.service_here(Home.find())
    if only_print:
        encoding = "utf-16" if here.system == "task-scheduler" else "utf-8"
        click.echo(here.definition.decode(encoding), nl=False)
        return
    services.install(here)
    say(f"Installed: {here.path}")


@service.command()
@click.pass_context
def uninstall(ctx: click.Context) -> None:
    """Stop, and do not start at log-in any more."""
    removed = services.uninstall(services.service_here(Home.find()))
    if removed and running(Home.find()):  # the task scheduler lets go of a task and leaves its program running
        ctx.invoke(stop)
    say("Removed." if removed else "It was not installed.")


@service.command()
def status() -> None:
    """Say whether it is installed and active. Exit status 1 when not."""
    here = services.service_here(Home.find())
    active = services.is_active(here)
    installed = "installed" if here.path.exists() else "not installed"
    say(f"{here.system}: {installed}, {'active' if active else 'not active'}")
    if not active:
        raise click.exceptions.Exit(1)
