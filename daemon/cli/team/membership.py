"""`scrubjay team grant | change | revoke | quota | new-key | list`: who may use a team's profile, for its owner."""

from collections.abc import Iterator

import click
import msgspec

from scrubjay.daemon.cli.output import echo, print_json, print_table, say, warn
from scrubjay.daemon.cli.profile.common import custody, exclusive_access, json_option, registry
from scrubjay.daemon.cli.team.common import (
    at_server,
    credentials_of,
    keys_of,
    make_ready,
    profile_option,
    team_profile,
)
from scrubjay.profiles.server_address import ServerAddress

_ROLES = ("reader", "writer")
_ANOTHER = "where nobody knows it, --new-password gives another"


class MemberShown(msgspec.Struct, frozen=True):
    """Somebody who may use profiles of a team, as `--json` prints it."""

    member: str
    server: str
    profiles: tuple[str, ...]  # as the server names them
    reader_of: tuple[str, ...]  # those of them in which it writes nothing


class QuotaShown(msgspec.Struct, frozen=True):
    """What a member has brought into a profile and may bring, in passages, as `--json` prints it."""

    member: str
    brought: int
    most: int | None  # null: as many as there are


@click.command()
@click.argument("member")
@click.option("--new-password", is_flag=True, help="Give MEMBER, who was let in before, another password.")
@click.option(
    "--as",
    "role",
    type=click.Choice(_ROLES),
    help="A reader searches, a writer brings notes, too; writer for who is new.",
)
@profile_option
def grant(member: str, name: str | None, new_password: bool, role: str | None) -> None:
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
            connection,
            address,
            profile.team_number,
            member,
            keys_of(mine),
            new_password=new_password,
            writes=None if role is None else role == "writer",
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
@click.argument("role", type=click.Choice(_ROLES))
@profile_option
def change(member: str, role: str, name: str | None) -> None:
    """Make MEMBER of a team's profile a reader, who searches, or a writer, who brings notes, too. It holds at once."""
    found = registry()
    profile = team_profile(found, name)
    address = ServerAddress.parse(profile.server)
    with at_server(address, credentials_of(found, profile).password) as connection:
        from scrubjay.profiles.team import administration

        administration.change(connection, profile.team_number, member, writes=role == "writer")
    say(f"{member} is a {role} of {profile.name} now.")


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


@click.command()
@click.argument("member")
@click.argument("passages", required=False, type=click.IntRange(min=0))
@click.option("--none", "without", is_flag=True, help="Let MEMBER bring as many as there are.")
@profile_option
@json_option
def quota(member: str, passages: int | None, without: bool, name: str | None, as_json: bool) -> None:
    """Say how many passages MEMBER has brought into a team's profile, and may bring; PASSAGES sets that.

    What is there stays. What there is no room for waits on MEMBER's computer, which says so.
    """
    if passages is not None and without:
        raise click.UsageError("PASSAGES and --none are two answers to one question: give one.")
    found = registry()
    profile = team_profile(found, name)
    address = ServerAddress.parse(profile.server)
    password = credentials_of(found, profile).password
    from scrubjay.profiles.team import administration

    if passages is not None or without:
        with at_server(address, password) as connection:
            administration.set_quota(connection, profile.team_number, member, passages)
    with at_server(address, password, profile=profile.team_number) as connection:
        there = administration.quota_of(connection, profile.team_number, member)
    if as_json:
        print_json(QuotaShown(member, there.brought, there.most))
        return
    most = "as many as there are" if there.most is None else f"{there.most:,} at most"
    say(f"{member} has brought {there.brought:,} passages into {profile.name}, and may bring {most}.")


@click.command()
@click.option("--lost", metavar="MEMBER", help="Whose laptop was lost: sessions end, and a password is made, too.")
@profile_option
def new_key(lost: str | None, name: str | None) -> None:
    """Hash the words of a team's profile by another key, and print an invitation for each member, a line each.

    For when a laptop was lost, or who knew the key has gone. Nothing is embedded anew. Until members have taken their
    line (`scrubjay team join`), they neither find nor write anything in the profile.
    """
    found = registry()
    profile = team_profile(found, name)
    address = ServerAddress.parse(profile.server)
    if lost == address.user:
        raise click.UsageError(
            "That is you: another owner does this, or the server's operator changes your password. `scrubjay team"
            " new-key` without --lost changes the key then."
        )
    kept = custody(found)
    mine = credentials_of(found, profile, kept)
    with exclusive_access(found, profile):
        with at_server(address, mine.password) as connection:
            from scrubjay.profiles.team import administration

            keys, invitations = administration.change_words_key(
                connection, address, profile.team_number, mine.key, lost=lost
            )
            others = {
                other
                for each in administration.member_profiles(connection)
                for other in each.profiles
                if each.member == lost and other != invitations[0].name
            }
        mine = msgspec.structs.replace(mine, words_key=keys.words_key)
        kept.keep_team(profile, mine)
        for invitation in invitations:
            echo(f"{invitation.address.user}\t{invitation.text()}")
        warn(
            "Give each member the line behind their name, and nobody else; yours is for other computers of yours."
            " Lines from before are worth nothing now."
        )
        if others:
            warn(
                f"{lost} has the keys of {', '.join(sorted(others))}, too: run `scrubjay team new-key` for each of them"
                " as well. Who gets several lines takes the newest first."
            )
        make_ready(found, profile, mine)
    say(f"The words of {profile.name} are hashed by another key.")


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
            MemberShown(each.member, address.server, each.profiles, each.reader_of)
            for each in member_profiles(connection)
        ]
    if as_json:
        print_json(shown)
    elif shown:
        print_table(("member", "profiles"), [(each.member, ", ".join(_described(each))) for each in shown])
    else:
        say("Nobody but the owner. `scrubjay team grant MEMBER` lets somebody in.")


def _described(member: MemberShown) -> Iterator[str]:
    for name in member.profiles:
        yield f"{name} (reader)" if name in member.reader_of else name
