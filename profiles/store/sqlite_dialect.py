"""What SQLite says and does in its own way."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.search.meaning.sketch import sketches
from scrubjay.profiles.search.meaning.vectors import stored_by
from scrubjay.profiles.search.words.phrases import PhraseIndex, PhrasePlaces
from scrubjay.profiles.search.words.postings import SHARDS
from scrubjay.profiles.store import fts
from scrubjay.profiles.store.filters import NoteFilter
from scrubjay.profiles.store.rows import CHUNK_COLUMNS
from scrubjay.profiles.store.statements import Connection, Dialect, Sql, Value
from scrubjay.profiles.store.where import compile_filter


class SqliteDialect(Dialect):
    """See `Dialect`."""

    # A statement seeks its terms in each shard.
    read_postings = (
        f"{SHARDS} SELECT term, field, shard, entries FROM shards CROSS JOIN posting"  # noqa: S608
        " ON shard = number AND term IN (SELECT value FROM json_each(?))"
    )
    append_entries = "CAST(posting.entries || excluded.entries AS BLOB)"  # `||` keeps bytes, but calls them text
    # Not the highest of the rows: an id is never used again, so a stale one finds nothing.
    last_id = "SELECT seq FROM sqlite_sequence WHERE name = ?"
    put_vectors = stored_by("sketch")
    read_chosen_by = "sketch"

    def add_chunks(self, connection: Connection, rows: Iterable[Sequence[Value]]) -> None:
        """See `Dialect`. There is a column of old, `text`, that wants a value."""
        marks = "?, " * len(CHUNK_COLUMNS)
        connection.executemany(f"INSERT INTO chunk ({', '.join(CHUNK_COLUMNS)}, text) VALUES ({marks}'')", rows)  # noqa: S608

    def chosen_by(self, sketch: bytes, vector: NDArray[np.float32]) -> object:
        """See `Dialect`: candidates are chosen from sketches in RAM."""
        del vector
        return sketch

    def is_chosen_by(self, steps: NDArray[np.int16], stored: bytes) -> bool:
        """See `Dialect`."""
        return sketches(steps[None, :]) == [stored]

    def keep_last_ids(self, connection: Connection, last: Mapping[str, int]) -> None:
        """See `Dialect`: the sequence of each table does."""

    def phrase_places(self, connection: Connection, text: str) -> PhrasePlaces | None:
        """See `Dialect`."""
        return fts.places(connection, text)

    def phrase_index(self, connection: Connection) -> PhraseIndex:
        """See `Dialect`."""
        return fts.FtsIndex(connection)

    def condition(self, connection: Connection, where: NoteFilter) -> Sql:
        """See `Dialect`: SQLite looks into texts itself."""
        del connection
        return compile_filter(where)

    def journal_by_words(self, connection: Connection, terms: Sequence[str], where: Sql) -> list[tuple[float, int]]:
        """See `Dialect`."""
        condition, values = where
        sql = (
            "SELECT -bm25(journal_fts), journal.id FROM journal_fts JOIN journal ON journal.id = journal_fts.rowid"  # noqa: S608
            f" WHERE journal_fts MATCH ? AND {condition}"
        )
        match = " OR ".join(f'"{term}"' for term in terms)
        return [(float(score), int(entry)) for score, entry in connection.execute(sql, (match, *values))]

    def journal_by_meaning(
        self, connection: Connection, model: str, vector: NDArray[np.float32], where: Sql
    ) -> list[tuple[float, int]]:
        """See `Dialect`."""
        condition, values = where
        sql = (
            "SELECT 1 - vec_distance_cosine(vector, ?), journal.id"  # noqa: S608
            f" FROM journal_vector JOIN journal ON journal.id = entry_id WHERE model = ? AND {condition}"
        )
        packed = np.ascontiguousarray(vector, dtype="<f4").tobytes()
        return [(float(score), int(entry)) for score, entry in connection.execute(sql, (packed, model, *values))]
