"""The command group. Commands are imported when they are called, so that `scrubjay` starts at once."""

import importlib
from typing import Any

import click

from scrubjay.daemon import __version__
from scrubjay.daemon.cli.groups import GroupWithOtherNames
from scrubjay.daemon.cli.output import as_typed_here, until_nobody_reads
from scrubjay.daemon.errors import disk_error_text
from scrubjay.daemon.printable import printable
from scrubjay.profiles.errors import ProfileError, ScrubjayError

_SECTIONS = {  # of the help: command -> module in daemon.cli that holds a click command of this name
    "Every day": {
        "setup": "machine.setup",
        "open": "serve",
        "search": "notes.search",
        "ask": "notes.ask",
        "recent": "notes.stored_notes",
        "credentials": "notes.credentials",
        "review": "review.commands",
        "status": "machine.status",
        "start": "serve",
        "doctor": "machine.doctor",
    },
    "Notes": {
        "get": "notes.stored_notes",
        "excerpt": "notes.stored_notes",
        "related": "notes.verify",
        "traverse": "notes.traverse",
        "timeline": "notes.timeline",
        "changes": "notes.timeline",
        "stats": "notes.stored_notes",
        "history": "notes.history",
        "hide": "notes.hide",
        "explain": "notes.verify",
        "verify": "notes.verify",
        "edit": "review.edit",
        "scrub": "notes.scrub",
        "eval": "notes.evaluate",
    },
    "Profiles and their indexes": {
        "profile": "profile",
        "team": "team",
        "lock": "profile",
        "unlock": "profile",
        "model": "machine.model",
        "tune": "machine.tune",
        "index": "machine.index",
        "check": "machine.check",
    },
    "The program": {
        "stop": "serve",
        "restart": "serve",
        "run": "serve",
        "service": "machine.service",
        "tray": "machine.tray",
        "pause": "machine.pause",
        "resume": "machine.pause",
        "logs": "machine.logs",
        "certify": "machine.certify",
        "config": "machine.config",
        "completion": "machine.completion",
        "update": "machine.update",
        "uninstall": "machine.uninstall",
    },
    "Other programs": {
        "plugin": "programs.plugin",
        "clients": "programs.clients",
        "token": "serve",
        "mcp": "programs.mcp",
        "hooks": "programs.hooks",
        "context": "notes.context",
        "journal": "notes.journal",
        "llm": "programs.llm",
    },
}
_COMMANDS = {name: module for section in _SECTIONS.values() for name, module in section.items()}
_COMMANDS["version"] = "machine.update"  # hidden: `--version` says the same
_OTHER_NAMES = {"find": "search", "read": "get", "settings": "config"}
COMPLETE_VAR = "_SCRUBJAY_COMPLETE"
"""The environment variable by which a shell asks for completions, whatever the program's file is called."""

_BUILTINS = {"open": "open_", "eval": "eval_"}  # commands named as builtins are, and what they are called instead


class _LazyGroup(GroupWithOtherNames):
    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"scrubjay.daemon.cli.{_COMMANDS[cmd_name]}")

        return getattr(module, _BUILTINS.get(cmd_name, cmd_name))

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        with until_nobody_reads():  # the help is printed here
            return super().make_context(*args, **options)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            raise click.NoSuchCommand(error.command_name, possibilities=_COMMANDS, ctx=ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, _COMMANDS))
        room = formatter.width - width - 4  # a line each
        for title, names in _SECTIONS.items():
            commands = {name: self.get_command(ctx, name) for name in names}
            rows = [(name.ljust(width), found.get_short_help_str(room)) for name, found in commands.items() if found]
            with formatter.section(title):
                formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with until_nobody_reads():
                return super().invoke(ctx)
        except (ScrubjayError, ProfileError) as error:
            raise click.ClickException(printable(as_typed_here(str(error)))) from None
        except OSError as error:
            if said := disk_error_text(error):
                raise click.ClickException(printable(said)) from None
            raise


@click.group(
    cls=_LazyGroup,
    other_names=_OTHER_NAMES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, "-V", "--version", prog_name="scrubjay")
def scrubjay() -> None:
    """Private search for your Obsidian vaults. Nothing leaves this machine unless you name where to."""
