"""The journal of one profile: entries that are appended, found by words and by meaning, and can only be forgotten.

Nothing here derives from a vault, so nothing here is ever rebuilt from one.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import cast

import msgspec
import numpy as np

from scrubjay.profiles.errors import ProfileError
from scrubjay.profiles.search.words import analysis
from scrubjay.profiles.store.rows import Vector
from scrubjay.profiles.store.statements import Connection, Row, json_texts, upsert
from scrubjay.profiles.store.store import Store

MOST_ENTRIES = 100_000
_COLUMNS = "key, at_ns, author, client, tags, text, redactions, replaced_by, first_ns"


class JournalFull(ProfileError):
    """The journal holds MOST_ENTRIES entries."""

    code = "journal-full"


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """Something that was remembered. Its texts have been through the credential filter."""

    key: str  # 12 hex digits
    at_ns: int
    author: str  # name of the client that saved it
    client: str  # that client's id
    tags: tuple[str, ...]
    text: str
    redactions: int = 0  # credentials hidden in `text`
    replaced_by: str = ""  # key of the entry that took its place
    first_ns: int = 0  # when it was first said, where it was said again since; 0: at `at_ns`


@dataclass(frozen=True, slots=True)
class JournalHit:
    """An entry that was found. `score`: higher is better; BM25 by words, cosine by meaning."""

    entry: JournalEntry
    score: float


@dataclass(frozen=True, slots=True)
class EntryFilter:
    """Which entries are recalled: saved from `since_ns` on and before `until_ns`, with all of `tags`, by `author`."""

    since_ns: int = 0
    until_ns: int = 2**63 - 1
    tags: tuple[str, ...] = ()
    author: str = ""  # the client's name; "" for any

    def sql(self) -> tuple[str, tuple[int | str, ...]]:
        """The condition and its values; entries that were replaced never meet it."""
        conditions = ["replaced_by IS NULL", "at_ns >= ?", "at_ns < ?"]
        values: list[int | str] = [self.since_ns, self.until_ns]
        if self.author:
            conditions.append("lower(author) = lower(?)")
            values.append(self.author)
        for tag in self.tags:
            conditions.append("EXISTS (SELECT 1 FROM json_each(journal.tags) WHERE lower(value) = lower(?))")
            values.append(tag)
        return " AND ".join(conditions), tuple(values)


ALL = EntryFilter()


class Journal:
    """The journal in a store. Thread-safe as the store is; raises what the store raises."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def append(self, entry: JournalEntry, replaces: str = "") -> None:
        """Save an entry, perhaps in place of another. Raises JournalFull, and ValueError for a key that is taken."""
        terms = _terms(entry.text, entry.tags)
        tags = msgspec.json.encode(entry.tags).decode()
        with self._store.writing(durable=True) as writer:
            connection = writer.connection
            if _count(connection) >= MOST_ENTRIES:
                raise JournalFull(f"The journal is full: it holds {MOST_ENTRIES:,} entries. Prune it.")
            if connection.execute("SELECT 1 FROM journal WHERE key = ?", (entry.key,)).get is not None:
                raise ValueError(f"the key {entry.key} is taken")
            values = (
                entry.key,
                entry.at_ns,
                entry.author,
                entry.client,
                tags,
                entry.text,
                entry.redactions,
                None,
                None,
                terms,
            )
            connection.execute(f"INSERT INTO journal ({_COLUMNS}, terms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)  # noqa: S608
            _replace(connection, replaces, entry.key)

    def said_before(self, text: str, tags: Sequence[str]) -> JournalEntry | None:
        """The entry that says exactly this, with these tags at least, and was not replaced; the newest of several."""
        sql = f"SELECT {_COLUMNS} FROM journal WHERE text = ? AND replaced_by IS NULL ORDER BY at_ns DESC"  # noqa: S608
        with self._store.reading() as connection:
            found = [_entry(row) for row in connection.execute(sql, (text,))]
        return next((entry for entry in found if set(tags) <= set(entry.tags)), None)

    def refresh(self, key: str, at_ns: int, replaces: str = "") -> None:
        """Let an entry count as saved at this time, perhaps in place of another; when it was first said stays known."""
        sql = "UPDATE journal SET first_ns = coalesce(first_ns, at_ns), at_ns = ? WHERE key = ?"
        with self._store.writing(durable=True) as writer:
            writer.connection.execute(sql, (at_ns, key)).fetchall()
            _replace(writer.connection, replaces, key)

    def get(self, key: str) -> JournalEntry | None:
        """The entry with this key, or None."""
        with self._store.reading() as connection:
            row = connection.execute(f"SELECT {_COLUMNS} FROM journal WHERE key = ?", (key,)).get  # noqa: S608
        return None if row is None else _entry(row)

    def log(self, limit: int, since_ns: int | None = None, until_ns: int | None = None) -> list[JournalEntry]:
        """Entries saved from `since_ns` on and before `until_ns` (None: open), newest first."""
        sql = f"SELECT {_COLUMNS} FROM journal WHERE at_ns >= ? AND at_ns < ? ORDER BY at_ns DESC, id DESC LIMIT ?"  # noqa: S608
        bounds = (since_ns or 0, 2**63 - 1 if until_ns is None else until_ns, limit)
        with self._store.reading() as connection:
            return [_entry(row) for row in connection.execute(sql, bounds)]

    def by_words(self, query: str, limit: int, wanted: EntryFilter = ALL) -> list[JournalHit]:
        """Entries that hold any of the query's words, best first (BM25), equal ones newest first."""
        terms = [term for term in analysis.query_terms(query) if term]  # "" is what is left of an accent by itself
        if not terms:
            return []
        where, values = wanted.sql()
        sql = (
            f"SELECT {_COLUMNS}, -bm25(journal_fts) AS score"  # noqa: S608
            " FROM journal_fts JOIN journal ON journal.id = journal_fts.rowid"
            f" WHERE journal_fts MATCH ? AND {where} ORDER BY score DESC, journal.id DESC LIMIT ?"
        )
        with self._store.reading() as connection:
            if connection.engine == "postgres":
                return _best(_by_words(connection, terms, wanted), limit)
            match = " OR ".join(f'"{term}"' for term in terms)
            return [JournalHit(_entry(row), float(row[-1])) for row in connection.execute(sql, (match, *values, limit))]

    def by_meaning(self, model: str, vector: Vector, limit: int, wanted: EntryFilter = ALL) -> list[JournalHit]:
        """The entries nearest to a vector of length 1, nearest first, equal ones newest first.

        model: the fingerprint whose vectors to compare with; entries without one are not found this way.
        """
        where, values = wanted.sql()
        sql = (
            f"SELECT {_COLUMNS}, 1 - vec_distance_cosine(vector, ?) AS score"  # noqa: S608
            " FROM journal_vector JOIN journal ON journal.id = entry_id"
            f" WHERE model = ? AND {where} ORDER BY score DESC, journal.id DESC LIMIT ?"
        )
        packed = np.ascontiguousarray(vector, dtype="<f4").tobytes()
        with self._store.reading() as connection:
            if connection.engine == "postgres":
                return _best(_by_meaning(connection, model, vector, wanted), limit)
            return [
                JournalHit(_entry(row), float(row[-1]))
                for row in connection.execute(sql, (packed, model, *values, limit))
            ]

    def without_vector(self, model: str, limit: int) -> list[JournalEntry]:
        """Entries that `model` has not embedded, newest first."""
        sql = (
            f"SELECT {_COLUMNS} FROM journal WHERE NOT EXISTS"  # noqa: S608
            " (SELECT 1 FROM journal_vector WHERE entry_id = journal.id AND model = ?) ORDER BY id DESC LIMIT ?"
        )
        with self._store.reading() as connection:
            return [_entry(row) for row in connection.execute(sql, (model, limit))]

    def put_vectors(self, model: str, vectors: Mapping[str, Vector]) -> None:
        """Store a vector for each key, in place of those of other models. Keys that are gone are passed over."""
        source = "SELECT id, ?, ? FROM journal WHERE key = ?"
        sql = upsert("journal_vector", ("entry_id",), ("model", "vector"), source)
        rows = [(model, np.ascontiguousarray(vector, dtype="<f4").tobytes(), key) for key, vector in vectors.items()]
        with self._store.writing() as writer:
            writer.connection.executemany(sql, rows)

    def forget(self, keys: Sequence[str]) -> int:
        """Delete entries, their bytes overwritten in the file; how many there were."""
        with self._store.writing() as writer:
            before = _count(writer.connection)
            writer.connection.executemany("DELETE FROM journal WHERE key = ?", [(key,) for key in keys])
            return before - _count(writer.connection)

    def prune(self, before_ns: int) -> int:
        """Delete every entry saved before a time; how many there were."""
        with self._store.writing() as writer:
            before = _count(writer.connection)
            writer.connection.execute("DELETE FROM journal WHERE at_ns < ?", (before_ns,)).fetchall()
            return before - _count(writer.connection)

    def __len__(self) -> int:
        with self._store.reading() as connection:
            return _count(connection)


def analyse_anew(connection: Connection) -> None:
    """Read the words of every entry again, after `analysis.ANALYSIS_VERSION` has changed."""
    for key, text, tags in connection.execute("SELECT key, text, tags FROM journal").fetchall():
        terms = _terms(text, msgspec.json.decode(tags, type=tuple[str, ...]))
        connection.execute("UPDATE journal SET terms = ? WHERE key = ?", (terms, key))


# What SQLite's extensions do for a file, for a journal on a server: its entries are few, and scored here.

_K1, _B = 1.2, 0.75  # those of FTS5
_LEAST_IDF = 1e-6


def _by_words(
    connection: Connection, terms: Sequence[str], wanted: EntryFilter
) -> list[tuple[float, int, JournalEntry]]:
    """(BM25 as FTS5 has it, id, entry) of the entries with any of the terms."""
    where, values = wanted.sql()
    entries, words = cast(
        "tuple[int, int | None]",
        connection.execute("SELECT count(*), sum(cardinality(string_to_array(terms, ' '))) FROM journal").get,
    )
    rows = connection.execute(
        f"SELECT {_COLUMNS}, id, terms, {where} FROM journal"  # noqa: S608
        " WHERE string_to_array(terms, ' ') && ARRAY(SELECT value FROM json_each(?))",
        (*values, json_texts(terms)),
    ).fetchall()
    counts = [Counter(str(row[-2]).split(" ")) for row in rows]
    holding = {term: sum(term in count for count in counts) for term in terms}
    idf = {term: max(log((entries - held + 0.5) / (held + 0.5)), _LEAST_IDF) for term, held in holding.items()}
    average = (words or 0) / max(entries, 1)
    found: list[tuple[float, int, JournalEntry]] = []
    for row, count in zip(rows, counts, strict=True):
        norm = _K1 * (1 - _B + _B * count.total() / average)
        score = sum(idf[term] * count[term] * (_K1 + 1) / (count[term] + norm) for term in terms)
        if row[-1]:
            found.append((score, int(row[-3]), _entry(row)))
    return found


def _by_meaning(
    connection: Connection, model: str, vector: Vector, wanted: EntryFilter
) -> list[tuple[float, int, JournalEntry]]:
    """(cosine, id, entry) of the entries that a model has embedded."""
    where, values = wanted.sql()
    rows = connection.execute(
        f"SELECT {_COLUMNS}, id, vector FROM journal_vector JOIN journal ON journal.id = entry_id"  # noqa: S608
        f" WHERE model = ? AND {where}",
        (model, *values),
    ).fetchall()
    if not rows:
        return []
    stored = np.frombuffer(b"".join(row[-1] for row in rows), "<f4").reshape(len(rows), -1)
    scores = stored @ vector.astype(np.float32)
    return [(float(score), int(row[-2]), _entry(row)) for score, row in zip(scores, rows, strict=True)]


def _best(found: list[tuple[float, int, JournalEntry]], limit: int) -> list[JournalHit]:
    """The first of these, equal ones newest first."""
    found.sort(key=lambda each: each[:2], reverse=True)
    return [JournalHit(entry, score) for score, _, entry in found[:limit]]


def _terms(text: str, tags: Sequence[str]) -> str:
    return " ".join(analysis.terms("\n".join((text, *tags))))


def _replace(connection: Connection, old: str, new: str) -> None:
    """The entry `old` ("" for none) is recalled no more, since `new` took its place."""
    if old:
        connection.execute("UPDATE journal SET replaced_by = ? WHERE key = ?", (new, old)).fetchall()


def _count(connection: Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM journal").get)


def _entry(row: Row) -> JournalEntry:
    key, at_ns, author, client, tags, text, redactions, replaced_by, first_ns = row[:9]
    known = msgspec.json.decode(tags, type=tuple[str, ...])
    return JournalEntry(key, at_ns, author, client, known, text, redactions, replaced_by or "", first_ns or 0)
