"""Answers searches of stores that are named, for `tests.bench.turns`: run by the Python of any checkout.

Reads one JSON object a line (`request`: fields of `SearchRequest`; `vector`: the query's) and writes one: `ms` of
processor time, `wall` of the clock, and `found`: what was shown, in order.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np

from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.profiles.search.meaning.embedder import Awaited
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.rows import Vector


class GivenVector:
    """An embedder whose next vector is at hand."""

    spec = BUNDLED

    def __init__(self) -> None:
        self.vector = np.zeros(BUNDLED.dim, np.float32)

    def send_query(self, _text: str) -> Awaited:
        vector = self.vector

        def wait(_seconds: float) -> Vector:
            return vector

        return wait

    def warm(self) -> None:
        pass


def main() -> None:
    """Serve until the input ends."""
    stores = {str(number): FileStore.open(Path(path)) for number, path in enumerate(sys.argv[1:])}
    for store in stores.values():
        store.load_arrays()
    given = GivenVector()
    searcher = Searcher(lambda: stores, given)  # type: ignore[arg-type]  # it embeds no passage here
    for line in sys.stdin:
        asked = json.loads(line)
        given.vector = np.array(asked["vector"], np.float32)
        request = SearchRequest(**asked["request"])
        began, used = time.perf_counter(), time.process_time()
        response = searcher.search(request)
        used, took = time.process_time() - used, time.perf_counter() - began
        found = [
            [each.path, each.line, each.snippet, each.relevance, round(each.score, 6)] for each in response.results
        ]
        print(json.dumps({"ms": used * 1000, "wall": took * 1000, "found": found}), flush=True)


if __name__ == "__main__":
    main()
