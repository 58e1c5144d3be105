"""Making bundles for tests of the store."""

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np

from scrubjay.profiles.store.rows import ChunkRow, LinkRow, NoteBundle, NoteRow, RedactionRow, Vector

VAULT = "0a1b2c3d"


def digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=16, key=b"test").digest()


def bundle(
    path: str,
    *texts: str,
    title: str | None = None,
    headings: tuple[str, ...] = (),
    tags: tuple[str, ...] = (),
    aliases: tuple[str, ...] = (),
    properties: Mapping[str, str | tuple[str, ...]] | None = None,
    links: Sequence[LinkRow] = (),
    redactions: Sequence[RedactionRow] = (),
    mtime_ns: int = 1,
    created_ns: int | None = None,
    lang: str = "",
    vault: str = VAULT,
    kind: str = "",
) -> NoteBundle:
    note = NoteRow(
        vault=vault,
        path=path,
        title=path.rsplit("/", 1)[-1].removesuffix(".md") if title is None else title,
        mtime_ns=mtime_ns,
        size=sum(map(len, texts)),
        digest=digest("".join(texts)),
        fingerprint="f1",
        aliases=aliases,
        tags=tags,
        properties=properties or {},
        created_ns=created_ns,
        lang=lang,
        kind=kind,
    )
    chunks = tuple(ChunkRow(digest(text), text, headings, n * 10 + 1, n * 10 + 9) for n, text in enumerate(texts))
    return NoteBundle(note, chunks, tuple(links), tuple(redactions))


def vector(text: str, dim: int = 64) -> Vector:
    """The same unit vector for the same text, anywhere."""
    seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
    drawn = np.random.default_rng(seed).standard_normal(dim).astype(np.float32)
    return (drawn / np.linalg.norm(drawn)).astype(np.float32)
