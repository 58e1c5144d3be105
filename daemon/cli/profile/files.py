"""`scrubjay profile files`: what a profile reads beside notes."""

from typing import Any

import click
import msgspec

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.output import print_json, print_table, say
from scrubjay.daemon.cli.profile.common import changed, json_option
from scrubjay.profiles.kinds import TEXT_KINDS
from scrubjay.profiles.registry.profile_settings import FileSettings, with_code, with_kinds
from scrubjay.profiles.registry.registry import Profile

_KIND = click.Choice(("all", *TEXT_KINDS))


@click.command()
@click.argument("name", shell_complete=profile_names)
@click.option("--read", "read", multiple=True, type=_KIND, help="Read the text of these files. Repeatable.")
@click.option("--by-name", "by_name", multiple=True, type=_KIND, help="Find these by their names alone. Repeatable.")
@click.option("--code", multiple=True, metavar="EXTENSION", help="Read source code with this extension. Repeatable.")
@click.option("--no-code", multiple=True, metavar="EXTENSION", help='Leave it out again; "all" for all. Repeatable.')
@click.option("--attachments/--no-attachments", default=None, help="Obsidian's own folder for attachments, too.")
@click.option("--ocr/--no-ocr", default=None, help="Recognise the text in pictures and scans, after everything else.")
@json_option
def files(name: str, as_json: bool, **changes: Any) -> None:
    """Show, or change, which files profile NAME reads beside notes: PDFs, office files, canvases, pictures, code.

    The same folders are allowed and excluded as for notes. What is not read is found by its name.
    """
    read, by_name = _kinds(changes.pop("read")), _kinds(changes.pop("by_name"))
    code, no_code = changes.pop("code"), changes.pop("no_code")
    switched = {key: value for key, value in changes.items() if value is not None}

    def with_files(now: Profile) -> Profile:
        kinds = with_kinds(with_kinds(now.files, read, are_read=True), by_name, are_read=False)
        settings = with_code(kinds, add=code, remove=no_code)
        return msgspec.structs.replace(now, files=msgspec.structs.replace(settings, **switched))

    settings = changed(name, with_files).files
    if as_json:
        print_json(settings)
    else:
        _print(settings)


def _kinds(named: tuple[str, ...]) -> tuple[str, ...]:
    return TEXT_KINDS if "all" in named else named


def _print(settings: FileSettings) -> None:
    print_table(("kind", "now"), [(kind, "read" if kind in settings.kinds else "by name") for kind in TEXT_KINDS])
    say(f"code: {', '.join(settings.code) or 'left out'}")
    say(f"Obsidian's folder for attachments: {'as other folders' if settings.attachments else 'left out'}")
    say(f"pictures and scans: {'recognised' if settings.ocr else 'by name'}")
