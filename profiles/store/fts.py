"""Phrases in a file: SQLite's full-text search (FTS5), contentless, beside our own postings."""

from collections.abc import Iterable, Sequence
from typing import cast

import numpy as np

from scrubjay.profiles.search.words.analysis import IndexedText, phrase_terms, phrase_text
from scrubjay.profiles.search.words.phrases import Ids, PhrasePlaces, is_beginning
from scrubjay.profiles.store.statements import Connection, FileConnection, Sql, counted, upsert


def places(connection: Connection, text: str) -> PhrasePlaces | None:
    """Where the words of `text` stand in this order and next to each other; None where it holds no word."""
    expression = match_expression(text)
    if expression is None:
        return None
    sought = (("chunk_fts", expression), ("note_fts", own_words(expression)), ("note_fts", f"anchors : {expression}"))
    found = (
        connection.execute(f"SELECT rowid FROM {table} WHERE {table} MATCH ?", (what,))  # noqa: S608
        for table, what in sought
    )
    return PhrasePlaces(*(_ids(rows) for rows in found))


def holding(connection: Connection, text: str) -> Sql:
    """The condition on `note` that it has the words of `text` in this order and next to each other, if any."""
    del connection
    expression = match_expression(text)
    if expression is None:
        return "TRUE", []
    chunks = "SELECT rowid FROM chunk_fts WHERE chunk_fts MATCH ?"
    notes = "SELECT rowid FROM note_fts WHERE note_fts MATCH ?"
    condition = f"(note.id IN (SELECT note_id FROM chunk WHERE id IN ({chunks})) OR note.id IN ({notes}))"  # noqa: S608
    return condition, [expression, own_words(expression)]


def match_expression(text: str) -> str | None:
    """The FTS5 query for `text` as a phrase, or None where it holds no word."""
    terms = phrase_terms(text)
    if not terms:
        return None
    # SQLite's query language ends at a character of number zero.
    quoted = '"' + phrase_text(text).replace('"', '""').replace("\0", " ") + '"'
    return f"{quoted} *" if is_beginning(terms) else quoted


def own_words(expression: str) -> str:
    """The FTS5 query for `match_expression` in what a note says of itself: not in how others call it in their links."""
    return f"- anchors : {expression}"


def _ids(rows: Iterable[tuple[object, ...]]) -> Ids:
    return np.array([row[0] for row in rows], np.int64)


_FEW = 100
_PASSAGES_A_ROW = 1_000
"""FTS5's secure-delete rewrites pages for each row that goes (1 to 5 ms, and the longer, the more rows have its words).
Where more than a few have gone, in all transactions of one work, the others are marked as gone, and the table is merged
later: that of the notes always, that of the passages where it has at most so many for each row."""
_PAGES_AT_ONCE = 250
"""Of 4 KB, that a step of a merge writes; it reads those of the rows that went, too."""
_OWED = "merge owed "
"""Before a table's name: the meta value that rows of it are only marked as gone."""
_MOST_WAITING = 8_000_000
"""Characters that wait to be written to FTS5: some batches of notes; of a removal of all, a part."""


def is_merge_owed(connection: Connection) -> bool:
    """Whether rows that went are only marked as gone: their words are in the file until `merge_some` has done all."""
    return bool(_owing(connection))


def merge_some(connection: Connection) -> None:
    """Write a part of what is left of a table anew, without the rows that are marked as gone.

    To be done again while `is_merge_owed`, a transaction each time, so that the log stays small and others can write.
    """
    for table in _owing(connection)[:1]:
        before = _changes(connection)
        # All that a negative number does not do at once it goes on with when it is given again: fts5.html, 6.8.
        connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('merge', ?)", (-_PAGES_AT_ONCE,))  # noqa: S608
        if _changes(connection) - before <= 1:  # the statement itself
            connection.execute("DELETE FROM meta WHERE name = ?", (_OWED + table,))


def _changes(connection: Connection) -> int:
    return int(connection.execute("SELECT total_changes()").get)


def _owing(connection: Connection) -> list[str]:
    names = [_OWED + table for table in ("chunk_fts", "note_fts")]
    rows = connection.execute("SELECT name FROM meta WHERE name IN (?, ?) ORDER BY name", names).fetchall()
    return [str(name).removeprefix(_OWED) for (name,) in rows]


class FtsIndex:
    """FTS5, contentless.

    What goes to it waits until `flush`, in the order of its row ids. FTS5 collects words in memory, but writes all it
    has collected whenever a row id is less than the one before, and whenever another statement opens a savepoint,
    which most updates do: each change between others would cost a merge and, where it removes, a search for every word.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = cast("FileConnection", connection)
        self._removing: set[str] = set()  # tables of which rows go
        self._marking: set[str] = set()  # of them, those of which rows are only marked as gone
        self._waiting: list[tuple[str, int, tuple[int | str, ...]]] = []  # statement, row id, values
        self._waiting_size = 0

    def add_chunk(self, chunk_id: int, fields: Sequence[IndexedText]) -> None:
        """See `PhraseIndex`."""
        self._wait("INSERT INTO chunk_fts (rowid, body, headings) VALUES (?, ?, ?)", chunk_id, fields)

    def remove_chunk(self, chunk_id: int, fields: Sequence[IndexedText]) -> None:
        """See `PhraseIndex`."""
        sql = "INSERT INTO chunk_fts (chunk_fts, rowid, body, headings) VALUES ('delete', ?, ?, ?)"
        self._remove("chunk_fts")
        self._wait(sql, chunk_id, fields)

    def replace_header(
        self, note_id: int, before: Sequence[IndexedText] | None, after: Sequence[IndexedText] | None
    ) -> None:
        """See `PhraseIndex`."""
        columns = "rowid, title, aliases, tags, anchors, path"
        if before is not None:
            sql = f"INSERT INTO note_fts (note_fts, {columns}) VALUES ('delete', ?, ?, ?, ?, ?, ?)"  # noqa: S608
            self._remove("note_fts")
            self._wait(sql, note_id, before)
        if after is not None:
            self._wait(f"INSERT INTO note_fts ({columns}) VALUES (?, ?, ?, ?, ?, ?)", note_id, after)  # noqa: S608

    def rows_are_there(self) -> None:
        """FTS5 needs none."""

    def flush(self) -> None:
        """See `PhraseIndex`."""
        self._write_waiting()
        for table in sorted(self._marking):
            self._connection.execute(upsert("meta", ("name",), ("value",)), (_OWED + table, ""))
            self._secure_delete(table, on=True)
        self._removing.clear()
        self._marking.clear()

    def clear(self) -> None:
        """See `PhraseIndex`."""
        for table in ("chunk_fts", "note_fts"):
            self._connection.execute(f"INSERT INTO {table} ({table}) VALUES ('delete-all')")  # noqa: S608

    def _remove(self, table: str) -> None:
        self._removing.add(table)
        self._connection.removals[table] += 1

    def _wait(self, sql: str, row_id: int, fields: Sequence[IndexedText]) -> None:
        texts = [field.whole for field in fields]
        self._waiting.append((sql, row_id, (row_id, *texts)))
        self._waiting_size += sum(map(len, texts))
        if self._waiting_size > _MOST_WAITING:
            self._write_waiting()

    def _write_waiting(self) -> None:
        waiting, self._waiting, self._waiting_size = self._waiting, [], 0
        removals = self._connection.removals
        for table in {table for table in self._removing if removals[table] > _FEW} - self._marking:
            if table == "note_fts" or counted(self._connection, "chunks") <= _PASSAGES_A_ROW * removals[table]:
                self._marking.add(table)
                self._secure_delete(table, on=False)
        waiting.sort(key=_row_id)  # stable: a row goes before it comes again
        for sql, _, values in waiting:
            self._connection.execute(sql, values)

    def _secure_delete(self, table: str, *, on: bool) -> None:
        sql = f"INSERT INTO {table} ({table}, rank) VALUES ('secure-delete', ?)"  # noqa: S608 (see above)
        self._connection.execute(sql, (int(on),))


def _row_id(waiting: tuple[str, int, tuple[int | str, ...]]) -> int:
    return waiting[1]
