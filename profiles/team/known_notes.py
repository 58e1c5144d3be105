"""What notes are filtered by and called: kept here of all notes of a profile on a server, in a database in RAM.

What somebody filters by is compared on this computer; the server is asked for notes by their ids.
"""

import threading
from collections.abc import Callable, Sequence
from typing import TypeAlias, cast

from scrubjay.profiles.store.sqlite import SqliteConnection
from scrubjay.profiles.store.statements import FileConnection, Row, Value, integers

GONE_BEFORE = "gone_before"
"""The name in `meta` of the generation up to which a server no longer says what is gone."""

Together: TypeAlias = Callable[[Sequence[tuple[str, Sequence[Value]]]], list[list[Row]]]
"""What gives the rows of several statements, in one way to the server and back."""

_TABLES = """
CREATE TABLE note (
    id INTEGER PRIMARY KEY, vault TEXT, path TEXT, path_key TEXT, file_key TEXT, stem_key TEXT, mtime_ns INTEGER,
    created_ns INTEGER, lang TEXT, kind TEXT
) STRICT;
CREATE INDEX note_stem ON note (stem_key);
CREATE TABLE note_tag (note_id INTEGER, tag_key TEXT) STRICT;
CREATE INDEX note_tag_note ON note_tag (note_id);
CREATE INDEX note_tag_key ON note_tag (tag_key);
CREATE TABLE note_property (note_id INTEGER, name_key TEXT, value_key TEXT, number REAL) STRICT;
CREATE INDEX note_property_note ON note_property (note_id);
CREATE INDEX note_property_name ON note_property (name_key);
CREATE TABLE chunk (note_id INTEGER PRIMARY KEY) STRICT;  -- the notes that have any
"""
_CHANGED = {
    "note": "SELECT id, vault, path, path_key, file_key, stem_key, mtime_ns, created_ns, lang, kind FROM note"
    " WHERE version > ?",
    "note_tag": "SELECT note_id, tag_key FROM note_tag JOIN note ON note.id = note_id WHERE version > ?",
    "note_property": "SELECT note_id, name_key, value_key, number FROM note_property JOIN note ON note.id = note_id"
    " WHERE version > ?",
    "chunk": "SELECT id FROM note WHERE version > ? AND EXISTS (SELECT 1 FROM chunk WHERE note_id = note.id)",
}
"""By table, its rows of the notes that were written since a generation."""
_GONE = "SELECT id FROM gone WHERE kind = 1 AND version > ?"
_SINCE_WHEN = "SELECT value FROM meta WHERE name = ?"


class KnownNotes:
    """The tables `note`, `note_tag`, `note_property` and `chunk`, as far as filters and names need them. Thread-safe.

    Of `chunk` there is one row for each note that has any.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._forget()

    def rows(self, generation: int, together: Together, statement: str, values: Sequence[Value]) -> list[Row]:
        """The rows that a statement gives of these tables, as they are in this generation or a later one.

        together: by which what was written since is read, in a snapshot of this generation.
        """
        with self._lock:
            if self._generation < generation:
                self._keep_up(together)
                self._generation = generation
            return self._database.execute(statement, values).fetchall()

    def forget(self) -> None:
        """Read all again when it is next needed."""
        with self._lock:
            self._forget()

    def _forget(self) -> None:
        self._generation = -1
        self._database = cast("FileConnection", SqliteConnection(":memory:"))
        self._database.pragma("temp_store", "MEMORY")
        self._database.execute(_TABLES).fetchall()

    def _keep_up(self, together: Together) -> None:
        since = (self._generation,)
        asked = [(statement, since) for statement in (*_CHANGED.values(), _GONE)]
        *changed, gone, since_when = together([*asked, (_SINCE_WHEN, (GONE_BEFORE,))])
        if self._generation >= 0 and since_when and int(since_when[0][0]) > self._generation:
            self._forget()
            self._keep_up(together)
            return
        notes = changed[0]
        old = integers([row[0] for row in (*notes, *gone)])
        with self._database:
            for table, rows in zip(_CHANGED, changed, strict=True):
                key = "id" if table == "note" else "note_id"
                self._database.execute(f"DELETE FROM {table} WHERE {key} IN (SELECT value FROM carray(?))", (old,))  # noqa: S608
                if rows:
                    marks = ", ".join("?" * len(rows[0]))
                    self._database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608
