"""`scrubjay team upgrade | drop`: for the owner of a team's database."""

import click

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.output import say
from scrubjay.daemon.cli.profile.common import custody, exclusive_access, notify_daemon, registry
from scrubjay.daemon.cli.team.common import at_server, credentials_of, profile_option, team_profile
from scrubjay.profiles.server_address import ServerAddress


@click.command()
@profile_option
def upgrade(name: str | None) -> None:
    """Bring a team's database up to this version of Scrubjay. Members with an older one update first."""
    found = registry()
    profile = team_profile(found, name)
    address = ServerAddress.parse(profile.server)
    with at_server(address, credentials_of(found, profile).password) as connection:
        from scrubjay.profiles.team.administration import prepare

        prepare(connection)
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
