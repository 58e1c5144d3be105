"""The command group. Commands are imported when they are called, so that `scrubjay` starts at once."""

import importlib
from typing import Any

import click

from scrubjay.daemon import __version__
from scrubjay.daemon.errors import ScrubjayError
from scrubjay.profiles.errors import ProfileError

_COMMANDS = {  # command -> module in daemon.cli that holds a click command of this name
    "setup": "setup",
    "profile": "profile",
    "model": "model",
    "lock": "profile",
    "unlock": "profile",
    "run": "serve",
    "start": "serve",
    "stop": "serve",
    "restart": "serve",
    "open": "serve",
    "token": "serve",
    "status": "status",
    "pause": "pause",
    "resume": "pause",
    "logs": "logs",
    "tray": "tray",
    "index": "index",
    "search": "search",
    "history": "history",
    "credentials": "credentials",
    "scrub": "credentials",
    "check": "check",
    "plugin": "plugin",
    "clients": "clients",
    "service": "service",
    "doctor": "doctor",
    "related": "verify",
    "traverse": "traverse",
    "explain": "verify",
    "eval": "evaluate",
    "verify": "verify",
    "excerpt": "excerpt",
    "timeline": "timeline",
    "context": "context",
    "journal": "journal",
    "mcp": "mcp",
    "uninstall": "uninstall",
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
        module = importlib.import_module(f"daemon.cli.{_COMMANDS[cmd_name]}")

        return getattr(module, _BUILTINS.get(cmd_name, cmd_name))

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (ScrubjayError, ProfileError) as error:
            raise click.ClickException(str(error)) from None


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="scrubjay")
def scrubjay() -> None:
    """Private search for your Obsidian vaults. Nothing leaves this machine; credentials are never stored."""
