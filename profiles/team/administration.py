"""A team's database as its owner and its members administer it: what is offered to the commands.

Errors of psycopg come through as ours within `connected`.
"""

import re
import secrets
import time
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from scrubjay.profiles.errors import ProfileNotFound, StoreDenied
from scrubjay.profiles.server_address import ServerAddress
from scrubjay.profiles.team import members as roles
from scrubjay.profiles.team.audit import AuditEntry, audit
from scrubjay.profiles.team.driver import psycopg
from scrubjay.profiles.team.members import change, may_write, revoke
from scrubjay.profiles.team.quotas import Quota, quota_of, set_quota
from scrubjay.profiles.team.server import ServerConnection, connect, set_up, translated
from scrubjay.profiles.team.team_key import Invitation, TeamKeys, new_key, new_secret, unwrap, wrap
from scrubjay.profiles.team.team_schema import (
    alone,
    create_profile,
    drop_profile,
    prepare,
    profiles,
    refuse_others,
    require_current,
)
from scrubjay.profiles.team.team_store import TeamStore

__all__ = [
    "AuditEntry",
    "Invitation",
    "MemberProfiles",
    "Quota",
    "ServerConnection",
    "TeamKeys",
    "audit",
    "change",
    "change_words_key",
    "connected",
    "create_profile",
    "drop_for_all",
    "drop_profile",
    "invite",
    "keys_for",
    "make_ready",
    "may_write",
    "member_profiles",
    "new_key",
    "prepare",
    "quota_of",
    "refuse_others",
    "require_current",
    "revoke",
    "seconds_ahead",
    "set_quota",
]

_PASSWORD_BYTES = 24
_LONGEST_ROOT = 2_500  # characters
_CERTIFICATE = "-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----"


@contextmanager
def connected(
    address: ServerAddress, password: str, *, profile: int | None = None, seconds: float
) -> Generator[ServerConnection]:
    """A connection for a block. password: may be empty. Raises StoreAway, StoreDenied.

    profile: that the block is for, as one transaction; None for what concerns the whole team.
    """
    with connect(address, password or None, timeout=seconds) as connection, translated(address):
        if profile is None:
            yield connection
            return
        with connection.transaction():
            set_up(connection, profile)
            yield connection


def seconds_ahead(connection: ServerConnection) -> float:
    """How far this computer's clock is ahead of the server's; below 0 where it is behind."""
    before = time.time()
    ((there,),) = connection.execute("SELECT CAST(extract(epoch FROM clock_timestamp()) AS float8)").fetchall()
    return (before + time.time()) / 2 - there


def invite(
    connection: ServerConnection,
    owner: ServerAddress,
    profile: int,
    member: str,
    keys: TeamKeys,
    *,
    new_password: bool,
    writes: bool | None = None,
) -> Invitation:
    """Let a member use a profile, as the owner whose address this is. Raises as `members.grant`, and KeyChanged.

    writes: as for `members.grant`. The invitation has a password where the member's role was made for it, or is given
    another one.
    """
    roles.refuse_older_key(connection, profile, keys.words_name)
    password, secret = secrets.token_urlsafe(_PASSWORD_BYTES), new_secret()
    is_new = roles.grant(connection, profile, member, password, writes=writes)
    if new_password and not is_new:
        roles.set_password(connection, member, password)
    with alone(connection):
        roles.refuse_older_key(connection, profile, keys.words_name)  # it may have been changed just now
        roles.put_key(connection, profile, member, wrap(keys, secret))
    blank = _blank(connection, owner, profile)
    return replace(_for(blank, member, secret), password=password if is_new or new_password else "")


def change_words_key(
    connection: ServerConnection, owner: ServerAddress, profile: int, key: bytes, *, lost: str | None
) -> tuple[TeamKeys, list[Invitation]]:
    """Have a profile's words be hashed by another key from now on: the keys, and an invitation for each member.

    Until they have taken it, members neither read nor write. Words are hashed anew by who opens the profile first.
    Whatever a member took before, the invitation alone lets it in: there is another password in it, unless the role is
    the operator's or this owner's, which keep theirs. lost: the member whose laptop was lost, whose sessions end first.

    Raises StoreDenied for who is no owner or not in the profile, and where the role of `lost` is the operator's;
    ProfileNotFound where `lost` is not in it.
    """
    refuse_others(connection)
    members = [each.name for each in roles.members(connection) if profile in each.profiles]
    changed = {lost, *roles.made_here(connection)} - {connection.info.user}
    passwords = {each: secrets.token_urlsafe(_PASSWORD_BYTES) for each in members if each in changed}
    given: set[str] = set()
    if lost is not None:
        if lost not in members:
            raise ProfileNotFound(f"{lost} is not in this profile. `scrubjay team list` says who is.")
        try:
            roles.set_password(connection, lost, passwords[lost])
        except psycopg.errors.InsufficientPrivilege as error:
            raise StoreDenied(
                f"{lost} is a role that the operator of the server made, who alone changes its password: nothing was"
                f" done. Ask for another password of {lost}, and for its sessions to end; then run `scrubjay team"
                " new-key`."
            ) from error
        given.add(lost)
    keys = TeamKeys(key, new_key())
    blank = _blank(connection, owner, profile)
    invitations = [_for(blank, member, new_secret()) for member in members]
    wrapped = {each.address.user: wrap(keys, each.secret) for each in invitations}
    given |= roles.change_words_key(connection, profile, keys.words_name, wrapped, passwords)
    return keys, [
        replace(each, password=passwords[each.address.user]) if each.address.user in given else each
        for each in invitations
    ]


def _blank(connection: ServerConnection, owner: ServerAddress, profile: int) -> Invitation:
    """An invitation that is nobody's yet."""
    root = "" if owner.root is None else _certificates(owner.root)
    return Invitation(owner.with_root(None), profile, dict(profiles(connection))[profile], "", b"", root)


def _for(blank: Invitation, member: str, secret: bytes) -> Invitation:
    return replace(blank, address=replace(blank.address, user=member), secret=secret)


def _certificates(path: Path) -> str:
    """The certificates in a file, and nothing else of it; "" where they are more than a line has room for."""
    said = path.read_text(encoding="utf-8", errors="replace")
    found = "".join(f"{each}\n" for each in re.findall(_CERTIFICATE, said, re.DOTALL))
    return found if len(found) <= _LONGEST_ROOT else ""


def keys_for(connection: ServerConnection, invitation: Invitation) -> TeamKeys:
    """A profile's keys, for who was invited to it, on a connection for that profile.

    Raises StoreDenied, WrongSecret, and what `require_current` raises.
    """
    require_current(connection)
    wrapped = roles.wrapped_key(connection, invitation.profile)
    if wrapped is None:
        who = f"{connection.info.user} has no key any more"
        raise StoreDenied(f"{invitation.address.server}: {who}. Ask the owner for a new invitation.")
    return unwrap(wrapped, invitation.secret)


def make_ready(path: Path, address: ServerAddress, password: str, profile: int, keys: TeamKeys) -> None:
    """Have done what needs a profile's keys after an upgrade, or a change of them, by a writer. Raises StoreError.

    path: by what errors name the profile.
    """
    TeamStore.open(path, address, password or None, profile, keys=keys).close()


@dataclass(frozen=True, slots=True)
class MemberProfiles:
    """Who may use which profiles, as the server names them. reader_of: those in which it writes nothing."""

    member: str
    profiles: tuple[str, ...]
    reader_of: tuple[str, ...]


def member_profiles(connection: ServerConnection) -> list[MemberProfiles]:
    """Who may use which profiles, by the member's name; a member sees itself."""
    names = dict(profiles(connection))

    def named(numbers: Iterable[int]) -> tuple[str, ...]:
        return tuple(names.get(number, str(number)) for number in numbers)

    return [
        MemberProfiles(each.name, named(each.profiles), named(each.reader_of)) for each in roles.members(connection)
    ]


def drop_for_all(connection: ServerConnection, profile: int) -> None:
    """Take a profile from all its members, and delete it with all that is in it. Raises ProfileNotFound."""
    for member in roles.members(connection):
        if profile in member.profiles:
            revoke(connection, profile, member.name)
    drop_profile(connection, profile)
