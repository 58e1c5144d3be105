"""`scrubjay team join | password`: what a member does on a computer of its own."""

import hashlib
from dataclasses import replace
from pathlib import Path

import click
import msgspec

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.output import say
from scrubjay.daemon.cli.profile.common import custody, json_option, print_changed, registry, unlock_in_daemon
from scrubjay.daemon.cli.team.common import (
    add_profile,
    at_server,
    chosen_passphrase,
    credentials_of,
    hidden,
    passphrase_option,
    say_next,
    team_profile,
)
from scrubjay.profiles.errors import StoreLocked
from scrubjay.profiles.private_files import write_private
from scrubjay.profiles.registry.registry import Profile, Registry
from scrubjay.profiles.registry.team_credentials import TeamCredentials
from scrubjay.profiles.server_address import ServerAddress


@click.command()
@click.option("--name", help="Call the profile so on this computer.")
@click.option("--server", metavar="URL", help="Reach the server by this address instead, with `?sslrootcert=`, say.")
@passphrase_option
@json_option
def join(name: str | None, server: str | None, by_passphrase: bool, as_json: bool) -> None:
    """Join a team's profile by an invitation, which is asked for and not shown.

    Its password and key go into the OS keyring. Who has joined and lost them joins again with a new invitation.
    """
    from scrubjay.profiles.team.administration import Invitation, keys_for, may_write

    invitation = Invitation.parse(hidden("Invitation"))
    found = registry()
    if server is not None:
        invitation = replace(invitation, address=ServerAddress.parse(server))
    elif invitation.root:
        invitation = replace(invitation, address=invitation.address.with_root(_kept_root(found, invitation.root)))
    address = invitation.address
    known = _joined(found, address, invitation.profile)
    if known is None:
        found.new(name or invitation.name)  # a name that is taken is refused before the server is asked
    password = invitation.password or _password(found, address)
    passphrase = chosen_passphrase(name or invitation.name, wanted=by_passphrase)
    with at_server(address, password, profile=invitation.profile) as connection:
        keys = keys_for(connection, invitation)
        credentials = TeamCredentials(password, keys.key, keys.words_key)
        writes = may_write(connection, invitation.profile)
    if known is not None:
        profile = _keep(found, known, credentials)
    else:
        made = found.new(name or invitation.name, server=str(address), team_number=invitation.profile)
        profile = add_profile(found, made, credentials, passphrase=passphrase)
    if as_json:
        print_changed(profile, as_json=True)
        return
    say(f"You are in: {profile.name} at {address.server}.")
    say_next(profile, writes=writes)


@click.command()
@click.argument("name", required=False, shell_complete=profile_names)
@json_option
def password(name: str | None, as_json: bool) -> None:
    """Keep another password for the server of a team's profile: it was changed there. It is asked for, and tried."""
    found = registry()
    profile = team_profile(found, name)
    before = credentials_of(found, profile)
    address = ServerAddress.parse(profile.server)
    given = hidden(f"Password of {address.user} at {address.server}", may_be_empty=True)
    with at_server(address, given, profile=profile.team_number):
        pass
    changed = _keep(found, profile, msgspec.structs.replace(before, password=given))
    print_changed(changed, f"The password of {changed.name} is kept.", as_json=as_json)


def _kept_root(found: Registry, root: str) -> Path:
    """The file of a server's root certificate, which is beside the profiles from now on."""
    content = root.encode()
    path = found.folder.parent / "team-roots" / f"{hashlib.sha256(content).hexdigest()[:16]}.crt"
    write_private(path, content)
    return path


def _joined(found: Registry, address: ServerAddress, number: int) -> Profile | None:
    """The profile here that is this very one, as this very member."""
    return next((each for each in found.list() if (each.server, each.team_number) == (str(address), number)), None)


def _password(found: Registry, address: ServerAddress) -> str:
    """That of a role which was there before the invitation: known from another profile of the server, or asked for."""
    for each in found.list():
        if each.server == str(address) and not each.passphrase:
            try:
                return custody(found).team(each).password
            except StoreLocked:
                continue
    return hidden(f"Password of {address.user} at {address.server}", may_be_empty=True)


def _keep(found: Registry, profile: Profile, credentials: TeamCredentials) -> Profile:
    """Keep other credentials for a profile, which a daemon then opens."""
    keys = custody(found)
    passphrase = hidden(f"Passphrase of {profile.name}") if profile.passphrase else None
    if passphrase is not None:
        keys.unlock(profile, passphrase)
    kept = keys.keep_team(profile, credentials)
    unlock_in_daemon(kept, passphrase)
    return kept
