"""The command line as data, read from click itself; and as a page of the manual site."""

import inspect
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

import click

from scrubjay.daemon.cli.app import scrubjay


@dataclass(frozen=True, slots=True)
class Described:
    """A command: how it is called, what it does, what may be said to it."""

    path: str  # such as "scrubjay profile create"
    usage: str
    about: str  # paragraphs, with a blank line between
    options: tuple[tuple[str, str], ...]  # how it is written, what it does
    is_group: bool


def described() -> tuple[Described, ...]:
    """Every command, in the order of `scrubjay --help`, a group before what is in it."""
    return tuple(_walk(scrubjay, None, "scrubjay"))


def as_markdown(commands: tuple[Described, ...]) -> str:
    """The page of the command line."""
    parts = ["# The command line\n", "Made from the commands themselves: `scrubjay COMMAND --help` says the same.\n"]
    for command in commands:
        level = "##" if command.path.count(" ") <= 1 else "###"
        parts.append(f"{level} `{command.path}`\n\n{command.about}\n\n```text\n{command.usage}\n```\n")
        if command.options:
            rows = "\n".join(f"| `{_cell(name)}` | {_cell(about)} |" for name, about in command.options)
            parts.append(f"| option | what it does |\n| --- | --- |\n{rows}\n")
    return "\n".join(parts)


def _walk(command: click.Command, parent: click.Context | None, name: str) -> Iterator[Described]:
    with click.Context(command, parent, info_name=name, max_content_width=200, terminal_width=200) as context:
        records = (parameter.get_help_record(context) for parameter in command.get_params(context))
        usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
        yield Described(
            path=context.command_path,
            usage=usage,
            about=_unwrapped(command.help or ""),
            options=tuple(record for record in records if record and "--help" not in record[0]),
            is_group=isinstance(command, click.Group),
        )
        if isinstance(command, click.Group):
            for inner in command.list_commands(context):
                found = command.get_command(context, inner)
                if found is not None and not found.hidden:
                    yield from _walk(found, context, inner)


def _unwrapped(text: str) -> str:
    """The help as paragraphs of one line each; those that click is told to leave alone are set off by four blanks."""
    return "\n\n".join(_paragraph(paragraph) for paragraph in inspect.cleandoc(text).split("\n\n"))


def _paragraph(text: str) -> str:
    if not text.startswith("\b"):
        return " ".join(text.split())
    return textwrap.indent(textwrap.dedent(text.removeprefix("\b").strip("\n")), "    ")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
