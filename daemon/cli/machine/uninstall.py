"""`scrubjay uninstall`: taking away what Scrubjay put on this computer, and saying what that is first."""

import os
from dataclasses import dataclass
from pathlib import Path

import click

from scrubjay.daemon.cli.connect import running
from scrubjay.daemon.cli.machine.completion import installed
from scrubjay.daemon.cli.output import plural, say, warn
from scrubjay.daemon.cli.programs import hooks, mcp
from scrubjay.daemon.home import Home
from scrubjay.daemon.program import this_platform
from scrubjay.daemon.setup import removal, services, shell_scripts
from scrubjay.daemon.setup.mcp_clients import KnownClient
from scrubjay.daemon.setup.obsidian_vaults import known_vaults, obsidian_lists
from scrubjay.daemon.setup.prompt_hooks import HookClient


@dataclass(frozen=True, slots=True)
class Traces:
    """What there is to take away."""

    is_running: bool
    service: services.Service | None
    agents: tuple[KnownClient, ...]  # programs whose configuration names Scrubjay
    hooks: tuple[HookClient, ...]  # programs that ask Scrubjay before each prompt
    plugins: tuple[Path, ...]
    completions: tuple[shell_scripts.ShellCompletion, ...]
    profiles: tuple[str, ...]
    folders: tuple[Path, ...]
    backups: tuple[Path, ...]

    def sentences(self, *, purge: bool, backups: bool) -> list[str]:
        """What will be done, a line each."""
        lines = ["Stop the daemon"] if self.is_running else []
        lines += [f"Remove the service: {self.service.path}"] if self.service else []
        lines += [f"Take Scrubjay out of the configuration of {agent.name}" for agent in self.agents]
        lines += [f"Take Scrubjay's hook out of the settings of {each.name}" for each in self.hooks]
        lines += [f"Remove the plugin: {folder}" for folder in self.plugins]
        lines += [f"Remove the completion of commands: {each.script}" for each in self.completions]
        if purge:
            lines += [f"Overwrite and delete the index and the key of profile {name}" for name in self.profiles]
            lines += ["Forget every token of Scrubjay in the keyring"] if self.folders else []
            lines += [f"Delete {folder}" for folder in self.folders]
        if purge and backups:
            lines += [f"Overwrite and delete the backup {file}" for file in self.backups]
        return lines


@click.command()
@click.option("--purge", is_flag=True, help="Delete profiles, indexes, keys, tokens, settings and logs too.")
@click.option("--backups", is_flag=True, help="With --purge: the backups made on the search page, too.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_context
def uninstall(ctx: click.Context, purge: bool, backups: bool, yes: bool) -> None:
    """Remove the service, the plugin and the entries in agents' configurations; with --purge, everything but backups.

    Your notes are never touched. The program itself goes the way it came: `pipx uninstall scrubjay`, for example.
    """
    if backups and not purge:
        raise click.UsageError("--backups goes with --purge.")
    home = Home.find()
    traces = _traces(home)
    lines = traces.sentences(purge=purge, backups=backups)
    if not lines:
        say("There is nothing of Scrubjay to remove.")
        return
    say("This will be done; your notes stay as they are:")
    for line in lines:
        say(f"  {line}")
    if not purge and traces.folders:
        say("Profiles, indexes and settings stay; --purge would delete them too.", style="dim")
    keeps = purge and not backups and bool(traces.backups)
    if keeps:
        what = f"{plural(len(traces.backups), 'backup')} that you made in {home.backups}"
        say(f"{what} will stay; --backups deletes them too. None of an encrypted profile opens without its key.")
    if not yes:
        click.confirm("Go on?", abort=True)
    if purge and backups:
        removal.remove_backups(home)
    remains = _take_away(ctx, home, traces, purge=purge)
    for sentence in remains:
        warn(sentence)
    kept = f" the backups in {home.backups}, and" if keeps else ""
    say(f"Done. What is left is{kept} the program itself, to be removed the way it was installed.")
    if remains:
        raise click.exceptions.Exit(1)


def _traces(home: Home) -> Traces:
    profiles = removal.profiles_of(home)
    vaults = [Path(folder.root) for profile in profiles for folder in profile.vaults]
    vaults += [vault.root for vault in known_vaults(obsidian_lists(this_platform(), Path.home(), os.environ))]
    service = services.service_here(home)
    return Traces(
        is_running=running(home) is not None,
        service=service if service.path.exists() else None,
        agents=mcp.installed(),
        hooks=hooks.installed(),
        plugins=removal.installed_plugins(vaults),
        completions=tuple(installed().values()),
        profiles=tuple(profile.name for profile in profiles),
        folders=removal.folders_of(home),
        backups=removal.backups_of(home),
    )


def _take_away(ctx: click.Context, home: Home, traces: Traces, *, purge: bool) -> tuple[str, ...]:
    """What remains, each a sentence."""
    from scrubjay.daemon.cli.serve import stop

    said: list[str] = []
    if traces.service:
        try:
            services.uninstall(traces.service)
        except services.ServiceFailed as failed:
            traces.service.path.unlink(missing_ok=True)
            said.append(f"{failed} Its definition was deleted all the same.")
    if running(home):
        ctx.invoke(stop)
    for agent in traces.agents:
        ctx.invoke(mcp.uninstall, client=agent.id)
    for hook in traces.hooks:
        ctx.invoke(hooks.uninstall, client=hook.id)
    for folder in traces.plugins:
        try:
            removal.remove_plugin(folder)
        except OSError as error:
            said.append(f"{folder} could not be removed: {error.strerror}.")
    for place in traces.completions:
        try:
            shell_scripts.remove(place)
        except OSError as error:
            said.append(f"{place.script} could not be removed: {error.strerror}.")
    if purge:
        said += removal.remove_keys_and_indexes(home).sentences
        said += removal.remove_folders(home).sentences
    return tuple(said)
