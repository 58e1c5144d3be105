"""A team's server: connecting, and what PostgreSQL's errors mean for a profile.

https://www.postgresql.org/docs/current/errcodes-appendix.html
"""

import os
import re
import socket
import ssl
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import partial
from math import ceil
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

import certifi

from scrubjay.profiles.errors import (
    StoreAway,
    StoreBusy,
    StoreCorrupt,
    StoreDenied,
    StoreError,
    StoreFull,
    StoreRefused,
)
from scrubjay.profiles.server_address import ServerAddress
from scrubjay.profiles.team.driver import psycopg, sql

_AWAY, _TLS = "away", "tls"
_LATER = "Scrubjay tries again by itself."
_OWNER = "Ask the team's owner"
_TAKEN = "a new invitation (`scrubjay team join`) is needed, as after a lost laptop, or the profile was taken from you"
_OPERATOR = "Ask the server's operator"
# By a whole state, or by its first characters, which are its class.
_BY_STATE: dict[str, tuple[type[StoreError], str, str]] = {
    "08": (StoreAway, "the connection was lost", _LATER),
    "57P": (StoreAway, "it is stopping, starting, or ended the session", _LATER),
    "53300": (StoreFull, "it has no room for another connection", f"{_LATER} {_OPERATOR} for more connections."),
    "57014": (StoreBusy, "it gave up a statement that took too long", "Try again when it has less to do."),
    "55P03": (StoreBusy, "somebody else is in the way", "Try again in a while."),
    "40": (StoreBusy, "somebody else changed the same rows at the same time", "Try again."),
    "28": (StoreDenied, "it does not accept this role or its password", f"{_OWNER}: {_TAKEN}."),
    "42501": (StoreDenied, "this role may not do that", f"{_OWNER}."),
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
    (r"too many (clients|connections)|connection slots|no more connections allowed", "53300"),
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


ENTRY_SECONDS = 3.0
"""That a server may take to let somebody in who waits for a search."""
SILENT_SECONDS = 1.5
"""After which a server that says nothing about a statement is asked for something else, and later again."""
_SENT_AHEAD = 1 << 20  # bytes that a server has not read; a system may allow fewer
T = TypeVar("T")


class ServerSilent(psycopg.OperationalError):
    """A server that is connected answers nobody: it is frozen, or the network to it is gone."""


class ServerConnection(psycopg.Connection[tuple[Any, ...]]):
    """A connection whose rows are tuples. It waits for a slow server, and not for one that answers nobody any more."""

    answers: Callable[[], bool] | None = None  # whether the server lets anybody in; None: it is taken to
    types: str | None = None  # the schema of pgvector, quoted; None where it is not there

    def wait(self, gen: Generator[Any, Any, T], *arguments: Any, **named: Any) -> T:  # pyright: ignore[reportIncompatibleMethodOverride]
        """As psycopg's. Raises ServerSilent, and is closed then."""
        return super().wait(self._watched(gen), *arguments, **named)

    def _watched(self, gen: Generator[Any, Any, T]) -> Generator[Any, Any, T]:
        heard, patience = monotonic(), SILENT_SECONDS
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted  # 0 where nothing came for a while
                if ready:
                    heard, patience = monotonic(), SILENT_SECONDS
                elif self.answers is not None and monotonic() - heard >= patience:
                    if not self.answers():
                        self.close()
                        raise ServerSilent("it answers nobody")
                    heard, patience = monotonic(), 2 * patience
                wanted = gen.send(ready)
        except StopIteration as done:
            return done.value


def connect(
    address: ServerAddress, password: str | None, *, timeout: float, entry_seconds: float | None = None
) -> ServerConnection:
    """A connection in autocommit. What it is for, each transaction says by `set_up`.

    A pooler may stand before the server, and give each transaction another session of the server's. timeout: seconds
    for each statement. entry_seconds: for connecting (2 at least); None: as for a statement.

    Raises StoreAway and StoreDenied, whose messages never hold the password.
    """
    with translated(address):
        wanted = arguments(address, password, timeout=timeout, entry_seconds=entry_seconds)
        connection = _let_in(wanted)
        connection.answers = partial(_answers, address, password)
        try:
            if address.is_socket:
                _take_much(connection)
            _meet(connection, timeout)
        except BaseException:
            connection.close()
            raise
        return connection


def _meet(connection: ServerConnection, timeout: float) -> None:
    """Learn where pgvector is, and, where no pooler stands between, have statements end in time.

    What is set for a whole session is another client's behind a pooler; so are statements that are prepared.
    """
    # The number in a pooler's greeting is of its own making.
    is_direct, connection.types, _ = connection.execute(
        """SELECT pg_backend_pid() = %(session)s,
               (SELECT CAST(quote_ident(nspname) AS text) FROM pg_extension
                   JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'vector'),
               CASE WHEN pg_backend_pid() = %(session)s THEN set_config('statement_timeout', %(timeout)s, FALSE) END""",
        {"session": connection.info.backend_pid, "timeout": f"{timeout * 1000:.0f}"},
    ).fetchall()[0]
    if not is_direct:
        connection.prepare_threshold = None


def _let_in(wanted: dict[str, Any]) -> ServerConnection:
    try:
        return ServerConnection.connect(**wanted)
    except psycopg.Error as error:
        # The frames that it came through hold a connection open, which the server would wait for.
        raise error.with_traceback(None) from None


def _take_much(connection: ServerConnection) -> None:
    """Have a socket of this machine take in much at once, as others do by themselves: who sends it has not to wait."""
    with socket.socket(fileno=os.dup(connection.fileno())) as sending:
        sending.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SENT_AHEAD)


def _answers(address: ServerAddress, password: str | None) -> bool:
    """Whether a server says anything to somebody who comes now, be it that there is no room."""
    try:
        _let_in(arguments(address, password, timeout=ENTRY_SECONDS)).close()
    except psycopg.Error as error:
        return not is_away(error)
    return True


def arguments(
    address: ServerAddress, password: str | None, *, timeout: float, entry_seconds: float | None = None
) -> dict[str, Any]:
    """What `psycopg.connect` is called with; as `connect`.

    No settings: a pooler that stands before the server refuses a connection that brings its own.
    """
    return {
        "host": address.host,
        "port": address.port,
        "dbname": address.database,
        "user": address.user,
        "password": password,
        # Of another machine, the certificate proves which it is; on this one, no password goes out in the clear.
        **({"require_auth": "!password"} if address.is_local else {"sslrootcert": _roots()}),
        "sslmode": address.sslmode,
        **dict(address.options),
        "gssencmode": "disable",
        "connect_timeout": max(2, ceil(entry_seconds or timeout)),  # to libpq, 0 is for ever
        "tcp_user_timeout": round(timeout * 1000),
        "application_name": "scrubjay",
        "client_encoding": "utf8",
        "autocommit": True,
    }


KEY_CHANGED = (
    "The key of this team's words was changed, as after a laptop was lost. Ask the team's owner for a new invitation,"
    " and give it to `scrubjay team join`."
)
"""What is said to who has the key from before."""


def set_up(connection: ServerConnection, profile: int | None) -> None:
    """Have a transaction be for a profile; None: for what concerns the whole team, which sees no rows."""
    connection.execute(settings_for(connection, profile))


def settings_for(connection: ServerConnection, profile: int | None, others: Mapping[str, str] = {}) -> bytes:
    """The statement with which a transaction begins that is for a profile.

    Names are then found among the profile's tables, the team's, and the extension's types, in this order. others: more
    settings.
    """
    path = [None if profile is None else schema_of(profile), "scrubjay", connection.types, "pg_temp"]
    settings = {"search_path": ", ".join(filter(None, path)), **others}
    if profile is not None:
        settings["scrubjay.profile"] = str(profile)
    set_each = sql.SQL(", ").join(
        sql.SQL("set_config({}, {}, TRUE)").format(sql.Literal(name), sql.Literal(text))
        for name, text in settings.items()
    )
    return sql.SQL("SELECT {}").format(set_each).as_bytes(connection)


def schema_of(profile: int) -> str:
    """The schema that has the partitions of a profile."""
    return f"scrubjay_p{profile:d}"


def _roots() -> str:
    """A file of the certificates that this system trusts; psycopg's own OpenSSL looks where no system has them."""
    known = ssl.get_default_verify_paths().cafile
    return known if known and Path(known).is_file() else certifi.where()


@contextmanager
def translated(address: ServerAddress) -> Generator[None]:
    """Within it, every error of psycopg is one of ours, and says which server it was."""
    try:
        yield
    except psycopg.Error as error:
        # What PostgreSQL says in detail quotes rows, and a cause ends up in logs.
        raise store_error(error, address) from None
