"""What the user decided about the credentials of a profile's notes, by note and by the keyed digest of the value."""

import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar, cast

from scrubjay.profiles.store.rows import DECISIONS_WAIT_NS, NO_DECISIONS, Decisions, NoteRow, RedactionRow, Standing
from scrubjay.profiles.store.statements import Connection, Insert
from scrubjay.profiles.store.store import Store

_Key = TypeVar("_Key", str, bytes)


@dataclass(frozen=True, slots=True)
class VaultDecisions:
    """The decisions about the notes of one vault; notes without any are in neither."""

    by_path: Mapping[str, Decisions] = field(default_factory=dict[str, Decisions])
    by_bytes: Mapping[bytes, Decisions] = field(default_factory=dict[bytes, Decisions])
    """Those about notes that are gone, by the digest of their files' bytes; they wait a day for a note of the same."""

    def of(self, path: str, digest: bytes) -> Decisions:
        """What was decided about a note, or about one that is gone and had the same bytes."""
        return self.by_path.get(path) or self.by_bytes.get(digest, NO_DECISIONS)

    def about(self, note: NoteRow) -> Decisions:
        """What was decided about a note, or a file beside notes, that is to be stored."""
        return self.of(note.path, note.digest)


def decisions_of(store: Store, vault: str) -> VaultDecisions:
    """The decisions about the notes of a vault."""
    with store.reading() as connection:
        return decisions_on(connection, vault)


def decisions_on(connection: Connection, vault: str) -> VaultDecisions:
    """The same as a transaction sees them: in one that writes, none is made until it ends."""
    sql = (
        "SELECT path, standing, digest, note_digest FROM decision"
        " WHERE vault = ? AND (note_digest IS NULL OR gone_ns >= ?)"
    )
    values = (vault, time.time_ns() - DECISIONS_WAIT_NS)
    rows = cast("list[tuple[str, str, str, bytes | None]]", connection.execute(sql, values).fetchall())
    there = _grouped((path, standing, digest) for path, standing, digest, gone in rows if gone is None)
    return VaultDecisions(there, _grouped((gone, standing, digest) for _, standing, digest, gone in rows if gone))


def _grouped(rows: Iterable[tuple[_Key, str, str]]) -> dict[_Key, Decisions]:
    found: defaultdict[_Key, dict[str, set[str]]] = defaultdict(lambda: {"allowed": set(), "done": set()})
    for key, standing, digest in rows:
        found[key][standing].add(digest)
    return {key: Decisions(frozenset(of["allowed"]), frozenset(of["done"])) for key, of in found.items()}


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
        connection.insert(Insert("decision", ("vault", "path", "digest", "standing")), kept)
        connection.executemany(
            'UPDATE redaction SET standing = ? WHERE line = ? AND "column" = ? AND rule = ?'
            " AND note_id = (SELECT id FROM note WHERE vault = ? AND path = ?)",
            [(standing, row.line, row.column, row.rule, vault, path) for row in rows],
        )
        connection.execute(
            "UPDATE note SET redactions = (SELECT count(*) FROM redaction"
            " WHERE note_id = note.id AND standing IN ('open', 'done')) WHERE vault = ? AND path = ?",
            (vault, path),
        )
