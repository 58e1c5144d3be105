"""Of real vaults, reading on to the end gives the notes that grep finds, and the count says how many.

What grep looks for is what docs/searching.md says that words are: whole words whatever their case and accents, with
their endings, and the parts of identifiers; in the path, the title, aliases and tags, and the text.
"""

import os
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain, pairwise
from pathlib import Path
from typing import cast

import pytest
import yaml

from scrubjay.profiles.names import fold
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.search.words.analysis import tokenize
from scrubjay.profiles.search.words.stop_words import STOP_WORDS
from scrubjay.profiles.store.file_store import FileStore
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.indexed_vault import index_vault
from tests.integration.search.test_every_note import EVAL, pages, paths

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(EVAL is None, reason="needs the real vaults below $SCRUBJAY_EVAL"),
]
WORDS, PHRASES = 30, 10
_FRONTMATTER = re.compile(r"\A---\n(.*?)\n---\s*(?:\n|\Z)", re.DOTALL)
_NAMING = ("title", "aliases", "alias", "tags", "tag")
_HEADING = re.compile(r"^#{1,6}[ \t].*$", re.MULTILINE)
_ADDRESS = re.compile(r"\]\([^)\s]*\)")
_WORD = re.compile(r"[^\W_]+")
_IDENTIFIER = re.compile("[A-Za-z][A-Za-z0-9_-]{2,}")
_PART = re.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


class Grep:
    """The notes of a vault, as stemmed words."""

    def __init__(self, root: Path) -> None:
        texts = {path.relative_to(root).as_posix(): path.read_text("utf-8", "replace") for path in root.rglob("*.md")}
        self.written = {path: set(_WORD.findall(fold(text))) for path, text in texts.items()}
        lines = {path: said(path, text).split("\n") for path, text in texts.items()}
        # The parts of identifiers are words of their own, which stand side by side after those of the text.
        self.runs = {
            path: ([stems(line) for line in each], [list(identifier_parts(line)) for line in each])
            for path, each in lines.items()
        }
        self.words = {path: {stem for run in runs for line in run for stem in line} for path, runs in self.runs.items()}

    def word(self, stem: str) -> set[str]:
        """The notes that say a word."""
        return {path for path, words in self.words.items() if stem in words}

    def phrase(self, pair: tuple[str, str], *, in_a_line: bool) -> set[str]:
        """The notes that say two words side by side: in a line, or across lines too."""
        return {path for path, runs in self.runs.items() if pair in pairs(runs, in_a_line=in_a_line)}


def said(path: str, text: str) -> str:
    """What a note says: its path, its names, its text. The addresses of links in headings are not read."""
    front = _FRONTMATTER.match(text)
    properties = properties_of(front[1] if front else "")
    names = " ".join(str(value) for name, value in properties.items() if str(name).lower() in _NAMING)
    body = _HEADING.sub(lambda heading: _ADDRESS.sub("]", heading[0]), text[front.end() :] if front else text)
    return f"{path.removesuffix('.md')}\n{names}\n{body}"


def properties_of(front: str) -> Mapping[str, object]:
    try:
        loaded = cast("object", yaml.safe_load(front))
    except yaml.YAMLError:
        return {}
    return cast("Mapping[str, object]", loaded) if isinstance(loaded, dict) else {}


@cache
def stem_of(word: str) -> str:
    """SQLite's Porter stem of a folded word."""
    found = tokenize(word)
    return found[0] if len(found) == 1 else word


def stems(line: str) -> list[str]:
    return [stem_of(word) for word in _WORD.findall(fold(line))]


def identifier_parts(text: str) -> Iterator[str]:
    """`readCsv` -> read, csv; `read_csv` -> readcsv."""
    for identifier in cast("list[str]", _IDENTIFIER.findall(text)):
        pieces = [piece for piece in re.split("[_-]", identifier) if piece]
        if 1 < len(pieces) <= 5:
            yield stem_of("".join(pieces).lower())
        for piece in pieces:
            parts: list[str] = _PART.findall(piece)
            yield from (stem_of(part.lower()) for part in parts if len(parts) > 1)


def pairs(runs: Iterable[list[list[str]]], *, in_a_line: bool) -> set[tuple[str, str]]:
    stretches = (run if in_a_line else [list(chain.from_iterable(run))] for run in runs)
    return {pair for stretch in chain.from_iterable(stretches) for pair in pairwise(stretch)}


def plain(word: str) -> bool:
    """Whether a word is one to every reader: no number, nothing that is left out of a query."""
    return word.isascii() and word.isalpha() and len(word) > 2 and word not in STOP_WORDS


def sampled_words(grep: Grep, chance: random.Random) -> list[str]:
    written = Counter(word for words in grep.written.values() for word in words)
    return chance.sample(sorted(word for word, notes in written.items() if notes > 2 and plain(word)), WORDS)


def sampled_phrases(grep: Grep, chance: random.Random) -> Iterator[tuple[str, str]]:
    """Pairs of words that several notes say in a line, and none across two: passages may end there."""
    counts = Counter(pair for runs in grep.runs.values() for pair in pairs(runs, in_a_line=True))
    common = sorted(p for p, n in counts.items() if n > 2 and all(plain(word) and stem_of(word) == word for word in p))
    chance.shuffle(common)
    alike = (pair for pair in common if grep.phrase(pair, in_a_line=True) == grep.phrase(pair, in_a_line=False))
    return (pair for pair, _ in zip(alike, range(PHRASES), strict=False))


@pytest.mark.parametrize("name", ["nikita-knowledge", "obsidian-hub"])
def test_every_note_is_found_and_counted_that_grep_finds(name: str, tmp_path: Path) -> None:
    root, store = Path(os.environ["SCRUBJAY_EVAL"]) / name, FileStore.open(tmp_path / "index.sqlite3")
    index_vault(store, root)
    searcher, grep, chance = Searcher(lambda: {"p": store}, HashEncoder()), Grep(root), random.Random(16)
    expected = {word: grep.word(stem_of(word)) for word in sampled_words(grep, chance)}
    expected |= {f'"{" ".join(pair)}"': grep.phrase(pair, in_a_line=True) for pair in sampled_phrases(grep, chance)}
    assert len(expected) == WORDS + PHRASES
    for query, notes in expected.items():
        answers = list(pages(searcher, SearchRequest(query, mode="lexical", limit=100, mend=False)))
        found = [path for answer in answers for path in paths(answer)]
        assert (set(found), answers[0].total_notes) == (notes, len(notes)), query
    searcher.close()
    store.close()
