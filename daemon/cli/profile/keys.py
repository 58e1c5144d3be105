"""`scrubjay profile encrypt | decrypt | rekey | passphrase | lock | unlock`: who can open a profile."""

import click

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.output import say
from scrubjay.daemon.cli.profile.common import (
    Passphrases,
    custody,
    exclusive_access,
    json_option,
    notify_daemon,
    opened,
    print_changed,
    registry,
    stdin_option,
    unlock_in_daemon,
)
from scrubjay.daemon.cli.terminal import console
from scrubjay.daemon.review.changes.undo_records import forget_records
from scrubjay.profiles.errors import InvalidProfile
from scrubjay.profiles.registry.keys import Protection, protection_of
from scrubjay.profiles.registry.on_server import OF_DISK, refuse_on_server
from scrubjay.profiles.registry.registry import Profile


@click.command()
@click.argument("name", shell_complete=profile_names)
@click.option("--passphrase", "by_passphrase", is_flag=True, help="Open it with a passphrase, not from the keyring.")
@stdin_option
@json_option
def encrypt(name: str, by_passphrase: bool, passphrase_stdin: bool, as_json: bool) -> None:
    """Encrypt a profile's database; the key goes into the OS keyring."""
    profile = registry().get(name)
    refuse_on_server(profile, OF_DISK)
    if profile.encrypted:
        raise InvalidProfile(f"Profile {profile.name} is encrypted already. `rekey` and `passphrase` change its key.")
    wanted: Protection = "passphrase" if by_passphrase or passphrase_stdin else "keyring"
    _protect(profile, wanted, Passphrases(from_stdin=passphrase_stdin), as_json=as_json)


@click.command()
@click.argument("name", shell_complete=profile_names)
@stdin_option
@json_option
def decrypt(name: str, passphrase_stdin: bool, as_json: bool) -> None:
    """Make a profile's database readable without a key."""
    profile = _encrypted(name)
    _protect(profile, "none", Passphrases(from_stdin=passphrase_stdin), as_json=as_json)


@click.command()
@click.argument("name", shell_complete=profile_names)
@stdin_option
@json_option
def rekey(name: str, passphrase_stdin: bool, as_json: bool) -> None:
    """Encrypt a profile's database with a new key, kept where the old one was."""
    profile = _encrypted(name)
    _protect(profile, protection_of(profile), Passphrases(from_stdin=passphrase_stdin), as_json=as_json)


@click.command()
@click.argument("name", shell_complete=profile_names)
@click.option("--keyring", "to_keyring", is_flag=True, help="Go back to a key in the OS keyring.")
@stdin_option
@json_option
def passphrase(name: str, to_keyring: bool, passphrase_stdin: bool, as_json: bool) -> None:
    """Have a profile open with a (new) passphrase."""
    profile = _encrypted(name)
    wanted: Protection = "keyring" if to_keyring else "passphrase"
    _protect(profile, wanted, Passphrases(from_stdin=passphrase_stdin), as_json=as_json)


@click.command()
@click.argument("name", shell_complete=profile_names)
@json_option
def lock(name: str, as_json: bool) -> None:
    """Close a profile until it is unlocked. Searches of the others go on."""
    profiles = registry()
    locked = custody(profiles).lock(profiles.get(name))
    notify_daemon()
    said = f"Profile {locked.name} is locked. `scrubjay unlock {locked.argument}` opens it."
    print_changed(locked, said, as_json=as_json)


@click.command()
@click.argument("name", shell_complete=profile_names)
@stdin_option
@json_option
def unlock(name: str, passphrase_stdin: bool, as_json: bool) -> None:
    """Open a locked profile, asking for its passphrase if it has one."""
    profiles = registry()
    profile = profiles.get(name)
    given = Passphrases(from_stdin=passphrase_stdin).present(profile) if profile.passphrase else None
    unlocked = custody(profiles).unlock(profile, given)
    is_open = unlock_in_daemon(unlocked, given)
    if as_json:
        print_changed(unlocked, as_json=True)
    elif is_open or given is None:
        say(f"Profile {unlocked.name} is unlocked.")
    else:
        say(
            "That is its passphrase. It opens in the daemon, which is not running: `scrubjay start`, then unlock again."
        )


def _encrypted(name: str) -> Profile:
    profile = registry().get(name)
    refuse_on_server(profile, OF_DISK)
    if not profile.encrypted:
        raise InvalidProfile(f"Profile {profile.name} is not encrypted. `scrubjay profile encrypt` does that.")
    return profile


def _protect(profile: Profile, wanted: Protection, passphrases: Passphrases, *, as_json: bool) -> None:
    profiles = registry()
    keys = custody(profiles)
    opened(keys, profile, passphrases)
    chosen = passphrases.new(profile.name) if wanted == "passphrase" else None
    with exclusive_access(profiles, profile), console.status("Writing the database anew…"):
        changed = keys.protect(profile, wanted, chosen)
        forget_records(profiles.folder_of(profile))  # of what was applied: they are under the old key, or under none
    if chosen is not None:
        unlock_in_daemon(changed, chosen)
    if as_json:
        print_changed(changed, as_json=True)
    elif wanted == "none":
        say(f"Profile {changed.name} is no longer encrypted.")
    else:
        where = "its key is in the keyring" if wanted == "keyring" else "it opens with its new passphrase"
        say(f"Profile {changed.name} is encrypted; {where}.")
        say("Backups made before can no longer be restored; make a new one.")
