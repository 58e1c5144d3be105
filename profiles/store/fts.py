"""Phrases in a file: SQLite's full-text search (FTS5), contentless, beside our own postings."""

from collections.abc import Iterable, Sequence

import numpy as np

from scrubjay.profiles.search.words.analysis import IndexedText, phrase_terms, phrase_text
from scrubjay.profiles.search.words.phrases import Ids, PhrasePlaces, is_beginning
from scrubjay.profiles.store.statements import Connection, Sql


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


_MOST_WAITING = 8_000_000
"""Characters that wait to be written to FTS5: some batches of notes; of a removal of all, a part."""


class FtsIndex:
    """FTS5, contentless.

    What goes to it waits until `flush`, in the order of its row ids. FTS5 collects words in memory, but writes all it
    has collected whenever a row id is less than the one before, and whenever another statement opens a savepoint,
    which most updates do: each change between others would cost a merge and, where it removes, a search for every word.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._merge = False
        self._removed_from: set[str] = set()  # of the two tables
        self._waiting: list[tuple[str, int, tuple[int | str, ...]]] = []  # statement, row id, values
        self._waiting_size = 0

    def add_chunk(self, chunk_id: int, fields: Sequence[IndexedText]) -> None:
        """See `PhraseIndex`."""
        self._wait("INSERT INTO chunk_fts (rowid, body, headings) VALUES (?, ?, ?)", chunk_id, fields)

    def remove_chunk(self, chunk_id: int, fields: Sequence[IndexedText]) -> None:
        """See `PhraseIndex`."""
        sql = "INSERT INTO chunk_fts (chunk_fts, rowid, body, headings) VALUES ('delete', ?, ?, ?)"
        self._removed_from.add("chunk_fts")
        self._wait(sql, chunk_id, fields)

    def replace_header(
        self, note_id: int, before: Sequence[IndexedText] | None, after: Sequence[IndexedText] | None
    ) -> None:
        """See `PhraseIndex`."""
        columns = "rowid, title, aliases, tags, anchors, path"
        if before is not None:
            sql = f"INSERT INTO note_fts (note_fts, {columns}) VALUES ('delete', ?, ?, ?, ?, ?, ?)"  # noqa: S608
            self._removed_from.add("note_fts")
            self._wait(sql, note_id, before)
        if after is not None:
            self._wait(f"INSERT INTO note_fts ({columns}) VALUES (?, ?, ?, ?, ?, ?)", note_id, after)  # noqa: S608

    def expect_removals(self) -> None:
        """See `PhraseIndex`."""
        if not self._merge:
            self._merge = True
            self._secure_delete(on=False)

    def rows_are_there(self) -> None:
        """FTS5 needs none."""

    def flush(self) -> None:
        """See `PhraseIndex`."""
        self._write_waiting()
        if self._merge:  # physically drop what a large removal only marked
            for table in sorted(self._removed_from):
                self._connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")  # noqa: S608 (see above)
            self._secure_delete(on=True)
            self._merge = False
        self._removed_from.clear()

    def clear(self) -> None:
        """See `PhraseIndex`."""
        for table in ("chunk_fts", "note_fts"):
            self._connection.execute(f"INSERT INTO {table} ({table}) VALUES ('delete-all')")  # noqa: S608

    def _wait(self, sql: str, row_id: int, fields: Sequence[IndexedText]) -> None:
        texts = [field.whole for field in fields]
        self._waiting.append((sql, row_id, (row_id, *texts)))
        self._waiting_size += sum(map(len, texts))
        if self._waiting_size > _MOST_WAITING:
            self._write_waiting()

    def _write_waiting(self) -> None:
        waiting, self._waiting, self._waiting_size = self._waiting, [], 0
        waiting.sort(key=_row_id)  # stable: a row goes before it comes again
        for sql, _, values in waiting:
            self._connection.execute(sql, values)

    def _secure_delete(self, *, on: bool) -> None:
        self._connection.execute("INSERT INTO chunk_fts (chunk_fts, rank) VALUES ('secure-delete', ?)", (int(on),))
        self._connection.execute("INSERT INTO note_fts (note_fts, rank) VALUES ('secure-delete', ?)", (int(on),))


def _row_id(waiting: tuple[str, int, tuple[int | str, ...]]) -> int:
    return waiting[1]
