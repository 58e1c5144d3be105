"""Hashing the words that a profile has already, a step at a time: each is a transaction, the next goes on from it."""

from itertools import islice

from scrubjay.profiles.search.words.word_index import chunk_fields, header_fields, stored_headers
from scrubjay.profiles.store.reads import every_chunk, meta
from scrubjay.profiles.store.statements import Connection, upsert
from scrubjay.profiles.team.connection import ProfileConnection
from scrubjay.profiles.team.word_positions import WordPositions

WAIT = "words_wait"
"""The name in `meta` of how far this has come: the table and the last shard or id of it; there while it is not done."""
_AT_ONCE = 500  # passages, or notes; of postings the terms of one shard
_HASHED = (
    "UPDATE posting SET term_key = given.term_key, begin_key = given.begin_key FROM given"
    " WHERE shard = given.of_shard AND posting.term = given.term"
)


def is_waiting(connection: Connection) -> bool:
    """Whether words are still to be hashed: until then they are not found."""
    return meta(connection, WAIT) is not None


def hash_next(connection: ProfileConnection) -> None:
    """Do the next step within a transaction that writes; nothing where another member has done the last."""
    done = meta(connection, WAIT)
    if done is None:
        return
    table, _, last = (done or "posting").partition(" ")
    step, follows = _STEPS[table]
    reached = step(connection, int(last or -1))
    if reached is not None:
        now = f"{table} {reached}"
    elif follows:
        now = follows
    else:
        connection.execute("DELETE FROM meta WHERE name = ?", (WAIT,))
        return
    connection.execute(upsert("meta", ("name",), ("value",)), (WAIT, now))


def _postings(connection: ProfileConnection, after: int) -> int | None:
    """Hash the terms of the first shard after this one; which it was."""
    shard = connection.execute("SELECT min(shard) FROM posting WHERE shard > ?", (after,)).get
    if shard is not None:
        terms = connection.execute("SELECT DISTINCT term FROM posting WHERE shard = ?", (shard,)).fetchall()
        columns = {"of_shard": "int8", "term": "text", "term_key": "int8", "begin_key": "int8"}
        connection.execute_with(columns, [(shard, term, *connection.words.keys(term)) for (term,) in terms], _HASHED)
    return shard


def _chunk_positions(connection: ProfileConnection, after: int) -> int | None:
    """Write the positions of the words of the next passages anew; the last of them."""
    positions = WordPositions(connection)
    last = None
    for last, headings, text, stemmed in islice(every_chunk(connection, after), _AT_ONCE):
        positions.add_chunk(last, chunk_fields(text, headings, stemmed))
    positions.flush()
    return last


def _note_positions(connection: ProfileConnection, after: int) -> int | None:
    """Write those of what the next notes say of themselves; the last of them."""
    rows = connection.execute("SELECT id FROM note WHERE id > ? ORDER BY id LIMIT ?", (after, _AT_ONCE)).fetchall()
    positions = WordPositions(connection)
    for note_id, header in stored_headers(connection, [row[0] for row in rows]).items():
        positions.replace_header(note_id, None, header_fields(header))
    positions.flush()
    return rows[-1][0] if rows else None


_STEPS = {
    "posting": (_postings, "chunk_words"),
    "chunk_words": (_chunk_positions, "note_words"),
    "note_words": (_note_positions, ""),
}
"""What is done in each table, and which comes next."""
