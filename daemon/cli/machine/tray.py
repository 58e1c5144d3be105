"""`scrubjay tray`: the icon in the system tray."""

import click

from scrubjay.daemon.home import Home


@click.command()
def tray() -> None:
    """Show an icon in the system tray, with what the daemon does and its most wanted commands."""
    from scrubjay.daemon.settings import load_settings
    from scrubjay.daemon.tray.hotkey import hotkey_from
    from scrubjay.daemon.tray.tray_icon import Tray

    home = Home.find()
    Tray(home, hotkey=hotkey_from(load_settings(home.settings).quick_search_key)).run()
