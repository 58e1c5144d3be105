"""`scrubjay config`: what is set, and in which file."""

from collections.abc import Iterator
from typing import Any

import click
import msgspec

from scrubjay.daemon.cli.output import print_json, print_table, say
from scrubjay.daemon.home import Home
from scrubjay.daemon.settings import Settings, load_settings


@click.command()
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
def config(as_json: bool) -> None:
    """Show every setting, and the file to change them in."""
    file = Home.find().settings
    settings = load_settings(file)
    if as_json:
        print_json({"file": str(file), "settings": settings})
        return
    say(f"Settings: {file}{'' if file.exists() else ' (not there yet)'}")
    say("")
    usual = dict(_rows(msgspec.to_builtins(Settings())))
    rows = _rows(msgspec.to_builtins(settings))
    print_table(
        ("setting", "now", "default"),
        [(name, now, "" if now == usual[name] else usual[name]) for name, now in rows],
    )


def _rows(table: dict[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Each setting by its name and as the file would say it; one of a table with the table's name before it."""
    for name, value in table.items():
        if name in ("limits", "llm"):
            yield from _rows(value, f"{name}.")
        else:
            yield f"{before}{name}", msgspec.json.encode(value).decode()
