"""What the user decided about the credentials of a profile's notes, by note and by the keyed digest of the value."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import cast

from scrubjay.profiles.database.rows import Decisions, RedactionRow, Standing
from scrubjay.profiles.store.store import Store


def decisions_of(store: Store, vault: str) -> dict[str, Decisions]:
    """The decisions about each note of a vault, by path; notes without any are left out."""
    with store.reading() as connection:
        sql = "SELECT path, standing, digest FROM decision WHERE vault = ?"
        rows = cast("list[tuple[str, str, str]]", connection.execute(sql, (vault,)).fetchall())
    found: defaultdict[str, dict[str, set[str]]] = defaultdict(lambda: {"allowed": set(), "done": set()})
    for path, standing, digest in rows:
        found[path][standing].add(digest)
    return {path: Decisions(frozenset(of["allowed"]), frozenset(of["done"])) for path, of in found.items()}


def decide(
    store: Store, vault: str, path: str, digests: Collection[str], standing: Standing, rows: Iterable[RedactionRow]
) -> None:
    """Decide how the values with these digests stand in a note, in place of what was decided before.

    rows: those of the note's redactions that hold the values; they are told of it at once. The text that is indexed
    follows when the note is read again.
    """
    kept = [(vault, path, digest, standing) for digest in digests if standing in ("allowed", "done")]
    with store.writing(durable=True) as writer:
        connection = writer.connection
        gone = [(vault, path, digest) for digest in digests]
        connection.executemany("DELETE FROM decision WHERE vault = ? AND path = ? AND digest = ?", gone)
        connection.executemany("INSERT INTO decision (vault, path, digest, standing) VALUES (?, ?, ?, ?)", kept)
        connection.executemany(
            "UPDATE redaction SET standing = ? WHERE line = ? AND column = ? AND rule = ?"
            " AND note_id = (SELECT id FROM note WHERE vault = ? AND path = ?)",
            [(standing, row.line, row.column, row.rule, vault, path) for row in rows],
        )
        connection.execute(
            "UPDATE note SET redactions = (SELECT count(*) FROM redaction"
            " WHERE note_id = note.id AND standing IN ('open', 'done')) WHERE vault = ? AND path = ?",
            (vault, path),
        )
