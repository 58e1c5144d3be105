"""Keeping word positions, which phrases are found by, in step with the rows of notes and chunks.

Both kinds are told what they lose by the text that once went in.
"""

from collections.abc import Sequence
from typing import Protocol

from scrubjay.profiles.database.phrases import word_positions
from scrubjay.profiles.database.sql import Connection, integers, upsert
from scrubjay.profiles.text.indexed import Indexed


class PhraseIndex(Protocol):
    """Adds and removes within one transaction; `flush` before its commit."""

    def add_chunk(self, chunk_id: int, fields: Sequence[Indexed]) -> None:
        """Take in a chunk: its text and its headings."""
        ...

    def remove_chunk(self, chunk_id: int, fields: Sequence[Indexed]) -> None:
        """Take out a chunk, given what went in."""
        ...

    def replace_header(self, note_id: int, before: Sequence[Indexed] | None, after: Sequence[Indexed] | None) -> None:
        """Title, aliases, tags, anchors and path of a note, in place of what they were; None: there are none."""
        ...

    def expect_removals(self) -> None:
        """A large removal follows."""
        ...

    def rows_are_there(self) -> None:
        """The rows of all chunks and notes so far are written."""
        ...

    def flush(self) -> None:
        """Write what waits."""
        ...


def phrase_index(connection: Connection) -> PhraseIndex:
    """The index of this connection's engine."""
    return WordPositions(connection) if connection.engine == "postgres" else _Fts(connection)


_MOST_WAITING = 8_000_000
"""Characters that wait to be written to FTS5: some batches of notes; of a removal of all, a part."""


class _Fts:
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

    def add_chunk(self, chunk_id: int, fields: Sequence[Indexed]) -> None:
        self._wait("INSERT INTO chunk_fts (rowid, body, headings) VALUES (?, ?, ?)", chunk_id, fields)

    def remove_chunk(self, chunk_id: int, fields: Sequence[Indexed]) -> None:
        sql = "INSERT INTO chunk_fts (chunk_fts, rowid, body, headings) VALUES ('delete', ?, ?, ?)"
        self._removed_from.add("chunk_fts")
        self._wait(sql, chunk_id, fields)

    def replace_header(self, note_id: int, before: Sequence[Indexed] | None, after: Sequence[Indexed] | None) -> None:
        columns = "rowid, title, aliases, tags, anchors, path"
        if before is not None:
            sql = f"INSERT INTO note_fts (note_fts, {columns}) VALUES ('delete', ?, ?, ?, ?, ?, ?)"  # noqa: S608
            self._removed_from.add("note_fts")
            self._wait(sql, note_id, before)
        if after is not None:
            self._wait(f"INSERT INTO note_fts ({columns}) VALUES (?, ?, ?, ?, ?, ?)", note_id, after)  # noqa: S608

    def expect_removals(self) -> None:
        if not self._merge:
            self._merge = True
            self._secure_delete(on=False)

    def rows_are_there(self) -> None:
        """FTS5 needs none."""

    def flush(self) -> None:
        self._write_waiting()
        if self._merge:  # physically drop what a large removal only marked
            for table in sorted(self._removed_from):
                self._connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")  # noqa: S608 (see above)
            self._secure_delete(on=True)
            self._merge = False
        self._removed_from.clear()

    def _wait(self, sql: str, row_id: int, fields: Sequence[Indexed]) -> None:
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


_ANCHORS = 3  # of the fields of a header


class WordPositions:
    """On a server: a `tsvector` beside each chunk and each note; it goes with its row."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._chunks: dict[int, bytes] = {}
        self._notes: dict[int, tuple[bytes, bytes]] = {}

    def add_chunk(self, chunk_id: int, fields: Sequence[Indexed]) -> None:
        """See `PhraseIndex`."""
        self._chunks[chunk_id] = _positions(fields)

    def remove_chunk(self, chunk_id: int, fields: Sequence[Indexed]) -> None:  # noqa: ARG002 (as FTS5 needs it)
        """See `PhraseIndex`."""
        self._chunks.pop(chunk_id, None)

    def replace_header(self, note_id: int, before: Sequence[Indexed] | None, after: Sequence[Indexed] | None) -> None:
        """See `PhraseIndex`."""
        del before  # the row is replaced as a whole
        self._notes.pop(note_id, None)
        if after is not None:
            own = [field for place, field in enumerate(after) if place != _ANCHORS]
            self._notes[note_id] = _positions(own), _positions([after[_ANCHORS]])

    def expect_removals(self) -> None:
        """Rows go one way, however many they are."""

    def rows_are_there(self) -> None:
        """See `PhraseIndex`."""
        self.flush()

    def flush(self) -> None:
        """See `PhraseIndex`."""
        self._connection.executemany(upsert("chunk_words", ("chunk_id",), ("words",)), self._chunks.items())
        rows = [(note, *words) for note, words in self._notes.items()]
        self._connection.executemany(upsert("note_words", ("note_id",), ("own", "anchors")), rows)
        self._chunks, self._notes = {}, {}

    def otherwise_stored(self) -> int:
        """How many of those that wait are not stored like this; none of them waits any longer."""
        sql = "SELECT chunk_id, words FROM chunk_words WHERE chunk_id IN (SELECT value FROM carray(?))"
        kept = dict(self._connection.execute(sql, (integers(list(self._chunks)),)))
        wrong = sum(kept.get(chunk) != words for chunk, words in self._chunks.items())
        sql = "SELECT note_id, own, anchors FROM note_words WHERE note_id IN (SELECT value FROM carray(?))"
        kept = {row[0]: row[1:] for row in self._connection.execute(sql, (integers(list(self._notes)),))}
        wrong += sum(kept.get(note) != words for note, words in self._notes.items())
        self._chunks, self._notes = {}, {}
        return wrong


def _positions(fields: Sequence[Indexed]) -> bytes:
    return word_positions(field.places for field in fields)
