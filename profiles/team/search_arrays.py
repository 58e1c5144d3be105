"""What a search keeps in RAM of a profile on a server: the columns, which others change as well, and no vectors."""

from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.search.meaning.semantic_leg import allowed_chunks, measure
from scrubjay.profiles.store.columns import DIGEST_BYTES, Changes, Columns, of_rows
from scrubjay.profiles.store.filters import NoteFilter
from scrubjay.profiles.store.rows import SemanticCandidates, Vector
from scrubjay.profiles.store.search_arrays import SearchArrays
from scrubjay.profiles.store.statements import Connection, generation_of
from scrubjay.profiles.team.connection import ProfileConnection
from scrubjay.profiles.team.known_notes import GONE_BEFORE, KnownNotes
from scrubjay.profiles.team.vault_names import SEALED, VaultNames
from scrubjay.profiles.team.vector_index import chosen

_GONE_NOTE, _GONE_CHUNK = 1, 2


class TeamArrays(SearchArrays):
    """See `SearchArrays`. Candidates by meaning are chosen on the server."""

    def __init__(self, vault_names: VaultNames) -> None:
        """vault_names: brought up to date with the columns."""
        super().__init__()
        self.known_notes = KnownNotes()
        self._vault_names = vault_names

    def load(self, connection: Connection) -> None:
        """See `SearchArrays`: there are no vectors."""
        self.columns(connection)
        connection.execute_here("SELECT 1 FROM note LIMIT 1")

    def forget(self) -> None:
        """See `SearchArrays`."""
        super().forget()
        self.known_notes.forget()

    def nearest(
        self,
        connection: Connection,
        model: str,
        vector: Vector,
        where: NoteFilter | None,
        limit: int,
        also: Sequence[int],
        store_count: int,
    ) -> SemanticCandidates:
        """See `Store.nearest`."""
        del store_count
        model_row = self._model_row(connection, model)
        if model_row is None or limit <= 0:
            return SemanticCandidates((), {})
        current = self.columns(connection)
        allowed = allowed_chunks(connection, current, where)
        server = cast("ProfileConnection", connection)
        candidates = chosen(server, model_row, vector, limit, where, allowed, also)
        return measure(connection, current, candidates, vector, limit, also)

    def _read_columns(self, connection: Connection, before: Columns | None) -> Columns:
        server = cast("ProfileConnection", connection)
        return from_server(server) if before is None else brought_up_to_date(server, before, self._vault_names)


def from_server(connection: ProfileConnection) -> Columns:
    """The columns of a server's snapshot."""
    copied = connection.copy_out("SELECT id, note_id, position, tokens, digest FROM chunk")
    numbers, digests = _copied_rows(copied, 4, DIGEST_BYTES)
    notes, _ = _copied_rows(connection.copy_out("SELECT id, title_tokens FROM note"), 2, 0)
    return of_rows(generation_of(connection), numbers, notes, numbers[:, 0], digests)


def brought_up_to_date(connection: ProfileConnection, columns: Columns, vault_names: VaultNames) -> Columns:
    """The columns of a server's snapshot, given those of an earlier generation: only what changed since is read.

    One way to the server and back.
    """
    since = (columns.generation,)
    gone_before, chunks, titles, gone, names = connection.together(
        [
            ("SELECT value FROM meta WHERE name = ?", (GONE_BEFORE,)),
            ("SELECT id, note_id, position, tokens, digest FROM chunk WHERE version > ?", since),
            ("SELECT id, title_tokens FROM note WHERE version > ?", since),
            ("SELECT kind, id FROM gone WHERE version > ?", since),
            SEALED,
        ]
    )
    vault_names.take(names)
    if gone_before and columns.generation < int(gone_before[0][0]):
        return from_server(connection)
    changes = Changes()
    changes.chunks = cast("list[tuple[int, int, int, int, bytes]]", chunks)
    changes.titles = dict(cast("list[tuple[int, int]]", titles))
    changes.gone_notes = [row for kind, row in cast("list[tuple[int, int]]", gone) if kind == _GONE_NOTE]
    changes.gone_chunks = [row for kind, row in cast("list[tuple[int, int]]", gone) if kind == _GONE_CHUNK]
    return columns.changed(changes, generation_of(connection))


_COPY_HEAD, _COPY_TAIL = 19, 2  # bytes before the first row and after the last


def _copied_rows(copied: bytes, width: int, tail: int) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """What `copy_out` gave of rows of `width` columns of type bigint, then bytes of length `tail` (0: none), no NULLs.

    Shapes (rows, width) and (rows, tail). Format: https://www.postgresql.org/docs/current/sql-copy.html#binary-format
    """
    parts = [part for at in range(width) for part in ((f"size{at}", ">i4"), (f"value{at}", ">i8"))]
    parts = [("columns", ">i2"), *parts, *((("size", ">i4"), ("bytes", f"{tail}u1")) if tail else ())]
    layout = np.dtype(parts)
    count = (len(copied) - _COPY_HEAD - _COPY_TAIL) // layout.itemsize
    rows = np.frombuffer(copied, layout, count, _COPY_HEAD)
    values = np.stack([rows[f"value{at}"].astype(np.int64) for at in range(width)], axis=1)
    return values, rows["bytes"] if tail else np.empty((count, 0), np.uint8)
