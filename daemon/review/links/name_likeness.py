"""How alike two names of notes are, and which of many names are nearest to one."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from math import log

import numpy as np

from scrubjay.profiles.names import fold
from scrubjay.profiles.text.analysis import UNSPACED

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_DATE = re.compile(r"^\s*(?:19|20)\d\d-?\d\d-?\d\d(?:\d{4})?[\s_.-]+(?=\S)")
_LOOKED_AT = 60  # names that share most with one are compared with it letter by letter
_LETTERS = 0.5  # weight of the letters beside the words
_ENDINGS = re.compile(r"(?<=[a-z]{3})(?:ies|es|s|y)$")


@dataclass(frozen=True)
class Name:
    """A name, taken apart."""

    written: str

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its words, folded, without what makes a plural of them and without a date before them."""
        found = _WORD.findall(fold(_CAMEL.sub(" ", _DATE.sub("", self.written))))
        return tuple(_ENDINGS.sub("", word) for word in found)

    @cached_property
    def letters(self) -> str:
        """Its words as one."""
        return "".join(self.words)

    @cached_property
    def grams(self) -> Counter[str]:
        """How often it has each run of three letters, ends marked; of two in scripts without spaces."""
        marked = f"^{self.letters}$"
        size = 2 if UNSPACED.search(marked) else 3
        return Counter(marked[at : at + size] for at in range(max(len(marked) - size + 1, 1)))


class NameIndex:
    """Many names, to be compared with one after the other."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = [Name(written) for written in names]
        postings: dict[str, list[int]] = {}
        for number, name in enumerate(self._names):
            for gram in name.grams:
                postings.setdefault(gram, []).append(number)
        self._postings = {gram: np.array(numbers, dtype=np.int64) for gram, numbers in postings.items()}
        self._sizes = np.array([len(name.grams) for name in self._names], dtype=np.float64)
        frequencies = Counter(word for name in self._names for word in set(name.words))
        self._weights = {word: log(1 + len(self._names) / count) for word, count in frequencies.items()}

    def nearest(self, written: str, limit: int) -> list[tuple[int, float]]:
        """The names nearest to one, by their numbers, with the likeness (0 to 1), best first; equal ones in order."""
        name = Name(written)
        found = [self._postings[gram] for gram in name.grams if gram in self._postings]
        if not found or not name.letters:
            return []
        shared = np.bincount(np.concatenate(found), minlength=len(self._names))
        alike = 2 * shared / (self._sizes + len(name.grams))
        best: list[int] = np.argsort(-alike, kind="stable")[:_LOOKED_AT].tolist()
        scored = [(number, self.likeness(name, self._names[number])) for number in best if alike[number] > 0]
        return sorted(scored, key=lambda pair: (-pair[1], pair[0]))[:limit]

    def likeness(self, one: Name, other: Name) -> float:
        """0 to 1: the same words in any order 0.97, the same letters 0.98, as they are written 1."""
        if one.written == other.written:
            return 1.0
        if one.letters == other.letters:
            return 0.98
        if sorted(one.words) == sorted(other.words):
            return 0.97
        shared = sum((one.grams & other.grams).values())
        letters = 2 * shared / max(one.grams.total() + other.grams.total(), 1)
        mixed = (1 - _LETTERS) * self._words_in_common(one, other) + _LETTERS * letters
        return min(max(mixed, _typo(one.letters, other.letters) if letters > 0.2 else 0.0), 0.96)

    def _words_in_common(self, one: Name, other: Name) -> float:
        """Share of the weight of both names' words that is in both, rare words weighing most."""
        mine, theirs = set(one.words), set(other.words)
        weight = {word: self._weights.get(word, log(1 + len(self._names))) for word in mine | theirs}
        both = 2 * sum(weight[word] for word in mine & theirs)
        return both / max(sum(weight[word] for word in mine) + sum(weight[word] for word in theirs), 1e-9)


def _typo(one: str, other: str) -> float:
    """How likely one is the other mistyped. In scripts without spaces a letter is as good as a syllable."""
    ratio = SequenceMatcher(None, one, other, autojunk=False).ratio()
    return 0.95 * (ratio if UNSPACED.search(one) else ratio**1.5)
