"""What SQLite says and does in its own way."""

from collections.abc import Callable, Iterable, Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.search.meaning.vectors import stored_by
from scrubjay.profiles.search.words.postings import SHARDS
from scrubjay.profiles.store import fts
from scrubjay.profiles.store.rows import CHUNK_COLUMNS
from scrubjay.profiles.store.statements import Connection, Dialect, FoundEntry, Insert, Sql, Value, json_texts, put

_AT_ONCE = 4096  # vectors in memory


def _add_chunks(connection: Connection, rows: Iterable[Sequence[Value]]) -> None:
    # There is a column of old, `text`, that wants a value.
    marks = "?, " * len(CHUNK_COLUMNS)
    connection.executemany(f"INSERT INTO chunk ({', '.join(CHUNK_COLUMNS)}, text) VALUES ({marks}'')", rows)  # noqa: S608


def _journal_by_words(connection: Connection, terms: Sequence[str], where: Sql) -> list[FoundEntry]:
    condition, values = where
    sql = (
        "SELECT -bm25(journal_fts), journal.id, author, journal.tags"  # noqa: S608
        " FROM journal_fts JOIN journal ON journal.id = journal_fts.rowid"
        f" WHERE journal_fts MATCH ? AND {condition}"
    )
    match = " OR ".join(f'"{term}"' for term in terms)
    return cast("list[FoundEntry]", connection.execute(sql, (match, *values)).fetchall())


def _journal_by_meaning(
    connection: Connection, model: str, vector: NDArray[np.float32], where: Sql
) -> list[FoundEntry]:
    condition, values = where
    sql = (
        "SELECT 1 - vec_distance_cosine(vector, ?), journal.id, author, tags"  # noqa: S608
        f" FROM journal_vector JOIN journal ON journal.id = entry_id WHERE model = ? AND {condition}"
    )
    packed = np.ascontiguousarray(vector, dtype="<f4").tobytes()
    return cast("list[FoundEntry]", connection.execute(sql, (packed, model, *values)).fetchall())


def _choose_anew(
    connection: Connection, model_row: int, sketches: Callable[[Sequence[bytes]], Sequence[bytes]]
) -> None:
    last = 0
    sql = "SELECT id, vector FROM embedding WHERE model_id = ? AND id > ? ORDER BY id LIMIT ?"
    while rows := cast("list[tuple[int, bytes]]", connection.execute(sql, (model_row, last, _AT_ONCE)).fetchall()):
        made = zip(sketches([vector for _, vector in rows]), (number for number, _ in rows), strict=True)
        connection.executemany("UPDATE embedding SET sketch = ? WHERE id = ?", made)
        last = rows[-1][0]


_KEY = ("term", "field", "shard")
# `||` keeps bytes, but calls them text.
_ADDED = " ON CONFLICT (shard, term, field) DO UPDATE SET entries = CAST(posting.entries || excluded.entries AS BLOB)"
_ADD_POSTINGS = Insert("posting", (*_KEY, "entries"), _ADDED)
_REPLACE_POSTINGS = put("posting", _KEY, ("entries",))
# A statement seeks its terms in each shard.
_POSTINGS_OF = (
    f"{SHARDS} SELECT term, field, shard, entries FROM shards CROSS JOIN posting"  # noqa: S608
    " WHERE shard = number AND term IN (SELECT value FROM json_each(?))"
)
_MOST_FREQUENT = (
    f"{SHARDS} SELECT term FROM (SELECT number FROM shards WHERE number IS NOT NULL LIMIT ?) AS first"  # noqa: S608
    " CROSS JOIN posting WHERE shard = number AND term > ? AND term < ?"
    " GROUP BY term ORDER BY sum(length(entries)) DESC, term LIMIT ?"
)


def _most_frequent(connection: Connection, prefix: str, shards: int, limit: int) -> list[str]:
    rows = connection.execute(_MOST_FREQUENT, (shards, prefix, f"{prefix}\U0010ffff", limit))
    return [cast("str", row[0]) for row in rows]


SQLITE = Dialect(
    works_ahead=False,
    postings_of=lambda _connection, terms: (_POSTINGS_OF, (json_texts(terms),)),
    most_frequent=_most_frequent,
    add_postings=lambda connection, rows: connection.insert(_ADD_POSTINGS, rows),
    replace_postings=lambda connection, rows: connection.insert(_REPLACE_POSTINGS, rows),
    # Left to itself it reads all notes by `note_kind` and sorts them.
    notes_by_change="note INDEXED BY note_newest",
    add_chunks=_add_chunks,
    # Not the highest of the rows: an id is never used again, so a stale one finds nothing.
    last_id="SELECT seq FROM sqlite_sequence WHERE name = ?",
    keep_last_ids=lambda _connection, _last: None,  # the sequence of each table does
    put_vectors=stored_by("sketch"),
    chosen_by=lambda sketch, _vector: sketch,
    read_chosen_by="sketch",
    is_chosen_by=lambda sketch, _steps, stored: sketch == stored,
    choose_anew=_choose_anew,
    phrase_places=fts.places,
    phrase_index=fts.FtsIndex,
    holding=fts.holding,
    journal_by_words=_journal_by_words,
    journal_by_meaning=_journal_by_meaning,
)
