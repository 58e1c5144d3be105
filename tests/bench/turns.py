"""`python -m tests.bench.turns --before PYTHON --store PATH...`: two versions, asked in turn, query by query.

PYTHON is that of another checkout, such as of the version before. Both search the same stores in process (several are
searched together), with the query's vector at hand. Ratios of one run mean something on a machine that others use.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.profiles.store.file_store import FileStore
from tests.bench.queries import queries_of
from tests.bench.running import percentile, print_figures

_WARM_UP = 20


class _Version:
    """A child process that searches copies of the stores: another version may not know their format afterwards."""

    def __init__(self, python: str, stores: Sequence[Path], folder: Path) -> None:
        script = str(Path(__file__).with_name("turn_taker.py"))
        folder.mkdir()
        copies = [shutil.copy(store, folder / f"{number}.sqlite3") for number, store in enumerate(stores)]
        command = [python, script, *map(str, copies)]
        self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.used: list[float] = []
        self.took: list[float] = []

    def ask(self, line: str) -> object:
        """What was found."""
        assert self._child.stdin
        assert self._child.stdout
        print(line, file=self._child.stdin, flush=True)
        answer = json.loads(self._child.stdout.readline())
        self.used.append(answer["ms"])
        self.took.append(answer["wall"])
        return answer["found"]

    def forget(self) -> None:
        """What was asked until now does not count."""
        self.used, self.took = [], []

    def close(self) -> None:
        """End the child."""
        self._child.communicate()


def ways_of(queries: Sequence[str]) -> dict[str, list[dict[str, object]]]:
    """The requests of each way of searching."""
    typed = [query[:end] for query in queries[::7] for end in range(1, len(query) + 1) if query[:end].strip()]
    return {
        "hybrid": [{"query": query} for query in queries],
        "by words": [{"query": query, "mode": "lexical"} for query in queries],
        "by meaning": [{"query": query, "mode": "semantic"} for query in queries],
        "each keystroke": [{"query": text, "mode": "lexical", "typing": True} for text in typed],
    }


def in_turn(before: _Version, after: _Version, lines: Sequence[str]) -> str:
    """Milliseconds of both, the mean of the later one as a share of the other's, and how many answers differ."""
    for line in lines[:_WARM_UP]:
        before.ask(line)
        after.ask(line)
    before.forget()
    after.forget()
    different = 0
    for number, line in enumerate(lines):
        first, second = (before, after) if number % 2 else (after, before)
        different += first.ask(line) != second.ask(line)
    mean = sum(after.used) / sum(before.used)
    return f"{_spread(after)}, before {_spread(before)}; {mean:.2f} of it, {different} answers differ"


def _spread(version: _Version) -> str:
    used, took = version.used, version.took
    return (
        f"p50 {percentile(used, 0.5):.1f} p95 {percentile(used, 0.95):.1f}"
        f" ({percentile(took, 0.5):.1f} {percentile(took, 0.95):.1f})"
    )


def main() -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", required=True, help="the Python of the other checkout")
    parser.add_argument("--store", type=Path, nargs="+", required=True)
    parser.add_argument("--queries", type=int, default=200)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        before = _Version(arguments.before, arguments.store, folder / "before")
        after = _Version(sys.executable, arguments.store, folder / "after")
        store = FileStore.open(Path(shutil.copy(arguments.store[0], folder / "queries.sqlite3")))
        queries, chunks = queries_of(store, arguments.queries), store.counts().chunks
        store.close()
        figures = _figures(before, after, queries)
    print_figures(f"{chunks:,} passages: ms of processor time (of the clock)", figures)


def _figures(before: _Version, after: _Version, queries: Sequence[str]) -> dict[str, object]:
    embedder = InProcessEmbedder(BUNDLED)
    vectors = {query: embedder.embed_query(query).tolist() for query in queries}
    embedder.close()
    figures: dict[str, object] = {}
    for way, requests in ways_of(queries).items():
        lines = [json.dumps({"request": each, "vector": vectors.get(str(each["query"]), [0.0])}) for each in requests]
        figures[way] = in_turn(before, after, lines)
    before.close()
    after.close()
    return figures


if __name__ == "__main__":
    main()
