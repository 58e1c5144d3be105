"""`scrubjay profile`: which notes belong together, and which of them may be read."""

from pathlib import Path

import click
import msgspec

from daemon.cli.output import print_json, print_table, say
from daemon.home import Home
from profiles.errors import StoreLocked
from profiles.keys import OsKeyring, new_key
from profiles.registry import Profile, Registry, VaultFolder, relative_path, vault_folder


@click.group()
def profile() -> None:
    """Create, list, rename, change and remove profiles."""


@profile.command()
@click.argument("name")
@click.option("--vault", required=True, type=click.Path(path_type=Path), help="The vault's folder.")
@click.option("--allow", multiple=True, metavar="FOLDER", help='May be read; "." is the whole vault. Repeatable.')
@click.option("--exclude", multiple=True, metavar="FOLDER", help="May never be read, whatever is allowed. Repeatable.")
@click.option("--encrypt", is_flag=True, help="Encrypt its database; the key goes into the OS keyring.")
def create(name: str, vault: Path, allow: tuple[str, ...], exclude: tuple[str, ...], encrypt: bool) -> None:
    """Create profile NAME for a vault. Nothing is read unless it is allowed."""
    folder = vault_folder(vault, allow=allow, exclude=exclude)
    registry = _registry()
    created = registry.create(name, vaults=(folder,), encrypted=encrypt)
    if encrypt:
        try:
            OsKeyring().put(created.id, new_key())
        except StoreLocked:
            registry.remove(created.name)
            raise
    say(f"Created profile {created.name}: {_allowed(folder)}.")
    if not allow:
        say(f"Say what may be read: scrubjay profile allow {name!r} FOLDER")


@profile.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
def list_(as_json: bool) -> None:
    """List the profiles and what each may read."""
    profiles = _registry().list()
    if as_json:
        print_json(profiles)
        return
    rows = [(found.name, folder.root, _allowed(folder)) for found in profiles for folder in found.vaults]
    if rows:
        print_table(("profile", "vault", "may be read"), rows)
    else:
        say("No profile yet. Begin with: scrubjay profile create NAME --vault FOLDER --allow .")


@profile.command()
@click.argument("name")
@click.argument("new_name")
def rename(name: str, new_name: str) -> None:
    """Give a profile another name. Its index stays as it is."""
    renamed = _registry().rename(name, new_name)
    say(f"Renamed to {renamed.name}.")


@profile.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
def remove(name: str, yes: bool) -> None:
    """Remove a profile and its index. Your notes are not touched."""
    registry = _registry()
    found = registry.get(name)
    if not yes:
        click.confirm(f"Remove profile {found.name} and its index? The notes themselves stay", abort=True)
    registry.remove(name)
    say(f"Removed profile {found.name}.")


def _change_folders(name: str, vault: Path | None, *, allow: tuple[str, ...], exclude: tuple[str, ...]) -> Profile:
    registry = _registry()
    found = registry.get(name)
    wanted = None if vault is None else str(vault.expanduser().resolve())
    chosen = [folder for folder in found.vaults if wanted in (None, folder.root)]
    if len(chosen) != 1:
        raise click.UsageError(f"Profile {found.name} has {len(found.vaults)} vaults; say which one with --vault.")
    folder = chosen[0]
    changed = msgspec.structs.replace(folder, allow=_with(folder.allow, allow), exclude=_with(folder.exclude, exclude))
    vaults = tuple(changed if old is folder else old for old in found.vaults)
    updated = msgspec.structs.replace(found, vaults=vaults)
    registry.update(updated)
    return updated


def _with(paths: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*paths, *map(relative_path, more))))


@profile.command()
@click.argument("name")
@click.argument("folders", nargs=-1, required=True)
@click.option("--vault", type=click.Path(path_type=Path), help="Which vault, if the profile has several.")
def allow(name: str, folders: tuple[str, ...], vault: Path | None) -> None:
    """Let profile NAME read FOLDERS too."""
    _print_folders(_change_folders(name, vault, allow=folders, exclude=()))


@profile.command()
@click.argument("name")
@click.argument("folders", nargs=-1, required=True)
@click.option("--vault", type=click.Path(path_type=Path), help="Which vault, if the profile has several.")
def exclude(name: str, folders: tuple[str, ...], vault: Path | None) -> None:
    """Never let profile NAME read FOLDERS; what was indexed of them is deleted."""
    _print_folders(_change_folders(name, vault, allow=(), exclude=folders))


def _print_folders(changed: Profile) -> None:
    for folder in changed.vaults:
        say(f"{folder.root}: {_allowed(folder)}")


def _allowed(folder: VaultFolder) -> str:
    if not folder.allow:
        return "nothing yet"
    named = ["the whole vault" if name == "." else name for name in folder.allow]
    return ", ".join(named) + (f"; never {', '.join(folder.exclude)}" if folder.exclude else "")


def _registry() -> Registry:
    return Registry(Home.find().make().profiles)
