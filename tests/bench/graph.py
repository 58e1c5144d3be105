"""`python -m tests.bench.graph --vault PATH`: a graph from a store, a changed note, related notes.

Processor time, in this process. The store is of a real vault, indexed by a real daemon; vectors that are missing are
made up, which takes no longer to compare.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

from scrubjay.daemon.links import link_graph
from scrubjay.daemon.links.link_graph import CachedGraph
from scrubjay.daemon.links.related import related_notes
from scrubjay.daemon.links.traverse import MOST_NOTES, walk_from
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.daemon.server.endpoints.status import STATUS
from scrubjay.profiles.registry.registry import Registry
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.rows import ChunkRow, LinkRow, NoteBundle, NoteRow, NoteView
from scrubjay.profiles.store.store import Store
from tests.bench.__main__ import sample_vault
from tests.bench.indexing import make_up_vectors
from tests.bench.running import Daemon, percentile, print_figures, running_daemon, wait_for

_CHANGES = 20
_ASKED = 100
_HOUR = 3_600

T = TypeVar("T")


def index_whole(daemon: Daemon) -> Path:
    """Where the store of a daemon is that was just started, once all notes are read and have vectors."""
    wait_for(lambda: daemon.client.ask(STATUS).profiles[0].state in ("embedding", "idle"), seconds=_HOUR)
    make_up_vectors(daemon.home)
    wait_for(lambda: daemon.client.ask(STATUS).idle, seconds=_HOUR)
    registry = Registry(daemon.home.profiles)
    return registry.store_path(registry.list()[0])


def graph_figures(store: Store, seed: int = 1) -> dict[str, object]:
    """The figures that have a bar, and what they were taken on. Changes a few notes of the store."""
    link_graph.PATIENCE = 0  # each change is taken in at once
    rng = random.Random(seed)
    kept = CachedGraph()
    graph, built = _timed(lambda: kept.renewed(store))
    changed = [
        _change(store, kept, note)
        for note in store.read(reads.notes, rng.sample(graph.ids.tolist(), _CHANGES)).values()
    ]
    graph = kept.renewed(store)
    asked = rng.choices(graph.ids.tolist(), k=_ASKED)
    related_notes(store, graph, BUNDLED.fingerprint, asked[0])  # reads the vectors' sketches, once
    related = [_timed(lambda n=note: related_notes(store, graph, BUNDLED.fingerprint, n))[1] for note in asked]
    walks = [
        _timed(lambda n=note: walk_from(store, graph, [n], None, hops=2, deep=False))[1] for note in asked[:_CHANGES]
    ]
    return {
        "notes": len(graph.ids),
        "links in notes": store.counts().links,
        "links between notes": len(graph.out.columns),
        "graph from the store, s (bar 10)": round(built, 2),
        "a changed note, ms: p50, worst (bar 50)": _spread(changed),
        "related notes, ms: p50, worst (bar p50 15)": _spread(related),
        f"a walk of two hops (at most {MOST_NOTES:,} notes), ms: p50, worst": _spread(walks),
    }


def _change(store: Store, kept: CachedGraph, note: NoteView) -> float:
    """Seconds of processor until the graph has another link of a note."""
    with store.writing() as writer:
        writer.put_note(_with_link(store, note))
    return _timed(lambda: kept.renewed(store))[1]


def _with_link(store: Store, note: NoteView) -> NoteBundle:
    row = NoteRow(
        vault=note.vault,
        path=note.path,
        title=note.title,
        mtime_ns=note.mtime_ns,
        size=1,
        digest=blake2b(note.path.encode(), digest_size=16).digest(),
        fingerprint="",
        aliases=note.aliases,
        tags=note.tags,
        properties=note.properties,
    )
    chunks = [
        ChunkRow(c.digest, c.text, c.headings, c.line, c.end_line) for c in store.read(reads.note_chunks, note.note_id)
    ]
    links = store.read(reads.links_of, note.note_id)
    return NoteBundle(row, tuple(chunks), (*links, LinkRow("a note that nobody has written", "wiki", 1)))


def _timed(call: Callable[[], T]) -> tuple[T, float]:
    began = time.process_time()
    found = call()
    return found, time.process_time() - began


def _spread(seconds: list[float]) -> str:
    return f"{1000 * percentile(seconds, 0.5):.1f}, {1000 * max(seconds):.1f}"


def main() -> None:
    """Index a vault, measure its graph and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vault", type=Path, help="a vault of your own; without it, the sample vault")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        with running_daemon(arguments.vault or sample_vault(Path(folder)), home) as daemon:
            path = index_whole(daemon)
        store = FileStore.open(path)
        print_figures("graph", graph_figures(store))
        store.close()


if __name__ == "__main__":
    main()
