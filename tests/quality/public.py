"""`python -m tests.quality.public [--locomo FOLDER] [--longmemeval FILE] [--limit-queries N]`: what others publish.

LoCoMo: each question is asked of its own conversation, in which a document is a turn; what counts are the turns that
people marked as evidence. LongMemEval-S: each question is asked of its own history, in which a document is a session,
all that both sides said in it, and what counts are the sessions that hold the answer (its authors' own baselines read
what the user said alone); questions without an answer are left out, as its authors do. R@k is the share of questions
of which any such document is among the first k, all@k of those of which all are.
"""

import argparse
import json
import os
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from platformdirs import user_cache_path
from rich.console import Console
from rich.table import Table

from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.search.searcher import Searcher
from tests.quality.beir import Collection, LabelledQuery, load
from tests.quality.index import build
from tests.quality.running import ranking

DEPTHS = (1, 5, 10)


@dataclass(frozen=True, slots=True)
class FoundAt:
    """Of one question: its kind, and the places from 0 of the documents that count; None: not among the first."""

    kind: str
    places: tuple[int | None, ...]

    def any_within(self, depth: int) -> bool:
        """Whether one of them is among the first so many."""
        return any(place is not None and place < depth for place in self.places)

    def all_within(self, depth: int) -> bool:
        """Whether all are."""
        return all(place is not None and place < depth for place in self.places)


def conversations(locomo: Collection) -> Iterator[Collection]:
    """LoCoMo as its conversations, by what their ids begin with."""
    queries: defaultdict[str, list[LabelledQuery]] = defaultdict(list)
    for query in locomo.queries:
        queries[next(iter(query.gains)).partition("/")[0]].append(query)
    for name, asked in queries.items():
        documents = tuple(each for each in locomo.documents if each.id.partition("/")[0] == name)
        yield replace(locomo, name=f"{locomo.name}-{name}", documents=documents, queries=tuple(asked))


def histories(file: Path, below: Path, limit: int | None = None) -> Iterator[Collection]:
    """LongMemEval's questions, each with its history as a collection that is written below a folder."""
    for entry in json.loads(file.read_text("utf-8"))[:limit]:
        if not entry["question_id"].endswith("_abs"):
            folder = below / re.sub(r"\W", "-", entry["question_id"])
            _write(folder, entry)
            yield load(folder)


def _write(folder: Path, entry: dict[str, Any]) -> None:
    (folder / "qrels").mkdir(parents=True)
    dates = entry.get("haystack_dates") or [""] * len(entry["haystack_sessions"])
    sessions = {
        name: {"_id": name, "title": date, "text": "\n\n".join(f"{turn['role']}: {turn['content']}" for turn in turns)}
        for name, date, turns in zip(entry["haystack_session_ids"], dates, entry["haystack_sessions"], strict=True)
    }
    query = {"_id": entry["question_id"], "text": entry["question"], "category": entry["question_type"]}
    gains = [f"{query['_id']}\t{name}\t1" for name in entry["answer_session_ids"]]
    lines = {
        "corpus.jsonl": [json.dumps(each) for each in sessions.values()],
        "queries.jsonl": [json.dumps(query)],
        "qrels/test.tsv": ["query-id\tcorpus-id\tscore", *gains],
    }
    for name, rows in lines.items():
        (folder / name).write_text("\n".join(rows) + "\n", "utf-8")


def ask(collection: Collection, cache: Path, embedder: Embedder) -> Iterator[FoundAt]:
    """Every question of a collection, as a search answers it."""
    index = build(collection, cache, embedder)
    searcher = Searcher(lambda: {"quality": index.store}, embedder)
    for query in collection.queries:
        found = ranking(searcher, {"quality": index}, query, "hybrid", max(DEPTHS)).documents[: max(DEPTHS)]
        places = tuple(found.index(each) if each in found else None for each in query.gains)
        yield FoundAt(query.strata[0] if query.strata else "", places)
    searcher.close()
    index.store.close()


def table(name: str, found: Sequence[FoundAt]) -> Table:
    """R@k and all@k of all questions and of each kind."""
    made = Table("questions", *(f"{measure}@{depth}" for measure in ("R", "all") for depth in DEPTHS), title=name)
    for kind in ("", *sorted({each.kind for each in found} - {""})):
        some = [each for each in found if kind in ("", each.kind)]
        within = [sum(each.any_within(depth) for each in some) for depth in DEPTHS]
        within += [sum(each.all_within(depth) for each in some) for depth in DEPTHS]
        made.add_row(f"{kind or 'all'} ({len(some)})", *(f"{100 * count / len(some):.1f}" for count in within))
    return made


def main() -> None:
    """Ask and print."""
    given = os.environ.get("SCRUBJAY_EVAL")
    parser = argparse.ArgumentParser(prog="python -m tests.quality.public", description=__doc__)
    parser.add_argument("--locomo", type=Path, default=Path(given) / "locomo" if given else None)
    parser.add_argument("--longmemeval", type=Path, help="longmemeval_s_cleaned.json, of its authors")
    parser.add_argument("--limit-queries", type=int)
    parser.add_argument("--cache", type=Path, default=user_cache_path("scrubjay-quality"))
    arguments = parser.parse_args()
    if arguments.locomo is None and arguments.longmemeval is None:
        parser.error("set SCRUBJAY_EVAL, or give --locomo or --longmemeval")
    console, embedder = Console(width=120), InProcessEmbedder(BUNDLED)
    if arguments.locomo is not None:
        parts = conversations(load(arguments.locomo, limit_queries=arguments.limit_queries))
        console.print(table("LoCoMo", [each for part in parts for each in ask(part, arguments.cache, embedder)]))
    if arguments.longmemeval is not None:
        with TemporaryDirectory() as below:
            parts = histories(arguments.longmemeval, Path(below), arguments.limit_queries)
            found = [each for part in parts for each in ask(part, Path(below) / "cache", embedder)]
        console.print(table("LongMemEval-S", found))


if __name__ == "__main__":
    main()
