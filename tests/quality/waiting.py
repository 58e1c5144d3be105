"""`python -m tests.quality.waiting [--sets ...]`: how good searches are while a part of the notes waits to be embedded.

A random share of a collection's notes keeps its vectors; hybrid searches are compared with those by words alone.
"""

import argparse
import os
import tempfile
from pathlib import Path

import numpy as np
from platformdirs import user_cache_path
from rich.console import Console

from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.backup import backup
from scrubjay.profiles.store.file_store import FileStore
from tests.quality.beir import load
from tests.quality.index import Index, build
from tests.quality.report import difference
from tests.quality.running import ask_all, run_modes

_SHARES = (0.1, 0.25, 0.5, 0.75)


def main() -> None:
    """Score and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.waiting", description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("SCRUBJAY_EVAL"))
    parser.add_argument("--sets", default="cranfield,cacm,med,vault-obsidian-hub")
    parser.add_argument("--cache", type=Path, default=user_cache_path("scrubjay-quality"))
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("set SCRUBJAY_EVAL or give --data")
    console, embedder = Console(width=140), InProcessEmbedder(BUNDLED)
    for name in arguments.sets.split(","):
        collection = load(Path(arguments.data) / name)
        index = build(collection, arguments.cache, embedder)
        (words,) = run_modes(collection, index, embedder, ("lexical",))
        console.print(f"{name}: nDCG@10 by words alone {words.mean('ndcg10'):.4f}")
        for share in _SHARES:
            with tempfile.TemporaryDirectory() as folder:
                part = _embedded_in_part(index, Path(folder) / "index.sqlite3", share)
                searcher = Searcher(lambda part=part: {"part": part.store}, embedder)
                found = ask_all(collection, {"part": part}, searcher, f"{share}")
                searcher.close()
                part.store.close()
            apart = difference(words, found)
            interval = f"{apart.mean:+.4f} [{apart.low:+.4f}, {apart.high:+.4f}]"
            console.print(f"  {share:.0%} embedded: {found.mean('ndcg10'):.4f}, {interval}")
        index.store.close()
    embedder.close()


def _embedded_in_part(index: Index, copy: Path, share: float) -> Index:
    """A copy of an index in which a random share of the notes has vectors."""
    backup(index.store.path, None, copy)
    store = FileStore.open(copy)
    notes = sorted(note.note_id for note in store.read(reads.recent))
    chosen = np.random.default_rng(5).permutation(notes)[: int(share * len(notes))].tolist()
    kept = f"SELECT digest FROM chunk WHERE note_id IN ({','.join(map(str, chosen))})"
    with store.writing() as writer:
        writer.connection.execute(f"DELETE FROM embedding WHERE digest NOT IN ({kept})").fetchall()
        waits = f"SELECT DISTINCT 0, digest FROM chunk WHERE digest NOT IN ({kept})"
        writer.connection.execute(f"INSERT INTO pending_embedding (mtime_ns, digest) {waits}").fetchall()
    return Index(store, index.document_of)


if __name__ == "__main__":
    main()
