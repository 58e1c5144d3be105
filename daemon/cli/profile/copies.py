"""`scrubjay profile backup | restore | export | import`: copies of a profile."""

from pathlib import Path

import click

from scrubjay.daemon.cli.completing import profile_names
from scrubjay.daemon.cli.output import console, megabytes, print_json, say
from scrubjay.daemon.cli.profile.common import (
    Passphrases,
    custody,
    exclusive_access,
    is_model_missing,
    json_option,
    notify_daemon,
    opened,
    print_changed,
    registry,
    stdin_option,
    unlock_in_daemon,
)
from scrubjay.profiles.database.connection import is_encrypted
from scrubjay.profiles.errors import StoreError
from scrubjay.profiles.registry.on_server import OF_COPIES, refuse_on_server
from scrubjay.profiles.registry.registry import Profile, Registry

_file = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("name", shell_complete=profile_names)
@click.argument("file", type=_file)
@stdin_option
@json_option
def backup(name: str, file: Path, passphrase_stdin: bool, as_json: bool) -> None:
    """Write a complete copy of a profile's database to FILE; the daemon may run. An encrypted one stays so."""
    from scrubjay.profiles.store import lifecycle

    profiles = registry()
    profile = _indexed(profiles, name)
    keys = custody(profiles)
    opened(keys, profile, Passphrases(from_stdin=passphrase_stdin))
    with console.status("Copying the database…"):
        lifecycle.backup(profiles.store_path(profile), keys.key(profile), file)
    _print_written(profile, file, "Backed up", as_json=as_json)


@click.command()
@click.argument("name", shell_complete=profile_names)
@click.argument("file", type=_file)
@click.option("--yes", is_flag=True, help="Do not ask.")
@stdin_option
@json_option
def restore(name: str, file: Path, yes: bool, passphrase_stdin: bool, as_json: bool) -> None:
    """Put the backup FILE in the place of a profile's database. It is checked before anything changes."""
    from scrubjay.profiles.store import lifecycle

    if not file.exists():
        raise StoreError(f"{file} is not there.")
    profiles = registry()
    profile = profiles.get(name)
    refuse_on_server(profile, OF_COPIES)
    keys = custody(profiles)
    if not yes:
        click.confirm(f"Replace the index of {profile.name} by {file.name}?", abort=True)
    passphrases = Passphrases(from_stdin=passphrase_stdin)
    given = passphrases.present(profile) if profile.passphrase and not profile.locked else None
    keys.unlock(profile, given) if given is not None else keys.key(profile)
    key = keys.key(profile)
    with exclusive_access(profiles, profile), console.status("Checking and restoring…"):
        keys.finish_change(profile)
        # A backup of the time before it was encrypted is encrypted on the way.
        source_key = key if is_encrypted(file) else None
        lifecycle.restore(file, source_key, profiles.store_path(profile), key)
    if given is not None:
        unlock_in_daemon(profile, given)
    said = f"Restored {profile.name} from {file}. What has changed in your notes since then is read next."
    print_changed(profile, said, as_json=as_json)


@click.command()
@click.argument("name", shell_complete=profile_names)
@click.argument("file", type=_file)
@click.option("--readable", is_flag=True, help="Without encryption: anyone who has the file can read it.")
@stdin_option
@json_option
def export(name: str, file: Path, readable: bool, passphrase_stdin: bool, as_json: bool) -> None:
    """Write a profile to FILE, to be taken to another computer; encrypted under a passphrase unless --readable."""
    from scrubjay.profiles.registry import parcel

    profiles = registry()
    profile = _indexed(profiles, name)
    keys = custody(profiles)
    passphrases = Passphrases(from_stdin=passphrase_stdin)
    opened(keys, profile, passphrases)
    chosen = None if readable else passphrases.new(file.name)
    with console.status("Packing the profile…"):
        parcel.pack(profile, profiles.store_path(profile), keys.key(profile), file, chosen)
    _print_written(profile, file, "Exported", as_json=as_json)


@click.command(name="import")
@click.argument("file", type=_file)
@click.option("--name", help="Call it so, instead of as it was called.")
@stdin_option
@json_option
def import_(file: Path, name: str | None, passphrase_stdin: bool, as_json: bool) -> None:
    """Make a new profile of an exported one. `scrubjay profile move` says where its vault lies on this computer."""
    from scrubjay.profiles.registry import parcel

    given = Passphrases(from_stdin=passphrase_stdin).ask("Passphrase") if parcel.needs_passphrase(file) else None
    profiles = registry()
    with console.status("Unpacking the profile…"):
        made = parcel.unpack(file, given, profiles, custody(profiles), name=name)
    notify_daemon()
    if given is not None:
        unlock_in_daemon(made, given)
    if as_json:
        print_changed(made, as_json=True)
        return
    say(f"Imported profile {made.name}.")
    if is_model_missing(made):
        say(f"Its model is not on this computer: scrubjay model download {made.model}")
    for folder in made.vaults:
        if not Path(folder.root).is_dir():
            say(f"Its vault is not at {folder.root} here: scrubjay profile move {made.argument} FOLDER")


def _indexed(profiles: Registry, name: str) -> Profile:
    profile = profiles.get(name)
    refuse_on_server(profile, OF_COPIES)
    if not profiles.store_path(profile).exists():
        raise StoreError(f"Profile {profile.name} has not been indexed yet: there is nothing to copy.")
    return profile


def _print_written(profile: Profile, file: Path, done: str, *, as_json: bool) -> None:
    size = file.stat().st_size
    if as_json:
        print_json({"profile": profile.name, "file": str(file.absolute()), "bytes": size})
    else:
        say(f"{done} {profile.name} to {file} ({megabytes(size)}).")
