"""`scrubjay team grant | revoke | list`: who may use a team's profile. For the owner of its database."""

import click
import msgspec

from scrubjay.daemon.cli.output import echo, print_json, print_table, say, warn
from scrubjay.daemon.cli.profile.common import json_option, registry
from scrubjay.daemon.cli.team.common import at_server, credentials_of, profile_option, team_profile
from scrubjay.profiles.server_address import ServerAddress

_ANOTHER = "where nobody knows it, --new-password gives another"


class MemberShown(msgspec.Struct, frozen=True):
    """Somebody who may use profiles of a team, as `--json` prints it."""

    member: str
    server: str
    profiles: tuple[str, ...]  # as the server names them


@click.command()
@click.argument("member")
@click.option("--new-password", is_flag=True, help="Give MEMBER, who was let in before, another password.")
@profile_option
def grant(member: str, name: str | None, new_password: bool) -> None:
    """Let MEMBER use a team's profile, and print the invitation, ONE line for `scrubjay team join`.

    The line opens the profile: give it to MEMBER alone, by a way that only MEMBER reads.
    """
    found = registry()
    profile = team_profile(found, name)
    mine = credentials_of(found, profile)
    address = ServerAddress.parse(profile.server)
    with at_server(address, mine.password) as connection:
        from scrubjay.profiles.team.administration import invite

        invitation = invite(
            connection, address, profile.team_number, profile.name, member, mine.key, new_password=new_password
        )
    echo(invitation.text())
    how = (
        ""
        if invitation.password
        else f" {member} was on the server before; the password is not in the line ({_ANOTHER})."
    )
    warn(f"{member} may use {profile.name} now. Give {member} this line: whoever has it can read the profile.{how}")


@click.command()
@click.argument("member")
@profile_option
def revoke(member: str, name: str | None) -> None:
    """Take a team's profile from MEMBER at once. What MEMBER's own computer has kept, nobody can take away."""
    found = registry()
    profile = team_profile(found, name)
    address = ServerAddress.parse(profile.server)
    if member == address.user:
        raise click.UsageError(
            f"That is you. `scrubjay profile remove {profile.argument}` takes {profile.name} off this computer;"
            f" `scrubjay team drop {profile.argument}` deletes it for everybody."
        )
    with at_server(address, credentials_of(found, profile).password) as connection:
        from scrubjay.profiles.team import administration

        is_gone = administration.revoke(connection, profile.team_number, member)
    say(f"{member} may not use {profile.name} any more.")
    if not is_gone:
        warn(
            f"The role {member} is still on the server, since it has something in another database there, or is not the"
            " team's to drop. It sees nothing of the team; the server's operator may drop it."
        )


@click.command(name="list")
@profile_option
@json_option
def list_(name: str | None, as_json: bool) -> None:
    """List who may use which profiles of the team's database; a member sees itself."""
    found = registry()
    profile = team_profile(found, name)
    address = ServerAddress.parse(profile.server)
    password = credentials_of(found, profile).password
    with at_server(address, password, profile=profile.team_number) as connection:
        from scrubjay.profiles.team.administration import member_profiles

        shown = [
            MemberShown(member, address.server, profiles) for member, profiles in member_profiles(connection).items()
        ]
    if as_json:
        print_json(shown)
    elif shown:
        print_table(("member", "profiles"), [(each.member, ", ".join(each.profiles)) for each in shown])
    else:
        say("Nobody but the owner. `scrubjay team grant MEMBER` lets somebody in.")
