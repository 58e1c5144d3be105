"""The command group. Commands are imported when they are called, so that `scrubjay` starts at once."""

import importlib
from typing import Any

import click

from scrubjay.daemon import __version__
from scrubjay.daemon.errors import disk_error_text
from scrubjay.daemon.printable import printable
from scrubjay.profiles.errors import ProfileError, ScrubjayError

_SECTIONS = {  # of the help: command -> module in daemon.cli that holds a click command of this name
    "Begin": {
        "setup": "machine.setup",
        "open": "serve",
        "status": "machine.status",
        "doctor": "machine.doctor",
        "completion": "machine.completion",
        "update": "machine.update",
        "uninstall": "machine.uninstall",
    },
    "Search": {
        "search": "notes.search",
        "ask": "notes.ask",
        "related": "notes.verify",
        "traverse": "notes.traverse",
        "recent": "notes.stored_notes",
        "timeline": "notes.timeline",
        "history": "notes.history",
        "hide": "notes.hide",
        "explain": "notes.verify",
        "eval": "notes.evaluate",
    },
    "Read and quote": {
        "get": "notes.stored_notes",
        "excerpt": "notes.stored_notes",
        "context": "notes.context",
        "verify": "notes.verify",
    },
    "Tidy up": {"review": "review.commands"},
    "Credentials": {"credentials": "notes.credentials", "scrub": "notes.scrub"},
    "Profiles and their indexes": {
        "profile": "profile",
        "team": "team",
        "lock": "profile",
        "unlock": "profile",
        "model": "machine.model",
        "tune": "machine.tune",
        "index": "machine.index",
        "check": "machine.check",
        "stats": "notes.stored_notes",
    },
    "The daemon": {
        "start": "serve",
        "stop": "serve",
        "restart": "serve",
        "run": "serve",
        "service": "machine.service",
        "tray": "machine.tray",
        "pause": "machine.pause",
        "resume": "machine.pause",
        "logs": "machine.logs",
    },
    "Other programs": {
        "plugin": "programs.plugin",
        "clients": "programs.clients",
        "token": "serve",
        "mcp": "programs.mcp",
        "hooks": "programs.hooks",
        "journal": "notes.journal",
        "llm": "programs.llm",
    },
}
_COMMANDS = {name: module for section in _SECTIONS.values() for name, module in section.items()}
COMPLETE_VAR = "_SCRUBJAY_COMPLETE"
"""The environment variable by which a shell asks for completions, whatever the program's file is called."""

_BUILTINS = {"open": "open_", "eval": "eval_"}  # commands named as builtins are, and what they are called instead


class _LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"scrubjay.daemon.cli.{_COMMANDS[cmd_name]}")

        return getattr(module, _BUILTINS.get(cmd_name, cmd_name))

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
            return super().invoke(ctx)
        except (ScrubjayError, ProfileError) as error:
            raise click.ClickException(printable(str(error))) from None
        except OSError as error:
            if said := disk_error_text(error):
                raise click.ClickException(printable(said)) from None
            raise


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="scrubjay")
def scrubjay() -> None:
    """Private search for your Obsidian vaults. Nothing leaves this machine unless you name where to."""
