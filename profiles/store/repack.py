"""Making a database as small as a new one: one of before version 10, or one from which much was forgotten.

Of the former, texts are packed and vectors have eight bits; what either holds of empty pages is given back to the disk.
Nothing is embedded or read from the vault again. It goes on where it was stopped, at any moment: a few rows are
converted in each transaction, which also says how far it has come, and pages are given back by a copy that takes the
file's place when it is whole. Other processes may do the same at the same time.
"""

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import cast

import msgspec
import numpy as np

from scrubjay.profiles.errors import StoreError
from scrubjay.profiles.search.meaning.vectors import quantized
from scrubjay.profiles.store import encryption
from scrubjay.profiles.store.packed_texts import pack
from scrubjay.profiles.store.sqlite import connect
from scrubjay.profiles.store.statements import Connection

ROWS = 2000
"""Of each table in one transaction: some 8 MB."""
_TO_DO = "repack"
_LEAST_GIVEN_BACK = 1 << 20
"""Bytes of empty pages that are worth a copy of the rest."""


class _Progress(msgspec.Struct):
    """What `meta` keeps until all is done: the last row of each table that is converted."""

    chunk: int = 0
    embedding: int = 0
    converted: bool = False


def repack(connection: Connection) -> bool:
    """Convert what is stored in the old way. Returns whether the file may hold empty pages since (see `shrink`)."""
    while (progress := _progress(connection)) is not None and not progress.converted:
        with connection:
            _convert_some(connection)
    return progress is not None


def is_hollow(connection: Connection) -> bool:
    """Whether a third of the file is empty pages, as after a large folder was taken out of the vault."""
    sizes = (connection.execute(f"PRAGMA {name}").get for name in ("freelist_count", "page_count", "page_size"))
    empty, pages, size = cast("Iterable[int]", sizes)
    return empty * 3 >= pages and empty * size >= _LEAST_GIVEN_BACK


def shrink(path: Path, key: bytes | None) -> None:
    """Give empty pages back to the disk. Close the store first; in use elsewhere, it stays as it is.

    Tried again at the next start where it fails, as it does while there is no room for a copy.
    """
    with contextlib.suppress(StoreError, OSError):
        encryption.compact(path, key)
        connection = connect(path, key, "writer")
        try:
            connection.execute("DELETE FROM meta WHERE name = ?", (_TO_DO,))
        finally:
            connection.close()


def _progress(connection: Connection) -> _Progress | None:
    kept = connection.execute("SELECT value FROM meta WHERE name = ?", (_TO_DO,)).get
    return None if kept is None else msgspec.json.decode(str(kept), type=_Progress)


def _convert_some(connection: Connection) -> None:
    progress = _progress(connection)  # again, inside the transaction: another process may have been faster
    if progress is None:
        return
    progress.chunk, texts = _convert_texts(connection, progress.chunk)
    progress.embedding, vectors = _convert_vectors(connection, progress.embedding)
    progress.converted = not texts and not vectors
    connection.execute("UPDATE meta SET value = ? WHERE name = ?", (msgspec.json.encode(progress).decode(), _TO_DO))


def _convert_texts(connection: Connection, after: int) -> tuple[int, bool]:
    """The last row done, and whether there was one."""
    sql = "SELECT id, text FROM chunk WHERE id > ? ORDER BY id LIMIT ?"
    rows = cast("list[tuple[int, str]]", connection.execute(sql, (after, ROWS)).fetchall())
    packed = [(pack(text), row) for row, text in rows if text]
    connection.executemany("UPDATE chunk SET text = '', packed = ? WHERE id = ?", packed)
    return (rows[-1][0], True) if rows else (after, False)


def _convert_vectors(connection: Connection, after: int) -> tuple[int, bool]:
    sql = "SELECT id, vector, 32 * length(sketch) FROM embedding WHERE id > ? ORDER BY id LIMIT ?"
    rows = cast("list[tuple[int, bytes, int]]", connection.execute(sql, (after, ROWS)).fetchall())
    old = [(row, vector) for row, vector, size in rows if len(vector) == size]
    connection.executemany("UPDATE embedding SET vector = ? WHERE id = ?", _quantized(old))
    return (rows[-1][0], True) if rows else (after, False)


def _quantized(rows: Sequence[tuple[int, bytes]]) -> list[tuple[bytes, int]]:
    if not rows:
        return []
    found: list[tuple[bytes, int]] = []
    for size in {len(vector) for _, vector in rows}:  # one, but while a change of model is under way
        of_size = [(row, vector) for row, vector in rows if len(vector) == size]
        vectors = np.frombuffer(b"".join(vector for _, vector in of_size), "<f4").reshape(len(of_size), -1)
        sound = np.nan_to_num(vectors, nan=0.0, posinf=0.0, neginf=0.0)  # what is damaged, `check` finds
        found.extend((steps, row) for (row, _), steps in zip(of_size, quantized(sound), strict=True))
    return found
