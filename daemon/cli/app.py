"""The command group. Commands are imported when they are called, so that `scrubjay` starts at once."""

import importlib
from typing import Any

import click

from scrubjay.daemon import __version__
from scrubjay.daemon.errors import ScrubjayError, disk_error_text
from scrubjay.daemon.printable import printable
from scrubjay.profiles.errors import ProfileError

_COMMANDS = {  # command -> module in daemon.cli that holds a click command of this name
    "setup": "installation.setup",
    "profile": "profile",
    "model": "upkeep.model",
    "llm": "installation.llm",
    "lock": "profile",
    "unlock": "profile",
    "run": "serve",
    "start": "serve",
    "stop": "serve",
    "restart": "serve",
    "open": "serve",
    "token": "serve",
    "status": "upkeep.status",
    "pause": "upkeep.pause",
    "resume": "upkeep.pause",
    "logs": "upkeep.logs",
    "tray": "installation.tray",
    "index": "upkeep.index",
    "search": "notes.search",
    "ask": "notes.ask",
    "get": "notes.reading",
    "recent": "notes.reading",
    "stats": "notes.reading",
    "history": "notes.history",
    "credentials": "notes.credentials",
    "scrub": "notes.credentials",
    "check": "upkeep.check",
    "plugin": "installation.plugin",
    "clients": "installation.clients",
    "service": "installation.service",
    "doctor": "upkeep.doctor",
    "related": "notes.verify",
    "traverse": "notes.traverse",
    "explain": "notes.verify",
    "eval": "notes.evaluate",
    "verify": "notes.verify",
    "excerpt": "notes.excerpt",
    "timeline": "notes.timeline",
    "context": "notes.context",
    "journal": "notes.journal",
    "mcp": "installation.mcp",
    "hooks": "installation.hooks",
    "uninstall": "installation.uninstall",
}
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
