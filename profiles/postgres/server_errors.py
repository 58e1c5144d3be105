"""What PostgreSQL's errors mean for a profile: https://www.postgresql.org/docs/current/errcodes-appendix.html."""

import re

from scrubjay.profiles.errors import StoreAway, StoreBusy, StoreCorrupt, StoreDenied, StoreError, StoreRefused
from scrubjay.profiles.postgres.address import ServerAddress
from scrubjay.profiles.postgres.driver import psycopg

_AWAY, _TLS = "away", "tls"
_LATER = "Scrubjay tries again by itself."
_OWNER = "Ask the team's owner"
_TAKEN = "the profile was taken from this member, or a new invitation is needed"
_OPERATOR = "Ask the server's operator"
# By a whole state, or by its first characters, which are its class.
_BY_STATE: dict[str, tuple[type[StoreError], str, str]] = {
    "08": (StoreAway, "the connection was lost", _LATER),
    "57P": (StoreAway, "it is stopping, starting, or ended the session", _LATER),
    "53300": (StoreAway, "it has no room for another connection", f"{_LATER} {_OPERATOR} for more connections."),
    "57014": (StoreBusy, "it gave up a statement that took too long", "Try again when it has less to do."),
    "55P03": (StoreBusy, "somebody else is in the way", "Try again in a while."),
    "40": (StoreBusy, "somebody else changed the same rows at the same time", "Try again."),
    "28": (StoreDenied, "it does not accept this role or its password", f"{_OWNER}: {_TAKEN}."),
    "42501": (StoreDenied, "this role may not do that", f"{_OWNER} for `scrubjay team grant`."),
    "25006": (StoreError, "it takes no changes: it is a standby, or was set to be read only", f"{_OPERATOR}."),
    "53100": (StoreError, "its disk is full", f"{_OPERATOR} for more room."),
    "53200": (StoreError, "it has no memory left for this", f"{_OPERATOR} (memory, max_locks_per_transaction)."),
    "58": (StoreError, "its disk or its system fails", f"{_OPERATOR}."),
    "XX001": (StoreCorrupt, "a page on its disk is damaged", f"{_OPERATOR} for the last backup."),
    "XX002": (StoreCorrupt, "an index on its disk is damaged", f"{_OPERATOR} to build it anew."),
    "3D000": (StoreError, "it has no such database", f"Check the address. {_OWNER} where that is right."),
    "3F000": (StoreError, "the profile is not there", f"{_OWNER} whether it was dropped."),
    "42P01": (StoreError, "a table is missing", f"{_OWNER} to run `scrubjay team upgrade`, or whether it was dropped."),
}
_OF_VALUES = frozenset({"22", "23", "54", "P0"})  # data, integrity, limits, what a trigger refuses: values are at fault
# Of a connection that was refused libpq has words, and no state. What is quoted in them is a name that somebody chose.
_BY_WORDS: tuple[tuple[str, str], ...] = (
    (r"certificate|does not support SSL", _TLS),
    (r"authentication|password|pg_hba|role \"\" (does not exist|is not permitted)|permission denied", "28"),
    (r"database \"\" does not exist", "3D000"),
    (r"too many (clients|connections)|connection slots", "53300"),
    (r"(starting up|shutting down|recovery mode|not yet accepting)", "57P"),
)


def store_error(error: psycopg.Error, address: ServerAddress) -> StoreError:
    """The error as one of ours, with what to do; its message has no value of a row in it, and no password."""
    state = error.sqlstate or _state_of(error)
    where = f"{address.server}, as {address.user} in {address.database}"
    if state == _AWAY:
        return StoreAway(
            f"{where}: it can't be reached, or stopped answering ({_words(error)}). Check that this machine is"
            f" online and that the server runs. {_LATER}"
        )
    if state == _TLS:
        return StoreAway(
            f"{where}: it did not prove which server it is ({_words(error)}). Check the host in the address; for a"
            " certificate of your own, add `?sslrootcert=` and the path of the root's file."
        )
    for length in range(len(state), 1, -1):
        if found := _BY_STATE.get(state[:length]):
            kind, what, advice = found
            return kind(f"{where}: {what} ({_words(error)}). {advice}")
    # Of a statement that should never fail, what PostgreSQL says may quote a row.
    kind = StoreRefused if state[:2] in _OF_VALUES else StoreError
    return kind(f"{where}: a statement failed ({type(error).__name__} {state}).".replace(" )", ")"))


def is_away(error: psycopg.Error) -> bool:
    """Whether nobody answered: not the server, and nothing on the way to it that knows better."""
    return (error.sqlstate or _state_of(error)) == _AWAY


def _state_of(error: psycopg.Error) -> str:
    """The state that an error without one stands for."""
    if not isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return ""
    words = re.sub(r'"[^"]*"', '""', str(error))
    for pattern, state in _BY_WORDS:
        if re.search(pattern, words):
            return state
    # A server that speaks another language: whether it wanted a password is known all the same.
    refused = error.pgconn is not None and (error.pgconn.needs_password or error.pgconn.used_password)
    return "28" if refused else _AWAY


def _words(error: psycopg.Error) -> str:
    """The first line of what PostgreSQL says, without its detail."""
    said = error.diag.message_primary or str(error)
    first = said.strip().partition("\n")[0]
    return first.rpartition(" failed: ")[2].removeprefix("FATAL:  ").rstrip(".")
