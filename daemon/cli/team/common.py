"""What the commands about teams share: secrets that nobody sees, and a connection to a team's database."""

import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import click
import msgspec

from scrubjay.daemon.cli.output import say, warn
from scrubjay.daemon.cli.profile.common import Passphrases, custody, notify_daemon, opened, registry, unlock_in_daemon
from scrubjay.profiles.errors import StoreError, Unavailable
from scrubjay.profiles.registry.keys import Custody
from scrubjay.profiles.registry.registry import Profile, Registry, VaultFolder
from scrubjay.profiles.registry.team_credentials import TeamCredentials
from scrubjay.profiles.server_address import ServerAddress

if TYPE_CHECKING:
    from scrubjay.profiles.team.administration import ServerConnection, TeamKeys

SERVER_SECONDS = 15.0
"""How long a command waits for a server, and for each of its answers."""

profile_option = click.option("--profile", "name", metavar="NAME", help="The team's profile, where there are several.")
passphrase_option = click.option(
    "--passphrase", "by_passphrase", is_flag=True, help="Keep password and key behind a passphrase, not in the keyring."
)


def hidden(words: str, *, may_be_empty: bool = False) -> str:
    """A line that is typed without being shown; the next of standard input where that is no terminal.

    Raises UsageError for an empty one, unless it may be.
    """
    if sys.stdin.isatty():
        line = click.prompt(words, hide_input=True, err=True, default="" if may_be_empty else None, show_default=False)
    else:
        line = sys.stdin.readline()
    line = line.strip("\r\n")
    if not (line or may_be_empty):
        raise click.UsageError(f"{words}: standard input holds none.")
    return line


def chosen_passphrase(name: str, *, wanted: bool) -> str | None:
    """A new passphrase for a profile, from where `hidden` reads; None where none is wanted."""
    return Passphrases(from_stdin=not sys.stdin.isatty()).new(name) if wanted else None


def team_profile(found: Registry, name: str | None) -> Profile:
    """The team's profile of this name; without a name, the only one. Raises ProfileNotFound, UsageError."""
    if name is not None:
        profile = found.get(name)
        if not profile.is_shared:
            raise click.UsageError(f"Profile {profile.name} is a file on this computer, not a team's.")
        return profile
    known = [profile for profile in found.list() if profile.is_shared]
    if not known:
        raise click.UsageError(
            "There is no team's profile here. `scrubjay team join` takes an invitation;"
            " `scrubjay profile create NAME --server URL` makes a team's profile."
        )
    if len(known) > 1:
        raise click.UsageError(f"Say which with --profile: {', '.join(profile.argument for profile in known)}.")
    return known[0]


def credentials_of(found: Registry, profile: Profile, keys: Custody | None = None) -> TeamCredentials:
    """What opens a team's profile; its passphrase is asked for where it has one. Raises StoreLocked.

    keys: where that is kept unlocked.
    """
    keys = keys or custody(found)
    passphrases = Passphrases(from_stdin=not sys.stdin.isatty())
    return keys.team(opened(keys, profile, passphrases) if profile.passphrase else profile)


def keys_of(credentials: TeamCredentials) -> "TeamKeys":
    """Those of the profile."""
    from scrubjay.profiles.team.administration import TeamKeys

    return TeamKeys(credentials.key, credentials.words_key)


def make_ready(found: Registry, profile: Profile, credentials: TeamCredentials) -> None:
    """Have done to a profile's rows what needs the team's keys. Raises StoreError."""
    from scrubjay.profiles.team import administration

    address, path = ServerAddress.parse(profile.server), found.store_path(profile)
    administration.make_ready(path, address, credentials.password, profile.team_number, keys_of(credentials))


@contextmanager
def at_server(address: ServerAddress, password: str, *, profile: int | None = None) -> "Generator[ServerConnection]":
    """A connection for a block. Raises StoreAway, StoreDenied, and StoreError where psycopg is not installed."""
    from scrubjay.profiles.team.administration import connected

    with connected(address, password, profile=profile, seconds=SERVER_SECONDS) as connection:
        yield connection


def is_reader(profile: Profile) -> bool:
    """Whether a profile is a team's in which this member writes nothing.

    False where that can't be learnt now, the server being away or what opens it locked.
    """
    if not profile.is_shared or profile.passphrase:
        return False
    with suppress(StoreError, Unavailable):
        from scrubjay.profiles.team.administration import may_write

        password = custody(registry()).team(profile).password
        with at_server(ServerAddress.parse(profile.server), password, profile=profile.team_number) as connection:
            return not may_write(connection, profile.team_number)
    return False


def warn_reader(profile: Profile) -> None:
    """Say to a reader of a team's profile that notes of this computer don't come into it."""
    if is_reader(profile):
        warn(
            f"You are a reader of {profile.name}: these notes are not read, and nothing is written to it from here."
            " That is kept for when the team's owner makes you a writer.",
            style="yellow",
        )


def add_profile(
    found: Registry,
    profile: Profile,
    credentials: TeamCredentials,
    vaults: tuple[VaultFolder, ...] = (),
    *,
    passphrase: str | None = None,
) -> Profile:
    """Keep what opens a team's profile, and then the profile: it is never there without. Raises StoreLocked."""
    keys = custody(found)
    try:
        made = keys.keep_team(profile, credentials, passphrase)
        made = msgspec.structs.replace(made, vaults=vaults)
        found.add(made)
    except BaseException:
        keys.forget_key(profile)
        raise
    notify_daemon()
    if passphrase is not None:
        unlock_in_daemon(made, passphrase)
    return made


def say_next(profile: Profile, *, writes: bool = True) -> None:
    """What a member does next: without a vault, only what others wrote is found."""
    if not writes:
        say("You are a reader of it: searches find all that is in it, and nothing is written to it from here.")
    elif not profile.vaults:
        say(f"To share notes of yours in it: scrubjay profile add-vault {profile.argument} FOLDER --allow FOLDER")
