"""What of a store's integrity is each engine's own: pages, stray rows, where words stand, what vectors are chosen by.

A server looks after its pages and indexes itself, and what is wrong with them is for its operator to mend.
"""

from collections.abc import Iterable
from typing import cast

import apsw
import msgspec
import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.database.migrations import foreign_objects
from scrubjay.profiles.database.sql import Connection, FileConnection
from scrubjay.profiles.lexical.note_index import chunk_fields, header_fields, stored_header
from scrubjay.profiles.lexical.phrase_index import WordPositions
from scrubjay.profiles.semantic.sketch import sketches
from scrubjay.profiles.store.integrity.problem import IntegrityProblem

_AT_ONCE = 500  # rows read in one go; a caller may write meanwhile
_OF_NO_NOTE = tuple(
    (table, "note_id", "note")
    for table in (
        *("note_alias", "note_tag", "note_property", "chunk", "link", "redaction"),
        *("note_sketch", "stale_sketch", "near_copy", "review_suggestion", "former_chunk"),
    )
)
_STRAYS = (
    *_OF_NO_NOTE,
    ("near_copy", "other_id", "note"),
    ("journal_vector", "entry_id", "journal"),
    ("embedding", "model_id", "model"),
)
_STRAYS_ON_SERVER = (*_STRAYS, ("chunk_words", "chunk_id", "chunk"), ("note_words", "note_id", "note"))


def damage(connection: Connection) -> Iterable[IntegrityProblem]:
    """What makes all else not worth looking at: pages that SQLite can't read, and rows that belong to nothing."""
    if connection.engine == "sqlite":
        for (verdict,) in connection.execute("PRAGMA integrity_check(20)"):
            if verdict != "ok":
                yield IntegrityProblem("sqlite", f"SQLite finds the file damaged: {verdict}")
        rows = connection.execute('SELECT DISTINCT "table" FROM pragma_foreign_key_check').fetchall()
        strays = {str(table) for (table,) in rows}
        for name in foreign_objects(cast("FileConnection", connection)):
            about = f"The file's {name} is not as Scrubjay makes it: somebody put it there, changed it or took it away."
            yield IntegrityProblem("foreign", about)
    else:
        strays = {
            table
            for table, column, of in _STRAYS_ON_SERVER
            if connection.execute(f"SELECT 1 FROM {table} WHERE {_stray(table, column, of)} LIMIT 1").get  # noqa: S608
        }
    if strays:
        yield IntegrityProblem("stray-rows", f"Rows that belong to no note, in: {', '.join(sorted(strays))}")


def drop_strays(connection: Connection) -> None:
    """Delete the rows that belong to nothing."""
    for table, column, of in _STRAYS if connection.engine == "sqlite" else _STRAYS_ON_SERVER:
        connection.execute(f"DELETE FROM {table} WHERE {_stray(table, column, of)}")  # noqa: S608


def _stray(table: str, column: str, of: str) -> str:
    exists = f"EXISTS (SELECT 1 FROM {of} AS owner WHERE owner.id = {table}.{column})"  # noqa: S608
    return f"{table}.{column} IS NOT NULL AND NOT {exists}"


def phrases(connection: Connection) -> Iterable[IntegrityProblem]:
    """What phrases are found by, against the rows of notes and chunks. In a file, this writes."""
    return _fts(connection) if connection.engine == "sqlite" else _positions(connection)


def _fts(connection: Connection) -> Iterable[IntegrityProblem]:
    for table, rows in (("chunk_fts", "chunk"), ("note_fts", "note"), ("journal_fts", "journal")):
        stray = f"SELECT count(*) FROM (SELECT id FROM {table}_docsize EXCEPT SELECT id FROM {rows})"  # noqa: S608
        missing = f"SELECT count(*) FROM (SELECT id FROM {rows} EXCEPT SELECT id FROM {table}_docsize)"  # noqa: S608
        wrong = int(connection.execute(stray).get) + int(connection.execute(missing).get)
        if wrong:
            yield _unlike(wrong, table, rows)
        try:
            connection.execute(f"INSERT INTO {table} ({table}) VALUES ('integrity-check')")  # noqa: S608
        except apsw.CorruptError:
            yield IntegrityProblem("fts", f"The full-text index {table} is damaged.")


def _positions(connection: Connection) -> Iterable[IntegrityProblem]:
    expected = WordPositions(connection)
    wrong = {"chunk": 0, "note": 0}
    for number, (chunk_id, headings, text, stemmed) in enumerate(chunks(connection), 1):
        expected.add_chunk(chunk_id, chunk_fields(text, headings, stemmed))
        if number % _AT_ONCE == 0:
            wrong["chunk"] += expected.otherwise_stored()
    wrong["chunk"] += expected.otherwise_stored()
    for number, (note_id,) in enumerate(connection.execute("SELECT id FROM note ORDER BY id").fetchall(), 1):
        expected.replace_header(note_id, None, header_fields(stored_header(connection, note_id)))
        if number % _AT_ONCE == 0:
            wrong["note"] += expected.otherwise_stored()
    wrong["note"] += expected.otherwise_stored()
    for rows, count in wrong.items():
        if count:
            yield _unlike(count, f"{rows}_words", rows)


def _unlike(count: int, table: str, rows: str) -> IntegrityProblem:
    return IntegrityProblem("fts", f"{count} entries of {table} do not match the rows of {rows}.")


def empty_phrases(connection: Connection) -> None:
    """Forget where words of notes and chunks stand, before they are indexed anew."""
    if connection.engine == "sqlite":
        for table in ("chunk_fts", "note_fts"):
            connection.execute(f"INSERT INTO {table} ({table}) VALUES ('delete-all')")  # noqa: S608
    else:
        connection.execute("DELETE FROM chunk_words")
        connection.execute("DELETE FROM note_words")


def rebuild_own(connection: Connection) -> None:
    """Build anew what SQLite can build by itself."""
    if connection.engine == "sqlite":
        connection.execute("REINDEX")
        connection.execute("INSERT INTO journal_fts (journal_fts) VALUES ('rebuild')")


_CHOSEN_BY = {"sqlite": "sketch", "postgres": "halfvec_send(near)"}
_HALVES_HEAD = 4  # bytes before the numbers of a `halfvec`
_LIKENESS = 0.99  # cosine, of the same vector in steps and in halves


def is_chosen_by_itself(connection: Connection, steps: NDArray[np.int16], chosen_by: bytes) -> bool:
    """Whether what a vector is chosen by as a candidate is its own."""
    if connection.engine == "sqlite":
        return sketches(steps[None, :]) == [chosen_by]
    halves = np.frombuffer(chosen_by, ">f2", offset=_HALVES_HEAD).astype(np.float64)
    if halves.shape != steps.shape or not halves.any():
        return False
    return float(halves @ steps) >= _LIKENESS * float(np.linalg.norm(halves) * np.linalg.norm(steps))


def vectors(connection: Connection) -> Iterable[tuple[int, bytes, bytes]]:
    """(id, what it is chosen by, vector) of every embedding, by id."""
    last = 0
    column = _CHOSEN_BY[connection.engine]
    sql = f"SELECT id, {column}, vector FROM embedding WHERE id > ? ORDER BY id LIMIT {_AT_ONCE}"  # noqa: S608
    while rows := cast("list[tuple[int, bytes, bytes]]", connection.execute(sql, (last,)).fetchall()):
        yield from rows
        last = rows[-1][0]


def chunks(connection: Connection) -> Iterable[tuple[int, tuple[str, ...], str, str]]:
    """(id, headings, text, language of its stems) of every chunk, by id. A chunk of no note has no language."""
    last = 0
    stemmed = "coalesce((SELECT stemmed FROM note WHERE note.id = note_id), '')"
    sql = f"SELECT id, headings, unpacked(packed), {stemmed} FROM chunk WHERE id > ? ORDER BY id LIMIT {_AT_ONCE}"  # noqa: S608
    while rows := connection.execute(sql, (last,)).fetchall():
        for chunk_id, headings, text, language in rows:
            yield chunk_id, msgspec.json.decode(headings, type=tuple[str, ...]), text, language
        last = int(rows[-1][0])
