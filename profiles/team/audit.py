"""What became of a team: who granted, took away, made, dropped and upgraded what, for its owner.

Errors of psycopg come through as they are: call these within `server.translated`.
"""

from dataclasses import dataclass
from datetime import datetime

from scrubjay.profiles.team.server import ServerConnection
from scrubjay.profiles.team.team_schema import refuse_others


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """Something that an owner did. about: the member, the profile's name, or the version of the tables."""

    at: datetime
    who: str
    action: str
    about: str
    profile: int | None
    is_whole: bool
    """Whether its digest is of the entry and of all before it: none of them was changed, or taken out."""


def audit(connection: ServerConnection) -> list[AuditEntry]:
    """All entries, the first one first. Raises StoreDenied for who is no owner."""
    refuse_others(connection)
    rows = connection.execute(
        """SELECT at, who, action, about, profile, coalesce(number = 1 + lag(number, 1, 0::bigint) OVER earlier
               AND digest = scrubjay.audit_digest(entry, lag(digest, 1, ''::bytea) OVER earlier), FALSE)
           FROM scrubjay.team_audit AS entry WINDOW earlier AS (ORDER BY number) ORDER BY number"""
    ).fetchall()
    entries: list[AuditEntry] = []
    is_whole = True
    for at, who, action, about, profile, holds in rows:
        is_whole = is_whole and holds
        entries.append(AuditEntry(at, who, action, about, profile, is_whole))
    return entries
