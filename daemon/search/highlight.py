"""Where the words of a query stand in a passage, found the way the index finds them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from daemon.search.snippet import Match
from profiles import analysis

_WORD = re.compile(f"(?:(?!{analysis.UNSPACED.pattern})\\w)+")
_ASCII_WORD = re.compile(r"[A-Za-z0-9_]+")


@dataclass(frozen=True, slots=True)
class SoughtTerm:
    """An analysed term of the query and how much it tells."""

    text: str
    weight: float = 1.0
    prefix: bool = False


class Highlighter:
    """Finds the terms of one query in any number of passages; remembers what each word of them came to.

    Whole words, stems and prefixes match as the index knows them; words of scripts without spaces are found wherever
    their pairs of characters stand. Not thread-safe.
    """

    def __init__(self, terms: Sequence[SoughtTerm]) -> None:
        self._exact = {term.text: (number, term.weight) for number, term in enumerate(terms)}
        self._prefixes = [(number, term) for number, term in enumerate(terms) if term.prefix]
        self._unspaced = [(number, term) for number, term in enumerate(terms) if analysis.is_unspaced(term.text)]
        self._known: dict[str, tuple[int, float] | None] = {}

    def matches(self, text: str) -> list[Match]:
        """All places in `text` that hold a term, in no order."""
        known = self._known
        found: list[Match] = []
        for run in (_ASCII_WORD if text.isascii() else _WORD).finditer(text):
            word = run[0]
            if word not in known:
                known[word] = self._matched(word)
            hit = known[word]
            if hit is not None:
                found.append(Match(run.start(), run.end(), *hit))
        for number, term in self._unspaced:
            at = text.find(term.text)
            while at >= 0:
                found.append(Match(at, at + len(term.text), number, term.weight))
                at = text.find(term.text, at + 1)
        return found

    def _matched(self, word: str) -> tuple[int, float] | None:
        """(term number, weight) of the heaviest term that the word matches."""
        tokens = _tokens(word)
        hits = [self._exact[token] for token in tokens if token in self._exact]
        for number, term in self._prefixes:
            if any(token.startswith(term.text) for token in tokens):
                hits.append((number, term.weight))
        return max(hits, key=lambda hit: (hit[1], -hit[0]), default=None)


@lru_cache(maxsize=20_000)
def _tokens(word: str) -> frozenset[str]:
    """The index terms of one word, and its folded form so that an unfinished word matches before its stem does."""
    return frozenset((*analysis.terms(word), analysis.fold(word)))
