"""How many passages a member of a team may bring into a profile, as an owner has set it, and the server counts them.

What counts is what the member's computers look after: who takes a note over has its passages from then on. Errors of
psycopg come through as they are: call these within `server.translated`.
"""

from dataclasses import dataclass

from scrubjay.profiles.errors import ProfileNotFound
from scrubjay.profiles.team.driver import sql
from scrubjay.profiles.team.server import ServerConnection
from scrubjay.profiles.team.team_schema import alone, refuse_others

_OF = (
    "note_lease JOIN machine ON machine.id = note_lease.machine"
    " JOIN note ON note.vault = note_lease.vault AND note.path = note_lease.path JOIN chunk ON chunk.note_id = note.id"
)
LEFT = (
    f"SELECT most_passages - (SELECT count(*) FROM {_OF} WHERE machine.member = session_user) FROM team_grant"  # noqa: S608
    " WHERE team_grant.profile = ? AND team_grant.member = session_user AND most_passages IS NOT NULL"
)
"""How many passages who asks may bring still, perhaps below 0; no row where no owner has set it."""
BROUGHT = (
    f"SELECT note.path, count(*) FROM {_OF} WHERE machine.member = session_user AND note.vault = ?"  # noqa: S608
    " AND note.path IN (SELECT value FROM json_each(?)) GROUP BY note.path"
)
"""The passages of notes of a vault, by path, that are counted for who asks."""


@dataclass(frozen=True, slots=True)
class Quota:
    """What a member has brought, in passages, and may bring at most; None: as many as there are."""

    brought: int
    most: int | None


def set_quota(connection: ServerConnection, profile: int, member: str, most: int | None) -> None:
    """Let a member bring so many passages, as an owner; None: as many as there are. What is there already stays.

    Raises StoreDenied for who is no owner, and ProfileNotFound where there is no such grant.
    """
    refuse_others(connection)
    with alone(connection):
        update = "UPDATE scrubjay.team_grant SET most_passages = %s WHERE profile = %s AND member = %s"
        if not connection.execute(update, (most, profile, member)).rowcount:
            raise ProfileNotFound(f"{member} may not use this profile. `scrubjay team list` says who may.")


def quota_of(connection: ServerConnection, profile: int, member: str) -> Quota:
    """What a member has brought and may bring, on a connection for that profile; for an owner, or the member.

    Raises ProfileNotFound where there is no such grant, or who asks may not know of it.
    """
    known = "SELECT most_passages FROM scrubjay.team_grant WHERE profile = %s AND member = %s"
    row = connection.execute(known, (profile, member)).fetchone()
    if row is None:
        raise ProfileNotFound(
            f"{member} may not use this profile, or is not you: only owners are told what others may bring."
            " `scrubjay team list` says who may use it."
        )
    counted = sql.SQL("SELECT count(*) FROM {} WHERE machine.member = %s").format(sql.SQL(_OF))
    ((brought,),) = connection.execute(counted, (member,)).fetchall()
    return Quota(brought, row[0])
