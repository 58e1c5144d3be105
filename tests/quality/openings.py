"""`python -m tests.quality.openings`: after how many openings a query finds its note first, and that others stay.

Of each question of a collection whose answer is among the first ten, that answer is opened again and again. Then the
questions of other collections are asked, with these openings and without.
"""

import argparse
import os
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from platformdirs import user_cache_path
from rich.console import Console

from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.profiles.journal.search_event import Opening
from scrubjay.profiles.search.rank.retrieval import IMPERSONAL, Personal
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest, SearchResult
from scrubjay.profiles.store.store import Store
from tests.quality.beir import load
from tests.quality.index import build

_TIMES = 10
_OTHERS = ("cosqa-code", "cacm", "cranfield", "med", "time", "lisa", "nuget-de")


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.openings", description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("SCRUBJAY_EVAL"))
    parser.add_argument("--set", default="vault-obsidian-hub")
    parser.add_argument("--cache", type=Path, default=user_cache_path("scrubjay-quality"))
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("set SCRUBJAY_EVAL or give --data")
    collection = load(Path(arguments.data) / arguments.set)
    index = build(collection, arguments.cache, InProcessEmbedder(BUNDLED))
    opened: list[Opening] = []
    searcher = _searcher(index.store, opened)
    answered: list[tuple[str, str]] = []
    for query in collection.queries:
        found = [result.path for result in _ask(searcher, query.text)]
        right = next((path for path in found if index.document_of[path] in query.gains), None)
        if right is not None:
            answered.append((query.text, right))
    console = Console(width=140)
    for times in range(_TIMES):
        first = sum(_ask(searcher, text)[0].path == path for text, path in answered)
        console.print(f"opened {times} times: first for {first} of {len(answered)}, {first / len(answered):.3f}")
        opened += [Opening(text, path, time.time_ns()) for text, path in answered]
    known = {query.text for query in collection.queries}
    names = (name for name in _OTHERS if (Path(arguments.data) / name).is_dir())
    others = [q.text for name in names for q in load(Path(arguments.data) / name).queries if q.text not in known][
        :1_000
    ]
    plain = _searcher(index.store, None)
    moved = sum(_ask(plain, text) != _ask(searcher, text) for text in others)
    console.print(f"{len(others)} other queries: {moved} answered otherwise")


def _searcher(store: Store, opened: Sequence[Opening] | None) -> Searcher:
    personal = Personal(openings=lambda _name, _store: opened) if opened is not None else IMPERSONAL
    return Searcher(lambda: {"quality": store}, InProcessEmbedder(BUNDLED), personal=personal)


def _ask(searcher: Searcher, query: str) -> Sequence[SearchResult]:
    found: Iterable[SearchResult] = searcher.search(SearchRequest(query, limit=10, explain=True, habits=True)).results
    return tuple(found)


if __name__ == "__main__":
    main()
