"""`scrubjay team join | password`: what a member does on a computer of its own."""

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.output import say, warn
from scrubjay.daemon.cli.profile.common import custody, json_option, print_changed, registry, unlock_in_daemon
from scrubjay.daemon.cli.team.common import (
    add_profile,
    at_server,
    chosen_passphrase,
    hidden,
    passphrase_option,
    say_next,
    team_profile,
)
from scrubjay.profiles.errors import InvalidProfile, StoreDenied, StoreLocked
from scrubjay.profiles.private_files import write_private
from scrubjay.profiles.registry.keys import Custody
from scrubjay.profiles.registry.registry import Profile, Registry
from scrubjay.profiles.registry.team_credentials import TeamCredentials
from scrubjay.profiles.server_address import ServerAddress

if TYPE_CHECKING:
    from scrubjay.profiles.team.administration import Invitation


@click.command()
@click.option("--name", help="Call the profile so on this computer.")
@click.option("--server", metavar="URL", help="Reach the server by this address instead, with `?sslrootcert=`, say.")
@passphrase_option
@json_option
def join(name: str | None, server: str | None, by_passphrase: bool, as_json: bool) -> None:
    """Join a team's profile by an invitation, which is asked for and not shown.

    Its password and key go into the OS keyring. Who has joined and lost them, or was given another line since, joins
    again: the newest line brings in whoever it is for.
    """
    from scrubjay.profiles.team.administration import Invitation, keys_for, may_write

    invitation = Invitation.parse(hidden("Invitation"))
    found = registry()
    known = _joined(found, invitation)
    address = _address(found, known, invitation, server)
    keys = custody(found)
    passphrase = None
    if known is None:
        if name is None:
            _refuse_anothers(found, invitation)
        found.new(name or invitation.name)  # a name that is taken is refused before the server is asked
    else:
        passphrase = _opened(keys, known)
    password = _password(found, keys, address, invitation)
    if known is None:
        passphrase = chosen_passphrase(name or invitation.name, wanted=by_passphrase)
    with at_server(address, password, profile=invitation.profile) as connection:
        opens = keys_for(connection, invitation)
        credentials = TeamCredentials(password, opens.key, opens.words_key)
        writes = may_write(connection, invitation.profile)
    if known is not None:
        profile = found.change(known.id, lambda now: msgspec.structs.replace(now, server=str(address)))
        profile = _keep(keys, profile, credentials, passphrase)
    else:
        made = found.new(name or invitation.name, server=str(address), team_number=invitation.profile)
        profile = add_profile(found, made, credentials, passphrase=passphrase)
    if as_json:
        print_changed(profile, as_json=True)
    else:
        say(f"You are in: {profile.name} at {address.server}.")
        say_next(profile, writes=writes)
    if invitation.password:
        _keep_for_others(found, keys, profile, password)


@click.command()
@click.argument("name", required=False, shell_complete=profile_names)
@json_option
def password(name: str | None, as_json: bool) -> None:
    """Keep another password for the server of a team's profile: it was changed there. It is asked for, and tried."""
    found = registry()
    keys, profile = custody(found), team_profile(found, name)
    passphrase = _opened(keys, profile)
    before = keys.team(profile)
    address = ServerAddress.parse(profile.server)
    given = hidden(f"Password of {address.user} at {address.server}", may_be_empty=True)
    with at_server(address, given, profile=profile.team_number):
        pass
    changed = _keep(keys, profile, msgspec.structs.replace(before, password=given), passphrase)
    print_changed(changed, f"The password of {changed.name} is kept.", as_json=as_json)
    _keep_for_others(found, keys, changed, given)


def _address(found: Registry, known: Profile | None, invitation: "Invitation", given: str | None) -> ServerAddress:
    """By what a member reaches the server: as given, as before, or as the invitation says."""
    if given is not None:
        return ServerAddress.parse(given)
    if known is not None:
        return ServerAddress.parse(known.server)
    if invitation.root:
        return invitation.address.with_root(_kept_root(found, invitation.root))
    return invitation.address


def _kept_root(found: Registry, root: str) -> Path:
    """The file of a server's root certificate, which is beside the profiles from now on."""
    content = root.encode()
    path = found.folder.parent / "team-roots" / f"{hashlib.sha256(content).hexdigest()[:16]}.crt"
    write_private(path, content)
    return path


def _joined(found: Registry, invitation: "Invitation") -> Profile | None:
    """The profile here that is this very one, as this very member."""
    return next((each for each, user in _here(found, invitation) if user == invitation.address.user), None)


def _refuse_anothers(found: Registry, invitation: "Invitation") -> None:
    """Raises InvalidProfile for a line that is somebody else's than the member that this profile is of here."""
    for profile, user in _here(found, invitation):
        raise InvalidProfile(
            f"This is the line of {invitation.address.user}, and {profile.name} is here as {user}: take the line behind"
            f" {user}. Whoever is both joins beside it with --name."
        )


def _here(found: Registry, invitation: "Invitation") -> Iterator[tuple[Profile, str]]:
    """The profiles here that are the invitation's, and as whom."""
    for each in found.list():
        if each.is_shared and each.team_number == invitation.profile:
            address = ServerAddress.parse(each.server)
            if address.place == invitation.address.place:
                yield each, address.user


def _of_role(found: Registry, address: ServerAddress) -> Iterator[Profile]:
    """The profiles here that come in by the password of this role."""
    for each in found.list():
        if each.is_shared:
            other = ServerAddress.parse(each.server)
            if (other.host, other.port, other.user) == (address.host, address.port, address.user):
                yield each


def _opened(keys: Custody, profile: Profile) -> str | None:
    """The passphrase of a profile that has one, which is asked for, and opens it. Raises StoreLocked."""
    if profile.passphrase is None:
        return None
    passphrase = hidden(f"Passphrase of {profile.name}")
    keys.unlock(profile, passphrase)
    return passphrase


def _password(found: Registry, keys: Custody, address: ServerAddress, invitation: "Invitation") -> str:
    """What the server lets this member in by: of the invitation, kept here for its role, or else asked for.

    Raises StoreDenied where there is none, and StoreAway.
    """
    known = [invitation.password] if invitation.password else []
    for each in _of_role(found, address):
        with suppress(StoreLocked):
            known.append(keys.team(each).password)
    for password in dict.fromkeys(known):
        with suppress(StoreDenied), at_server(address, password, profile=invitation.profile):
            return password
    if invitation.password:
        raise StoreDenied(
            f"{address.server} does not accept {address.user} by this line: a newer one was made since, or"
            f" {address.user} was taken out. Take the newest line; without one, ask the team's owner for it."
        )
    return hidden(f"Password of {address.user} at {address.server}", may_be_empty=True)


def _keep_for_others(found: Registry, keys: Custody, profile: Profile, password: str) -> None:
    """Keep the password of a role for its other profiles here, too. Raises StoreLocked."""
    for each in _of_role(found, ServerAddress.parse(profile.server)):
        if each.id == profile.id:
            continue
        try:
            passphrase = _opened(keys, each)
            kept = keys.team(each)
        except StoreLocked as error:
            warn(f"{each.name} has the password from before: `scrubjay team join` with this line again. {error}")
            continue
        if kept.password != password:
            _keep(keys, each, msgspec.structs.replace(kept, password=password), passphrase)


def _keep(keys: Custody, profile: Profile, credentials: TeamCredentials, passphrase: str | None) -> Profile:
    """Keep other credentials for a profile, which a daemon then opens. passphrase: what it was opened by."""
    kept = keys.keep_team(profile, credentials)
    unlock_in_daemon(kept, passphrase)
    return kept
