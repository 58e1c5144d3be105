"""What PostgreSQL says and does in its own way."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import log
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.search.meaning.vectors import stored_by
from scrubjay.profiles.store.filter_sql import ALWAYS, among, notes_with
from scrubjay.profiles.store.rows import CHUNK_COLUMNS
from scrubjay.profiles.store.statements import Asked, Connection, Dialect, FoundEntry, Insert, Sql, put
from scrubjay.profiles.team import word_positions
from scrubjay.profiles.team.bulk import Halves
from scrubjay.profiles.team.hashed_words import HashedWords

if TYPE_CHECKING:
    from scrubjay.profiles.team.connection import ProfileConnection

_K1, _B = 1.2, 0.75  # those of FTS5
_LEAST_IDF = 1e-6
_HALVES_HEAD = 4  # bytes before the numbers of a `halfvec`
_LIKENESS = 0.99  # cosine, of the same vector in steps and in halves


def _is_chosen_by(_sketch: bytes, steps: NDArray[np.int16], stored: bytes) -> bool:
    halves = np.frombuffer(stored, ">f2", offset=_HALVES_HEAD).astype(np.float64)
    if halves.shape != steps.shape or not halves.any():
        return False
    return float(halves @ steps) >= _LIKENESS * float(np.linalg.norm(halves) * np.linalg.norm(steps))


def _keep_last_ids(connection: Connection, last: Mapping[str, int]) -> None:
    for table, number in last.items():
        connection.execute(put("meta", ("name",), ("value",)).text, (f"last_{table}", str(number)))


def _holding(connection: Connection, text: str) -> Sql:
    # There is no index that a condition could name: what is found is put in its place.
    found = word_positions.places(connection, text)
    return ALWAYS if found is None else among(notes_with(connection, found))


def _postings_of(connection: Connection, terms: Iterable[str]) -> Asked:
    return _words_of(connection).asked(terms)


def _most_frequent(connection: Connection, prefix: str, shards: int, limit: int) -> list[str]:
    server = cast("ProfileConnection", connection)
    counted = server.terms_beginning(server.words.beginning(prefix), shards)
    longer = [(-size, term) for term, size in counted if term.startswith(prefix) and term != prefix]
    return [term for _, term in sorted(longer)[:limit]]


_COLUMNS = ("term", "field", "shard", "entries", "term_key", "begin_key")
_KEY = " ON CONFLICT (shard, term, field) DO UPDATE SET entries ="
_ADD_POSTINGS = Insert("posting", _COLUMNS, f"{_KEY} posting.entries || excluded.entries")
_REPLACE_POSTINGS = Insert("posting", _COLUMNS, f"{_KEY} excluded.entries")


def _put_postings(connection: Connection, rows: Sequence[tuple[str, int, int, bytes]], *, insert: Insert) -> None:
    keys = _words_of(connection).keys
    connection.insert(insert, [(*row, *keys(row[0])) for row in rows])


def _words_of(connection: Connection) -> HashedWords:
    return cast("ProfileConnection", connection).words


def _journal_by_words(connection: Connection, terms: Sequence[str], where: Sql) -> list[FoundEntry]:
    # All entries come, as they do for `_journal_by_meaning` with their vectors: the server is told no word.
    condition, values = where
    rows = connection.execute(f"SELECT id, author, tags, terms, {condition} FROM journal", values).fetchall()  # noqa: S608
    counts = [Counter(str(text).split(" ")) for *_, text, _ in rows]
    holding = {term: sum(term in count for count in counts) for term in terms}
    idf = {term: max(log((len(rows) - held + 0.5) / (held + 0.5)), _LEAST_IDF) for term, held in holding.items()}
    average = sum(count.total() for count in counts) / max(len(rows), 1)
    found: list[FoundEntry] = []
    for (entry, author, tags, _, is_wanted), count in zip(rows, counts, strict=True):
        if is_wanted and not count.keys().isdisjoint(terms):
            norm = _K1 * (1 - _B + _B * count.total() / average)
            score = sum(idf[term] * count[term] * (_K1 + 1) / (count[term] + norm) for term in terms)
            found.append((score, int(entry), author, tags))
    return found


def _journal_by_meaning(
    connection: Connection, model: str, vector: NDArray[np.float32], where: Sql
) -> list[FoundEntry]:
    condition, values = where
    sql = (
        "SELECT journal.id, author, tags, vector FROM journal_vector JOIN journal ON journal.id = entry_id"  # noqa: S608
        f" WHERE model = ? AND {condition}"
    )
    rows = connection.execute(sql, (model, *values)).fetchall()
    if not rows:
        return []
    stored = np.frombuffer(b"".join(packed for *_, packed in rows), "<f4").reshape(len(rows), -1)
    scores = stored @ vector.astype(np.float32)
    return [
        (float(score), int(entry), author, tags) for (entry, author, tags, _), score in zip(rows, scores, strict=True)
    ]


POSTGRES = Dialect(
    works_ahead=True,
    postings_of=_postings_of,
    most_frequent=_most_frequent,
    add_postings=partial(_put_postings, insert=_ADD_POSTINGS),
    replace_postings=partial(_put_postings, insert=_REPLACE_POSTINGS),
    notes_by_change="note",
    add_chunks=lambda connection, rows: connection.insert(Insert("chunk", CHUNK_COLUMNS), rows),
    last_id="SELECT CAST(value AS bigint) FROM meta WHERE name = 'last_' || ?",
    keep_last_ids=_keep_last_ids,
    put_vectors=stored_by("near"),
    chosen_by=lambda _sketch, vector: Halves(vector),  # the server compares vectors
    read_chosen_by="halfvec_send(near)",
    is_chosen_by=_is_chosen_by,
    choose_anew=lambda _connection, _model_row, _sketches: None,
    phrase_places=word_positions.places,
    phrase_index=word_positions.WordPositions,
    holding=_holding,
    journal_by_words=_journal_by_words,
    journal_by_meaning=_journal_by_meaning,
)
