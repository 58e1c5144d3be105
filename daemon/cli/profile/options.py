"""`scrubjay profile create | list | rename | federate | model | remove`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import msgspec

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.output import advise, print_json, say
from scrubjay.daemon.cli.profile.common import (
    Passphrases,
    changed,
    custody,
    exclusive_access,
    json_option,
    notify_daemon,
    print_changed,
    print_survey,
    registry,
    stdin_option,
    unlock_in_daemon,
    usable_model,
    warn_of_missing,
)
from scrubjay.daemon.sentences.sentences import Sentences
from scrubjay.daemon.sentences.system import system_words
from scrubjay.profiles.registry.registry import Profile, VaultFolder, vault_folder


@dataclass(frozen=True, slots=True)
class _CreateOptions:
    """The options of `create`."""

    vault: Path | None
    server: str | None
    allow: tuple[str, ...]
    exclude: tuple[str, ...]
    by: str | None
    model: str | None
    passphrase_stdin: bool


@click.command()
@click.argument("name")
@click.option("--vault", type=click.Path(path_type=Path), help="The vault's folder. A team's profile may have none.")
@click.option(
    "--server", metavar="URL", help="On a team's server: postgresql://OWNER@HOST/DATABASE. Asks the password."
)
@click.option("--allow", multiple=True, metavar="FOLDER", help='May be read; "." is the whole vault. Repeatable.')
@click.option("--exclude", multiple=True, metavar="FOLDER", help="May never be read, whatever is allowed. Repeatable.")
@click.option("--encrypt", "by", flag_value="keyring", help="Encrypt its database; the key goes into the OS keyring.")
@click.option("--passphrase", "by", flag_value="passphrase", help="Encrypt its database with a passphrase instead.")
@click.option("--model", help="The embedding model, if not the bundled one; see `scrubjay model list`.")
@stdin_option
@json_option
def create(name: str, as_json: bool, **options: Any) -> None:
    """Create profile NAME for a vault. Nothing is read unless it is allowed."""
    given = _CreateOptions(**options)
    if given.vault is None and (given.server is None or given.allow or given.exclude):
        raise click.UsageError("Say with --vault which folder your vault is.")
    folder = vault_folder(given.vault, allow=given.allow, exclude=given.exclude) if given.vault else None
    created = _created_on_server(name, given, folder) if given.server else _created(name, given, folder)
    if as_json:
        print_changed(created, as_json=True)
        return
    words = system_words()
    if folder is not None:
        say(words.profile_created.format(profile=created.name, allowed=_allowed(folder, words)))
        warn_of_missing(folder, (*folder.allow, *folder.exclude))
        if not given.allow:
            advise(words.say_what.format(command=f"`scrubjay profile allow {created.argument} FOLDER`"))
    if created.is_shared:
        advise(f"{created.name} is on {created.server}. `scrubjay team grant MEMBER` lets others in.")


def _created_on_server(name: str, given: _CreateOptions, folder: VaultFolder | None) -> Profile:
    from scrubjay.daemon.cli.team.create import create_on_server

    if given.by == "keyring":
        raise click.UsageError("A team's profile has no file to encrypt here; its password is in the keyring anyway.")
    by_passphrase = given.by == "passphrase" or given.passphrase_stdin
    vaults = () if folder is None else (folder,)
    return create_on_server(name, given.server or "", vaults, usable_model(given.model), by_passphrase=by_passphrase)


def _created(name: str, given: _CreateOptions, folder: VaultFolder | None) -> Profile:
    model = usable_model(given.model)
    profiles = registry()
    keys = custody(profiles)
    wants_passphrase = given.by == "passphrase" or given.passphrase_stdin
    chosen = Passphrases(from_stdin=given.passphrase_stdin).new(name) if wants_passphrase else None
    # Without a vault at first, so that nothing is read before the key is there.
    created = profiles.create(name, model=model, encrypted=given.by is not None or wants_passphrase)
    try:
        if chosen is not None:
            created = keys.new_passphrase_key(created, chosen)
            keys.begin(created)
        elif given.by is not None:
            created = keys.new_keyring_key(created)
        created = msgspec.structs.replace(created, vaults=() if folder is None else (folder,))
        profiles.change(created.id, lambda _: created)  # nothing was read of it yet
    except BaseException:
        profiles.remove(created.name)
        raise
    notify_daemon()
    if chosen is not None:
        unlock_in_daemon(created, chosen)
    return created


def _allowed(folder: VaultFolder, words: Sentences) -> str:
    """What may be read of a vault, as `scrubjay setup` tells it."""
    if not folder.allow:
        return words.nothing_yet
    named = ", ".join(words.whole if name == "." else name for name in folder.allow)
    return words.never.format(allowed=named, paths=", ".join(folder.exclude)) if folder.exclude else named


@click.command(name="list")
@json_option
def list_(as_json: bool) -> None:
    """List the profiles, what each may read and how it is protected."""
    found = registry().survey()
    if found.profiles or found.unreadable or as_json:
        print_survey(found, as_json=as_json)
    else:
        say("No profile yet. Begin with: scrubjay profile create NAME --vault FOLDER --allow .")


@click.command()
@click.argument("name", shell_complete=profile_names)
@click.argument("new_name")
@json_option
def rename(name: str, new_name: str, as_json: bool) -> None:
    """Give a profile another name. Its index stays as it is."""
    renamed = registry().rename(name, new_name)
    notify_daemon()
    print_changed(renamed, f"Renamed to {renamed.name}.", as_json=as_json)


@click.command()
@click.argument("name", shell_complete=profile_names)
@click.argument("switch", type=click.Choice(["on", "off"]))
@json_option
def federate(name: str, switch: str, as_json: bool) -> None:
    """Say whether searches over all profiles include this one."""
    profile = changed(name, lambda now: msgspec.structs.replace(now, federate=switch == "on"))
    included = "include" if profile.federate else "leave out"
    print_changed(profile, f"Searches over all profiles {included} {profile.name}.", as_json=as_json)


@click.command()
@click.argument("name", shell_complete=profile_names)
@click.argument("model")
@json_option
def model(name: str, model: str, as_json: bool) -> None:
    """Have profile NAME read for meaning by MODEL: "bundled", or one that `scrubjay model download` has fetched.

    Its notes are embedded again, in the background; searches by words go on meanwhile.
    """
    usable = usable_model(model)
    profile = changed(name, lambda now: msgspec.structs.replace(now, model=usable))
    print_changed(profile, f"Profile {profile.name} is now read by the model {profile.model}.", as_json=as_json)


@click.command()
@click.argument("name", shell_complete=profile_names)
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
def remove(name: str, yes: bool, as_json: bool) -> None:
    """Remove a profile, its index (overwritten) and its key. Your notes are not touched."""
    profiles = registry()
    found = profiles.get(name)
    if not yes:
        click.confirm(_question(found), abort=True)
    with exclusive_access(profiles, found):
        custody(profiles).remove(found)
    if as_json:
        print_json({"removed": found.name})
    else:
        say(f"Removed profile {found.name}.")
        if found.is_shared:
            say("The server keeps it, for the others and for you. Its owner deletes it there: scrubjay team drop.")


def _question(profile: Profile) -> str:
    if profile.is_shared:
        return f"Remove profile {profile.name} from this computer, with its password and key? The server keeps it"
    return f"Remove profile {profile.name} and its index? The notes themselves stay"
