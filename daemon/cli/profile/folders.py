"""`scrubjay profile allow | exclude | move`: a profile's vaults."""

from pathlib import Path

import click
import msgspec

from daemon.cli.profile.common import json_option, print_changed, registry, tell_daemon, tell_of_missing
from profiles.registry import Profile, VaultFolder, relative_path, vault_folder

_vault_option = click.option("--vault", type=click.Path(path_type=Path), help="Which vault, if it has several.")


@click.command()
@click.argument("name")
@click.argument("folders", nargs=-1, required=True)
@_vault_option
@json_option
def allow(name: str, folders: tuple[str, ...], vault: Path | None, as_json: bool) -> None:
    """Let profile NAME read FOLDERS too."""
    profile, folder = _chosen(name, vault)
    _change(profile, folder, msgspec.structs.replace(folder, allow=_with(folder.allow, folders)), as_json=as_json)
    tell_of_missing(folder, map(relative_path, folders))


@click.command()
@click.argument("name")
@click.argument("folders", nargs=-1, required=True)
@_vault_option
@json_option
def exclude(name: str, folders: tuple[str, ...], vault: Path | None, as_json: bool) -> None:
    """Never let profile NAME read FOLDERS; what was indexed of them is deleted."""
    profile, folder = _chosen(name, vault)
    _change(profile, folder, msgspec.structs.replace(folder, exclude=_with(folder.exclude, folders)), as_json=as_json)
    tell_of_missing(folder, map(relative_path, folders))


@click.command()
@click.argument("name")
@click.argument("new_folder", type=click.Path(path_type=Path))
@_vault_option
@json_option
def move(name: str, new_folder: Path, vault: Path | None, as_json: bool) -> None:
    """Say that a vault of profile NAME now lies in NEW_FOLDER. Nothing is indexed anew but what has changed."""
    profile, folder = _chosen(name, vault)
    there = vault_folder(new_folder)
    _change(profile, folder, msgspec.structs.replace(folder, root=there.root, name=there.name), as_json=as_json)


def _chosen(name: str, vault: Path | None) -> tuple[Profile, VaultFolder]:
    found = registry().get(name)
    wanted = None if vault is None else str(vault.expanduser().resolve())
    chosen = [folder for folder in found.vaults if wanted in (None, folder.root)]
    if len(chosen) != 1:
        raise click.UsageError(f"Profile {found.name} has {len(found.vaults)} vaults; say which one with --vault.")
    return found, chosen[0]


def _change(profile: Profile, old: VaultFolder, new: VaultFolder, *, as_json: bool) -> None:
    vaults = tuple(new if folder is old else folder for folder in profile.vaults)
    changed = msgspec.structs.replace(profile, vaults=vaults)
    registry().update(changed)
    tell_daemon()
    print_changed(changed, as_json=as_json)


def _with(paths: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*paths, *map(relative_path, more))))
