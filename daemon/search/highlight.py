"""Where the words of a query stand in a passage, found the way the index finds them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from daemon.search.snippet import Match
from profiles import analysis

_SPACED = f"(?:(?!{analysis.UNSPACED.pattern})\\w)"
_WORD = re.compile(f"{_SPACED}+")
_REST_OF_WORD = re.compile(f"{_SPACED}*")
_REST_OF_ASCII_WORD = re.compile(r"[A-Za-z0-9_]*")
_BEYOND_ASCII = re.compile(f"(?!{analysis.UNSPACED.pattern})[^\\W\\x00-\\x7f]")
_JOINED = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z0-9]*_[A-Za-z0-9_]*")


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
        self._stems = tuple({_stem_in_words(term.text) for term in terms if term.text and term.text.isascii()})
        self._known: dict[str, tuple[int, float] | None] = {}

    def matches(self, text: str) -> list[Match]:
        """All places in `text` that hold a term, in no order."""
        words = self._candidates(text)
        hits = self._hits([text[start:end] for start, end in words])
        found = [Match(start, end, *hits[word]) for start, end in words if (word := text[start:end]) in hits]
        for number, term in self._unspaced:
            at = text.find(term.text)
            while at >= 0:
                found.append(Match(at, at + len(term.text), number, term.weight))
                at = text.find(term.text, at + 1)
        return found

    def _candidates(self, text: str) -> set[tuple[int, int]]:
        """Where the words are that could match, a tenth of all: analysing every word would take ten times as long.

        They hold the beginning of a term anywhere (their parts are terms too), or what analysis folds or joins.
        """
        lowered = text.lower()
        if len(lowered) != len(text):
            return {run.span() for run in _WORD.finditer(text)}
        is_ascii = text.isascii()
        rest_of_word = _REST_OF_ASCII_WORD if is_ascii else _REST_OF_WORD
        found: set[tuple[int, int]] = set()

        def add_word_at(at: int) -> int:
            end = cast("re.Match[str]", rest_of_word.match(text, at)).end()
            while at and _in_word(text[at - 1]):
                at -= 1
            found.add((at, end))
            return end

        for stem in self._stems:
            at = lowered.find(stem)
            while at >= 0:
                at = lowered.find(stem, at + 1 if _is_inside(text, at) else add_word_at(at))
        if "_" in text:
            for joined in _JOINED.finditer(text):
                add_word_at(joined.start())
        if not is_ascii:
            at = 0
            while unusual := _BEYOND_ASCII.search(text, at):
                at = add_word_at(unusual.start())
        return found

    def _hits(self, words: Sequence[str]) -> dict[str, tuple[int, float]]:
        """Those words that match a term, each with (term number, weight)."""
        known, distinct = self._known, set(words)
        for word in distinct.difference(known):
            known[word] = self._matched(word)
        return {word: hit for word in distinct if (hit := known[word]) is not None}

    def _matched(self, word: str) -> tuple[int, float] | None:
        """(term number, weight) of the heaviest term that the word matches."""
        tokens = _tokens(word)
        if not self._prefixes and self._exact.keys().isdisjoint(tokens):
            return None
        hits = [self._exact[token] for token in tokens if token in self._exact]
        for number, term in self._prefixes:
            if any(token.startswith(term.text) for token in tokens):
                hits.append((number, term.weight))
        return max(hits, key=lambda hit: (hit[1], -hit[0]), default=None)


def _stem_in_words(term: str) -> str:
    """What every word that is stemmed to `term` begins with: Porter's steps replace one letter of a stem at most."""
    return term[:-1] or term


def _is_inside(text: str, at: int) -> bool:
    """Whether no term can begin here: a small letter after another ASCII letter."""
    before = text[at - 1] if at else " "
    return text[at].islower() and before.isalpha() and before.isascii()


def _in_word(character: str) -> bool:
    return character == "_" or (character.isalnum() and (character.isascii() or not analysis.is_unspaced(character)))


@lru_cache(maxsize=4_096)
def _tokens(word: str) -> frozenset[str]:
    """The index terms of one word, and its folded form so that an unfinished word matches before its stem does."""
    return frozenset((*analysis.terms(word), analysis.fold(word)))
