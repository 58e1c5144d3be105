"""The search history of one profile: who searched for what, how long it took, and which results were opened."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Literal, cast

from scrubjay.profiles.journal.search_event import Asker, Opening, SearchEvent, SearchSource
from scrubjay.profiles.store.proposals import stays_current
from scrubjay.profiles.store.snapshots import quick
from scrubjay.profiles.store.statements import Connection, Insert
from scrubjay.profiles.store.store import Store

MOST_EVENTS = 1_000
_SAME_SEARCH_NS = 3_600 * 10**9  # a result is opened within an hour of its search
_COLUMNS = "at_ns, query, mode, results, took_ms, source, client, relevance"


class History:
    """The history in a store. Thread-safe as the store is; raises what the store raises."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def record(self, events: Iterable[SearchEvent]) -> None:
        """Remember searches, oldest first; of all only the newest MOST_EVENTS stay."""
        with self._store.writing() as writer:
            stays_current(writer.connection, self._store.machine)
            for event in events:
                _insert(writer.connection, event)
            newest = "SELECT id FROM search_event ORDER BY at_ns DESC, id DESC LIMIT ?"
            writer.connection.execute(
                f"DELETE FROM search_event WHERE id NOT IN ({newest})",  # noqa: S608
                (MOST_EVENTS,),
            )

    def opened(self, query: str, path: str, at_ns: int, asker: Asker) -> bool:
        """Remember that a result of this client's newest search with this query was opened; False where it made none.

        Clients of the same kind and name are one.
        """
        sql = (
            "SELECT id FROM search_event WHERE query = ? AND at_ns BETWEEN ? AND ? AND (source, client) = (?, ?)"
            " ORDER BY at_ns DESC, id DESC LIMIT 1"
        )
        with self._store.writing() as writer:
            values = (query, at_ns - _SAME_SEARCH_NS, at_ns, asker.source, asker.client)
            found = writer.connection.execute(sql, values).get
            if found is None:
                return False
            stays_current(writer.connection, self._store.machine)
            add = "INSERT INTO search_opened (event_id, path, at_ns) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
            writer.connection.execute(add, (found, path, at_ns))
            return True

    def events(self) -> tuple[SearchEvent, ...]:
        """All searches, newest first."""
        with self._store.reading() as connection:
            opened: defaultdict[int, list[str]] = defaultdict(list)
            paths = "SELECT event_id, path FROM search_opened ORDER BY at_ns, path"
            for key, path in cast("Iterable[tuple[int, str]]", connection.execute(paths)):
                opened[key].append(path)
            sql = f"SELECT id, {_COLUMNS} FROM search_event ORDER BY at_ns DESC, id DESC"  # noqa: S608
            return tuple(_event(row, tuple(opened[cast("int", row[0])])) for row in connection.execute(sql))

    def forget_opened(self, path: str | None = None) -> int:
        """Forget which results were opened, or (path given) that this one was; how many openings there were."""
        where, values = ("true", ()) if path is None else ("path = ?", (path,))
        with self._store.writing() as writer:
            stays_current(writer.connection, self._store.machine)
            sql = f"DELETE FROM search_opened WHERE {where} RETURNING path"  # noqa: S608
            return len(writer.connection.execute(sql, values).fetchall())

    def clear(self) -> int:
        """Forget every search; returns how many there were."""
        with self._store.writing() as writer:
            count = int(str(writer.connection.execute("SELECT count(*) FROM search_event").get))
            writer.connection.execute("DELETE FROM search_event").fetchall()
            return count


@quick
def openings(connection: Connection) -> tuple[Opening, ...]:
    """What people opened from results, in no order; not what agents did."""
    sql = (
        "SELECT query, path, search_opened.at_ns FROM search_opened JOIN search_event ON id = event_id"
        " WHERE source <> 'agent'"
    )
    return tuple(Opening(*row) for row in cast("Iterable[tuple[str, str, int]]", connection.execute(sql)))


def _insert(connection: Connection, event: SearchEvent) -> None:
    sql = f"INSERT INTO search_event ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id"  # noqa: S608
    asker = (event.asker.source, event.asker.client)
    values = (event.at_ns, event.query, event.mode, event.results, event.took_ms, *asker, event.relevance)
    key = cast("int", connection.execute(sql, values).get)
    opened = [(key, path, event.at_ns) for path in event.opened]
    connection.insert(Insert("search_opened", ("event_id", "path", "at_ns")), opened)


def _event(row: tuple[object, ...], opened: tuple[str, ...]) -> SearchEvent:
    _, at_ns, query, mode, results, took_ms, source, client, relevance = cast(
        "tuple[int, int, str, str, int, float, SearchSource, str, Literal['high', 'medium', 'low', '']]", row
    )
    return SearchEvent(at_ns, query, mode, results, took_ms, opened, Asker(source, client), relevance)
