"""`python -m tests.bench.million --vault PATH [--chunks N] [--folder PATH]`: searching an index of a million passages.

The text is real: each passage is two halves of passages of the vault, put together anew for every copy of a note, so
that words are as frequent as people write them and no passage stands there twice. The vectors are made up: centres with
noise round them, as the vectors of notes about a few thousand things lie. The index is built by the store's own writer
into `--folder`, takes hours at a low priority, goes on where it was stopped, and is used again when it is there.
"""

import argparse
import itertools
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

import msgspec
import numpy as np

from scrubjay.credential_filter import BUILT_IN
from scrubjay.daemon.indexing.prepare import PrepareContext, prepare_many
from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.daemon.models.token_counter import TokenCounter
from scrubjay.daemon.vault.read import RawNote
from scrubjay.profiles.digests import bytes_digest
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import Mode, SearchRequest
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.rows import ChunkRow, NoteBundle, Vectors
from scrubjay.profiles.store.store import Store
from tests.bench.queries import queries_of
from tests.bench.running import percentile, print_figures

_VAULT = "million0"
_KEY = bytes(32)
_READ_AT_ONCE = 256
_MOST_TEMPLATES = 20_000  # passages of the vault that are read; the rest would cost time and no variety
_CHUNKS_A_BATCH = 2_000
_CENTRES = 4_000
_NOISE = 0.9  # length of the noise, beside a centre of length 1
_MODES: tuple[Mode, ...] = ("hybrid", "lexical", "semantic")
_WARM_UP = 10


def build(vault: Path, path: Path, chunks: int) -> Store:
    """The store at `path` with at least so many passages."""
    store = FileStore.open(path)
    fill(store, vault, chunks)
    return store


def fill(store: Store, vault: Path, chunks: int) -> None:
    """Have at least so many passages in the store; what is missing is added."""
    have = store.counts().chunks
    if have >= chunks:
        return
    with store.writing() as writer:
        writer.use_model(BUNDLED.fingerprint)
    notes = templates(vault)
    centres, rng = made_up_centres(), np.random.default_rng(have + 2)
    copies = _copies(notes, store.read(reads.note_count))
    while have < chunks:
        batch = fill_batch(copies)
        digests = [chunk.digest for bundle in batch for chunk in bundle.chunks]
        with store.writing() as writer:
            for bundle in batch:
                writer.put_note(bundle)
            writer.put_embeddings(BUNDLED.fingerprint, digests, made_up_vectors(centres, len(digests), rng))
        have += len(digests)
        print(f"{have:,} of {chunks:,}", end="\r", flush=True)


def templates(vault: Path) -> list[NoteBundle]:
    """Notes of the vault as they would be indexed."""
    context = PrepareContext(_KEY, BUILT_IN, TokenCounter(BUNDLED).count_many, BUNDLED.max_tokens)
    files = sorted(vault.rglob("*.md"))
    random.Random(1).shuffle(files)
    found: list[NoteBundle] = []
    for start in range(0, len(files), _READ_AT_ONCE):
        raws = [_raw(file, vault) for file in files[start : start + _READ_AT_ONCE]]
        found.extend(note for note in prepare_many(raws, context) if isinstance(note, NoteBundle) and note.chunks)
        if sum(len(note.chunks) for note in found) >= _MOST_TEMPLATES:
            break
    return found


def _raw(file: Path, vault: Path) -> RawNote:
    data = file.read_bytes()
    path = file.relative_to(vault).as_posix()
    return RawNote(_VAULT, path, data.decode("utf-8", "replace"), len(data), 0, bytes_digest(data, _KEY))


def _copies(notes: Sequence[NoteBundle], first: int) -> Iterator[NoteBundle]:
    """Copies of the notes without end, from the number `first` on."""
    pool = [chunk.text for note in notes for chunk in note.chunks]
    for number in itertools.count(first):
        copy, place = divmod(number, len(notes))
        bundle = notes[place]
        note = replace(bundle.note, path=f"{copy:03d}/{bundle.note.path}", mtime_ns=number)
        chunks = tuple(_mixed(chunk, pool, number * 31 + i, copy) for i, chunk in enumerate(bundle.chunks))
        yield replace(bundle, note=note, chunks=chunks)


def _mixed(chunk: ChunkRow, pool: Sequence[str], seed: int, copy: int) -> ChunkRow:
    """The passage's first half, and the second of another."""
    other = pool[(seed * 7_919) % len(pool)]
    text = chunk.text[: len(chunk.text) // 2].rsplit(" ", 1)[0] + " " + other[len(other) // 2 :].split(" ", 1)[-1]
    digest = blake2b(f"{copy} {seed} {text}".encode("utf-8", "replace"), digest_size=16).digest()
    return msgspec.structs.replace(chunk, text=text, digest=digest)


def fill_batch(copies: Iterator[NoteBundle]) -> list[NoteBundle]:
    batch: list[NoteBundle] = []
    while sum(len(bundle.chunks) for bundle in batch) < _CHUNKS_A_BATCH:
        batch.append(next(copies))
    return batch


def made_up_centres() -> Vectors:
    """What a few thousand things that notes are about lie round, the same each time."""
    return _unit(np.random.default_rng(1).standard_normal((_CENTRES, BUNDLED.dim), dtype=np.float32))


def made_up_vectors(centres: Vectors, count: int, rng: np.random.Generator) -> Vectors:
    """Vectors that lie as those of notes do."""
    noise = _unit(rng.standard_normal((count, BUNDLED.dim), dtype=np.float32))
    rows: Vectors = (centres[rng.integers(0, len(centres), count)] + _NOISE * noise).astype(np.float32)
    return _unit(rows)


def _unit(rows: Vectors) -> Vectors:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def measure(store: Store, queries: Sequence[str]) -> dict[str, object]:
    """Median and 95th percentile of each mode in milliseconds, in process, and the processor time of the mean query."""
    embedder = InProcessEmbedder(BUNDLED)
    searcher = Searcher(lambda: {"million": store}, embedder)
    figures: dict[str, object] = {"passages": store.counts().chunks, "queries": len(queries)}
    for mode in _MODES:
        for query in queries[:_WARM_UP]:
            searcher.search(SearchRequest(query, mode=mode))
        taken: list[float] = []
        used = time.process_time()
        for query in queries[_WARM_UP:]:
            began = time.perf_counter()
            searcher.search(SearchRequest(query, mode=mode))
            taken.append((time.perf_counter() - began) * 1000)
        used = (time.process_time() - used) * 1000 / max(1, len(taken))
        figures[mode] = f"p50 {percentile(taken, 0.5):.1f} ms, p95 {percentile(taken, 0.95):.1f} ms, cpu {used:.1f} ms"
    searcher.close()
    embedder.close()
    return figures


def main() -> None:
    """Build what is missing, measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vault", type=Path, required=True, help="whose text to take")
    parser.add_argument("--chunks", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "scrubjay-million")
    parser.add_argument("--queries", type=int, default=200)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    store = build(arguments.vault, arguments.folder / "million.sqlite3", arguments.chunks)
    print_figures("a large index", measure(store, queries_of(store, arguments.queries + _WARM_UP)))
    store.close()


if __name__ == "__main__":
    main()
