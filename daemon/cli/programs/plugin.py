"""`scrubjay plugin install`: the Obsidian plugin, copied into a vault."""

from importlib import resources
from pathlib import Path

import click

from scrubjay.daemon.cli.output import say
from scrubjay.daemon.sentences.system import system_words
from scrubjay.daemon.setup.removal import installed_plugins, remove_plugin

_FILES = ("main.js", "manifest.json", "styles.css")


@click.group()
def plugin() -> None:
    """The search panel inside Obsidian."""


@plugin.command()
@click.argument("vault", type=click.Path(exists=True, file_okay=False, path_type=Path))
def install(vault: Path) -> None:
    """Copy the plugin into VAULT. It is not switched on: that is yours to do in Obsidian's settings."""
    configuration = vault / ".obsidian"
    if not configuration.is_dir():
        raise click.ClickException(
            f"{vault} has no .obsidian folder: open it in Obsidian once, or name the vault's root."
        )
    built = resources.files("scrubjay.daemon.cli") / "plugin_files"
    if not built.is_dir():
        raise click.ClickException("The plugin is not built in this checkout. Run `make setup`.")
    target = configuration / "plugins" / "scrubjay"
    target.mkdir(parents=True, exist_ok=True)
    for name in _FILES:
        (target / name).write_bytes((built / name).read_bytes())
    say(system_words().plugin_copied.format(folder=target))
    say(system_words().switch_plugin_on)


@plugin.command()
@click.argument("vault", type=click.Path(exists=True, file_okay=False, path_type=Path))
def uninstall(vault: Path) -> None:
    """Remove the plugin from VAULT. Its profile and its index stay."""
    folders = installed_plugins((vault,))
    if not folders:
        raise click.ClickException(f"{vault} does not have the plugin.")
    for folder in folders:
        remove_plugin(folder)
        say(f"Removed {folder}")
