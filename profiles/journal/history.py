"""The search history of one profile: what was asked, how long it took, and which results were opened."""

from collections.abc import Iterable
from dataclasses import dataclass

from scrubjay.profiles.database.sql import Connection
from scrubjay.profiles.store.store import Store

MOST_EVENTS = 1_000
_SAME_SEARCH_NS = 3_600 * 10**9  # a result is opened within an hour of its search


@dataclass(frozen=True, slots=True)
class SearchEvent:
    """One search. Its query has been through the credential filter."""

    at_ns: int
    query: str
    mode: str
    results: int  # of this profile
    took_ms: float  # of the search as a whole, other profiles included
    opened: tuple[str, ...] = ()  # vault-relative paths, the first opened first


class History:
    """The history in a store. Thread-safe as the store is; raises what the store raises."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def record(self, events: Iterable[SearchEvent]) -> None:
        """Remember searches, oldest first; of all only the newest MOST_EVENTS stay."""
        with self._store.writing() as writer:
            for event in events:
                _insert(writer.connection, event)
            newest = "SELECT id FROM search_event ORDER BY at_ns DESC, id DESC LIMIT ?"
            writer.connection.execute(
                f"DELETE FROM search_event WHERE id NOT IN ({newest})",  # noqa: S608
                (MOST_EVENTS,),
            )

    def opened(self, query: str, path: str, at_ns: int) -> bool:
        """Remember that a result of the newest search with this query was opened; False where there is none such."""
        sql = (
            "SELECT id FROM search_event WHERE query = ? AND at_ns BETWEEN ? AND ? ORDER BY at_ns DESC, id DESC LIMIT 1"
        )
        with self._store.writing() as writer:
            found = writer.connection.execute(sql, (query, at_ns - _SAME_SEARCH_NS, at_ns)).get
            if found is None:
                return False
            add = "INSERT OR IGNORE INTO search_opened (event_id, path, at_ns) VALUES (?, ?, ?)"
            writer.connection.execute(add, (found, path, at_ns))
            return True

    def events(self, limit: int, *, slower_than_ms: float = 0.0) -> tuple[SearchEvent, ...]:
        """The searches that took at least so long, newest first."""
        sql = (
            "SELECT id, at_ns, query, mode, results, took_ms FROM search_event WHERE took_ms >= ?"
            " ORDER BY at_ns DESC, id DESC LIMIT ?"
        )
        with self._store.reading() as connection:
            rows = connection.execute(sql, (slower_than_ms, limit)).fetchall()
            return tuple(
                SearchEvent(int(at), str(query), str(mode), int(results), float(took), _opened(connection, int(key)))
                for key, at, query, mode, results, took in rows
            )

    def clear(self) -> int:
        """Forget every search; returns how many there were."""
        with self._store.writing() as writer:
            count = int(str(writer.connection.execute("SELECT count(*) FROM search_event").get))
            writer.connection.execute("DELETE FROM search_event").fetchall()
            return count


def _insert(connection: Connection, event: SearchEvent) -> None:
    sql = "INSERT INTO search_event (at_ns, query, mode, results, took_ms) VALUES (?, ?, ?, ?, ?)"
    connection.execute(sql, (event.at_ns, event.query, event.mode, event.results, event.took_ms))
    key = connection.last_insert_rowid()
    opened = [(key, path, event.at_ns) for path in event.opened]
    connection.executemany("INSERT INTO search_opened (event_id, path, at_ns) VALUES (?, ?, ?)", opened)


def _opened(connection: Connection, event_id: int) -> tuple[str, ...]:
    sql = "SELECT path FROM search_opened WHERE event_id = ? ORDER BY at_ns, path"
    return tuple(str(row[0]) for row in connection.execute(sql, (event_id,)))
