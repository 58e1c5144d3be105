"""Who may use which profile of a team: roles of PostgreSQL, their grants, and their wrapped keys.

For the database's owner, but for `wrapped_key`. Errors of psycopg come through as they are: call these within
`server.translated`.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from scrubjay.profiles.errors import InvalidProfile, KeyChanged, ProfileNotFound, StoreDenied
from scrubjay.profiles.team.driver import psycopg, sql
from scrubjay.profiles.team.server import KEY_CHANGED, ServerConnection, schema_of, set_up
from scrubjay.profiles.team.team_schema import alone, as_owner, give_grants, profiles, refuse_others, take_team
from scrubjay.profiles.team.word_hashing import WAIT

LONGEST_NAME = 63
"""Bytes of a role's name, as PostgreSQL cuts it."""


class Member(NamedTuple):
    """Who may use which profiles. reader_of: those of them in which it writes nothing."""

    name: str
    profiles: tuple[int, ...]
    reader_of: tuple[int, ...] = ()


def grant(
    connection: ServerConnection, profile: int, member: str, password: str | None, *, writes: bool | None = None
) -> bool:
    """Let a member use a profile; whether the member's role was made for it, with this password.

    A role that is there keeps the password that it has. The password itself does not reach the server, only what SCRAM
    checks it with (RFC 5802). Granting what is granted changes nothing. writes: whether the member writes in it, or
    only reads; None: as before, and who is new writes.

    Raises StoreDenied for who is not the owner, ProfileNotFound, and InvalidProfile for a name that can't be one of a
    member, for a role that policies for rows do not hold, for a new role without a password, and for an owner who is to
    write nothing.
    """
    _check_name(member)
    refuse_others(connection)
    _refuse_owner(connection, member, writes=writes)
    with alone(connection):
        if not connection.execute("SELECT FROM scrubjay.team_profile WHERE id = %s", (profile,)).rowcount:
            raise ProfileNotFound(f"The team has no profile {profile}.")
        made = _have_role(connection, member, password)
        connection.execute(
            "INSERT INTO scrubjay.team_member (member, made_here) VALUES (%s, %s) ON CONFLICT DO NOTHING",
            (member, made),
        )
        connection.execute(
            "INSERT INTO scrubjay.team_grant (profile, member, writes) VALUES (%s, %s, coalesce(%s, TRUE))"
            " ON CONFLICT DO NOTHING",
            (profile, member, writes),
        )
        give_grants(connection, profile)
    if writes is not None:
        change(connection, profile, member, writes=writes)
    return made


def change(connection: ServerConnection, profile: int, member: str, *, writes: bool) -> None:
    """Have a member write in a profile, or only read. Where that is another thing than before, its sessions end.

    Raises StoreDenied for who is not the owner, ProfileNotFound where there is no such grant, and InvalidProfile for an
    owner who is to write nothing.
    """
    refuse_others(connection)
    _refuse_owner(connection, member, writes=writes)
    with alone(connection):
        known = "SELECT writes FROM scrubjay.team_grant WHERE profile = %s AND member = %s"
        before = connection.execute(known, (profile, member)).fetchone()
        if before is None:
            raise ProfileNotFound(
                f"{member} may not use {_name(connection, profile)} yet: `scrubjay team grant` lets {member} in."
            )
        if before == (writes,):
            return
        update = "UPDATE scrubjay.team_grant SET writes = %s WHERE profile = %s AND member = %s"
        connection.execute(update, (writes, profile, member))
        give_grants(connection, profile)
    _end_sessions(connection, member)  # or its program would go on as before


def revoke(connection: ServerConnection, profile: int, member: str) -> bool:
    """Take a profile from a member, whose sessions end; with the last one, a role that `grant` made goes, too.

    False where the role should have gone and stays, since it has something in another database. What it owned in this
    one goes with it.

    Sessions that the owner may not end see nothing any more, either. The grant goes at once, whoever is changing the
    database. Raises StoreDenied for who is not the owner, ProfileNotFound where there is no such grant, and StoreBusy
    where what is left to be tidied has to wait: revoking again does that.
    """
    refuse_others(connection)
    granted = connection.execute(
        "DELETE FROM scrubjay.team_grant WHERE profile = %s AND member = %s", (profile, member)
    ).rowcount
    if not granted and not _left_behind(connection, member) and not _may_still(connection, schema_of(profile), member):
        raise ProfileNotFound(
            f"{member} may not use {_name(connection, profile)}, so there is nothing to take away. `scrubjay team"
            " list` says who may."
        )
    if member == connection.info.user:
        return True
    # Only now: who came in again before the grant was gone might still be reading.
    _end_sessions(connection, member)
    with alone(connection):
        # An operator may have dropped the role.
        there = connection.execute("SELECT FROM pg_roles WHERE rolname = %s", (member,)).rowcount > 0
        give_grants(connection, profile)
        if _left_behind(connection, member):
            query = "DELETE FROM scrubjay.team_member WHERE member = %s RETURNING made_here"
            ((made_here,),) = connection.execute(query, (member,)).fetchall()
            if there:
                return _take_all(connection, sql.Identifier(member), drop=made_here)
    return True


def members(connection: ServerConnection) -> list[Member]:
    """Everybody who may use a profile, by name, with the numbers of the profiles."""
    rows = connection.execute(
        "SELECT member, array_agg(profile ORDER BY profile),"
        " coalesce(array_agg(profile ORDER BY profile) FILTER (WHERE NOT writes), '{}')"
        " FROM scrubjay.team_grant GROUP BY member ORDER BY member"
    )
    return [Member(name, tuple(profiles), tuple(reader_of)) for name, profiles, reader_of in rows]


def set_password(connection: ServerConnection, member: str, password: str) -> None:
    """Give the role of a member another password, and end the sessions that came in by the one before.

    The server gets what SCRAM checks it with, as in `grant`.
    """
    with as_owner(connection):
        _give_password(connection, member, password)
    _end_sessions(connection, member)


def made_here(connection: ServerConnection) -> set[str]:
    """The members whose role `grant` made: the others' passwords are the operator's, or they have none."""
    return {member for (member,) in connection.execute("SELECT member FROM scrubjay.team_member WHERE made_here")}


def may_write(connection: ServerConnection, profile: int) -> bool:
    """Whether who asks writes in a profile, on a connection for that profile."""
    query = "SELECT writes FROM scrubjay.team_grant WHERE profile = %s AND member = session_user"
    return connection.execute(query, (profile,)).fetchone() != (False,)


def put_key(connection: ServerConnection, profile: int, member: str, wrapped: bytes) -> None:
    """Keep a profile's keys as they were wrapped for a member, in place of those from before.

    Raises ProfileNotFound where the member has no grant.
    """
    try:
        connection.execute(
            "INSERT INTO scrubjay.team_key (profile, member, wrapped) VALUES (%s, %s, %s)"
            " ON CONFLICT (profile, member) DO UPDATE SET wrapped = excluded.wrapped",
            (profile, member, wrapped),
        )
    except psycopg.errors.ForeignKeyViolation as error:
        raise ProfileNotFound(f"{member} may not use the profile {profile}: grant it first.") from error


def change_words_key(
    connection: ServerConnection, profile: int, name: str, wrapped: Mapping[str, bytes], passwords: Mapping[str, str]
) -> set[str]:
    """Have the words of a profile be hashed by the key of this name, and by no other, once who writes is done.

    They wait to be hashed anew, see `word_hashing`. wrapped: the profile's keys for each member, in place of those from
    before. passwords: for members whose role `grant` made, as in `set_password`, but that sessions go on; the members
    who have theirs now, which are not those whose role is no longer the team's to change. All of it, or nothing.
    Raises StoreDenied for an owner who is not in the profile.
    """
    given: set[str] = set()
    with alone(connection):
        for member, password in passwords.items():
            with suppress(psycopg.errors.InsufficientPrivilege, psycopg.errors.UndefinedObject):
                with connection.transaction():
                    _give_password(connection, member, password)
                given.add(member)
        set_up(connection, profile)
        # Who writes has this row for as long as its transaction lasts.
        if not connection.execute("SELECT FROM meta WHERE name = 'generation' FOR UPDATE").rowcount:
            who = connection.info.user
            raise StoreDenied(f"{who} is not in this profile. `scrubjay team grant {who}` by an owner lets {who} in.")
        connection.execute("UPDATE scrubjay.team_profile SET words_key = %s WHERE id = %s", (name, profile))
        connection.execute(
            "INSERT INTO meta (name, value) VALUES (%s, '') ON CONFLICT (name) DO UPDATE SET value = ''", (WAIT,)
        )
        for member, keys in wrapped.items():
            put_key(connection, profile, member, keys)
    return given


def refuse_older_key(connection: ServerConnection, profile: int, name: str) -> None:
    """Raises KeyChanged unless a profile's words are hashed by the key of this name."""
    sql = "SELECT FROM scrubjay.team_profile WHERE id = %s AND words_key <> %s"
    if connection.execute(sql, (profile, name)).rowcount:
        raise KeyChanged(KEY_CHANGED)


def wrapped_key(connection: ServerConnection, profile: int) -> bytes | None:
    """A profile's keys as they were wrapped for who asks, on a connection for that profile."""
    row = connection.execute(
        "SELECT wrapped FROM scrubjay.team_key WHERE profile = %s AND member = session_user", (profile,)
    ).fetchone()
    return None if row is None else bytes(row[0])


def _name(connection: ServerConnection, profile: int) -> str:
    return dict(profiles(connection)).get(profile, f"the profile {profile}")


def _check_name(member: str) -> None:
    reserved = member.startswith("pg_") or member in ("public", "none")
    if not member or not member.isprintable() or len(member.encode()) > LONGEST_NAME or reserved:
        raise InvalidProfile(
            f"A member's name is a role's name on the server: 1 to {LONGEST_NAME} bytes that can be seen, not beginning"
            " with pg_, and neither public nor none."
        )


def _refuse_owner(connection: ServerConnection, member: str, *, writes: bool | None) -> None:
    """Raises InvalidProfile for an owner who is to write nothing."""
    query = (
        "SELECT FROM pg_roles, pg_namespace WHERE rolname = %s AND nspname = 'scrubjay'"
        " AND pg_has_role(pg_roles.oid, nspowner, 'MEMBER')"
    )
    if writes is False and connection.execute(query, (member,)).rowcount:
        raise InvalidProfile(f"{member} owns the team's database, so {member} writes in all of its profiles.")


def _have_role(connection: ServerConnection, member: str, password: str | None) -> bool:
    """Whether the role had to be made. Raises InvalidProfile."""
    row = connection.execute(
        "SELECT rolsuper OR rolbypassrls OR rolreplication OR pg_has_role(oid, current_user, 'MEMBER')"
        " AND EXISTS (SELECT FROM pg_roles WHERE rolname = current_user AND rolcanlogin)"
        " AND rolname <> current_user FROM pg_roles WHERE rolname = %s",
        (member,),
    ).fetchone()
    if row is not None:
        if row[0]:
            raise InvalidProfile(
                f"The role {member} can see past the rules for rows (it is a superuser, may bypass them or replicate,"
                " or is in the role of an owner who logs in), so it would see what other members searched for. Use"
                " another role for this member."
            )
        return False
    if not password:
        raise InvalidProfile(f"There is no role {member} on the server, and a new one needs a password.")
    role = sql.Identifier(member)
    verifier = _verifier(connection, member, password)
    connection.execute(sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(role, verifier))
    # Who inherits from a role may end its sessions.
    connection.execute(sql.SQL("GRANT {} TO CURRENT_USER WITH INHERIT TRUE, SET FALSE").format(role))
    return True


def _left_behind(connection: ServerConnection, member: str) -> bool:
    """Whether a member has no grant any more, but not lost all else yet."""
    query = (
        "SELECT FROM scrubjay.team_member AS known WHERE member = %s AND NOT EXISTS"
        " (SELECT FROM scrubjay.team_grant AS granted WHERE granted.member = known.member)"
    )
    return connection.execute(query, (member,)).rowcount > 0


def _may_still(connection: ServerConnection, schema: str, member: str) -> bool:
    """Whether a role may still come into a schema."""
    query = "SELECT has_schema_privilege(rolname, %s, 'USAGE') FROM pg_roles WHERE rolname = %s AND NOT rolsuper"
    row = connection.execute(query, (schema, member)).fetchone()
    return bool(row and row[0])


def _give_password(connection: ServerConnection, member: str, password: str) -> None:
    verifier = _verifier(connection, member, password)
    connection.execute(sql.SQL("ALTER ROLE {} PASSWORD {}").format(sql.Identifier(member), verifier))


def _verifier(connection: ServerConnection, member: str, password: str) -> sql.Literal:
    return sql.Literal(
        connection.pgconn.encrypt_password(password.encode(), member.encode(), b"scram-sha-256").decode()
    )


def _take_all(connection: ServerConnection, role: sql.Identifier, *, drop: bool) -> bool:
    """Take from a role what it may in this database, and what it owns; False where it was to be dropped and stays."""
    is_elsewhere = _is_elsewhere(connection, role)
    try:
        with connection.transaction():  # large objects and their like need no right to be made
            if is_elsewhere:  # where the other statement would take the way in away, too
                connection.execute(sql.SQL("REASSIGN OWNED BY {} TO CURRENT_USER").format(role))
                take_team(connection, role)
            else:
                connection.execute(sql.SQL("DROP OWNED BY {}").format(role))
    except psycopg.errors.InsufficientPrivilege:  # of a role that the operator made
        take_team(connection, role)
    if not drop or is_elsewhere:
        return not drop
    try:
        with connection.transaction():
            connection.execute(sql.SQL("DROP ROLE {}").format(role))
    except (psycopg.errors.DependentObjectsStillExist, psycopg.errors.InsufficientPrivilege):
        return False
    return True


def _is_elsewhere(connection: ServerConnection, role: sql.Identifier) -> bool:
    """Whether a role, or a group that it is in, owns or may do something in another database of the server."""
    query = sql.SQL(
        "SELECT FROM pg_shdepend JOIN pg_database ON datname = current_database()"
        " WHERE refclassid = 'pg_authid'::regclass AND (refobjid = to_regrole({0})"
        " OR refobjid IN (SELECT roleid FROM pg_auth_members WHERE member = to_regrole({0})))"
        " AND (dbid NOT IN (0, pg_database.oid) OR classid = 'pg_database'::regclass AND objid <> pg_database.oid)"
    ).format(sql.Literal(role.as_string(connection)))
    return connection.execute(query).rowcount > 0


def _end_sessions(connection: ServerConnection, member: str) -> None:
    with suppress(psycopg.errors.InsufficientPrivilege):
        connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE usename = %s AND datname = current_database()",
            (member,),
        )
