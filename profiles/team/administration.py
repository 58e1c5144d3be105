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

from scrubjay.profiles.errors import StoreDenied
from scrubjay.profiles.server_address import ServerAddress
from scrubjay.profiles.team import members as roles
from scrubjay.profiles.team.audit import AuditEntry, audit
from scrubjay.profiles.team.members import change, may_write, revoke
from scrubjay.profiles.team.server import ServerConnection, connect, set_up, translated
from scrubjay.profiles.team.team_key import Invitation, new_key, new_secret, unwrap, wrap
from scrubjay.profiles.team.team_schema import (
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
    "ServerConnection",
    "audit",
    "change",
    "connected",
    "create_profile",
    "drop_for_all",
    "drop_profile",
    "invite",
    "key_for",
    "make_ready",
    "may_write",
    "member_profiles",
    "new_key",
    "prepare",
    "refuse_others",
    "require_current",
    "revoke",
    "seconds_ahead",
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
    key: bytes,
    *,
    new_password: bool,
    writes: bool | None = None,
) -> Invitation:
    """Let a member use a profile, as the owner whose address this is. Raises as `members.grant`.

    key: what the profile's digests are made with. writes: as for `members.grant`. The invitation has a password where
    the member's role was made for it, or is given another one.
    """
    password, secret = secrets.token_urlsafe(_PASSWORD_BYTES), new_secret()
    is_new = roles.grant(connection, profile, member, password, writes=writes)
    if new_password and not is_new:
        roles.set_password(connection, member, password)
    roles.put_key(connection, profile, member, wrap(key, secret))
    root = "" if owner.root is None else _certificates(owner.root)
    address = replace(owner.with_root(None), user=member)
    name = dict(profiles(connection))[profile]
    return Invitation(address, profile, name, password if is_new or new_password else "", secret, root)


def _certificates(path: Path) -> str:
    """The certificates in a file, and nothing else of it; "" where they are more than a line has room for."""
    said = path.read_text(encoding="utf-8", errors="replace")
    found = "".join(f"{each}\n" for each in re.findall(_CERTIFICATE, said, re.DOTALL))
    return found if len(found) <= _LONGEST_ROOT else ""


def key_for(connection: ServerConnection, invitation: Invitation) -> bytes:
    """What a profile's digests are made with, for who was invited to it, on a connection for that profile.

    Raises StoreDenied, WrongSecret, and what `require_current` raises.
    """
    require_current(connection)
    wrapped = roles.wrapped_key(connection, invitation.profile)
    if wrapped is None:
        who = f"{connection.info.user} has no key any more"
        raise StoreDenied(f"{invitation.address.server}: {who}. Ask the owner for a new invitation.")
    return unwrap(wrapped, invitation.secret)


def make_ready(path: Path, address: ServerAddress, password: str, profile: int, key: bytes) -> None:
    """Have done what needs the team's key after an upgrade, by a writer of the profile. Raises StoreError.

    path: by what errors name the profile.
    """
    TeamStore.open(path, address, password or None, profile, key=key).close()


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
