"""`python -m tests.quality.tuning [--sets ...]`: what a query matrix is worth, through the real pipeline.

Learned from aliases and link texts of the vault that a collection was made of (its folder without `vault-`). Notes that
a question of the collection points at are left out whole. A collection without such a vault has no names to learn from.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path

from platformdirs import user_cache_path
from rich.console import Console

from scrubjay.daemon.engine.tuning import MOST_PAIRS, tune
from scrubjay.daemon.links.link_graph import GraphCache
from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.daemon.review.looker import Looker
from scrubjay.profiles.search.meaning.query_matrix import QueryMatrix
from scrubjay.profiles.search.rank.retrieval import IMPERSONAL, Personal
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.query_matrices import GivenName, names_of
from tests.helpers.indexed_vault import index_vault
from tests.quality.beir import Collection, available, load
from tests.quality.index import Index, build
from tests.quality.report import Run, difference
from tests.quality.running import ask_all


def main() -> None:
    """Score and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.tuning", description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("SCRUBJAY_EVAL"))
    parser.add_argument("--sets", help="comma-separated; default: all")
    parser.add_argument("--cache", type=Path, default=user_cache_path("scrubjay-quality"))
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("set SCRUBJAY_EVAL or give --data")
    console, data = Console(width=140), Path(arguments.data)
    embedder = InProcessEmbedder(BUNDLED)
    for name in arguments.sets.split(",") if arguments.sets else available(data):
        vault = data / name.removeprefix("vault-")
        if vault == data / name or not vault.is_dir():
            console.print(f"{name}: no names to learn from; queries stay as they are")
            continue
        collection = load(data / name)
        index = build(collection, arguments.cache, embedder)
        names = _names(collection, index, vault)
        began = time.process_time()
        learned, matrix = tune(Looker(GraphCache()), index.store, embedder, names)
        console.print(f"{name}: {learned}, {time.process_time() - began:.0f} s of processor time")
        if matrix is not None:
            _compare(collection, index, embedder, matrix, console)
        index.store.close()
    embedder.close()


def _names(collection: Collection, index: Index, vault: Path) -> list[GivenName]:
    """The names in the vault of the notes that the index has and no question points at."""
    asked = {document for query in collection.queries for document in query.gains}
    own = {path: note.note_id for note in index.store.read(reads.recent) if (path := note.path) in index.document_of}
    with tempfile.TemporaryDirectory() as folder:
        store = FileStore.open(Path(folder) / "names.sqlite3")
        index_vault(store, vault)
        paths = {note.note_id: note.path for note in store.read(reads.recent)}
        names = names_of(store)
        store.close()
    known = [(name.text, path) for name in names if (path := paths[name.note_id]) in own]
    return [GivenName(text, own[path]) for text, path in known if index.document_of[path] not in asked][:MOST_PAIRS]


def _compare(
    collection: Collection, index: Index, embedder: InProcessEmbedder, matrix: QueryMatrix, console: Console
) -> None:
    tuned = Personal(matrices=lambda _name, _store, _model: matrix)
    runs: list[Run] = []
    for name, personal in (("as the model reads", IMPERSONAL), ("with the matrix", tuned)):
        searcher = Searcher(lambda: {"quality": index.store}, embedder, personal=personal)
        runs.append(ask_all(collection, {"quality": index}, searcher, name))
        searcher.close()
    plain, moved = runs
    for stratum in (None, *(each for each in plain.strata() if each.startswith("type="))):
        found = difference(plain.of(stratum), moved.of(stratum))
        before = plain.of(stratum).mean("ndcg10")
        interval = f"[{found.low:+.4f}, {found.high:+.4f}]"
        console.print(f"  {stratum or 'all'}: nDCG@10 {before:.4f}, with the matrix {found.mean:+.4f} {interval}")


if __name__ == "__main__":
    main()
