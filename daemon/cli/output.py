"""What commands print: tables for people, JSON for scripts. Nothing of a note makes the terminal do anything.

The daemon says its sentences by this, too; so what only tables need is loaded for them.
"""

import codecs
import contextlib
import io
import os
import sys
from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TextIO, TypeAlias

import click
import msgspec

from scrubjay.daemon.printable import escaped_json, printable
from scrubjay.daemon.program import Platform, this_platform, typed_command

if TYPE_CHECKING:
    from scrubjay.profiles.search.types import Unanswered


@contextlib.contextmanager
def until_nobody_reads() -> Generator[None]:
    """End the program with status 0 where who reads standard output has seen enough, as `| head` has."""
    try:
        yield
    except BrokenPipeError:
        try:
            os.write(sys.stdout.fileno(), b"\n")
        except BrokenPipeError:
            leave_quietly()
        raise  # it was another pipe


def leave_quietly() -> NoReturn:
    """End the program with status 0, without a word more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is still to be written goes nowhere
    raise SystemExit(0)


Style: TypeAlias = Literal["", "dim", "bold", "red", "green", "yellow", "bold yellow"]
"""How a sentence looks in a terminal."""

_STYLES: Mapping[Style, Mapping[str, Any]] = {
    "dim": {"dim": True},
    "bold": {"bold": True},
    "red": {"fg": "red"},
    "green": {"fg": "green"},
    "yellow": {"fg": "yellow"},
    "bold yellow": {"bold": True, "fg": "yellow"},
}


def say(sentence: str, style: Style = "") -> None:
    """A sentence on standard output, as it is: never read as markup, never broken at the window's edge."""
    _print(sentence, style, err=False)


def warn(sentence: str, style: Style = "") -> None:
    """The same on standard error."""
    _print(sentence, style, err=True)


def _print(sentence: str, style: Style, *, err: bool) -> None:
    shown = printable(sentence)
    try:
        click.echo(click.style(shown, **_STYLES[style]) if style else shown, err=err, color=_is_coloured())
    except BrokenPipeError:
        leave_quietly()


def _is_coloured() -> bool | None:
    """Whether sentences are styled; None where that depends on whether a terminal shows them."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM", "").lower() in ("dumb", "unknown"):
        return False
    return True if os.environ.get("FORCE_COLOR") else None


def advise(sentence: str, style: Style = "") -> None:
    """As `say`, of a sentence of ours, with each command of Scrubjay in it as it is typed here."""
    say(as_typed_here(sentence), style=style)


def as_typed_here(sentence: str) -> str:
    """A sentence of ours whose `scrubjay …` in backticks works here: in a trial it is not on the path."""
    if "`scrubjay " not in sentence:
        return sentence
    return sentence.replace("`scrubjay ", f"`{typed_command(this_platform(), os.environ.get('SCRUBJAY_HOME'))} ")


def warn_unanswered(profile: str, reason: str) -> None:
    """Name a profile whose notes are missing from what is printed, and why."""
    warn(as_typed_here(f"Profile {profile} did not answer. {reason}"), style="yellow")


def warn_of_unanswered(unanswered: "Iterable[Unanswered]") -> None:
    """Name the profiles of a reply that did not answer."""
    for each in unanswered:
        warn_unanswered(each.profile, each.reason)


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    click.echo(as_json(value, indent=2))


def as_json(value: Any, indent: int = -1) -> str:
    """A JSON document that standard output can hold, whatever its encoding; by default on one line."""
    document = msgspec.json.format(msgspec.json.encode(value), indent=indent).decode()
    return escaped_json(document, in_ascii=not _is_utf8(sys.stdout))


def speak_utf8(stream: TextIO, platform: Platform) -> None:
    """Have an escape in place of what can't be written on a stream; on Windows, have programs read UTF-8 (PEP 686).

    There a pipe or a file has the code page of the system, in which most letters of the world have no place. What
    somebody chose otherwise stays.
    """
    is_utf8 = _is_utf8(stream)
    if isinstance(stream, io.TextIOWrapper) and not is_utf8:
        if platform == "win32" and not stream.isatty() and "PYTHONIOENCODING" not in os.environ:
            stream.reconfigure(encoding="utf-8")
        if stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


def _is_utf8(stream: TextIO) -> bool:
    return codecs.lookup(stream.encoding).name in ("utf-8", "utf-8-sig")


def echo(text: str, *, nl: bool = True) -> None:
    """Text for people and scripts alike, on standard output, without any style."""
    click.echo(printable(text), nl=nl)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A plain table; text is shown as it is, never read as markup."""
    from rich.table import Table

    from scrubjay.daemon.cli.terminal import console

    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold", min_width=max(map(len, column.split()), default=0))
    for row in rows:
        table.add_row(*(str(cell) for cell in row))
    console.print(table, markup=False)


def plural(count: int, noun: str, many: str = "") -> str:
    """`1 note`, `2 notes`."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"


def lasting(seconds: float) -> str:
    """`40 seconds`, `1 minute`, `3 hours`, `2 days`: in the largest unit of which there are two, but for minutes."""
    for unit, size, least in (("day", 86_400, 2), ("hour", 3_600, 2), ("minute", 60, 1)):
        if seconds >= least * size:
            return plural(round(seconds / size), unit)
    return plural(round(seconds), "second")


def megabytes(size: int) -> str:
    """Bytes as `12.3 MB`."""
    return f"{size / 1e6:.1f} MB"
