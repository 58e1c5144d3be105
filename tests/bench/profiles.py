"""What a federation and encryption cost: the same notes as one profile, as four, and encrypted; in one process.

Processor time, so that whatever else the machine does disturbs it little; ratios within one run.
"""

import random
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scrubjay.profiles.digests import text_digest
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.rows import ChunkRow, NoteBundle, NoteRow
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder

_KEY = bytes(range(32))
_WORDS = 20_000
_PASSAGE_WORDS = 120
_PARTS = 4


@dataclass(frozen=True, slots=True)
class ProfileFigures:
    """Processor time of one search, and of opening a store and searching it once, in milliseconds."""

    merged_ms: float
    federated_ms: float
    merged_wall_ms: float
    federated_wall_ms: float
    open_plain_ms: float
    open_encrypted_ms: float
    encrypted_ms: float


def measure(chunks: int, queries: int) -> ProfileFigures:
    """Build the stores from made-up passages (words drawn as often as in real text) and ask them."""
    rng = random.Random(1)
    words = [f"word{number}" for number in range(_WORDS)]
    weights = [1 / (rank + 10) for rank in range(_WORDS)]
    passages = [" ".join(rng.choices(words, weights, k=_PASSAGE_WORDS)) for _ in range(chunks)]
    asked = [" ".join(rng.choices(words, weights, k=4)) for _ in range(queries)]
    with tempfile.TemporaryDirectory(prefix="scrubjay-bench-") as name:
        folder = Path(name)
        merged = {"merged": _filled(folder / "merged.sqlite3", passages, None)}
        parts = {
            f"part {part}": _filled(folder / f"{part}.sqlite3", passages[part::_PARTS], None) for part in range(_PARTS)
        }
        encrypted = {"encrypted": _filled(folder / "encrypted.sqlite3", passages, _KEY)}
        one, one_wall = _searching(merged, asked)
        four, four_wall = _searching(parts, asked)
        ciphered, _ = _searching(encrypted, asked)
        for store in (*merged.values(), *parts.values(), *encrypted.values()):
            store.close()
        plain_open = _opening(folder / "merged.sqlite3", None, asked[0])
        encrypted_open = _opening(folder / "encrypted.sqlite3", _KEY, asked[0])
    return ProfileFigures(one, four, one_wall, four_wall, plain_open, encrypted_open, ciphered)


def figures_of(found: ProfileFigures) -> dict[str, object]:
    """The figures with the ratios that have a bar: 1.5 for a federation of four, 1.15 for encryption."""
    return {
        "one profile, ms of processor": round(found.merged_ms, 1),
        "four profiles / one, processor": round(found.federated_ms / found.merged_ms, 2),
        "four profiles / one, time": round(found.federated_wall_ms / found.merged_wall_ms, 2),
        "encrypted / plain, a search": round(found.encrypted_ms / found.merged_ms, 2),
        "encrypted / plain, opening and first answer": round(found.open_encrypted_ms / found.open_plain_ms, 2),
    }


def _filled(path: Path, passages: Sequence[str], key: bytes | None) -> Store:
    store = FileStore.open(path, key=key)
    encoder = HashEncoder()
    for start in range(0, len(passages), 1_000):
        with store.writing() as writer:
            for number, text in enumerate(passages[start : start + 1_000], start):
                digest = text_digest(text, _KEY)
                note = NoteRow("0a1b2c3d", f"{number}.md", f"{number}", number, len(text), digest, "bench")
                writer.put_note(NoteBundle(note, (ChunkRow(digest, text, (), 1, 1),)))
    rng = np.random.default_rng(1)
    model = encoder.spec.fingerprint
    while pending := store.pending_embeddings(model, 4_096):
        vectors = rng.standard_normal((len(pending), encoder.spec.dim), dtype=np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        with store.writing() as writer:
            writer.put_embeddings(model, [chunk.digest for chunk in pending], vectors)
    return store


def _searching(stores: Mapping[str, Store], asked: Sequence[str]) -> tuple[float, float]:
    """Median processor and wall milliseconds of a search, once all is warm."""
    searcher = Searcher(lambda: stores, HashEncoder())
    for query in asked[:20]:
        searcher.search(SearchRequest(query))
    cpu: list[float] = []
    wall: list[float] = []
    for query in asked:
        began, at = time.process_time(), time.perf_counter()
        searcher.search(SearchRequest(query))
        cpu.append((time.process_time() - began) * 1000)
        wall.append((time.perf_counter() - at) * 1000)
    searcher.close()
    return float(np.median(cpu)), float(np.median(wall))


def _opening(path: Path, key: bytes | None, query: str) -> float:
    """Median processor milliseconds from a closed file to its first answer."""
    taken: list[float] = []
    for _ in range(7):
        began = time.process_time()
        store = FileStore.open(path, key=key)
        searcher = Searcher(lambda opened=store: {"one": opened}, HashEncoder())
        searcher.search(SearchRequest(query))
        taken.append((time.process_time() - began) * 1000)
        searcher.close()
        store.close()
    return float(np.median(taken))
