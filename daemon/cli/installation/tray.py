"""`scrubjay tray`: the icon in the system tray."""

import click

from scrubjay.daemon.home import Home


@click.command()
def tray() -> None:
    """Show an icon in the system tray, with what the daemon does and its most wanted commands."""
    from scrubjay.daemon.tray.show import Tray

    Tray(Home.find()).run()
