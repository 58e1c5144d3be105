"""Notes that their owner does not want among results: of every search, or of one query. In the profile's database."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from scrubjay.profiles.journal.search_event import as_compared
from scrubjay.profiles.store.proposals import stays_current
from scrubjay.profiles.store.snapshots import quick
from scrubjay.profiles.store.statements import Connection
from scrubjay.profiles.store.store import Store

EVERY_SEARCH = b""
"""What stands for the digest of a query where a note is hidden from all."""
_COLUMNS = "vault, path, asked, query, at_ns"


@dataclass(frozen=True, slots=True)
class HiddenNote:
    """A note that is hidden. Its query has been through the credential filter; "" where it is hidden from all."""

    vault: str  # id
    path: str
    asked: bytes  # keyed digest of the query as it is compared
    query: str
    at_ns: int


@dataclass(frozen=True, slots=True)
class HiddenHere:
    """Ids of the notes that are hidden from every search, and of those that are hidden from one query."""

    always: frozenset[int] = frozenset()
    for_query: frozenset[int] = frozenset()

    @property
    def ids(self) -> tuple[int, ...]:
        """All of them, in order."""
        return tuple(sorted(self.always | self.for_query))


NONE_HIDDEN = HiddenHere()


_FORGET = "DELETE FROM hidden_note WHERE (vault, path, asked) = (?, ?, ?)"


def hide(store: Store, note: HiddenNote) -> None:
    """Hide a note from now on."""
    with store.writing(durable=True) as writer:
        stays_current(writer.connection, store.machine)
        # On a server a row is its member's, too: there is no key of these columns alone that a conflict could be of.
        writer.connection.execute(_FORGET, (note.vault, note.path, note.asked))
        sql = "INSERT INTO hidden_note (vault, path, asked, query, at_ns) VALUES (?, ?, ?, ?, ?)"
        writer.connection.execute(sql, (note.vault, note.path, note.asked, note.query, note.at_ns))


def unhide(store: Store, vault: str, path: str, asked: bytes) -> bool:
    """Have a note found again; False where it was not hidden. vault: its id."""
    with store.writing(durable=True) as writer:
        stays_current(writer.connection, store.machine)
        return writer.connection.execute(f"{_FORGET} RETURNING path", (vault, path, asked)).get is not None


@quick
def hidden_notes(connection: Connection) -> tuple[HiddenNote, ...]:
    """What is hidden, the newest first."""
    sql = f"SELECT {_COLUMNS} FROM hidden_note ORDER BY at_ns DESC, path"  # noqa: S608
    rows = cast("list[tuple[str, str, bytes, str, int]]", connection.execute(sql).fetchall())
    return tuple(HiddenNote(*row) for row in rows)


def hidden_paths(store: Store, vault: str) -> frozenset[str]:
    """Where the notes lie that are hidden in a vault."""
    with store.reading(short=True) as connection:
        rows = connection.execute("SELECT path FROM hidden_note WHERE vault = ?", (vault,))
        return frozenset(str(path) for (path,) in rows)


@quick
def hidden_ids(connection: Connection) -> Sequence[tuple[int, bytes, str]]:
    """The id of each hidden note that is there, with the digest of the query and the query as it is compared."""
    sql = "SELECT id, asked, query FROM hidden_note JOIN note USING (vault, path)"
    rows = cast("list[tuple[int, bytes, str]]", connection.execute(sql).fetchall())
    return [(note_id, asked, as_compared(query)) for note_id, asked, query in rows]


def hidden_here(rows: Sequence[tuple[int, bytes, str]], query: str, asked: bytes) -> HiddenHere:
    """Which of these a search for a query leaves out. rows: as `hidden_ids` has them. asked: the query's digest.

    A query that was kept on another machine, under another key, is known by its words, where all were kept.
    """
    if not rows:
        return NONE_HIDDEN
    compared = as_compared(query)
    return HiddenHere(
        frozenset(note_id for note_id, of, _ in rows if of == EVERY_SEARCH),
        frozenset(note_id for note_id, of, words in rows if of and (of == asked or words == compared)),
    )
