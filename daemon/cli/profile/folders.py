"""`scrubjay profile allow | exclude | describe | inbox | add-vault | move | remove-vault`: a profile's vaults."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import click
import msgspec

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.output import print_json, print_table, say
from scrubjay.daemon.cli.profile.common import changed, json_option, print_changed, registry, warn_of_missing
from scrubjay.daemon.cli.team.common import warn_reader
from scrubjay.daemon.printable import one_line
from scrubjay.profiles.errors import InvalidProfile
from scrubjay.profiles.registry.profile_settings import MOST_CHARACTERS, described, without
from scrubjay.profiles.registry.registry import (
    Profile,
    VaultFolder,
    inbox_path,
    is_attached,
    relative_path,
    vault_folder,
)

_undo_option = click.option("--undo", is_flag=True, help="Take them off the list again.")
_vault_option = click.option("--vault", type=click.Path(path_type=Path), help="Which vault, if it has several.")


@click.command()
@click.argument("name", shell_complete=profile_names)
@click.argument("folders", nargs=-1, required=True)
@_undo_option
@_vault_option
@json_option
def allow(name: str, folders: tuple[str, ...], undo: bool, vault: Path | None, as_json: bool) -> None:
    """Let profile NAME read FOLDERS too."""
    _relist("allow", name, folders, undo=undo, vault=vault, as_json=as_json)


@click.command()
@click.argument("name", shell_complete=profile_names)
@click.argument("folders", nargs=-1, required=True)
@_undo_option
@_vault_option
@json_option
def exclude(name: str, folders: tuple[str, ...], undo: bool, vault: Path | None, as_json: bool) -> None:
    """Never let profile NAME read FOLDERS; what was indexed of them is deleted."""
    _relist("exclude", name, folders, undo=undo, vault=vault, as_json=as_json)


@click.command()
@click.argument("name", shell_complete=profile_names)
@click.argument("folder", required=False)
@click.argument("text", required=False)
@click.option("--remove", is_flag=True, help="Say nothing of FOLDER any more.")
@_vault_option
@json_option
def describe(name: str, folder: str | None, text: str | None, remove: bool, vault: Path | None, as_json: bool) -> None:
    """Tell agents what is in FOLDER of profile NAME, such as "meeting notes of team A"; "." is the whole vault.

    TEXT comes with every result from there; of folders in each other, with that of the longest path. Without FOLDER,
    what is said now is listed. Without a folder's notes it says nothing: excluding the folder takes it away.
    """
    profile, found = _chosen(name, vault)
    if folder is None:
        _print_descriptions(profile, found, as_json=as_json)
        warn_of_missing(found, (each.folder for each in found.descriptions))
        return
    if (text is None) is not remove:
        raise click.UsageError("Give FOLDER a TEXT, or say --remove.")
    path = relative_path(folder)
    said = _fit_to_say(text or "")

    def with_text(vault: VaultFolder) -> VaultFolder:
        descriptions = described(vault.descriptions, path, said)
        if remove and descriptions == vault.descriptions:
            raise InvalidProfile(
                f"Nothing is said of {path}. `scrubjay profile describe {profile.argument}` lists all."
            )
        return msgspec.structs.replace(vault, descriptions=descriptions)

    after = changed(name, _in_vault(found.id, with_text))
    _print_descriptions(after, next(each for each in after.vaults if each.id == found.id), as_json=as_json)
    if not remove:
        warn_of_missing(found, (path,))


@click.command()
@click.argument("name", shell_complete=profile_names)
@click.argument("folder", required=False)
@click.option("--none", "no_inbox", is_flag=True, help="There is no inbox any more.")
@_vault_option
@json_option
def inbox(name: str, folder: str | None, no_inbox: bool, vault: Path | None, as_json: bool) -> None:
    """Say that new notes of profile NAME wait in FOLDER until they are filed; without FOLDER, show where they wait.

    `scrubjay review` then proposes a folder, tags and links for each of them. Nothing moves by itself.
    """
    profile, found = _chosen(name, vault)
    if folder is None and not no_inbox:
        if as_json:
            print_json({"inbox": found.inbox})
        else:
            say(f"New notes of {profile.name} wait in {found.inbox}." if found.inbox else "There is no inbox.")
        return
    if folder is not None and no_inbox:
        raise click.UsageError("Name a FOLDER, or say --none.")
    chosen = inbox_path(folder) if folder else ""
    in_vault = _in_vault(found.id, lambda now: msgspec.structs.replace(now, inbox=chosen))
    print_changed(changed(name, in_vault), as_json=as_json)
    if chosen:
        warn_of_missing(found, (chosen,))


def _fit_to_say(text: str) -> str:
    """What is said of a folder, on one line. Raises InvalidProfile where it is too long."""
    said = one_line(text)
    if len(said) > MOST_CHARACTERS:
        raise InvalidProfile(
            f"What is said of a folder has at most {MOST_CHARACTERS} characters; this has {len(said)}."
        )
    return said


def _print_descriptions(profile: Profile, vault: VaultFolder, *, as_json: bool) -> None:
    if as_json:
        print_json(vault.descriptions)
    elif vault.descriptions:
        print_table(("folder", "agents are told"), [(each.folder, one_line(each.text)) for each in vault.descriptions])
    else:
        say(f"Nothing is said of the folders of {profile.name}.")


@click.command(name="add-vault")
@click.argument("name", shell_complete=profile_names)
@click.argument("new_folder", type=click.Path(path_type=Path))
@click.option("--allow", multiple=True, metavar="FOLDER", help='May be read; "." is the whole vault. Repeatable.')
@click.option("--exclude", multiple=True, metavar="FOLDER", help="May never be read, whatever is allowed. Repeatable.")
@json_option
def add_vault(name: str, new_folder: Path, allow: tuple[str, ...], exclude: tuple[str, ...], as_json: bool) -> None:
    """Give profile NAME another vault, NEW_FOLDER. Nothing of it is read unless it is allowed."""
    folder = vault_folder(new_folder, allow=allow, exclude=exclude)

    def with_vault(now: Profile) -> Profile:
        if any(known.root == folder.root for known in now.vaults):
            raise InvalidProfile(f"Profile {now.name} has the vault {folder.root} already.")
        return msgspec.structs.replace(now, vaults=(*now.vaults, folder))

    after = changed(name, with_vault)
    print_changed(after, as_json=as_json)
    warn_of_missing(folder, (*folder.allow, *folder.exclude))
    warn_reader(after)


@click.command(name="remove-vault")
@click.argument("name", shell_complete=profile_names)
@click.argument("folder", type=click.Path(path_type=Path))
@json_option
def remove_vault(name: str, folder: Path, as_json: bool) -> None:
    """Take the vault FOLDER from profile NAME; what was indexed of it is deleted, the notes are not touched.

    What you decided about its credentials and in the review is kept, and what programs suggested for 90 days: it is
    there again when you add the same folder.
    """
    _, gone = _chosen(name, folder)

    def without_vault(now: Profile) -> Profile:
        return msgspec.structs.replace(now, vaults=tuple(known for known in now.vaults if known.id != gone.id))

    print_changed(changed(name, without_vault), as_json=as_json)


@click.command()
@click.argument("name", shell_complete=profile_names)
@click.argument("new_folder", type=click.Path(path_type=Path))
@click.option("--allow", multiple=True, metavar="FOLDER", help='May be read, too; "." is the whole vault. Repeatable.')
@_vault_option
@json_option
def move(name: str, new_folder: Path, allow: tuple[str, ...], vault: Path | None, as_json: bool) -> None:
    """Say that a vault of profile NAME has moved to NEW_FOLDER. Only changed notes are indexed again.

    The vault of an imported profile is nowhere until then, and nothing of it may be read but what --allow names.
    """
    _, folder = _chosen(name, vault)
    there = vault_folder(new_folder, allow=allow)

    if not is_attached(folder) and not there.allow:
        raise click.UsageError("This vault came with an import: say what may be read of it, such as --allow .")

    def moved(now: VaultFolder) -> VaultFolder:
        allowed = tuple(dict.fromkeys((*now.allow, *there.allow))) if is_attached(now) else there.allow
        return msgspec.structs.replace(now, root=there.root, name=there.name, allow=allowed)

    print_changed(changed(name, _in_vault(folder.id, moved)), as_json=as_json)
    warn_of_missing(there, there.allow)


def _relist(
    which: Literal["allow", "exclude"],
    name: str,
    folders: tuple[str, ...],
    *,
    undo: bool,
    vault: Path | None,
    as_json: bool,
) -> None:
    """Put folders on one of the lists of a profile's vault, or take them off it."""
    _, folder = _chosen(name, vault)
    forbids = (which == "exclude") is not undo

    def relisted(now: VaultFolder) -> VaultFolder:
        listed = _relisted(now.allow if which == "allow" else now.exclude, folders, undo=undo)
        said = without(now.descriptions, map(relative_path, folders)) if forbids else now.descriptions
        return msgspec.structs.replace(now, descriptions=said, **{which: listed})

    after = changed(name, _in_vault(folder.id, relisted))
    print_changed(after, as_json=as_json)
    if not undo:
        warn_of_missing(folder, map(relative_path, folders))
    if not forbids:
        warn_reader(after)


def _chosen(name: str, vault: Path | None) -> tuple[Profile, VaultFolder]:
    found = registry().get(name)
    wanted = None if vault is None else str(vault.expanduser().resolve())
    chosen = [folder for folder in found.vaults if wanted in (None, folder.root)]
    if wanted is not None and not chosen:
        raise InvalidProfile(f"Profile {found.name} has no vault {wanted}. `scrubjay profile list` shows those it has.")
    if not chosen:
        raise InvalidProfile(f"Profile {found.name} has no vault yet. `scrubjay profile add-vault` gives it one.")
    if len(chosen) > 1:
        raise click.UsageError(f"Profile {found.name} has {len(found.vaults)} vaults; say which one with --vault.")
    return found, chosen[0]


def _in_vault(vault_id: str, how: Callable[[VaultFolder], VaultFolder]) -> Callable[[Profile], Profile]:
    """What changes one vault of a profile, and nothing where that is gone."""
    return lambda now: msgspec.structs.replace(
        now, vaults=tuple(how(vault) if vault.id == vault_id else vault for vault in now.vaults)
    )


def _relisted(listed: tuple[str, ...], folders: tuple[str, ...], *, undo: bool) -> tuple[str, ...]:
    """Raises InvalidProfile for a folder to be taken off the list that is not on it."""
    given = tuple(map(relative_path, folders))
    if not undo:
        return tuple(dict.fromkeys((*listed, *given)))
    if missing := [path for path in given if path not in listed]:
        raise InvalidProfile(f"Not on the list: {', '.join(missing)}. `scrubjay profile list` shows what is.")
    return tuple(path for path in listed if path not in given)
