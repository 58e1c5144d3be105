"""What commands print: tables for people, JSON for scripts."""

from collections.abc import Iterable, Sequence
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.table import Table

console = Console(highlight=False)
errors = Console(stderr=True, highlight=False)


def say(sentence: str, style: str = "") -> None:
    """A sentence on standard output, as it is: never read as markup, never broken at the window's edge."""
    console.print(sentence, markup=False, soft_wrap=True, style=style)


def warn(sentence: str, style: str = "") -> None:
    """The same on standard error."""
    errors.print(sentence, markup=False, soft_wrap=True, style=style)


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A plain table; text is shown as it is, never read as markup."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(str(cell) for cell in row))
    console.print(table, markup=False)


def plural(count: int, noun: str, many: str = "") -> str:
    """`1 note`, `2 notes`."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"


def megabytes(size: int) -> str:
    """Bytes as `12.3 MB`."""
    return f"{size / 1e6:.1f} MB"
