"""What a profile on a server shows and mends in its own way of what can be wrong with it."""

from collections.abc import Iterable
from typing import cast

from scrubjay.profiles.search.words.word_index import chunk_fields, header_fields, stored_header
from scrubjay.profiles.store.integrity import OWNED, IntegrityProblem, drop_strays, is_stray, stray_rows, unlike
from scrubjay.profiles.store.reads import every_chunk
from scrubjay.profiles.store.statements import Connection
from scrubjay.profiles.team.connection import ProfileConnection
from scrubjay.profiles.team.word_positions import WordPositions

_OWNED = (*OWNED, ("chunk_words", "chunk_id", "chunk"), ("note_words", "note_id", "note"))
_AT_ONCE = 500  # rows compared in one go


def damage(connection: Connection) -> Iterable[IntegrityProblem]:
    """See `Store.damage`: pages are the server's to look after."""
    return stray_rows(
        table
        for table, column, of in _OWNED
        if connection.execute(f"SELECT 1 FROM {table} WHERE {is_stray(table, column, of)} LIMIT 1").get  # noqa: S608
    )


def rebuild(connection: Connection) -> None:
    """See `Store.rebuild`."""
    drop_strays(connection, _OWNED)


def words(connection: Connection) -> Iterable[IntegrityProblem]:
    """What words are asked for by, and their positions, against the rows of notes and chunks."""
    keys = cast("ProfileConnection", connection).words.keys
    hashed = connection.execute("SELECT DISTINCT term, term_key, begin_key FROM posting").fetchall()
    if wrong := sum((term_key, begin_key) != keys(term) for term, term_key, begin_key in hashed):
        yield IntegrityProblem("postings", f"{wrong} words are not asked for by what stands beside them.")
    expected = WordPositions(connection)
    wrong = {"chunk": 0, "note": 0}
    for number, (chunk_id, headings, text, stemmed) in enumerate(every_chunk(connection), 1):
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
            yield unlike(count, f"{rows}_words", rows)
