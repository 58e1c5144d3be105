"""What PostgreSQL says and does in its own way."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import cast

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.search.meaning.vectors import stored_by
from scrubjay.profiles.search.words.phrases import PhraseIndex, PhrasePlaces
from scrubjay.profiles.store.filters import NoteFilter
from scrubjay.profiles.store.rows import CHUNK_COLUMNS
from scrubjay.profiles.store.statements import Connection, Dialect, Insert, Sql, Value, json_texts, put
from scrubjay.profiles.store.where import compile_filter
from scrubjay.profiles.team import word_positions
from scrubjay.profiles.team.bulk import Halves
from scrubjay.profiles.team.text_filters import looked_up

_K1, _B = 1.2, 0.75  # those of FTS5
_LEAST_IDF = 1e-6
_HALVES_HEAD = 4  # bytes before the numbers of a `halfvec`
_LIKENESS = 0.99  # cosine, of the same vector in steps and in halves


class PostgresDialect(Dialect):
    """See `Dialect`. A journal's entries are few, and scored here."""

    works_ahead = True
    read_postings = (
        "SELECT term, field, shard, entries FROM posting WHERE term = ANY (ARRAY(SELECT value FROM json_each(?)))"
    )
    append_entries = "posting.entries || excluded.entries"
    last_id = "SELECT CAST(value AS bigint) FROM meta WHERE name = 'last_' || ?"
    put_vectors = stored_by("near")
    read_chosen_by = "halfvec_send(near)"

    def add_chunks(self, connection: Connection, rows: Iterable[Sequence[Value]]) -> None:
        """See `Dialect`."""
        connection.insert(Insert("chunk", CHUNK_COLUMNS), rows)

    def chosen_by(self, sketch: bytes, vector: NDArray[np.float32]) -> object:
        """See `Dialect`: the server compares vectors, of two bytes a dimension."""
        del sketch
        return Halves(vector)

    def is_chosen_by(self, steps: NDArray[np.int16], stored: bytes) -> bool:
        """See `Dialect`."""
        halves = np.frombuffer(stored, ">f2", offset=_HALVES_HEAD).astype(np.float64)
        if halves.shape != steps.shape or not halves.any():
            return False
        return float(halves @ steps) >= _LIKENESS * float(np.linalg.norm(halves) * np.linalg.norm(steps))

    def keep_last_ids(self, connection: Connection, last: Mapping[str, int]) -> None:
        """See `Dialect`."""
        for table, number in last.items():
            connection.execute(put("meta", ("name",), ("value",)).text, (f"last_{table}", str(number)))

    def phrase_places(self, connection: Connection, text: str) -> PhrasePlaces | None:
        """See `Dialect`."""
        return word_positions.places(connection, text)

    def phrase_index(self, connection: Connection) -> PhraseIndex:
        """See `Dialect`."""
        return word_positions.WordPositions(connection)

    def condition(self, connection: Connection, where: NoteFilter) -> Sql:
        """See `Dialect`."""
        return compile_filter(looked_up(connection, where))

    def journal_by_words(self, connection: Connection, terms: Sequence[str], where: Sql) -> list[tuple[float, int]]:
        """See `Dialect`."""
        condition, values = where
        entries, words = cast(
            "tuple[int, int | None]",
            connection.execute("SELECT count(*), sum(cardinality(string_to_array(terms, ' '))) FROM journal").get,
        )
        rows = connection.execute(
            f"SELECT id, terms, {condition} FROM journal"  # noqa: S608
            " WHERE string_to_array(terms, ' ') && ARRAY(SELECT value FROM json_each(?))",
            (*values, json_texts(terms)),
        ).fetchall()
        counts = [Counter(str(text).split(" ")) for _, text, _ in rows]
        holding = {term: sum(term in count for count in counts) for term in terms}
        idf = {term: max(log((entries - held + 0.5) / (held + 0.5)), _LEAST_IDF) for term, held in holding.items()}
        average = (words or 0) / max(entries, 1)
        found: list[tuple[float, int]] = []
        for (entry, _, is_wanted), count in zip(rows, counts, strict=True):
            if is_wanted:
                norm = _K1 * (1 - _B + _B * count.total() / average)
                score = sum(idf[term] * count[term] * (_K1 + 1) / (count[term] + norm) for term in terms)
                found.append((score, int(entry)))
        return found

    def journal_by_meaning(
        self, connection: Connection, model: str, vector: NDArray[np.float32], where: Sql
    ) -> list[tuple[float, int]]:
        """See `Dialect`."""
        condition, values = where
        sql = (
            "SELECT journal.id, vector FROM journal_vector JOIN journal ON journal.id = entry_id"  # noqa: S608
            f" WHERE model = ? AND {condition}"
        )
        rows = connection.execute(sql, (model, *values)).fetchall()
        if not rows:
            return []
        stored = np.frombuffer(b"".join(packed for _, packed in rows), "<f4").reshape(len(rows), -1)
        scores = stored @ vector.astype(np.float32)
        return [(float(score), int(entry)) for (entry, _), score in zip(rows, scores, strict=True)]
