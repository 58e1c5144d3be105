"""Reading a labelled collection in the BEIR layout: corpus.jsonl, queries.jsonl, qrels/test.tsv."""

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrubjay.profiles.search.words.analysis import UNSPACED


@dataclass(frozen=True, slots=True)
class Document:
    """One document; `title` may be empty."""

    id: str
    title: str
    text: str
    number: int  # its place in the collection, which names its note wherever it is put


@dataclass(frozen=True, slots=True)
class LabelledQuery:
    """A query with its relevant documents (id -> gain, > 0) and the strata it belongs to.

    within: the document that it was taken from, which counts as no answer.
    """

    id: str
    text: str
    gains: Mapping[str, float]
    strata: tuple[str, ...]
    within: str = ""


@dataclass(frozen=True, slots=True)
class Collection:
    """A named collection. Queries without a relevant document are left out, in the file's order otherwise."""

    name: str
    folder: Path
    documents: tuple[Document, ...]
    queries: tuple[LabelledQuery, ...]


def load(folder: Path, *, limit_queries: int | None = None) -> Collection:
    """Read a collection. Raises FileNotFoundError or ValueError where the folder is not in the layout."""
    documents = tuple(
        Document(line["_id"], line.get("title", ""), line.get("text", ""), number)
        for number, line in enumerate(_lines(folder / "corpus.jsonl"))
    )
    gains = _gains(folder / "qrels" / "test.tsv")
    queries = tuple(
        LabelledQuery(line["_id"], line["text"], gains[line["_id"]], _strata(line))
        for line in _lines(folder / "queries.jsonl")
        if line["_id"] in gains
    )
    return Collection(folder.name, folder, documents, queries[:limit_queries])


def available(root: Path) -> list[str]:
    """Names of the collections below `root`."""
    return sorted(path.parent.name for path in root.glob("*/corpus.jsonl"))


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def _gains(path: Path) -> dict[str, dict[str, float]]:
    gains: dict[str, dict[str, float]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if float(row["score"]) > 0:
                gains.setdefault(row["query-id"], {})[row["corpus-id"]] = float(row["score"])
    return gains


def _strata(line: Mapping[str, Any]) -> tuple[str, ...]:
    """What kind of query it is: as labelled (`type`, `category`), by script, and by length."""
    labels = [f"{name}={line[name]}" for name in ("type", "category") if name in line]
    text: str = line["text"]
    script = "unspaced" if UNSPACED.search(text) else "spaced"
    size = len(text.split())
    length = "1-2 words" if size <= 2 else "3-6 words" if size <= 6 else "7+ words"
    return (*labels, f"script={script}", *((f"length={length}",) if script == "spaced" else ()))
