"""`python -m tests.bench.vstash_bench --vault PATH [--chunks 50000]`: Scrubjay beside vstash, in one run.

Both hold the same passages with the same vectors (see `million`) and embed each query in process, with the same model.
vstash needs a Python whose sqlite3 can load extensions: the first of --python and those on the path that can is taken
for a virtual environment in the cache folder, which gets vstash from the package index.
"""

import argparse
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import cast

import msgspec
import numpy as np
import platformdirs

from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.profiles.search.meaning.vectors import unquantized
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.store.store import Store
from tests.bench.million import build
from tests.bench.queries import queries_of
from tests.bench.running import percentile, print_figures

_VSTASH = "vstash==0.39.0"
_PYTHONS = ("python3", "/usr/bin/python3", "python3.13", "python3.12", "python3.11")
_CAN_EXTEND = "import sqlite3; sqlite3.connect(':memory:').enable_load_extension(True)"
_WARM_UP = 10


def environment(given: str | None) -> Path:
    """Python of an environment that has vstash. Raises RuntimeError where no Python here can run it."""
    folder = platformdirs.user_cache_path("scrubjay-bench") / _VSTASH
    python = folder / "bin" / "python"
    if (folder / "ready").exists():
        return python
    names = (given,) if given else _PYTHONS
    found = next((name for name in names if shutil.which(name) and _runs([name, "-c", _CAN_EXTEND])), None)
    if found is None:
        raise RuntimeError("vstash needs a Python whose sqlite3 can load extensions; name one with --python.")
    subprocess.run([found, "-m", "venv", "--clear", folder], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", _VSTASH], check=True)
    (folder / "ready").touch()
    return python


def _runs(command: Sequence[str]) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def write_out(store: Store, folder: Path) -> None:
    """What the store holds, in the files that `vstash_rival` reads."""
    vectors: list[bytes] = []
    sql = (
        "SELECT note.path, note.title, unpacked(chunk.packed), embedding.vector FROM chunk"
        " JOIN note ON note.id = chunk.note_id JOIN embedding ON embedding.digest = chunk.digest"
        " ORDER BY note.id, chunk.position"
    )
    with (folder / "texts.jsonl").open("wb") as file, store.reading() as connection:
        rows = cast("Iterable[tuple[str, str, str, bytes]]", connection.execute(sql))
        for (path, title), chunks in groupby(rows, key=lambda row: row[:2]):
            texts: list[str] = []
            for _, _, text, vector in chunks:
                texts.append(text)
                vectors.append(vector)
            file.write(msgspec.json.encode({"path": path, "title": title or path, "chunks": texts}) + b"\n")
    np.save(folder / "vectors.npy", unquantized(vectors))


def ask_ours(store: Store, queries: Sequence[str]) -> tuple[list[float], float]:
    """Milliseconds of each query but the first few, and the processor seconds of them all."""
    embedder = InProcessEmbedder(BUNDLED)
    searcher = Searcher(lambda: {"bench": store}, embedder)
    for query in queries[:_WARM_UP]:
        searcher.search(SearchRequest(query))
    taken: list[float] = []
    used = time.process_time()
    for query in queries[_WARM_UP:]:
        began = time.perf_counter()
        searcher.search(SearchRequest(query))
        taken.append((time.perf_counter() - began) * 1000)
    used = time.process_time() - used
    searcher.close()
    embedder.close()
    return taken, used


def ask_theirs(python: Path, folder: Path, queries: Sequence[str]) -> tuple[list[float], float]:
    """The same of vstash."""
    (folder / "model.txt").write_text(str(BUNDLED.path), encoding="utf-8")
    parts = {"warm_up": queries[:_WARM_UP], "counted": queries[_WARM_UP:]}
    (folder / "queries.json").write_text(json.dumps(parts), encoding="utf-8")
    script = Path(__file__).with_name("vstash_rival.py")
    done = subprocess.run([python, script, folder], stdout=subprocess.PIPE, text=True, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    return found["took_ms"], found["cpu_seconds"]


def main() -> None:
    """Build, ask both, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vault", type=Path, required=True, help="whose text to take")
    parser.add_argument("--chunks", type=int, default=50_000)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--python", help="one whose sqlite3 can load extensions")
    arguments = parser.parse_args()
    python = environment(arguments.python)
    with tempfile.TemporaryDirectory(prefix="scrubjay-vstash-") as temporary:
        folder = Path(temporary)
        store = build(arguments.vault, folder / "ours.sqlite3", arguments.chunks)
        write_out(store, folder)
        queries = queries_of(store, arguments.queries + _WARM_UP)
        theirs, their_cpu = ask_theirs(python, folder, queries)
        ours, our_cpu = ask_ours(store, queries)
        passages = store.counts().chunks
        store.close()
    print_figures(
        "beside vstash",
        {
            "passages": passages,
            "queries": len(ours),
            "vstash": f"p50 {percentile(theirs, 0.5):.1f} ms, p95 {percentile(theirs, 0.95):.1f} ms",
            "ours": f"p50 {percentile(ours, 0.5):.1f} ms, p95 {percentile(ours, 0.95):.1f} ms",
            "vstash / ours, median": round(percentile(theirs, 0.5) / percentile(ours, 0.5), 1),
            "vstash / ours, processor time": round(their_cpu / our_cpu, 1),
        },
    )


if __name__ == "__main__":
    main()
