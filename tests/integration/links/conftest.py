"""A small real store whose vectors say by hand which notes mean the same."""

from collections.abc import Callable, Sequence
from hashlib import blake2b

import numpy as np
import pytest

from scrubjay.profiles.store.rows import ChunkRow, LinkRow, NoteBundle, NoteRow
from scrubjay.profiles.store.store import Store
from tests.helpers.stores import NewStore

MODEL = "by-hand"
DIM = 16

Put = Callable[..., int]


def digest(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=16).digest()


@pytest.fixture
def store(new_store: NewStore) -> Store:
    opened = new_store()
    opened.pending_embeddings(MODEL, 1)  # makes it the model in use
    return opened


@pytest.fixture
def put(store: Store) -> Put:
    """put(path, text, meaning, links, tags, ...) stores a note of one chunk and of its `sections`; gives its id.

    meaning: weights of the first dimensions of its vector; None: not embedded yet.
    sections: heading, first line, meaning.
    """

    def put_note(
        path: str,
        text: str,
        meaning: Sequence[float] | None = None,
        *,
        links: Sequence[str] = (),
        tags: tuple[str, ...] = (),
        aliases: tuple[str, ...] = (),
        properties: dict[str, str | tuple[str, ...]] | None = None,
        mtime_ns: int = 0,
        created_ns: int | None = None,
        sections: Sequence[tuple[str, int, Sequence[float]]] = (),
    ) -> int:
        title = path.rsplit("/", 1)[-1].removesuffix(".md")
        note = NoteRow(
            vault="v",
            path=path,
            title=title,
            mtime_ns=mtime_ns,
            size=len(text),
            digest=digest(text),
            fingerprint="",
            aliases=aliases,
            tags=tags,
            properties=properties or {},
            created_ns=created_ns,
        )
        chunk = ChunkRow(digest(text), text, (), 1, 1)
        parts = [(ChunkRow(digest(name), name, (name,), line, line), weights) for name, line, weights in sections]
        rows = tuple(LinkRow(target, "wiki", 1) for target in links)
        with store.writing() as writer:
            note_id = writer.put_note(NoteBundle(note, (chunk, *(part for part, _ in parts)), rows))
            for held, weights in [(chunk, meaning), *parts]:
                if weights is None:
                    continue
                vector = np.zeros((1, DIM), dtype=np.float32)
                vector[0, : len(weights)] = weights
                writer.put_embeddings(MODEL, [held.digest], vector / np.float32(np.linalg.norm(vector)))
        return note_id

    return put_note
