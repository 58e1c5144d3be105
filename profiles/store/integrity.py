"""What can be wrong with a profile's database, and what of it a file shows and mends in its own way."""

from collections.abc import Iterable
from dataclasses import dataclass

import apsw

from scrubjay.profiles.store.migrations import foreign_objects
from scrubjay.profiles.store.statements import Connection, FileConnection


@dataclass(frozen=True, slots=True)
class IntegrityProblem:
    """One thing that is wrong."""

    code: str  # kebab-case, stable
    about: str  # one sentence for a person, without note text
    note_ids: tuple[int, ...] = ()  # notes to read again from the vault, where that is the remedy


_OF_NO_NOTE = tuple(
    (table, "note_id", "note")
    for table in (
        *("note_alias", "note_tag", "note_property", "chunk", "link", "redaction"),
        *("note_sketch", "stale_sketch", "near_copy", "review_suggestion", "former_chunk", "proposal_note"),
        "review_memo",
    )
)
OWNED = (
    *_OF_NO_NOTE,
    ("near_copy", "other_id", "note"),
    ("journal_vector", "entry_id", "journal"),
    ("embedding", "model_id", "model"),
)
"""(table, column, table that has the row which a value of the column is the id of)."""


def damage(connection: FileConnection) -> Iterable[IntegrityProblem]:
    """What makes all else not worth looking at: pages that SQLite can't read, and rows that belong to nothing."""
    for (verdict,) in connection.execute("PRAGMA integrity_check(20)"):
        if verdict != "ok":
            yield IntegrityProblem("sqlite", f"SQLite finds the file damaged: {verdict}")
    rows = connection.execute('SELECT DISTINCT "table" FROM pragma_foreign_key_check').fetchall()
    for name in foreign_objects(connection):
        about = f"The file's {name} is not as Scrubjay makes it: somebody put it there, changed it or took it away."
        yield IntegrityProblem("foreign", about)
    yield from stray_rows(str(table) for (table,) in rows)


def stray_rows(tables: Iterable[str]) -> Iterable[IntegrityProblem]:
    """That these tables have rows that belong to nothing."""
    if strays := sorted(set(tables)):
        yield IntegrityProblem("stray-rows", f"Rows that belong to no note, in: {', '.join(strays)}")


def drop_strays(connection: Connection, owned: Iterable[tuple[str, str, str]] = OWNED) -> None:
    """Delete the rows that belong to nothing."""
    for table, column, of in owned:
        connection.execute(f"DELETE FROM {table} WHERE {is_stray(table, column, of)}")  # noqa: S608


def is_stray(table: str, column: str, of: str) -> str:
    """The condition on a row of a table that it belongs to nothing."""
    exists = f"EXISTS (SELECT 1 FROM {of} AS owner WHERE owner.id = {table}.{column})"  # noqa: S608
    return f"{table}.{column} IS NOT NULL AND NOT {exists}"


def phrases(connection: Connection) -> Iterable[IntegrityProblem]:
    """What FTS5 has, against the rows of notes, chunks and the journal. This writes."""
    for table, rows in (("chunk_fts", "chunk"), ("note_fts", "note"), ("journal_fts", "journal")):
        stray = f"SELECT count(*) FROM (SELECT id FROM {table}_docsize EXCEPT SELECT id FROM {rows})"  # noqa: S608
        missing = f"SELECT count(*) FROM (SELECT id FROM {rows} EXCEPT SELECT id FROM {table}_docsize)"  # noqa: S608
        wrong = int(connection.execute(stray).get) + int(connection.execute(missing).get)
        if wrong:
            yield unlike(wrong, table, rows)
        try:
            connection.execute(f"INSERT INTO {table} ({table}) VALUES ('integrity-check')")  # noqa: S608
        except apsw.CorruptError:
            yield IntegrityProblem("fts", f"The full-text index {table} is damaged.")


def unlike(count: int, table: str, rows: str) -> IntegrityProblem:
    """That so many of what a table has for phrases is not what the rows say."""
    return IntegrityProblem("fts", f"{count} entries of {table} do not match the rows of {rows}.")


def rebuild(connection: Connection) -> None:
    """See `Store.rebuild`."""
    connection.execute("REINDEX")
    connection.execute("INSERT INTO journal_fts (journal_fts) VALUES ('rebuild')")
    drop_strays(connection)
