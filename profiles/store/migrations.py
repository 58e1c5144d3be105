"""Bringing a database file up to today's schema, one numbered SQL file at a time.

`PRAGMA user_version` says how far a file has come; `application_id` that it is ours.
"""

import re
from functools import cache
from importlib import resources
from typing import cast

from scrubjay.profiles.errors import StoreCorrupt, StoreTooNew
from scrubjay.profiles.store.sqlite import SqliteConnection, load_vectors
from scrubjay.profiles.store.statements import FileConnection

APPLICATION_ID = 0x53634A79  # "ScJy"
_OF_SQLITE = frozenset({("table", "sqlite_stat1"), ("table", "sqlite_stat4"), ("table", "sqlite_sequence")})


def scripts() -> tuple[str, ...]:
    """The SQL of each version, from 1 on, without a gap."""
    folder = resources.files("scrubjay.profiles.store") / "schema"
    found = [
        (int(match[1]), entry.read_text(encoding="utf-8"))
        for entry in folder.iterdir()
        if (match := re.fullmatch(r"(\d{4})_\w+\.sql", entry.name))
    ]
    by_number = dict(found)
    if len(by_number) != len(found):
        raise RuntimeError("Two scripts in profiles/store/schema have the same number.")
    return tuple(by_number[number] for number in range(1, len(found) + 1))


def migrate(connection: FileConnection) -> None:
    """Run what is missing, all of it in one transaction or nothing. Errors as `refuse_unknown`."""
    version = refuse_unknown(connection, allow_empty=True)
    known = scripts()
    # Only now, since it is a write to the file's header.
    connection.pragma("journal_mode", "WAL")
    if version == len(known):
        return
    with connection:
        version = refuse_unknown(connection, allow_empty=True)  # another process may have got here first
        for script in known[version:]:
            connection.execute(script).fetchall()
        connection.pragma("application_id", APPLICATION_ID)
        connection.pragma("user_version", len(known))


@cache
def _objects_of(version: int) -> frozenset[tuple[str, str, str]]:
    """Kind, name and SQL of all that a database of a version is made of; with what SQLite itself adds."""
    connection = cast("FileConnection", SqliteConnection(":memory:"))
    try:
        load_vectors(connection)
        for script in scripts()[:version]:
            connection.execute(script).fetchall()
        return _objects(connection)
    finally:
        connection.close()


def _objects(connection: FileConnection) -> frozenset[tuple[str, str, str]]:
    rows = connection.execute("SELECT type, name, coalesce(sql, '') FROM sqlite_schema").fetchall()
    return frozenset((str(kind), str(name), " ".join(str(sql).split())) for kind, name, sql in rows)


def foreign_objects(connection: FileConnection) -> tuple[str, ...]:
    """What a file holds that the scripts did not make, or not so, or lacks: "trigger evil", "table note". A migrated
    one has nothing of the kind. Raises as `refuse_unknown`.
    """
    ours, there = _objects_of(refuse_unknown(connection, allow_empty=True)), _objects(connection)
    # SQLite keeps its own names from CREATE, but not from who writes the schema's table by hand: only tables pass.
    differing = {(kind, name) for kind, name, _ in ours ^ there} - _OF_SQLITE
    return tuple(f"{kind} {name}" for kind, name in sorted(differing))


def has_table(connection: FileConnection, name: str) -> bool:
    """Whether a whole database of the version that this one says it is has a table of this name."""
    version = min(int(connection.pragma("user_version")), len(scripts()))
    return any((kind, each) == ("table", name) for kind, each, _ in _objects_of(version))


def refuse_unknown(connection: FileConnection, *, allow_empty: bool) -> int:
    """The version of a file that this program can use, 0 for an empty one; nothing is written.

    Raises StoreTooNew for a file of a later version and StoreCorrupt for somebody else's database (or an empty one).
    """
    known = len(scripts())
    version = int(connection.pragma("user_version"))
    owner = int(connection.pragma("application_id"))
    name = connection.db_filename("main")
    if version > known:
        raise StoreTooNew(
            f"{name} was written by a newer Scrubjay (format {version}; this one knows {known}). "
            "It has not been touched: update Scrubjay to open it."
        )
    empty = not (owner or version or connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").get)
    if owner != APPLICATION_ID and not (empty and allow_empty):
        raise StoreCorrupt(f"{name} is not one of Scrubjay's databases. It has not been touched.")
    return version
