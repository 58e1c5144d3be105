"""Where the words of a query stand in a passage, found the way the index finds them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from daemon.search.snippet import Match
from profiles import analysis

_WORD = re.compile(f"(?:(?!{analysis.UNSPACED.pattern})\\w)+")
_ASCII_WORD = re.compile(r"[A-Za-z0-9_]+")

_START = 2
"""Letters at the beginning of a word that Porter's stemmer never changes; of a word of one or two, all are left."""


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
        self._starts = {term.text[:_START] for term in terms}
        self._known: dict[str, tuple[int, float] | None] = {}

    def matches(self, text: str) -> list[Match]:
        """All places in `text` that hold a term, in no order."""
        found = self._in_ascii(text) if text.isascii() else self._in_any(text)
        for number, term in self._unspaced:
            at = text.find(term.text)
            while at >= 0:
                found.append(Match(at, at + len(term.text), number, term.weight))
                at = text.find(term.text, at + 1)
        return found

    def _in_ascii(self, text: str) -> list[Match]:
        hits = self._hits(_ASCII_WORD.findall(text))
        return [Match(start, start + len(word), *hit) for word, hit in hits.items() for start in _places(word, text)]

    def _in_any(self, text: str) -> list[Match]:
        runs = list(_WORD.finditer(text))
        hits = self._hits([run[0] for run in runs])
        return [Match(run.start(), run.end(), *hits[run[0]]) for run in runs if run[0] in hits]

    def _hits(self, words: Sequence[str]) -> dict[str, tuple[int, float]]:
        """Those words that match a term, each with (term number, weight)."""
        known, distinct = self._known, set(words)
        for word in distinct.difference(known):
            known[word] = self._matched(word)
        return {word: hit for word in distinct if (hit := known[word]) is not None}

    def _matched(self, word: str) -> tuple[int, float] | None:
        """(term number, weight) of the heaviest term that the word matches."""
        if word.isascii() and word.isalpha() and not self._may_match(word):
            return None
        tokens = _tokens(word)
        if not self._prefixes and self._exact.keys().isdisjoint(tokens):
            return None
        hits = [self._exact[token] for token in tokens if token in self._exact]
        for number, term in self._prefixes:
            if any(token.startswith(term.text) for token in tokens):
                hits.append((number, term.weight))
        return max(hits, key=lambda hit: (hit[1], -hit[0]), default=None)

    def _may_match(self, word: str) -> bool:
        """Whether an ASCII word could come to one of the terms: stemming leaves its first letters as they are."""
        if not (word.islower() or word.istitle() or word.isupper()):
            return True  # its parts are terms too
        start = word[:_START].lower()
        return start in self._starts or start[:1] in self._starts


def _places(word: str, text: str) -> Iterator[int]:
    """Where `word` begins in an ASCII text as a word of its own. Much faster than looking at every word of the text."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not (at and _in_word(text[at - 1])) and not (end < len(text) and _in_word(text[end])):
            yield at
        at = text.find(word, end)


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_"


@lru_cache(maxsize=20_000)
def _tokens(word: str) -> frozenset[str]:
    """The index terms of one word, and its folded form so that an unfinished word matches before its stem does."""
    return frozenset((*analysis.terms(word), analysis.fold(word)))
