"""`scrubjay team upgrade | drop | audit`: for the owner of a team's database."""

from contextlib import suppress

import click
import msgspec

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.output import print_json, print_table, say, warn
from scrubjay.daemon.cli.profile.common import custody, exclusive_access, json_option, notify_daemon, registry
from scrubjay.daemon.cli.team.common import at_server, credentials_of, make_ready, profile_option, team_profile
from scrubjay.profiles.errors import StoreLocked
from scrubjay.profiles.server_address import ServerAddress


@click.command()
@profile_option
def upgrade(name: str | None) -> None:
    """Bring a team's database up to this version of Scrubjay. Members with an older one update first."""
    found = registry()
    profile = team_profile(found, name)
    address = ServerAddress.parse(profile.server)
    credentials = credentials_of(found, profile)
    with at_server(address, credentials.password) as connection:
        from scrubjay.profiles.team.administration import prepare

        prepare(connection)
    make_ready(found, profile, credentials)
    for other in found.list():
        if other.server == profile.server and other != profile and not other.passphrase:
            with suppress(StoreLocked):  # a member who has the key makes it ready
                make_ready(found, other, credentials_of(found, other))
    notify_daemon()
    say(f"The team's database at {address.server} is up to date.")


@click.command()
@click.argument("name", shell_complete=profile_names)
def drop(name: str) -> None:
    """Delete a team's profile on its server, for everybody, and here. Its name must be typed. Notes are not touched."""
    found = registry()
    profile = team_profile(found, name)
    address = ServerAddress.parse(profile.server)
    credentials = credentials_of(found, profile)
    with at_server(address, credentials.password) as connection:
        from scrubjay.profiles.team.administration import drop_for_all, refuse_others

        refuse_others(connection)
    typed = click.prompt(f"Its index and journal go for every member. Type {profile.name} to delete it", err=True)
    if typed.strip() != profile.name:
        raise click.UsageError("That is not its name; nothing was deleted.")
    with exclusive_access(found, profile):
        with at_server(address, credentials.password) as connection:
            drop_for_all(connection, profile.team_number)
        custody(found).remove(profile)
    say(f"Profile {profile.name} is deleted at {address.server}, and here.")


class AuditEntryShown(msgspec.Struct, frozen=True):
    """Something that an owner did, as `--json` prints it."""

    at: str  # RFC 3339
    who: str
    action: str  # grant, grant-read, revoke, create, drop, upgrade, new-key or quota
    about: str
    profile: int | None
    whole: bool  # whether neither it nor anything before it was changed or taken out


@click.command()
@profile_option
@json_option
def audit(name: str | None, as_json: bool) -> None:
    """List who let whom in, took what away, made, dropped, upgraded, and changed a key or a quota.

    Exit status 1 where an entry was changed.
    """
    found = registry()
    profile = team_profile(found, name)
    address = ServerAddress.parse(profile.server)
    with at_server(address, credentials_of(found, profile).password) as connection:
        from scrubjay.profiles.team import administration

        entries = administration.audit(connection)
    shown = [
        AuditEntryShown(each.at.isoformat(), each.who, each.action, each.about, each.profile, each.is_whole)
        for each in entries
    ]
    if as_json:
        print_json(shown)
    else:
        said = [(f"{each.at:%Y-%m-%d %H:%M}", each.who, each.action, each.about) for each in entries]
        print_table(("when", "who", "did", "to"), said)
    if broken := next((each for each in entries if not each.is_whole), None):
        warn(f"The entry of {broken.at:%Y-%m-%d %H:%M} is not what was written, or one before it was taken out.")
        raise SystemExit(1)
