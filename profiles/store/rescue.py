"""Rescue: what people said and decided, carried from one database of a profile into another. No vault has it."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import apsw

from scrubjay.profiles.database.connection import connect
from scrubjay.profiles.database.migrations import has_table
from scrubjay.profiles.database.rows import SAID_WAITS_NS
from scrubjay.profiles.database.sql import Connection, FileConnection, Row, Value
from scrubjay.profiles.errors import StoreError
from scrubjay.profiles.store.beside.waiting import places
from scrubjay.profiles.store.store import Store

_KEYS = {  # table -> what tells its rows apart; in the order in which they can be written
    "journal": "key",
    "review_answer": "key",
    "decision": "vault, path, digest",
    "search_event": "id",
    "search_opened": "event_id, path",
    "review_suggestion": "key",
}
_CALLED = {  # table -> one, several
    "journal": ("journal entry", "journal entries"),
    "review_answer": ("answer in the review", "answers in the review"),
    "decision": ("decision about a credential", "decisions about credentials"),
    "search_event": ("remembered search", "remembered searches"),
    "review_suggestion": ("suggestion of a program", "suggestions of programs"),
}
_OF_NOTES = "review_suggestion"  # the one table whose rows belong to a note, which may not be in the other database
_OF_NOTE = ("note.vault", "note.path", "note.digest")
_WAIT = ("vault", "path", "note_digest", "until_ns")  # its columns that say for which note it waits
_MAY_CHANGE = {
    "journal": ("at_ns", "first_ns", "replaced_by")
}  # columns; all others of such a row stay as they were written


@dataclass(frozen=True, slots=True)
class Rescued:
    """What was carried over. Keys are tables."""

    rows: Mapping[str, int]  # how many are in the other database now
    lost: Mapping[str, int | None]  # of which some could not be read or have no place: how many; None: nobody knows

    @property
    def said(self) -> str:
        """In words: "2 journal entries, 40 answers in the review"; "" for nothing."""
        return in_words(self.rows)

    @property
    def missed(self) -> str:
        """What could not be carried over, in words; "" where all could."""
        counted = in_words({table: count for table, count in self.lost.items() if count})
        unknown = [_CALLED[table][1] for table, count in self.lost.items() if count is None and table in _CALLED]
        return ", ".join(part for part in (counted, *(f"an unknown number of {name}" for name in unknown)) if part)


def in_words(counts: Mapping[str, int]) -> str:
    """Counts by table as a person reads them; tables that belong to others are not named."""
    return ", ".join(
        f"{count:,} {_CALLED[table][count != 1]}" for table, count in counts.items() if count and table in _CALLED
    )


def rescue(source: Path, key: bytes | None, store: Store) -> Rescued:
    """Write into `store` what people said and decided according to the database at `source`, as far as it can be read.

    What both know is taken from `source`. Suggestions whose note is not in `store` wait there until it is read. Never
    raises for what is wrong with `source`: a file that can't be opened has lost all, and says so.
    """
    try:
        connection = connect(source, key, "reader")
    except StoreError:
        return Rescued({}, dict.fromkeys(_CALLED))
    rows: dict[str, int] = {}
    lost: dict[str, int | None] = {}
    try:
        for table in _KEYS:
            columns, found, is_whole = _read(connection, table)
            if not is_whole:
                lost[table] = None
            if found:
                rows[table] = _written(store, table, columns, found)
            if (total := len(found) if is_whole else _counted(connection, table)) is not None:
                lost[table] = max(0, total - rows.get(table, 0))
        _carry_places(connection, store)
    finally:
        connection.close()
    return Rescued(rows, lost)


def newer(path: Path, key: bytes | None, source: Path, source_key: bytes | None) -> Mapping[str, int]:
    """How many rows of people the database at `path` has that the one at `source` has not. Raises StoreError."""
    counts: dict[str, int] = {}
    here, there = connect(path, key, "reader"), connect(source, source_key, "reader")
    try:
        for table in _CALLED:
            mine, theirs = (_identities(connection, table) for connection in (here, there))
            counts[table] = len(mine - theirs)
    finally:
        here.close()
        there.close()
    return counts


def _identities(connection: FileConnection, table: str) -> set[Row]:
    try:
        return set(connection.execute(f"SELECT {_KEYS[table]} FROM {table}").fetchall())  # noqa: S608
    except apsw.Error:  # it is of a time before there was such a table, or damaged
        return set()


def _counted(connection: FileConnection, table: str) -> int | None:
    """How many rows a table has, where an index of it can be read though the table can't; None: nobody knows."""
    try:
        return int(connection.execute(f"SELECT count(*) FROM {table}").get)  # noqa: S608
    except apsw.Error:
        return None


def _carry_places(connection: FileConnection, store: Store) -> None:
    """Vaults that were taken away before are known by their folders in the other database, too."""
    try:
        known = places(connection)
    except (apsw.Error, UnicodeDecodeError):
        return
    with store.writing() as writer:
        for name, value in known.items():
            writer.set_meta(name, value)


def _read(connection: FileConnection, table: str) -> tuple[list[str], list[Row], bool]:
    """Columns, rows, and whether these are all. Of a suggestion its note comes after them: vault, path and digest."""
    try:
        columns = [str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")]
    except apsw.Error:
        return [], [], False
    if not columns:
        return [], [], not has_table(connection, table)
    named = ", ".join(f"{table}.{column}" for column in columns)
    sql = f"SELECT {named} FROM {table}"  # noqa: S608
    if table == _OF_NOTES:
        sql = f"SELECT {named}, {', '.join(_OF_NOTE)} FROM {table} LEFT JOIN note ON note.id = note_id"  # noqa: S608
    found: dict[Row, None] = {}
    is_whole = True
    for order in ("", f" ORDER BY {_KEYS[table].replace(', ', ' DESC, ')} DESC"):  # from both ends, up to the damage
        try:
            for row in connection.execute(sql + order):
                found[row] = None
            return columns, list(found), is_whole
        except (apsw.Error, UnicodeDecodeError):
            is_whole = False
    return columns, list(found), False


def _written(store: Store, table: str, columns: list[str], rows: list[Row]) -> int:
    """How many of the rows are in the store now."""
    if table == _OF_NOTES:  # of a time before they could wait
        columns = list(dict.fromkeys((*columns, *_WAIT)))
    marks, keys = ", ".join("?" for _ in columns), _KEYS[table]
    settled = _MAY_CHANGE.get(table, tuple(column for column in columns if column not in keys.split(", ")))
    changes = ", ".join(f"{column} = excluded.{column}" for column in settled if column in columns)
    sql = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608
    sql += f" ON CONFLICT ({keys}) DO UPDATE SET {changes}" if changes else " ON CONFLICT DO NOTHING"
    count = 0
    with store.writing(durable=True) as writer:
        for row in rows:
            values = list(row)
            if table == _OF_NOTES:
                values = _placed(
                    writer.connection, dict(zip(columns, row[: -len(_OF_NOTE)], strict=False)), row[-len(_OF_NOTE) :]
                )
                if values is None:
                    continue
            try:
                writer.connection.execute(sql, cast("list[Value]", values)).fetchall()
                count += 1
            except (apsw.ConstraintError, apsw.MismatchError):
                continue  # a row that is damaged itself
    return count


def _placed(connection: Connection, row: dict[str, Value], note: Sequence[Value]) -> list[Value] | None:
    """The values of a suggestion: of the note at the same place, or waiting for it; None where it has lost its note.

    note: its vault, path and digest; nothing of a note that a suggestion waits for already.
    """
    row |= {name: None for name in _WAIT if name not in row}
    vault, path, digest = note
    if path is None and row["note_id"] is not None:
        return None
    if path is not None:
        there = connection.execute("SELECT id FROM note WHERE vault = ? AND path = ?", (vault, path)).get
        waits = (None,) * len(_WAIT) if there else (vault, path, digest, time.time_ns() + SAID_WAITS_NS)
        row |= {"note_id": there, **dict(zip(_WAIT, waits, strict=True))}
    return list(row.values())
