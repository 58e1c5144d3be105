"""The journal of one profile: entries that are appended, found by words and by meaning, and can only be forgotten.

Nothing here derives from a vault, so nothing here is ever rebuilt from one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from scrubjay.profiles.errors import ProfileError
from scrubjay.profiles.search.words import analysis
from scrubjay.profiles.store.rows import Vector
from scrubjay.profiles.store.statements import Connection, FoundEntry, Row, Sql, integers, upsert
from scrubjay.profiles.store.store import Store

MOST_ENTRIES = 100_000
_LATEST_NS = 2**63 - 1
_COLUMNS = (
    "key, at_ns, author, client, tags, text, redactions, replaced_by, first_ns, valid_from_ns, valid_to_ns, replaced_ns"
)


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
    valid_from_ns: int | None = None  # from when on it holds; None: from when it was first said
    valid_to_ns: int | None = None  # until when it holds, not included; None: no end is known
    replaced_ns: int | None = None  # from when on what replaced it holds; None: nothing did


@dataclass(frozen=True, slots=True)
class JournalHit:
    """An entry that was found. `score`: higher is better; BM25 by words, cosine by meaning."""

    entry: JournalEntry
    score: float


@dataclass(frozen=True, slots=True)
class EntryFilter:
    """Which entries are recalled: saved from `since_ns` on and before `until_ns`, with all of `tags`, by `author`.

    And which have not ended, nor been replaced, by `at_ns`; with `begun` those alone that held from then or before.
    """

    since_ns: int = 0
    until_ns: int = _LATEST_NS
    tags: tuple[str, ...] = ()
    author: str = ""  # the client's name; "" for any
    at_ns: int = _LATEST_NS  # the latest: what has any end is left out
    begun: bool = False

    def sql(self) -> Sql:
        """The condition on its times, and the values."""
        holds = ("(replaced_by IS NULL OR replaced_ns > ?)", "(valid_to_ns IS NULL OR valid_to_ns > ?)")
        conditions = ["at_ns >= ?", "at_ns < ?", *holds]
        values = [self.since_ns, self.until_ns, self.at_ns, self.at_ns]
        if self.begun:
            conditions.append("coalesce(valid_from_ns, first_ns, at_ns) <= ?")
            values.append(self.at_ns)
        return " AND ".join(conditions), tuple(values)

    def fits(self, author: str, tags: str) -> bool:
        """Whether an entry of this author and with these tags (JSON) is recalled: no server is told what is wanted."""
        if self.author and author.lower() != self.author.lower():
            return False
        if not self.tags:
            return True
        of_entry = {tag.lower() for tag in msgspec.json.decode(tags, type=tuple[str, ...])}
        return all(tag.lower() in of_entry for tag in self.tags)


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
            values = {
                "key": entry.key,
                "at_ns": entry.at_ns,
                "author": entry.author,
                "client": entry.client,
                "tags": tags,
                "text": entry.text,
                "redactions": entry.redactions,
                "valid_from_ns": entry.valid_from_ns,
                "valid_to_ns": entry.valid_to_ns,
                "terms": terms,
            }
            marks = ", ".join("?" * len(values))
            connection.execute(f"INSERT INTO journal ({', '.join(values)}) VALUES ({marks})", tuple(values.values()))  # noqa: S608
            _replace(
                connection, replaces, entry.key, entry.at_ns if entry.valid_from_ns is None else entry.valid_from_ns
            )

    def said_before(self, said: JournalEntry) -> JournalEntry | None:
        """The entry that says exactly this of the same time, with these tags at least, and was not replaced; the newest
        of several.
        """
        sql = f"SELECT {_COLUMNS} FROM journal WHERE text = ? AND replaced_by IS NULL ORDER BY at_ns DESC"  # noqa: S608
        with self._store.reading() as connection:
            found = [_entry(row) for row in connection.execute(sql, (said.text,))]
        time = (said.valid_from_ns, said.valid_to_ns)
        return next(
            (
                entry
                for entry in found
                if set(said.tags) <= set(entry.tags) and (entry.valid_from_ns, entry.valid_to_ns) == time
            ),
            None,
        )

    def refresh(self, key: str, at_ns: int, replaces: str = "") -> None:
        """Let an entry count as saved at this time, perhaps in place of another; when it was first said stays known."""
        sql = "UPDATE journal SET first_ns = coalesce(first_ns, at_ns), at_ns = ? WHERE key = ?"
        with self._store.writing(durable=True) as writer:
            writer.connection.execute(sql, (at_ns, key)).fetchall()
            _replace(writer.connection, replaces, key, at_ns)

    def get(self, key: str) -> JournalEntry | None:
        """The entry with this key, or None."""
        with self._store.reading() as connection:
            row = connection.execute(f"SELECT {_COLUMNS} FROM journal WHERE key = ?", (key,)).get  # noqa: S608
        return None if row is None else _entry(row)

    def count(self, since_ns: int | None = None, until_ns: int | None = None) -> int:
        """How many entries were saved from `since_ns` on and before `until_ns` (None: open)."""
        sql = "SELECT count(*) FROM journal WHERE at_ns >= ? AND at_ns < ?"
        with self._store.reading() as connection:
            return int(connection.execute(sql, (since_ns or 0, _LATEST_NS if until_ns is None else until_ns)).get)

    def log(self, limit: int, since_ns: int | None = None, until_ns: int | None = None) -> list[JournalEntry]:
        """Entries saved from `since_ns` on and before `until_ns` (None: open), newest first."""
        sql = f"SELECT {_COLUMNS} FROM journal WHERE at_ns >= ? AND at_ns < ? ORDER BY at_ns DESC, id DESC LIMIT ?"  # noqa: S608
        bounds = (since_ns or 0, _LATEST_NS if until_ns is None else until_ns, limit)
        with self._store.reading() as connection:
            return [_entry(row) for row in connection.execute(sql, bounds)]

    def by_words(self, query: str, limit: int, wanted: EntryFilter = ALL) -> list[JournalHit]:
        """Entries that hold any of the query's words, best first (BM25), equal ones newest first."""
        terms = [term for term in analysis.query_terms(query) if term]  # "" is what is left of an accent by itself
        if not terms:
            return []
        with self._store.reading() as connection:
            found = connection.dialect.journal_by_words(connection, terms, wanted.sql())
            return _best(connection, found, wanted, limit)

    def by_meaning(self, model: str, vector: Vector, limit: int, wanted: EntryFilter = ALL) -> list[JournalHit]:
        """The entries nearest to a vector of length 1, nearest first, equal ones newest first.

        model: the fingerprint whose vectors to compare with; entries without one are not found this way.
        """
        with self._store.reading() as connection:
            found = connection.dialect.journal_by_meaning(connection, model, vector, wanted.sql())
            return _best(connection, found, wanted, limit)

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


def _best(connection: Connection, found: list[FoundEntry], wanted: EntryFilter, limit: int) -> list[JournalHit]:
    """The first of those that are wanted, equal ones newest first."""
    fitting = [(score, entry) for score, entry, author, tags in found if wanted.fits(author, tags)]
    best = sorted(fitting, reverse=True)[:limit]
    sql = f"SELECT {_COLUMNS}, id FROM journal WHERE id IN (SELECT value FROM carray(?))"  # noqa: S608
    entries = {row[-1]: _entry(row) for row in connection.execute(sql, (integers([entry for _, entry in best]),))}
    return [JournalHit(entries[entry], score) for score, entry in best]


def _terms(text: str, tags: Sequence[str]) -> str:
    return " ".join(analysis.terms("\n".join((text, *tags))))


def _replace(connection: Connection, old: str, new: str, from_ns: int) -> None:
    """The entry `old` ("" for none) is recalled no more, since `new` took its place; from a time on."""
    if old:
        sql = "UPDATE journal SET replaced_by = ?, replaced_ns = ? WHERE key = ?"
        connection.execute(sql, (new, from_ns, old)).fetchall()


def _count(connection: Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM journal").get)


def _entry(row: Row) -> JournalEntry:
    key, at_ns, author, client, tags, text, redactions, replaced_by, first_ns, *times = row[:12]
    known = msgspec.json.decode(tags, type=tuple[str, ...])
    return JournalEntry(key, at_ns, author, client, known, text, redactions, replaced_by or "", first_ns or 0, *times)
