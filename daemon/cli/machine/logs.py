"""`scrubjay logs`: what the daemon wrote down, as a person reads it."""

import json
import time
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from scrubjay.daemon.cli.output import Style, echo, say
from scrubjay.daemon.home import Home

_POLL_SECONDS = 0.5
_STYLES: Mapping[str, Style] = {"warning": "yellow", "error": "red", "critical": "red"}
_TOLD = ("at", "level", "part", "event")


@click.command()
@click.option("--lines", type=click.IntRange(0, 100_000), default=50, show_default=True, help="How many of the last.")
@click.option("--follow", "-f", is_flag=True, help="Go on as they come; Ctrl-C ends it.")
@click.option("--json", "as_json", is_flag=True, help="The lines as they are in the file.")
def logs(lines: int, follow: bool, as_json: bool) -> None:
    """Show the daemon's log. It holds no text of notes and no query."""
    path = Home.find().logs / "daemon.log"
    if not path.is_file() and not follow:
        say(f"There is no log yet: {path}")
        return
    for line in deque(_lines_of(path), maxlen=lines):
        _show(line, as_json=as_json)
    if follow:
        for line in _coming(path):
            _show(line, as_json=as_json)


def readable(line: str) -> tuple[str, Style]:
    """A line of the log as a sentence with its fields, and the style for its level; any other line as it is."""
    try:
        entry = json.loads(line)
        at, level, event = str(entry["at"]), str(entry["level"]), str(entry["event"])
    except (ValueError, KeyError, TypeError):
        return line, ""
    fields = " ".join(f"{name}={value}" for name, value in entry.items() if name not in _TOLD)
    return f"{at[:19].replace('T', ' ')} {level:<7} {event}{f' ({fields})' if fields else ''}", _STYLES.get(level, "")


def _show(line: str, *, as_json: bool) -> None:
    if as_json:
        echo(line)
    else:
        sentence, style = readable(line)
        say(sentence, style=style)


def _lines_of(path: Path) -> list[str]:
    """All lines, the file before the last rotation included."""
    before = path.with_name(f"{path.name}.1")
    return [line for file in (before, path) if file.is_file() for line in file.read_text("utf-8").splitlines()]


def _coming(path: Path) -> Iterator[str]:
    """Whole lines as they are written, also after the file was rotated."""
    place = path.stat().st_size if path.is_file() else 0
    while True:
        size = path.stat().st_size if path.is_file() else 0
        if size < place:
            place = 0
        if size > place:
            with path.open("rb") as file:
                file.seek(place)
                data = file.read()
            whole = data[: data.rfind(b"\n") + 1]
            place += len(whole)
            yield from whole.decode("utf-8", "replace").splitlines()
        time.sleep(_POLL_SECONDS)
