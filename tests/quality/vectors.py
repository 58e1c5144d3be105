"""A cache of vectors between runs, so that a change of chunking or ranking embeds only what is new."""

import sqlite3
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np

from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.store.rows import Vectors


class VectorCache:
    """Keyed by the model's weights and the text. One process at a time."""

    def __init__(self, path: Path, embedder: Embedder) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(path)
        self._db.execute("CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID")
        self._embedder = embedder
        self._weights = _digest(embedder.spec.path)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """The texts' vectors, from the cache or the model; what is new is kept."""
        keys = [self._key(text) for text in texts]
        known = {key: row[0] for key in keys if (row := self._row(key)) is not None}
        missing = [index for index, key in enumerate(keys) if key not in known]
        if missing:
            fresh = self._embedder.embed_passages([texts[index] for index in missing])
            new = {keys[index]: vector.astype("<f4").tobytes() for index, vector in zip(missing, fresh, strict=True)}
            with self._db:
                self._db.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?)", new.items())
            known |= new
        return np.stack([np.frombuffer(known[key], dtype="<f4") for key in keys])

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def _row(self, key: bytes) -> tuple[bytes] | None:
        row: tuple[bytes] | None = self._db.execute("SELECT value FROM vector WHERE key = ?", (key,)).fetchone()
        return row

    def _key(self, text: str) -> bytes:
        return blake2b(self._weights + text.encode(), digest_size=16).digest()


def _digest(folder: Path | None) -> bytes:
    if folder is None:
        raise ValueError("only a model that is on disk can be scored")
    return blake2b((folder / "model.onnx").read_bytes(), digest_size=16).digest()
